//! From the bytes of a document to the games in it.

use std::str;
use std::sync::Arc;

use domain::gravon::{ArchiveDate, GravonGame, parse_gsn};
use domain::{Record, Timestamp};

use super::documents::Document;
use super::recording::Recording;
use super::rejection::{Code, Fault, Rejection};
use super::{gravon_xml, instant, json, plain, text};

/// Where the games of the archive were recorded.
const GRAVON: &str = "gravon";

/// The headers with which a text may begin.
const HEADERS: [&str; 11] = [
    "ruleset", "options", "source", "red", "blue", "result", "reason", "ending", "date", "started",
    "finished",
];

/// How much of an unknown document a fault shows, in characters.
const SHOWN: usize = 20;

/// The games of a document, and what is wrong with those that cannot be read: one result a game, and at least
/// one. What form it has is seen by what is in it.
pub fn parse(document: &Document) -> Vec<Result<Recording, Rejection>> {
    let Document { label, game, bytes } = document;
    let games = read(label, bytes).unwrap_or_else(|fault| vec![Err(fault)]);
    let placed = (*game..).zip(games).map(|(game, read)| match read {
        Ok(mut recording) => {
            recording.file = Arc::clone(label);
            recording.game = game;
            Ok(recording)
        }
        Err(fault) => Err(fault.of(label, game)),
    });
    placed.collect()
}

fn read(label: &str, bytes: &[u8]) -> Result<Vec<Result<Recording, Fault>>, Fault> {
    let text = text::decode(bytes)?;
    let text = text.trim_start();
    match text.chars().next() {
        None => Err(Fault::new(Code::UnknownFormat, "the file is empty")),
        Some('<') => {
            let day = day_of(label);
            let games = gravon_xml::games(text)?;
            let read = |game: Result<GravonGame, _>| of_gravon(game?, day);
            Ok(games.into_iter().map(read).collect())
        }
        Some('#') => Ok(vec![of_gravon(parse_gsn(text)?, day_of(label))]),
        Some('{') if str::from_utf8(bytes).is_err() => {
            Err(Fault::new(Code::BadEncoding, "expected JSON in UTF-8"))
        }
        Some('{') => Ok(vec![json::read(text)]),
        Some(_) if is_notation(text) => Ok(vec![plain::read(text)]),
        Some(_) => Err(unknown(text)),
    }
}

/// Whether the first line is one of our headers.
fn is_notation(text: &str) -> bool {
    let line = text.lines().next().unwrap_or_default();
    let key = line.split_once(':').map(|(key, _)| key.trim_end());
    key.is_some_and(|key| HEADERS.contains(&key))
}

fn unknown(text: &str) -> Fault {
    let line = text.lines().next().unwrap_or_default();
    let shown: String = line.chars().take(SHOWN).collect();
    let detail = format!(
        "expected Gravon XML (`<stratego>`), GSN (`# Stratego-Notation`), a game as JSON (`{{`) or as text \
         (`ruleset:`), got `{}`",
        shown.escape_debug()
    );
    Fault::new(Code::UnknownFormat, detail)
}

fn of_gravon(game: GravonGame, day: Option<Timestamp>) -> Result<Recording, Fault> {
    let players = game.players.clone();
    let players = players.as_ref().map(String::as_str);
    let recording = Recording::new(Record::from(game), GRAVON, players)?;
    recording.timed(None, day, None)
}

/// The day in the name of a file, or the first of its month; nothing where the calendar has no such day.
fn day_of(label: &str) -> Option<Timestamp> {
    let date = ArchiveDate::of_file_name(label)?;
    instant::of_day(&date.to_string())
}
