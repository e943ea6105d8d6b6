use serde_json::{Value, json};
use tempfile::TempDir;
use tests::{Backend, Game, Response, TestServer};

use super::{body, export, live, migrated, run, signing_key};
use crate::lines::{BLUE_TAKES_THE_FLAG, EVEN};

/// What an answer says, whatever the request.
fn said(answers: &[Response]) -> Vec<(String, u16, Option<&str>, Value)> {
    answers
        .iter()
        .map(|answer| {
            let mut body =
                serde_json::from_slice(&answer.body).unwrap_or_else(|_| json!(answer.text()));
            if let Some(problem) = body.as_object_mut() {
                // Of the request, where there is one.
                problem.remove("request_id");
            }
            (
                answer.asked.1.clone(),
                answer.status,
                answer.header("etag"),
                body,
            )
        })
        .collect()
}

/// From SQLite, while it is played on, to PostgreSQL, where it goes on, and back.
#[test]
fn a_server_moves_to_the_other_database_and_back() {
    let folder = TempDir::new().unwrap();
    let first = TestServer::start(Backend::Sqlite);
    let life = live(&first);
    let before = life.read(first.url());
    let (file, archive) = export(&first, &folder, "first");
    for (game, hidden) in [(&life.running, EVEN), (&life.ended, BLUE_TAKES_THE_FLAG)] {
        assert!(
            archive.contains(&hidden.setups().1),
            "{} has its armies",
            game.id
        );
    }

    let key = signing_key(&first);
    let environment = [("REVEILLE_SIGNING_KEYS", key.as_str())];
    let mut second = migrated(Backend::Postgres, &environment);
    let told = run(&second, &["import", "--all", file.to_str().unwrap()]);
    assert!(
        told.contains("their counts and hashes are those of the file"),
        "{told}"
    );
    let (_, again) = export(&second, &folder, "second");
    assert_eq!(body(&again), body(&archive));

    second.restart();
    let after = life.read(second.url());
    assert_eq!(said(&after), said(&before));
    let players = [&life.running.red, &life.running.blue].map(|player| player.at(second.url()));
    let [red, blue] = players;
    let mut moved = Game {
        id: life.running.id.clone(),
        red,
        blue,
        ply: life.running.ply,
    };
    let offer = &moved.view(&moved.blue)["offers"][0];
    assert_eq!(offer["by"], "red", "the offer is open still");
    moved.line("a4-a5 b7-b6");
    moved
        .blue
        .post(
            "/v1/auth/refresh",
            &json!({"refresh_token": moved.blue.refresh_token}),
        )
        .ok(200);
    let repeated = life.third.at(second.url());
    let open = json!({"ruleset": "classic", "time_control": {"kind": "unlimited"}});
    let repeated = repeated.request("POST", "/v1/challenges").json(&open);
    let repeated = repeated.header("idempotency-key", "once").send().ok(201);
    let made = life.third.get("/v1/challenges?direction=outgoing").ok(200);
    let made = made["items"].as_array().unwrap();
    assert!(
        made.iter()
            .any(|challenge| challenge["id"] == repeated["id"])
    );

    let (file, archive) = export(&second, &folder, "third");
    let played = life.read(second.url());
    second.stop();
    let mut third = migrated(Backend::Sqlite, &environment);
    run(&third, &["import", "--all", file.to_str().unwrap()]);
    let (_, again) = export(&third, &folder, "fourth");
    assert_eq!(body(&again), body(&archive));
    third.restart();
    assert_eq!(said(&life.read(third.url())), said(&played));
}
