//! A whole server carried from one database to the other, and an SQLite file copied while it is used.

mod backup;
mod damaged;
mod moving;
mod refusals;

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};
use tempfile::TempDir;
use tests::game::challenge;
use tests::{Backend, Client, Game, Response, TestServer};

use crate::lines::{BLUE_TAKES_THE_FLAG, EVEN};

/// Runs a command that must succeed; gives what it says.
#[track_caller]
fn run(server: &TestServer, arguments: &[&str]) -> String {
    let output = server.command(arguments).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{arguments:?}: {said}");
    assert!(output.stdout.is_empty() || arguments[0] == "migrate");
    said
}

/// Runs a command that must fail; gives what it says.
#[track_caller]
fn refused(server: &TestServer, arguments: &[&str]) -> String {
    let output = server.command(arguments).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{arguments:?}: {said}");
    assert!(said.starts_with("error: "), "{said}");
    said
}

/// Exports a server into a new file of a folder.
#[track_caller]
fn export(server: &TestServer, folder: &TempDir, name: &str) -> (PathBuf, String) {
    let file = folder.path().join(name);
    run(server, &["export", "--all", file.to_str().unwrap()]);
    let archive = fs::read_to_string(&file).unwrap();
    (file, archive)
}

/// The archive without its first line, which has the instant in it, and its last, which has the hash
/// of the first.
fn body(archive: &str) -> Vec<&str> {
    let lines: Vec<_> = archive.lines().collect();
    lines[1..lines.len() - 1].to_vec()
}

/// A server that is not started, with its schema.
fn migrated(backend: Backend, environment: &[(&str, &str)]) -> TestServer {
    let server = TestServer::prepare(backend, environment);
    run(&server, &["migrate"]);
    server
}

fn signing_key(server: &TestServer) -> String {
    let key = server.data_folder().join("signing-key.pem");
    key.to_str().unwrap().to_owned()
}

/// Some of everything that a server keeps.
struct Life {
    running: Game,
    ended: Game,
    in_setup: Game,
    third: Client,
}

fn live(server: &TestServer) -> Life {
    let mut running = EVEN.begin(server);
    running.line("i4xi7 a7-a6");
    let offer = json!({"kind": "draw"});
    running.red.post(&running.path("/offers"), &offer).ok(201);
    let mut ended = BLUE_TAKES_THE_FLAG.begin(server);
    ended.line(BLUE_TAKES_THE_FLAG.moves);
    let in_setup = Game::between(
        running.red.clone(),
        ended.blue.clone(),
        "duel",
        &json!({"no_progress_plies": 60, "silent_defense": true}),
    );
    let third = server.register("third");
    challenge(&third, None, "barrage", &Value::Null).ok(201);
    let setup = json!({"name": "Ωμέγα \"𝔘\" 👩‍👩‍👧", "ruleset": "barrage", "setup": EVEN.setups().0});
    third.post("/v1/me/setups", &setup).ok(201);
    let open = json!({"ruleset": "classic", "time_control": {"kind": "unlimited"}});
    let once = third.request("POST", "/v1/challenges").json(&open);
    once.header("idempotency-key", "once").send().ok(201);
    Life {
        running,
        ended,
        in_setup,
        third,
    }
}

impl Life {
    /// Every read of a server, by everyone.
    fn read(&self, base: &str) -> Vec<Response> {
        let mut paths: Vec<String> = [
            "/v1/games",
            "/v1/games?sort=deadline",
            "/v1/challenges",
            "/v1/challenges?direction=outgoing",
            "/v1/me",
            "/v1/me/setups",
        ]
        .map(str::to_owned)
        .into();
        let games = [&self.running, &self.ended, &self.in_setup];
        for game in games {
            for rest in [
                "",
                "/moves",
                "/replay",
                "/legal-moves",
                "/proofs",
                "/timeline.svg",
            ] {
                paths.push(game.path(rest));
            }
        }
        let everyone = self.everyone();
        for player in &everyone {
            paths.push(format!("/v1/players/{}", player.name));
            paths.push(format!("/v1/players/{}/games", player.name));
            paths.push(format!("/v1/players/{}/ratings", player.name));
            paths.push(format!("/v1/players/{}/rating-history", player.name));
        }
        let mut answers = Vec::new();
        for viewer in everyone.into_iter().chain([&Client::new(base)]) {
            let viewer = viewer.at(base);
            answers.extend(paths.iter().map(|path| viewer.get(path)));
        }
        answers
    }

    fn everyone(&self) -> [&Client; 5] {
        let (running, ended) = (&self.running, &self.ended);
        [
            &running.red,
            &running.blue,
            &ended.red,
            &ended.blue,
            &self.third,
        ]
    }
}

fn entries(folder: &TempDir) -> Vec<String> {
    let entries = fs::read_dir(folder.path()).unwrap();
    entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect()
}
