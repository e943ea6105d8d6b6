//! Files of every kind, and games that go out and come back.

mod archives;
mod entries;
mod faults;
mod formats;
mod gravon;
mod made;
mod many;
mod samples;

use super::{Code, Document, Documents, Recording, Rejection, parse, replay};

/// A game of barrage in which both have moved.
const FIELD: &str = "MBAAAAAAAKLAAACAAAAAEAADADAAAAAAAAAAAAAAAA__AA__AAAA__AA__AAAAWAAAAAAQAAAAAXAAAAAAAPAAAPANAAAAAAAAOY";

/// Gravon XML whose players have a number, so that no two are the same game.
fn xml(number: u32) -> String {
    format!(
        "<?xml version=\"1.0\"?>\n<stratego><game type=\"barrage\"><field content=\"{FIELD}\"/>\
         <move id=\"1\" source=\"A3\" target=\"A4\"/><move id=\"2\" source=\"F8\" target=\"F7\"/>\
         <player id=\"1\">Ann {number}</player><player id=\"2\">Ben</player>\
         <result type=\"3\" winner=\"1\"/></game></stratego>"
    )
}

/// The same game as GSN.
fn gsn(number: u32) -> String {
    format!(
        "#1 Stratego-Notation v1\ntype 1\n{FIELD}\nA3-A4\nF8-F7\nEND\nAnn {number} vs Ben result 3 winner 0\n"
    )
}

fn document(label: &str, bytes: impl Into<Vec<u8>>) -> Document {
    Document {
        label: label.into(),
        game: 1,
        bytes: bytes.into(),
    }
}

/// All that comes of documents, replayed.
fn read_all(documents: Documents) -> Vec<Result<Recording, Rejection>> {
    let parsed = documents.flat_map(|document| match document {
        Ok(document) => parse(&document),
        Err(rejection) => vec![Err(rejection)],
    });
    parsed
        .map(|read| {
            let recording = read?;
            replay(&recording)?;
            Ok(recording)
        })
        .collect()
}

/// Where each rejection is, and why.
fn rejections(read: &[Result<Recording, Rejection>]) -> Vec<(&str, u32, Code)> {
    read.iter()
        .filter_map(|read| read.as_ref().err())
        .map(|rejection| (&*rejection.file, rejection.game, rejection.code))
        .collect()
}

/// The one game of a document.
fn one(label: &str, bytes: impl Into<Vec<u8>>) -> Result<Recording, Rejection> {
    let mut games = parse(&document(label, bytes));
    assert_eq!(games.len(), 1);
    let recording = games.remove(0)?;
    replay(&recording)?;
    Ok(recording)
}
