use std::io::{self, Read};

use super::{made, read_all, rejections, xml};
use crate::recorded::{Code, Documents, Exported, GameFormat, MAX_LINE};

fn line(seed: u64) -> String {
    let game = made::game(seed, true);
    let exported = Exported {
        id: "1",
        source: "play",
        view: game.view_for(None),
        players: domain::ByColor {
            red: "Ann",
            blue: "Ben",
        },
        ratings: domain::ByColor {
            red: None,
            blue: None,
        },
        started_at: game.started_at(),
        finished_at: game.finished_at(),
        raw_ending: None,
    };
    GameFormat::Json.write(&exported).unwrap()
}

fn of_text(name: &str, text: &str) -> Documents {
    Documents::of_reader(name, io::Cursor::new(text.to_owned().into_bytes()))
}

/// G09: every line is a game, read or rejected.
#[test]
fn lines_are_games_with_numbers() {
    let lines: Vec<String> = (0..20).map(line).collect();
    let mut bad = lines.clone();
    bad[12] = "nonsense".to_owned();
    bad[13].push_str(" trailing");
    bad[14] = format!(
        "{{\"x\":\"{}\"}}",
        "x".repeat(usize::try_from(MAX_LINE).unwrap())
    );
    bad[15].truncate(100);
    bad[16] = xml(1);
    for (text, faults) in [
        (lines.join("\n"), vec![]),
        (lines.join("\r\n\r\n") + "\n", vec![]),
        (format!("\u{feff}\n{}", lines.join("\n")), vec![]),
        (
            bad.join("\n"),
            vec![
                ("g.ndjson", 13, Code::UnknownFormat),
                ("g.ndjson", 14, Code::BadJson),
                ("g.ndjson", 15, Code::LineTooLong),
                ("g.ndjson", 16, Code::BadJson),
            ],
        ),
    ] {
        let text = text.replace(&xml(1), &xml(1).replace('\n', ""));
        let read = read_all(of_text("g.ndjson", &text));
        assert_eq!(read.len(), 20);
        assert_eq!(rejections(&read), faults);
    }
    // A first line that breaks off: of a file of lines, or of one object in many.
    let mut cut = lines.clone();
    cut[0].truncate(100);
    let read = read_all(of_text("g.ndjson", &cut.join("\n")));
    assert_eq!(rejections(&read), [("g.ndjson", 1, Code::BadJson)]);
    assert_eq!(read.len(), 20);
    let spread: serde_json::Value = serde_json::from_str(&lines[0]).unwrap();
    let spread = serde_json::to_string_pretty(&spread).unwrap();
    let read = read_all(of_text("g.json", &spread));
    assert_eq!((read.len(), rejections(&read)), (1, vec![]));
    // Broken off within a text or behind a value, it is one of many lines under any name.
    for end in [100, cut[1].find(",\"moves\"").unwrap()] {
        cut[0] = lines[0][..end].to_owned();
        let read = read_all(of_text("upload", &cut.join("\n")));
        assert_eq!(rejections(&read), [("upload", 1, Code::BadJson)]);
        assert_eq!(read.len(), 20);
    }
}

/// A name that says so makes lines, whatever comes first.
#[test]
fn a_file_of_lines_is_one_by_its_name() {
    let lines: Vec<String> = (0..3).map(line).collect();
    let lines = lines.join("\n");
    for (start, faults) in [
        (" ".repeat(300), vec![]),
        ("\n".repeat(300), vec![]),
        (
            "# a heading\n".to_owned(),
            vec![("g.jsonl", 1, Code::UnknownFormat)],
        ),
    ] {
        let read = read_all(of_text("g.jsonl", &(start + &lines)));
        assert_eq!(rejections(&read), faults);
        assert_eq!(read.len(), 3 + faults.len());
    }
    let read = read_all(of_text("g.jsonl", "\n \n"));
    assert_eq!(rejections(&read), [("g.jsonl", 1, Code::UnknownFormat)]);
    let utf_16 = format!("\u{feff}{lines}");
    let utf_16: Vec<u8> = utf_16.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let read = read_all(Documents::of_reader("g.jsonl", io::Cursor::new(utf_16)));
    assert_eq!(rejections(&read), [("g.jsonl", 1, Code::BadEncoding)]);
    assert!(read[0].as_ref().unwrap_err().detail.contains("UTF-16"));
    // So many lines with nothing in them are told, so that whoever waits sees that it goes on.
    let blank = "\n".repeat(usize::try_from(MAX_LINE).unwrap() + 1);
    let read = read_all(of_text("g.jsonl", &(blank + &lines)));
    assert_eq!(rejections(&read), [("g.jsonl", 1, Code::LineTooLong)]);
    assert_eq!(read.len(), 4);
}

/// Lines without an end, up to a fault.
struct Endless {
    line: Vec<u8>,
    at: usize,
    lines_left: u32,
}

impl Read for Endless {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.lines_left == 0 {
            return Err(io::ErrorKind::ConnectionReset.into());
        }
        let rest = &self.line[self.at..];
        let count = rest.len().min(into.len());
        into[..count].copy_from_slice(&rest[..count]);
        self.at += count;
        if self.at == self.line.len() {
            self.at = 0;
            self.lines_left -= 1;
        }
        Ok(count)
    }
}

/// G11: a file of any length is a line at a time in memory, and a connection that breaks leaves what came.
#[test]
fn lines_are_streamed() {
    let line = (line(3) + "\n").into_bytes();
    let lines_left = 20_000;
    let endless = Endless {
        line: line.clone(),
        at: 0,
        lines_left,
    };
    let mut good = 0;
    let mut faults = Vec::new();
    for document in Documents::of_reader("upload", endless) {
        match document {
            Ok(document) => {
                good += 1;
                assert_eq!(document.game, good);
                assert_eq!(document.bytes, line[..line.len() - 1]);
            }
            Err(fault) => faults.push((fault.game, fault.code)),
        }
    }
    assert_eq!(good, lines_left);
    assert_eq!(faults, [(lines_left + 1, Code::Unreadable)]);
}
