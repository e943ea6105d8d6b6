//! A large archive that is made up, with every fault that others met in one game of a hundred.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::Stdio;

use serde_json::json;
use tests::dice::Dice;
use tests::gravon::GravonGame;
use tests::{Backend, TestServer, on_both, rounds};

use super::{Report, counted, import, text};

/// How large the process may become, in bytes.
pub(super) const MOST_MEMORY: u64 = 300 << 20;

/// What is said of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Expected {
    Imported,
    /// Of the game with this number.
    Duplicate(usize),
    Rejected(&'static str, Option<usize>),
}

/// What is done to a game, of those of group G.
type Fault = fn(&mut GravonGame, &mut Dice) -> (&'static str, Vec<u8>, Expected);

fn xml(game: &GravonGame) -> Vec<u8> {
    game.xml().into_bytes()
}

/// The text with something else in it, which it must have.
#[track_caller]
fn with(text: &str, right: &str, wrong: &str) -> Vec<u8> {
    assert!(text.contains(right), "{right} in {text}");
    text.replacen(right, wrong, 1).into_bytes()
}

fn rejected(bytes: Vec<u8>, code: &'static str) -> (&'static str, Vec<u8>, Expected) {
    ("xml", bytes, Expected::Rejected(code, None))
}

fn fine(extension: &'static str, bytes: impl Into<Vec<u8>>) -> (&'static str, Vec<u8>, Expected) {
    (extension, bytes.into(), Expected::Imported)
}

/// One more move, which cannot be.
fn spoiled(game: &mut GravonGame, (from, to): (usize, usize)) -> (&'static str, Vec<u8>, Expected) {
    let code = if game.has_taken_the_flag() {
        "move_after_end"
    } else {
        "illegal_move"
    };
    let ply = game.moves.len();
    game.moves.push((from, to));
    (
        "gsn",
        game.gsn().into_bytes(),
        Expected::Rejected(code, Some(ply)),
    )
}

const FAULTS: [Fault; 26] = [
    // G02: END twice, and before the last moves.
    |game, _| fine("gsn", with(&game.gsn(), "END\n", "END\nEND\n")),
    |game, _| {
        let text = game.gsn();
        let line = text.lines().nth(4).unwrap();
        fine("gsn", with(&text, line, &format!("END\n{line}")))
    },
    // G03: a byte-order mark, the second version, comments.
    |game, _| fine("gsn", format!("\u{feff}{}", game.gsn())),
    |game, _| fine("xml", format!("\u{feff}{}", game.xml())),
    |game, _| fine("gsn", with(&game.gsn(), "Notation v1", "Notation v2")),
    |game, _| {
        let text = game.gsn();
        let line = text.lines().nth(5).unwrap();
        fine("gsn", with(&text, line, &format!("# a comment\n{line}")))
    },
    // G05: codes that are not known, and winners that there are not.
    |game, _| {
        if !game.has_taken_the_flag() {
            (game.ending, game.winner) = (7, 3);
        }
        fine("xml", xml(game))
    },
    |game, _| {
        game.winner = 9;
        rejected(xml(game), "bad_result")
    },
    |game, _| rejected(with(&game.xml(), "<result", "<results"), "bad_result"),
    // G07: the field, and kinds that are not played here.
    |game, _| rejected(with(&game.xml(), "<field", "<fields"), "bad_setup"),
    |game, _| {
        game.field.pop();
        rejected(xml(game), "bad_setup")
    },
    |game, _| {
        game.field = game.field.to_lowercase();
        rejected(xml(game), "bad_setup")
    },
    |game, _| {
        game.field.replace_range(42..43, "A");
        rejected(xml(game), "bad_setup")
    },
    |game, _| {
        rejected(
            with(&game.xml(), "\"barrage\"", "\"free\""),
            "unsupported_kind",
        )
    },
    |game, _| {
        let bytes = with(&game.gsn(), "type 1", "type 3");
        ("gsn", bytes, Expected::Rejected("unsupported_kind", None))
    },
    // G08: a name in Latin-1, declared, and one as UTF-16.
    |game, dice| {
        game.names[0] = format!("J\u{f6}rg_{}", dice.below(9));
        let text = game.xml().replace("UTF-8", "ISO-8859-1");
        let latin = text.chars().map(|ch| u8::try_from(u32::from(ch)).unwrap());
        fine("xml", latin.collect::<Vec<u8>>())
    },
    |game, _| {
        let text = game.xml().replace("UTF-8", "UTF-16");
        let units = format!("\u{feff}{text}");
        fine(
            "xml",
            units
                .encode_utf16()
                .flat_map(u16::to_le_bytes)
                .collect::<Vec<u8>>(),
        )
    },
    // G12: a document type, with entities, and with the file of another.
    |game, _| {
        let bomb = "<!DOCTYPE s [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;&a;&a;\">]>\n<stratego>";
        rejected(with(&game.xml(), "<stratego>", bomb), "document_type")
    },
    |game, _| {
        let fetch = "<!DOCTYPE s [<!ENTITY a SYSTEM \"file:///etc/passwd\">]>\n<stratego>";
        rejected(with(&game.xml(), "<stratego>", fetch), "document_type")
    },
    // G13: names that are no part of a URL, and one that is too long.
    |game, dice| {
        game.names[1] = format!("a/b?c#d%&<\">'\u{1f642}\u{200f} {}", dice.below(9));
        fine("xml", xml(game))
    },
    |game, _| {
        game.names[1] = "y".repeat(201);
        rejected(xml(game), "bad_name")
    },
    // What no rule allows: a bomb that moves, an empty square, a move that is none; and a text cut short.
    |game, _| {
        let mv = game.immovable();
        spoiled(game, mv)
    },
    |game, _| {
        let mv = game.empty();
        spoiled(game, mv)
    },
    |game, dice| {
        let ply = dice.below(game.moves.len());
        let text = game.gsn();
        let line = text.lines().nth(3 + ply).unwrap();
        // The first of several that are the same.
        let first = text.lines().skip(3).position(|other| other == line);
        let bytes = with(&text, &format!("\n{line}\n"), "\nZ9-A1\n");
        ("gsn", bytes, Expected::Rejected("bad_move", first))
    },
    |game, dice| {
        let text = game.xml();
        let length = text.len() - 20 - dice.below(text.len() / 2);
        rejected(text.as_bytes()[..length].to_vec(), "bad_xml")
    },
    |_, _| rejected(b"1. e4 e5 2. Nf3".to_vec(), "unknown_format"),
];

/// Writes so many games into a folder; gives what is to be said of each, by the name of its file.
fn make(folder: &Path, games: usize) -> BTreeMap<String, Expected> {
    let mut dice = Dice::new(20);
    let mut expected = BTreeMap::new();
    let mut fine = Vec::new();
    for number in 0..games {
        let mut game = GravonGame::random(&mut dice, 10 + number % 70);
        let place = number % 100;
        let (extension, bytes, said) = match (FAULTS.get(place), place) {
            (Some(fault), _) => fault(&mut game, &mut dice),
            // G10: the same game again, in the other notation and under a name of the same day.
            (None, 99) => {
                let (first, again): &(usize, GravonGame) = dice.pick(&fine);
                ("gsn", again.gsn().into_bytes(), Expected::Duplicate(*first))
            }
            _ => {
                fine.push((number, game.clone()));
                ("xml", xml(&game), Expected::Imported)
            }
        };
        // G04: month 0 is December of the year before, which they share.
        let month = ["2006.12", "2007.0"][number / 100 % 2];
        let folder = folder.join(format!("{:03}", number / 100));
        fs::create_dir_all(&folder).unwrap();
        let name = format!("barrage-{month}-{number:05}.{extension}");
        fs::write(folder.join(&name), bytes).unwrap();
        expected.insert(name, said);
    }
    expected
}

fn every_fault_is_reported_and_nothing_else(server: &TestServer) {
    let folder = tempfile::tempdir().unwrap();
    let games = if rounds::faults(1, 10) == 1 {
        1_000
    } else {
        10_000
    };
    let expected = make(folder.path(), games);
    let (report, memory) = watched(server, text(folder.path()));
    println!("{games} games, {} MiB at most", memory >> 20);
    assert!(memory < MOST_MEMORY, "{memory} bytes");
    let said = report.by_name();
    assert_eq!(said.len(), games);
    let number = |name: &str| -> usize {
        let (_, number) = name.rsplit_once('-').unwrap();
        number[..5].parse().unwrap()
    };
    let ids: BTreeMap<usize, &str> = said
        .iter()
        .filter_map(|(name, said)| Some((number(name), said.strip_prefix("imported ")?)))
        .collect();
    for (name, expected) in &expected {
        let said = said[name.as_str()];
        match expected {
            Expected::Imported => assert!(ids.contains_key(&number(name)), "{name}: {said}"),
            Expected::Duplicate(first) => {
                assert_eq!(said, format!("duplicate of {}", ids[first]), "{name}");
            }
            Expected::Rejected(code, ply) => {
                let ply = ply.map_or(String::new(), |ply| format!(" at ply {ply}"));
                let begins = format!("rejected: {code}{ply}: ");
                assert!(said.starts_with(&begins), "{name}: {said}");
            }
        }
    }
    let count = |is: fn(&Expected) -> bool| expected.values().filter(|one| is(one)).count();
    let imported = count(|one| *one == Expected::Imported);
    let rejected = count(|one| matches!(one, Expected::Rejected(..)));
    assert_eq!(
        report.totals,
        [imported, games - imported - rejected, rejected]
    );
    // Statistics are complete, and all of it is folded.
    let client = server.client();
    assert_eq!(
        counted(&client),
        (u64::try_from(imported).unwrap(), imported)
    );
    if server.backend() == Backend::Postgres {
        let waiting = "SELECT count(*) FROM facts_to_fold";
        assert_eq!(server.database().execute(waiting), "0");
    }
    let december = json!({"sources": ["gravon"], "finishedFrom": "2006-12-01T00:00:00Z",
        "finishedTo": "2006-12-01T00:00:01Z"});
    let query = "query($filter: GameFilter) { stats(filter: $filter) { games } }";
    let seen = client.query(query, &json!({"filter": december}));
    assert_eq!(seen["stats"]["games"], imported);

    // G10, G11: what is there already is found again, and nothing is added.
    let again = import(server, &[text(folder.path())]);
    assert_eq!(again.totals, [0, games - rejected, rejected]);
    assert_eq!(
        counted(&client),
        (u64::try_from(imported).unwrap(), imported)
    );
}

/// Imports a path; gives the most memory that the process had when it wrote a line.
pub(super) fn watched(server: &TestServer, path: &str) -> (Report, u64) {
    let mut child = server
        .command(&["import", path])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let status = format!("/proc/{}/status", child.id());
    let mut printed = String::new();
    let mut most = 0;
    for line in BufReader::new(child.stdout.take().unwrap()).lines() {
        printed += &line.unwrap();
        printed.push('\n');
        let status = fs::read_to_string(&status).unwrap_or_default();
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let peak = peak.and_then(|peak| peak.trim().strip_suffix(" kB")?.parse::<u64>().ok());
        most = most.max(peak.unwrap_or(0) << 10);
    }
    assert!(child.wait().unwrap().success());
    assert!(most > 0);
    (Report::of(&printed), most)
}

on_both! {
    every_fault_is_reported_and_nothing_else,
}
