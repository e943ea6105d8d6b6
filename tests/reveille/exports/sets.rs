//! All games that a filter finds, as lines.

use serde_json::{Value, json};
use tests::client::text;
use tests::{Client, TestServer, assert_problem, on_both};

use super::{SIMULATED, Shelf, fill, games, run, with_scopes};
use crate::lines::RED_IS_WALLED_IN;
use crate::ratings::rated;
use crate::simulations::{moves, said};

const ALL: &str = "/v1/exports?format=ndjson";

fn exported(who: &Client, query: &str) -> Vec<Value> {
    let answer = who.get(&format!("{ALL}{query}"));
    assert_eq!(answer.status, 200, "{query}: {}", answer.text());
    games(answer.text())
}

fn all_that_may_be_exported_is(server: &TestServer) {
    let Shelf {
        finished,
        private,
        running,
    } = fill(server);
    let analyst = server.register("analyst");
    let answer = analyst.get(ALL);
    assert_eq!(answer.header("content-type"), Some("application/x-ndjson"));
    assert_eq!(
        answer.header("content-disposition"),
        Some("attachment; filename=\"games.ndjson\"")
    );
    let all = games(answer.text());
    assert_eq!(all.len(), SIMULATED + finished.len());
    for other in [&private, &running] {
        assert!(!answer.text().contains(&other.id));
        assert!(!answer.text().contains(&other.red.name));
        // Not by those who play them either.
        assert_eq!(other.red.get(ALL).body, answer.body);
    }
    let ends: Vec<_> = all.iter().map(|game| text(&game["finished_at"])).collect();
    assert!(ends.is_sorted());
    for game in all.iter().step_by(9).chain(&all[SIMULATED..]) {
        let path = format!("/v1/games/{}/replay", text(&game["id"]));
        let replay = server.client().get(&path).ok(200);
        assert_eq!(json!(moves(&replay)), game["moves"]);
    }
    // The command writes the same.
    let written = run(server, &["export", "--format", "ndjson", "-"]);
    let told = String::from_utf8_lossy(&written.stderr);
    assert!(told.contains("exported 122 games"), "{told}");
    assert_eq!(written.stdout, answer.body);
}

fn a_filter_finds_what_statistics_find(server: &TestServer) {
    let Shelf { finished, .. } = fill(server);
    let analyst = server.register("analyst");
    // One that counts, by other rules.
    let line = RED_IS_WALLED_IN;
    let [ann, bob] = ["ann", "bob"].map(|name| server.register(name));
    rated(&ann, &bob, &line, line.moves, &Value::Null);
    let all = SIMULATED + finished.len() + 1;
    let red = finished[1].red.name.clone();
    let player = format!("[\"{red}\"]");
    let of_red = format!("&player={red}");
    let by_red = ["--player", &red];
    for (query, filter, options) in [
        (
            "&source=simulated",
            "sources: [\"simulated\"]",
            &["--source", "simulated"][..],
        ),
        (
            "&source=play&ruleset=barrage",
            "sources: [\"play\"], rulesets: [\"barrage\"]",
            &["--source", "play", "--ruleset", "barrage"],
        ),
        (
            "&ruleset=duel",
            "rulesets: [\"duel\"]",
            &["--ruleset", "duel"],
        ),
        (&of_red, &format!("players: {player}"), &by_red),
        (
            "&player=nobody",
            "players: [\"nobody\"]",
            &["--player", "nobody"],
        ),
        (
            "&player=simulated:level-1",
            "players: [\"simulated:level-1\"]",
            &["--player", "simulated:level-1"],
        ),
        ("&winner=red", "winner: RED", &["--winner", "red"]),
        (
            "&reason=no_progress",
            "reasons: [NO_PROGRESS]",
            &["--reason", "no_progress"],
        ),
        ("&rated=true", "rated: true", &["--rated", "true"]),
        ("&min_plies=80", "minPlies: 80", &["--min-plies", "80"]),
        (
            "&min_plies=20&max_plies=150",
            "minPlies: 20, maxPlies: 150",
            &["--min-plies", "20", "--max-plies", "150"],
        ),
        (
            "&finished_from=2000-01-02&finished_to=2000-01-03",
            "finishedFrom: \"2000-01-02T00:00:00Z\", finishedTo: \"2000-01-03T00:00:00Z\"",
            &["--from", "2000-01-02", "--to", "2000-01-03T00:00:00Z"],
        ),
        (
            "&min_rating=100",
            "minRating: 100",
            &["--min-rating", "100"],
        ),
        (
            "&max_rating=1500.5",
            "maxRating: 1500.5",
            &["--max-rating", "1500.5"],
        ),
    ] {
        let asked = format!("{{ stats(filter: {{{filter}}}) {{ games }} }}");
        let count = analyst.query(&asked, &Value::Null)["stats"]["games"].clone();
        let found = exported(&analyst, query);
        assert_eq!(json!(found.len()), count, "{query}");
        // Each finds some and leaves some out, but for the name that nobody has.
        assert_eq!(found.is_empty(), query == "&player=nobody", "{query}");
        assert!(found.len() < all, "{query}");
        let command: Vec<&str> = ["export", "--format", "ndjson", "-"]
            .iter()
            .chain(options)
            .copied()
            .collect();
        assert_eq!(games(&said(server, &command)), found, "{query}");
    }
}

