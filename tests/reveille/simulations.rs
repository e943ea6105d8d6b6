//! Games between bots that a command plays and stores.

use std::collections::BTreeSet;
use std::fs;
use std::process::Output;

use serde_json::{Value, json};
use tests::client::text;
use tests::{TestServer, on_both};

const SIXTY: [&str; 7] = [
    "simulate",
    "--games",
    "60",
    "--ruleset",
    "barrage",
    "--seed",
    "7",
];

fn run(server: &TestServer, arguments: &[&str]) -> Output {
    server.command(arguments).output().unwrap()
}

/// What a command says that must succeed.
#[track_caller]
pub(crate) fn said(server: &TestServer, arguments: &[&str]) -> String {
    let output = run(server, arguments);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {errors}");
    String::from_utf8(output.stdout).unwrap()
}

fn with<'a>(more: &[&'a str]) -> Vec<&'a str> {
    SIXTY.into_iter().chain(more.iter().copied()).collect()
}

/// The moves of a game, as they are written down.
pub(crate) fn moves(replay: &Value) -> Vec<String> {
    let moves = replay["moves"].as_array().unwrap().iter();
    let step = |made: &Value| {
        let attack = if made["attack"].is_object() { 'x' } else { '-' };
        format!("{}{attack}{}", text(&made["from"]), text(&made["to"]))
    };
    moves.map(step).collect()
}

fn a_simulation_is_stored_once(server: &TestServer) {
    assert_eq!(
        said(server, &SIXTY),
        "simulated=60 stored=60 duplicates=0\n"
    );
    for _ in 0..2 {
        assert_eq!(
            said(server, &SIXTY),
            "simulated=60 stored=0 duplicates=60\n"
        );
    }
    let query = "{ stats(filter: {sources: [\"simulated\"]}) { games byPeriod(unit: DAY) { period games } }
        games(first: 1) { edges { node { uuid source red { player { username } } finishedAt } } } }";
    let found = server.client().query(query, &Value::Null);
    let day = |period: &str, games: u32| json!({"period": period, "games": games});
    let days = [
        day("2000-01-01", 24),
        day("2000-01-02", 24),
        day("2000-01-03", 12),
    ];
    assert_eq!(found["stats"], json!({"games": 60, "byPeriod": days}));
    let last = &found["games"]["edges"][0]["node"];
    assert_eq!(last["source"], "simulated");
    assert_eq!(last["red"]["player"]["username"], "level-1");
    assert_eq!(last["finishedAt"], "2000-01-03T11:00:00.000Z");

    // The same games as lines, with nothing stored.
    let lines = said(server, &with(&["--ndjson", "-"]));
    assert_eq!(lines, said(server, &with(&["--ndjson", "-"])));
    let lines: Vec<Value> = lines
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(lines.len(), 60);
    let distinct: BTreeSet<String> = lines.iter().map(|it| it["moves"].to_string()).collect();
    assert_eq!(distinct.len(), 60);
    let stored = server.client();
    let replay = stored.get(&format!("/v1/games/{}/replay", text(&last["uuid"])));
    let replay = replay.ok(200);
    assert_eq!(json!(moves(&replay)), lines[59]["moves"]);
    assert_eq!(replay["moves"][0]["played_at"], Value::Null);
    assert_eq!(lines[59]["finished_at"], "2000-01-03T11:00:00.000000Z");
    assert_eq!(lines[59]["played_at"], Value::Null);
}

fn what_a_simulation_is_told_makes_other_games(server: &TestServer) {
    let setups = server.data_folder().join("setups");
    let setup = "29...M..3....................F...B2.S...";
    fs::write(&setups, format!("# one\n{setup}\n")).unwrap();
    let setups = setups.to_str().unwrap();
    let few = [
        "simulate",
        "--games",
        "4",
        "--ruleset",
        "barrage",
        "--seed",
        "7",
    ];
    let variants: [&[&str]; 5] = [
        &[],
        &["--red-level", "2"],
        &["--option", "rescue=true", "--option", "two_squares_limit=2"],
        &["--setups", setups],
        &["--blue-setups", setups],
    ];
    for more in variants {
        let arguments: Vec<&str> = few.iter().chain(more).copied().collect();
        let all = "simulated=4 stored=4 duplicates=0\n";
        assert_eq!(said(server, &arguments), all, "{more:?}");
        let lines: Vec<&str> = arguments
            .iter()
            .chain(&["--ndjson", "-"])
            .copied()
            .collect();
        for line in said(server, &lines).lines() {
            let game: Value = serde_json::from_str(line).unwrap();
            let given = |side: &str| game["setups"][side] == setup;
            assert_eq!(given("red"), more.contains(&"--setups"));
            assert_eq!(given("blue"), more.contains(&setups));
            assert_eq!(
                game["options"]["rescue"],
                json!(more.contains(&"rescue=true"))
            );
            assert_eq!(game["options"]["no_progress_plies"], 200);
            let level = if more.contains(&"2") {
                "level-2"
            } else {
                "level-1"
            };
            assert_eq!(game["red"]["name"], level);
            assert_eq!(game["blue"]["name"], "level-1");
        }
    }
    let found = server.client().query("{ stats { games } }", &Value::Null);
    assert_eq!(found["stats"]["games"], 20);
}

/// The database is made where there is none, as by a server's first start.
fn no_server_is_needed(backend: tests::Backend) {
    let mut server = TestServer::prepare(backend, &[]);
    let stored = "simulated=60 stored=60 duplicates=0\n";
    assert_eq!(said(&server, &SIXTY), stored);
    server.restart();
    let found = server.client().query("{ stats { games } }", &Value::Null);
    assert_eq!(found["stats"]["games"], 60);
}

#[test]
fn what_cannot_be_simulated_is_refused() {
    let server = TestServer::prepare(tests::Backend::Sqlite, &[]);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "nonsense\n").unwrap();
    let file = file.to_str().unwrap();
    for (more, code, expected) in [
        (&["--option", "speed=2"][..], 2, "speed=2"),
        (&["--option", "two_squares_limit=9"], 2, "two_squares_limit"),
        (&["--setups", file], 2, "line 1"),
        (&["--setups", "/nowhere"], 2, "/nowhere"),
        (&["--setups", file, "--red-setups", file], 2, "--setups"),
        (&["--red-level", "4"], 2, "4"),
        (&["--ndjson", file], 1, "is there already"),
    ] {
        let output = run(&server, &with(more));
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{more:?}: {errors}");
        assert!(errors.contains(expected), "{more:?}: {errors}");
        assert!(output.stdout.is_empty());
    }
    assert_eq!(fs::read_to_string(file).unwrap(), "nonsense\n");
    assert!(!server.data_folder().exists(), "a database was made");
}

on_both! {
    a_simulation_is_stored_once,
    what_a_simulation_is_told_makes_other_games,
    no_server_is_needed,
}
