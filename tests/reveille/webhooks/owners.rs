//! Whose webhooks are whose.

use std::time::Duration;

use api::events::Kind;
use serde_json::{Value, json};
use tests::client::text;
use tests::{Backend, Receiver, TestServer, assert_problem, on_both};

use super::{SECRET, begin, start, webhook};

const URL: &str = "https://example.org/hook";

/// It is made once for a key, shown without its secret, and to its owner alone.
fn a_webhook_is_its_owners_alone(server: &TestServer) {
    let (player, other) = (server.register("player"), server.register("other"));
    let body = json!({"url": "HTTPS://Example.org/hook", "secret": SECRET});
    let send = || {
        let call = player.request("POST", "/v1/me/webhooks").json(&body);
        call.header("idempotency-key", "one").send()
    };
    let answer = send();
    let made = answer.ok(201);
    assert_eq!(send().ok(201), made);
    let path = format!("/v1/me/webhooks/{}", text(&made["id"]));
    assert_eq!(answer.header("location"), Some(&*path));
    assert_eq!(made["url"], URL);
    assert_eq!(made["enabled"], true);
    assert_eq!(made["kinds"].as_array().unwrap().len(), Kind::ALL.len());
    assert_eq!(player.get(&path).ok(200), made);
    let listed = player.get("/v1/me/webhooks").ok(200);
    assert_eq!(listed, json!({"items": [made], "next": null}));
    for answer in [&answer, &player.get(&path), &player.get("/v1/me/webhooks")] {
        assert!(!answer.text().contains(SECRET));
    }
    assert!(!server.stderr().contains(SECRET));
    assert_eq!(other.get("/v1/me/webhooks").ok(200)["items"], json!([]));
    let nothing = json!({});
    assert_problem(&other.get(&path), 404, "not_found");
    assert_problem(&other.patch(&path, &nothing), 404, "not_found");
    assert_problem(&other.patch(&path, &json!({"url": 1})), 404, "not_found");
    assert_problem(&other.delete(&path), 404, "not_found");
    // What is told to browsers is something else.
    let id = text(&made["id"]);
    let browser = format!("/v1/me/push-subscriptions/{id}");
    assert_problem(&player.delete(&browser), 404, "not_found");
    assert_eq!(player.patch(&path, &nothing).ok(200), made);
    let paused = player.patch(&path, &json!({"enabled": false})).ok(200);
    assert_eq!(paused["enabled"], false);
    player.delete(&path).ok(204);
    assert_problem(&player.get(&path), 404, "not_found");
    assert_problem(&player.delete(&path), 404, "not_found");
}

fn what_is_no_webhook_is_refused(server: &TestServer) {
    let player = server.register("player");
    let post = |body: &Value| player.post("/v1/me/webhooks", body);
    for (body, fields) in [
        (json!({"url": URL, "secret": "too short"}), vec!["secret"]),
        (
            json!({"url": URL, "secret": "x".repeat(257)}),
            vec!["secret"],
        ),
        (
            json!({"url": URL, "secret": SECRET, "kinds": []}),
            vec!["kinds"],
        ),
        (
            json!({"url": "x", "secret": "", "kinds": []}),
            vec!["url", "secret", "kinds"],
        ),
    ] {
        let refused = post(&body);
        assert_problem(&refused, 422, "validation_failed");
        let errors = refused.json()["errors"].clone();
        let found: Vec<&Value> = errors
            .as_array()
            .unwrap()
            .iter()
            .map(|one| &one["field"])
            .collect();
        assert_eq!(found, fields, "{body}");
    }
    for body in [
        json!({"url": URL}),
        json!({"url": 1, "secret": SECRET}),
        json!({"url": URL, "secret": SECRET, "kinds": ["game.moves"]}),
        json!({"url": URL, "secret": SECRET, "kinds": "game.move"}),
        json!({"url": URL, "secret": SECRET, "enabled": true}),
    ] {
        assert_problem(&post(&body), 400, "malformed_request");
    }
    assert_problem(
        &server.client().post("/v1/me/webhooks", &json!({})),
        401,
        "unauthenticated",
    );
    for _ in 0..10 {
        webhook(&player, URL, &Value::Null);
    }
    let refused = post(&json!({"url": URL, "secret": SECRET}));
    assert_problem(&refused, 422, "validation_failed");
    assert_eq!(refused.json()["errors"][0]["code"], "too_many");
}

/// With an account its webhooks go.
fn an_erased_account_is_told_nothing(backend: Backend) {
    let timed = start(backend);
    let (of_red, of_blue) = (Receiver::start(), Receiver::start());
    let mut game = begin(&timed.url());
    webhook(&game.red, &of_red.url("/"), &Value::Null);
    webhook(&game.blue, &of_blue.url("/"), &Value::Null);
    game.line("a4-a5");
    assert_eq!(of_red.next().json()["data"], of_blue.next().json()["data"]);
    game.red.delete("/v1/me").ok(204);
    assert_eq!(of_blue.next().json()["kind"], "game.finished");
    // That he resigned by leaving may have come before he had left.
    let quiet = || of_red.is_quiet(Duration::from_millis(1_500));
    assert!(quiet() || quiet());
}

on_both! {
    a_webhook_is_its_owners_alone,
    what_is_no_webhook_is_refused,
    an_erased_account_is_told_nothing,
}
