use domain::{Color, EndReason, RecordEnd};
use serde_json::Value;

use super::formats::{NAMES, exported};
use super::{gsn, made, one, xml};
use crate::recorded::{Code, GameFormat};

/// Where something else stands, what, and what is said of it.
const JSON: [(&str, &str, Code, Option<u32>, &str); 19] = [
    (
        "/format",
        "\"x\"",
        Code::UnknownFormat,
        None,
        "reveille-game",
    ),
    ("/version", "2", Code::UnsupportedVersion, None, "got `2`"),
    ("/source", "\"play\"", Code::BadSource, None, "play"),
    ("/source", "\"A B\"", Code::BadSource, None, "a-z"),
    (
        "/ruleset",
        "\"chess\"",
        Code::UnsupportedKind,
        None,
        "got `chess`",
    ),
    (
        "/options/two_squares_limit",
        "9",
        Code::BadOptions,
        None,
        "2 to 5",
    ),
    (
        "/options/two_squares",
        "\"x\"",
        Code::BadOptions,
        None,
        "forfeit_turn",
    ),
    ("/options/rescue", "1", Code::BadOptions, None, "boolean"),
    ("/setups/red", "\"MMM\"", Code::BadSetup, None, "setups.red"),
    ("/moves/1", "\"e9-e99\"", Code::BadMove, Some(1), "e4-e5"),
    ("/moves/1", "7", Code::BadMove, Some(1), "moves[1]"),
    (
        "/moves/0",
        "\"a1-a1\"",
        Code::IllegalMove,
        Some(0),
        "another square",
    ),
    (
        "/played_at/0",
        "\"yesterday\"",
        Code::BadInstant,
        Some(0),
        "yesterday",
    ),
    (
        "/finished_at",
        "\"2020-01-01T00:00:00Z\"",
        Code::BadInstant,
        None,
        "the end",
    ),
    (
        "/outcome/winner",
        "\"white\"",
        Code::BadResult,
        None,
        "red, blue or null",
    ),
    (
        "/outcome/reason",
        "\"bored\"",
        Code::BadResult,
        None,
        "resignation",
    ),
    (
        "/outcome/raw_ending",
        "4",
        Code::BadResult,
        None,
        "ending 4",
    ),
    ("/red/name", "\"a\\nb\"", Code::BadName, None, "control"),
    ("/red", "\"Ann\"", Code::BadJson, None, "red"),
];

#[test]
fn what_is_wrong_with_json_is_named() {
    let game = made::resigned();
    let json = GameFormat::Json.write(&exported(&game, NAMES)).unwrap();
    for (place, other, code, ply, says) in JSON {
        let mut value: Value = serde_json::from_str(&json).unwrap();
        *value.pointer_mut(place).unwrap() = serde_json::from_str(other).unwrap();
        let fault = one("x.json", value.to_string()).unwrap_err();
        assert_eq!((fault.code, fault.ply), (code, ply), "{place}: {fault}");
        assert!(fault.detail.contains(says), "{place}: {fault}");
    }
    let extra = json.replacen('{', "{\"extra\":1,", 1);
    let fault = one("x.json", extra).unwrap_err();
    assert!(fault.detail.contains("extra"), "{fault}");
    let trailing = one("x.json", format!("{json} x")).unwrap_err();
    assert_eq!(trailing.code, Code::BadJson);
}

const TEXT: &str = "ruleset: barrage\nred: Ann\nblue: Ben\nresult: red\nreason: resignation\n\
    date: 2026-11-29\n\nM...2..............3.9......B.S2.F......\n\
    3...2...........M...9.......2.S..BF.....\n\n0 a4-a5\n1 f7-f6\n";

/// A text of before there were sources and instants reads as it did.
#[test]
fn a_bare_text_is_read() {
    let recording = one("x.txt", TEXT).unwrap();
    assert_eq!(recording.source, "text");
    assert_eq!(recording.record.moves.len(), 2);
    assert!(matches!(recording.record.end, RecordEnd::Outcome(_)));
    let day = recording
        .finished_at
        .map(|at| at.as_micros() % 86_400_000_000);
    assert_eq!(day, Some(0));
}

#[test]
fn what_is_wrong_with_a_text_is_named() {
    for (right, wrong, code) in [
        ("result: red\n", "", Code::BadResult),
        ("result: red", "result: white", Code::BadResult),
        ("reason: resignation", "reason: x", Code::BadResult),
        ("date: 2026-11-29", "date: 2026-02-30", Code::BadInstant),
        ("date: 2026-11-29", "started: now", Code::BadInstant),
        ("date: 2026-11-29", "source: play", Code::BadSource),
        ("date: 2026-11-29", "ending: 4", Code::BadResult),
        ("ruleset: barrage", "ruleset: chess", Code::BadText),
        ("M...2", "M...3", Code::BadSetup),
        ("1 f7-f6", "1 f7", Code::BadMove),
        ("1 f7-f6", "1 f7-g8", Code::IllegalMove),
        ("1 f7-f6", "1 f7-f6 2026-11-29T21:00:00Z", Code::BadInstant),
    ] {
        let fault = one("x.txt", TEXT.replacen(right, wrong, 1)).unwrap_err();
        assert_eq!(fault.code, code, "{wrong}: {fault}");
    }
}

