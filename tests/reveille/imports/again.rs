//! What was exported is known where it came from, and is the same elsewhere.

use std::fs;

use serde_json::{Value, json};
use tests::dice::Dice;
use tests::gravon::GravonGame;
use tests::{TestServer, on_both};

use super::{import, text};
use crate::simulations::said;

/// Exports all games of a server, imports them there again and into an empty one: gives the lines of both, without
/// the identifiers.
#[track_caller]
fn there_and_back(server: &TestServer, games: usize) -> [Vec<Value>; 2] {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games.ndjson");
    let export = |server: &TestServer| {
        let lines = said(server, &["export", "--format", "ndjson", "-"]);
        let read = |line: &str| {
            let mut game: Value = serde_json::from_str(line).unwrap();
            game["id"] = Value::Null;
            game
        };
        let mut read: Vec<Value> = lines.lines().map(read).collect();
        read.sort_by_key(Value::to_string);
        fs::write(&file, lines).unwrap();
        read
    };
    let here = export(server);
    assert_eq!(here.len(), games);
    assert_eq!(import(server, &[text(&file)]).totals, [0, games, 0]);
    let counted = server.client().query("{ stats { games } }", &Value::Null);
    assert_eq!(counted["stats"]["games"], games);
    let other = TestServer::start(server.backend());
    assert_eq!(import(&other, &[text(&file)]).totals, [games, 0, 0]);
    let there = export(&other);
    assert_eq!(import(&other, &[text(&file)]).totals, [0, games, 0]);
    [here, there]
}

fn simulate(server: &TestServer, games: &str, more: &[&str]) -> String {
    let simulate = ["simulate", "--ruleset", "barrage", "--seed", "5", "--games"];
    let arguments: Vec<&str> = simulate
        .iter()
        .chain(&[games])
        .chain(more)
        .copied()
        .collect();
    said(server, &arguments)
}

fn a_simulation_that_was_exported_is_known(server: &TestServer) {
    simulate(server, "30", &[]);
    let [here, there] = there_and_back(server, 30);
    assert_eq!(here, there);
    let again = simulate(server, "30", &[]);
    assert_eq!(again, "simulated=30 stored=0 duplicates=30\n");
}

fn pseudonyms_that_were_exported_are_known(server: &TestServer) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("barrage-2006.3-9.xml");
    let game = GravonGame::random(&mut Dice::new(4), 20);
    fs::write(&file, game.xml()).unwrap();
    import(server, &["--pseudonymise", text(&file)]);
    let [here, there] = there_and_back(server, 1);
    assert_eq!(here, there);
    assert_eq!(import(server, &[text(&file)]).totals, [0, 1, 0]);
}

/// Nothing is made up for an instant that was not recorded, and none that was is lost.
fn instants_come_back_as_they_were(server: &TestServer) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games.ndjson");
    let lines = simulate(server, "8", &["--ndjson", "-"]);
    let lines = lines.lines().zip(0..).map(|(line, kind)| {
        let mut game: Value = serde_json::from_str(line).unwrap();
        let moves = game["moves"].as_array().unwrap().len();
        let at = |second: usize| {
            format!(
                "2026-01-01T00:{:02}:{:02}.000000Z",
                second / 60,
                second % 60
            )
        };
        let given = |bit, value: Value| if kind & bit == 0 { Value::Null } else { value };
        game["source"] = json!("elsewhere");
        game["started_at"] = given(1, json!(at(1)));
        game["played_at"] = given(2, (0..moves).map(|ply| at(ply + 2)).collect());
        game["finished_at"] = given(4, json!(at(moves + 9)));
        game
    });
    let mut lines: Vec<Value> = lines.collect();
    let text_of = |line: &Value| line.to_string() + "\n";
    fs::write(&file, lines.iter().map(text_of).collect::<String>()).unwrap();
    assert_eq!(import(server, &[text(&file)]).totals, [8, 0, 0]);
    assert_eq!(import(server, &[text(&file)]).totals, [0, 8, 0]);
    for line in &mut lines {
        line["id"] = Value::Null;
    }
    lines.sort_by_key(Value::to_string);
    assert_eq!(there_and_back(server, 8), [lines.clone(), lines]);
}

on_both! {
    a_simulation_that_was_exported_is_known,
    pseudonyms_that_were_exported_are_known,
    instants_come_back_as_they_were,
}