fn an_export_needs_a_token_for_analysis(server: &TestServer) {
    let player = server.register("player");
    assert_problem(&server.client().get(ALL), 401, "unauthenticated");
    let refusal = with_scopes(&player, &["play", "read"]).get(&format!("{ALL}&rated=7"));
    assert_problem(&refusal, 403, "insufficient_scope");
    assert_eq!(with_scopes(&player, &["analysis"]).get(ALL).status, 200);
    // Nothing is there, and the answer is whole.
    assert_eq!(player.get(ALL).text(), "");
    for (query, field) in [
        ("", "format"),
        ("?format=csv", "format"),
        ("?format=parquet", "table"),
        ("?format=parquet&table=moves", "table"),
        ("?format=ndjson&table=games", "table"),
        ("?format=ndjson&finished_from=yesterday", "finished_from"),
        ("?format=ndjson&min_plies=-1", "min_plies"),
        ("?format=ndjson&max_rating=1e9", "max_rating"),
        ("?format=ndjson&winner=green", "winner"),
        ("?format=ndjson&source=", "source"),
        ("?format=ndjson&source=gravon,simulated", "source"),
        ("?format=ndjson&source=Gravon", "source"),
        ("?format=ndjson&color=red", "color"),
    ] {
        let refusal = player.get(&format!("/v1/exports{query}"));
        assert_problem(&refusal, 400, "malformed_request");
        assert_eq!(refusal.json()["field"], field, "{query}");
    }
}

/// What cannot be read is no shorter file: the first page is refused, and later the connection ends.
fn a_fault_is_seen(server: &TestServer) {
    fill(server);
    let analyst = server.register("analyst");
    let damage = |nth: usize| {
        let damaged = format!(
            "UPDATE recorded_games SET log = substr(log, 2) WHERE game_id =
             (SELECT id FROM games WHERE source = 'simulated' ORDER BY finished_at LIMIT 1 OFFSET {nth})"
        );
        server.database().run(&damaged);
    };
    damage(SIMULATED - 1);
    for query in ["format=ndjson", "format=parquet&table=plies"] {
        let path = format!("/v1/exports?{query}");
        let answer = analyst.request("GET", &path).try_send();
        assert!(answer.is_err(), "{query}: it looks whole");
    }
    let written = run(server, &["export", "--format", "ndjson", "-"]);
    assert_eq!(written.status.code(), Some(1));
    damage(0);
    let refusal = analyst.get(ALL);
    assert_problem(&refusal, 500, "internal");
}

on_both! {
    all_that_may_be_exported_is,
    a_filter_finds_what_statistics_find,
    an_export_needs_a_token_for_analysis,
    a_fault_is_seen,
}
