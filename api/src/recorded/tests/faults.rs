use domain::RecordEnd;
use serde_json::Value;

use super::formats::{NAMES, exported};
use super::{made, one};
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
