//! A server that is killed while it imports.

use std::time::Duration;

use api::clock::Clock;
use chrono::Utc;
use serde_json::{Value, json};
use tests::client::{PASSWORD, text};
use tests::imports::{import, send, until};
use tests::{Backend, Client, TestServer, Timed, on_both};

use super::counted;
use super::damaged::zipped;

/// So many that the import is under way for some time after its first games are there.
const GAMES: u64 = 2_000;

/// G11: what was stored by then stays, each game whole; the import is told of as failed when nothing was heard of it
/// for some minutes; and the same file brings the rest.
fn an_import_that_was_killed_is_told_of_and_begun_anew(backend: Backend) {
    let mut server = TestServer::start(backend);
    let ann = server.register("ann");
    let file = zipped(GAMES);
    let begun = send(&ann, "?filename=games.zip", file.clone()).ok(202);
    let path = format!("/v1/imports/{}", text(&begun["id"]));
    until(|| (server.database().count("recorded_games") > 0).then_some(()));
    server.kill();
    wait_for_sessions(&server);
    let tables = ["games", "recorded_games", "game_facts"];
    let [left, whole, counted_in] = tables.map(|table| server.database().count(table));
    assert_eq!([whole, counted_in], [left, left]);
    let left = u64::try_from(left).unwrap();
    assert!(left < GAMES, "the import had come to its end");

    let told = later(&server, &ann, &path);
    assert_eq!(told["status"], "failed");
    assert!(told["finished_at"].is_string());
    // What was noted last.
    assert!(told["imported"].as_u64().unwrap() <= left);
    assert_eq!([&told["duplicates"], &told["rejected_total"]], [0, 0]);

    server.restart();
    let ann = ann.at(server.url());
    assert_eq!(counted(&ann), (left, usize::try_from(left).unwrap()));
    let again = import(&ann, "?filename=games.zip", file);
    let counts = ["duplicates", "imported", "rejected_total"].map(|key| again[key].clone());
    assert_eq!(counts, [json!(left), json!(GAMES - left), json!(0)]);
    assert_eq!(counted(&ann), (GAMES, usize::try_from(GAMES).unwrap()));
}

/// PostgreSQL may be about to commit what the server had sent it.
fn wait_for_sessions(server: &TestServer) {
    if server.backend() == Backend::Postgres {
        let others = "SELECT count(*) FROM pg_stat_activity
            WHERE datname = current_database() AND pid <> pg_backend_pid()";
        until(|| (server.database().execute(others) == "0").then_some(()));
    }
}

/// What is told of an import six minutes later.
fn later(server: &TestServer, owner: &Client, path: &str) -> Value {
    let data = server.data_folder().display().to_string();
    let settings = [
        ("REVEILLE_DATA_DIR", data.as_str()),
        ("REVEILLE_DATABASE_URL", server.database().url()),
    ];
    let timed = Timed::start_with(server.backend(), &settings);
    let later = Utc::now() + Duration::from_mins(6);
    let by = (later - timed.clock.now()).to_std().unwrap_or_default();
    timed.clock.advance(by);
    timed.sweep();
    let client = Client::new(&timed.url());
    let body = json!({"username": owner.name, "password": PASSWORD});
    let tokens = client.post("/v1/auth/login", &body).ok(200);
    let owner = client.with_token(tokens["tokens"]["access_token"].as_str());
    owner.get(path).ok(200)
}

on_both! {
    an_import_that_was_killed_is_told_of_and_begun_anew,
}