/// Who won and why exclude each other, or no game ends so that was played.
#[test]
fn a_result_contradicts_itself_in_no_form() {
    let wins = [
        EndReason::NoMobilePieces,
        EndReason::NoLegalMove,
        EndReason::Resignation,
        EndReason::Timeout,
        EndReason::Other,
    ];
    let draws = [
        EndReason::DrawAgreed,
        EndReason::BothImmobile,
        EndReason::NoProgress,
        EndReason::Other,
    ];
    for reason in EndReason::ALL {
        for winner in [None, Some(Color::Red)] {
            let expected = match winner {
                Some(_) if reason == EndReason::FlagCaptured => Some(Code::ResultContradictsBoard),
                Some(_) => (!wins.contains(&reason)).then_some(Code::BadResult),
                None => (!draws.contains(&reason)).then_some(Code::BadResult),
            };
            let result = format!("result: {}", winner.map_or("draw", Color::name));
            let text = TEXT.replace("result: red", &result);
            let text = text.replace("resignation", reason.name());
            let json = made::ended(reason, winner);
            for (name, bytes) in [("x.json", json), ("x.txt", text)] {
                let code = one(name, bytes).err().map(|fault| fault.code);
                assert_eq!(code, expected, "{name} {reason:?} {winner:?}");
            }
        }
    }
    // What an archive says is kept, as far as it can be so.
    for (code, winner, moves, is_bad) in [
        (0, 3, 2, true),
        (1, 3, 2, true),
        (2, 1, 2, true),
        (3, 3, 2, true),
        (4, 1, 2, true),
        (4, 3, 0, false),
        (11, 3, 2, false),
        (11, 3, 1, true),
        (13, 3, 0, true),
        (10, 3, 0, false),
        (12, 1, 2, false),
    ] {
        let mut by_xml = xml(1).replace(
            "type=\"3\" winner=\"1\"",
            &format!("type=\"{code}\" winner=\"{winner}\""),
        );
        let mut by_gsn = gsn(1).replace(
            "result 3 winner 0",
            &format!("result {code} winner {}", winner - 1),
        );
        let both = [
            ("<move id=\"1\" source=\"A3\" target=\"A4\"/>", "A3-A4\n"),
            ("<move id=\"2\" source=\"F8\" target=\"F7\"/>", "F8-F7\n"),
        ];
        for (of_xml, of_gsn) in &both[moves..] {
            by_xml = by_xml.replace(of_xml, "");
            by_gsn = by_gsn.replace(of_gsn, "");
        }
        for text in [by_xml, by_gsn] {
            let found = one("x", text).err().map(|fault| fault.code);
            let expected = is_bad.then_some(Code::BadResult);
            assert_eq!(found, expected, "{code} {winner} {moves}");
        }
    }
}

/// One rule for the encoding of JSON, whatever stands before it.
#[test]
fn json_is_utf_8() {
    let game = made::resigned();
    let json = GameFormat::Json.write(&exported(&game, NAMES)).unwrap();
    for space in ["", " ", "\n", "\u{feff}"] {
        assert!(one("x.json", format!("{space}{json}")).is_ok());
        let name = json.find("Jörg").unwrap() + 1;
        let mut latin = json.clone().into_bytes();
        latin.splice(name..name + 2, [0xf6]);
        let bytes = [space.as_bytes(), &latin].concat();
        let fault = one("x.json", bytes).unwrap_err();
        assert_eq!(fault.code, Code::BadEncoding, "{fault}");
    }
    let utf_16 = format!("\u{feff}{json}");
    let utf_16: Vec<u8> = utf_16.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let fault = one("x.json", utf_16).unwrap_err();
    assert_eq!(fault.code, Code::BadEncoding);
}

/// A rejection is short, whatever is in the file.
#[test]
fn of_what_came_little_is_told() {
    let game = made::resigned();
    let json = GameFormat::Json.write(&exported(&game, NAMES)).unwrap();
    let long = "x".repeat(1 << 20);
    for bytes in [
        json.replacen('{', &format!("{{\"{long}\":1,"), 1),
        json.replace("\"version\":1", &format!("\"version\":\"{long}\"")),
        format!("<{long}></a>"),
        TEXT.replace("result: red", &format!("result: {long}")),
    ] {
        let fault = one("x", bytes).unwrap_err();
        assert!(fault.detail.len() <= 400, "{}", fault.detail.len());
    }
}
