//! Archives that are broken, or meant to break the server.

use std::fs;
use std::io::{Cursor, Write};

use flate2::Compression;
use flate2::write::GzEncoder;
use tests::dice::Dice;
use tests::gravon::GravonGame;
use tests::{TestServer, on_both};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::archive::{MOST_MEMORY, watched};
use super::{counted, import, text};

fn game(seed: u64) -> GravonGame {
    GravonGame::random(&mut Dice::new(seed), 60)
}

/// A zip of so many games.
pub(super) fn zipped(games: u64) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for seed in 0..games {
        let name = format!("2006/{seed:03}.xml");
        zip.start_file(name, SimpleFileOptions::default()).unwrap();
        zip.write_all(game(seed).xml().as_bytes()).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

/// What came before the place where it is cut short stands, and the rest is said.
fn a_zip_that_is_cut_short_gives_what_it_has(server: &TestServer) {
    let folder = tempfile::tempdir().unwrap();
    let whole = zipped(300);
    let cut = folder.path().join("a.zip");
    fs::write(&cut, &whole[..whole.len() / 2]).unwrap();
    let first = import(server, &[text(&cut)]);
    let [imported, 0, rejected] = first.totals else {
        panic!("{:?}", first.totals);
    };
    assert!((100..200).contains(&imported), "{imported}");
    assert_eq!(rejected, 1);
    let last = first.lines.last().unwrap();
    assert!(last.contains(": rejected: damaged_archive: "), "{last}");
    fs::write(&cut, &whole).unwrap();
    let second = import(server, &[text(&cut)]);
    assert_eq!(second.totals, [300 - imported, imported, 0]);
    assert_eq!(counted(&server.client()), (300, 300));
}

/// Files that grow beyond measure or are to make the server read others, each with the code that refuses it.
pub(super) fn bombs() -> [(&'static str, Vec<u8>, &'static str); 6] {
    let mut zeros = GzEncoder::new(Vec::new(), Compression::best());
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    let deflated = SimpleFileOptions::default();
    zip.start_file("a.xml", deflated).unwrap();
    for _ in 0..512 {
        zeros.write_all(&vec![0; 1 << 20]).unwrap();
        zip.write_all(&vec![b'<'; 1 << 20]).unwrap();
    }
    zip.start_file("b.xml", deflated).unwrap();
    zip.write_all(game(1).xml().as_bytes()).unwrap();
    let zip = zip.finish().unwrap().into_inner();
    let doctype = (0..40).fold(
        "<!DOCTYPE s [<!ENTITY a0 \"aaaaaaaaaa\">".to_owned(),
        |text, n| text + &format!("<!ENTITY a{} \"&a{n};&a{n};&a{n};\">", n + 1),
    );
    let entities = doctype + "]><stratego>&a40;</stratego>";
    let foreign =
        "<!DOCTYPE s [<!ENTITY a SYSTEM \"file:///etc/passwd\">]><stratego>&a;</stratego>";
    [
        ("a.xml.gz", zeros.finish().unwrap(), "zip_bomb"),
        ("b.zip", zip, "zip_bomb"),
        (
            "c.ndjson",
            "{".repeat(5 << 20).into_bytes(),
            "line_too_long",
        ),
        ("d.xml", "<a>".repeat(6 << 20).into_bytes(), "too_large"),
        ("e.xml", entities.into_bytes(), "document_type"),
        ("f.xml", foreign.into(), "document_type"),
    ]
}

/// G12: what grows beyond measure is refused, and the process does not grow with it.
fn bombs_are_refused_with_flat_memory(server: &TestServer) {
    let folder = tempfile::tempdir().unwrap();
    let mut expected = Vec::new();
    for (name, bytes, code) in bombs() {
        fs::write(folder.path().join(name), bytes).unwrap();
        expected.push(code);
    }
    fs::write(folder.path().join("g.xml"), game(2).xml()).unwrap();
    expected.push("imported");
    let (report, memory) = watched(server, text(folder.path()));
    println!("{} MiB at most", memory >> 20);
    assert!(memory < MOST_MEMORY, "{memory} bytes");
    let codes: Vec<_> = report
        .lines
        .iter()
        .map(|line| {
            let (_, said) = line.split_once(": ").unwrap();
            said.trim_start_matches("rejected: ")
                .split([':', ' '])
                .next()
                .unwrap()
        })
        .collect();
    assert_eq!(codes, expected);
}

/// Files as long as they may be, of many games and of many moves: memory is bounded, and so is time.
fn files_as_long_as_they_may_be_are_read(server: &TestServer) {
    let folder = tempfile::tempdir().unwrap();
    let mut dice = Dice::new(3);
    let mut games = String::from("<stratego>");
    let mut count = 0;
    while games.len() < (15 << 20) {
        let text = GravonGame::random(&mut dice, 60).xml();
        let (_, rest) = text.split_once("<stratego>").unwrap();
        games += rest.split_once("</stratego>").unwrap().0;
        count += 1;
    }
    games += "</stratego>";
    for name in ["a.xml", "b.xml"] {
        fs::write(folder.path().join(name), &games).unwrap();
    }
    let (report, memory) = watched(server, text(folder.path()));
    println!("{count} games in a file, {} MiB at most", memory >> 20);
    assert!(memory < MOST_MEMORY, "{memory} bytes");
    assert_eq!(report.totals, [count, count, 0]);
}

on_both! {
    a_zip_that_is_cut_short_gives_what_it_has,
    bombs_are_refused_with_flat_memory,
    files_as_long_as_they_may_be_are_read,
}
