//! The samples of the archive, as their README tells of them.

use serde_json::{Value, json};
use tests::client::text as text_of;
use tests::{Client, TestServer, fixtures, on_both};

use super::{counted, import, text};

/// Of a sample: its name, ruleset, plies, winner, reason, code of the ending, day, Red's name.
type Sample = (
    &'static str,
    &'static str,
    usize,
    Option<&'static str>,
    &'static str,
    u16,
    &'static str,
    &'static str,
);

#[rustfmt::skip]
const SAMPLES: [Sample; 7] = [
    ("barrage-2007.3-1.xml", "barrage", 30, Some("RED"), "RESIGNATION", 3, "2007-03-01", "Anton_1"),
    ("barrage-2007.3-2.xml", "barrage", 34, Some("RED"), "RESIGNATION", 3, "2007-03-01", "Anton_1"),
    ("barrage.2003.06.07.6.gsn", "barrage", 44, Some("BLUE"), "TIMEOUT", 11, "2003-06-07", "Anton_1"),
    ("classic-2006.11-3.xml", "original", 155, None, "DRAW_AGREED", 4, "2006-11-01", "Jörg"),
    ("classic-2006.11-4.xml", "original", 238, None, "DRAW_AGREED", 4, "2006-11-01", "Jörg"),
    ("classic-2008.0-5.xml", "original", 592, Some("BLUE"), "FLAG_CAPTURED", 1, "2007-12-01", "Anton_1"),
    ("classic.2003.06.08.7.gsn", "original", 253, Some("RED"), "RESIGNATION", 3, "2003-06-08", "Anton_1"),
];

/// What else is read of a game.
const READS: [&str; 5] = [
    "?viewpoint=blue&ply=3",
    "/moves?limit=3",
    "/replay?viewpoint=red&ply=3",
    "/board.svg?ply=2",
    "/timeline.svg",
];

fn the_samples_are_imported_as_they_were_played(server: &TestServer) {
    let Some(folder) = fixtures::folder() else {
        return;
    };
    let folder = folder.join("gravon_samples");
    let report = import(server, &[text(&folder)]);
    assert_eq!(report.totals, [7, 0, 0]);
    let client = server.client();
    let said = report.by_name();
    for sample in SAMPLES {
        let id = said[sample.0].strip_prefix("imported ").unwrap();
        check(&client, id, &sample);
    }
    assert_eq!(counted(&client), (7, 7));
    let listed = client.get("/v1/games?ruleset=barrage&limit=100").ok(200);
    assert_eq!(listed["items"].as_array().unwrap().len(), 3);
    let again = import(server, &[text(&folder)]);
    assert_eq!(again.totals, [0, 7, 0]);
    for (first, again) in report.lines.iter().zip(&again.lines) {
        assert_eq!(&first.replace(": imported ", ": duplicate of "), again);
    }
}

fn check(client: &Client, id: &str, sample: &Sample) {
    let (name, ruleset, plies, winner, reason, code, day, red) = *sample;
    let path = format!("/v1/games/{id}");
    let game = client.get(&path).ok(200);
    let instant = format!("{day}T00:00:00.000Z");
    assert_eq!(game["ruleset"], ruleset, "{name}");
    assert_eq!(game["ply"], plies, "{name}");
    assert_eq!(game["status"], "finished", "{name}");
    assert_eq!(game["finished_at"], instant, "{name}");
    assert_eq!(game["red"]["player"]["username"], red, "{name}");
    let lower = |word: &str| json!(word.to_lowercase());
    assert_eq!(game["outcome"]["reason"], lower(reason), "{name}");
    assert_eq!(game["outcome"]["winner"], winner.map_or(Value::Null, lower));
    let moves = client.get(&format!("{path}/replay")).ok(200);
    assert_eq!(moves["moves"].as_array().unwrap().len(), plies, "{name}");
    for rest in READS {
        let status = client.get(&format!("{path}{rest}")).status;
        assert_eq!(status, 200, "{name}: {rest}");
    }

    let query = "query($id: UUID!) { game(id: $id) { source plies finishedAt startedAt
        outcome { winner reason rawEnding } red { player { id username } }
        moves(first: 3) { edges { node { from to playedAt thinkTime irregular } } }
        replay { viewpoint frame(ply: 1) { pieces { pieceId } } battles { ply } } } }";
    let seen = client.query(query, &json!({"id": id}))["game"].clone();
    assert_eq!(seen["source"], "gravon");
    assert_eq!(seen["plies"], plies);
    let outcome = json!({"winner": winner, "reason": reason, "rawEnding": code});
    assert_eq!(seen["outcome"], outcome, "{name}");
    for edge in seen["moves"]["edges"].as_array().unwrap() {
        assert_eq!(edge["node"]["playedAt"], Value::Null);
        assert_eq!(edge["node"]["thinkTime"], Value::Null);
        assert_eq!(edge["node"]["irregular"], Value::Null);
    }
    let armies = if ruleset == "barrage" { 16 } else { 80 };
    let pieces = seen["replay"]["frame"]["pieces"].as_array().unwrap();
    assert!(
        pieces.len() <= armies && pieces.len() + 2 >= armies,
        "{name}"
    );

    // Who played it is no account, and is found by his games alone.
    let node = text_of(&seen["red"]["player"]["id"]);
    let query = "query($name: String!, $node: ID!) { player(username: $name) { username }
        node(id: $node) { ... on Player { username } } players(search: $name) { edges { node { id } } } }";
    let found = client.query(query, &json!({"name": red, "node": node}));
    assert_eq!(found["player"], Value::Null);
    assert_eq!(found["node"]["username"], red);
    assert_eq!(found["players"]["edges"], json!([]));
}

/// What only repetition forbids here was played there, and says so.
fn what_only_repetition_forbids_is_flagged(server: &TestServer) {
    const FIELD: &str = "MBAAAAAAAKLAAACAAAAAEAADADAAAAAAAAAAAAAAAA__AA__AAAA__AA__AAAAWAAAAAAQAAAAAXAAAAAAAPAAAPANAAAAAAAAOY";
    let shuffle = "A3-A4\nF8-F7\nA4-A3\nF7-F8\n".repeat(4);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("barrage.2003.06.07.6.gsn");
    let game = format!(
        "#38FA11 Stratego-Notation v1\ntype 1\n{FIELD}\n{shuffle}END\na vs b result 4 winner 2\n"
    );
    std::fs::write(&file, game).unwrap();
    let report = import(server, &[text(&file)]);
    let id = report.ids()[0];
    let query =
        "query($id: UUID!) { game(id: $id) { moves(first: 20) { edges { node { irregular } } } } }";
    let seen = server.client().query(query, &json!({"id": id}));
    let marks = seen["game"]["moves"]["edges"].as_array().unwrap().iter();
    let marks: Vec<_> = marks
        .map(|edge| edge["node"]["irregular"].clone())
        .collect();
    assert_eq!(marks.len(), 16);
    assert_eq!(marks[..6], vec![Value::Null; 6]);
    let mark = text_of(&marks[6]);
    assert!(mark.eq_ignore_ascii_case("two_squares"), "{mark}");
    let moves = server
        .client()
        .get(&format!("/v1/games/{id}/moves"))
        .ok(200);
    assert_eq!(moves["items"][6]["irregular"], "two_squares", "{moves}");
}

on_both! {
    the_samples_are_imported_as_they_were_played,
    what_only_repetition_forbids_is_flagged,
}
