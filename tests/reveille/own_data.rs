//! All that is kept of a player: what he gets of it, and what is left when he leaves.

use serde_json::{Value, json};
use tests::client::text;
use tests::game::{accept, challenge};
use tests::leak::Secrets;
use tests::{EventStream, Game, Side, TestServer, assert_problem, on_both};

use crate::conditional::{line, prepare};
use crate::lines::EVEN;

fn a_player_gets_all_that_is_kept_of_him(server: &TestServer) {
    let mut running = EVEN.begin(server);
    running.line("a4-a5 a7-a6");
    let (player, other) = (running.red.clone(), running.blue.clone());
    let mut over = Vec::new();
    for _ in 0..5 {
        let game = Game::between(player.clone(), other.clone(), "barrage", &Value::Null);
        let (red, blue) = EVEN.setups();
        game.place(Side::Red, &red).ok(200);
        game.place(Side::Blue, &blue).ok(200);
        game.resign(Side::Red).ok(200);
        over.push(game);
    }
    let unrelated = EVEN.begin(server);
    player
        .patch("/v1/me", &json!({"email": "me@example.org"}))
        .ok(200);
    let setup = json!({"name": "mine", "ruleset": "barrage", "setup": EVEN.setups().0});
    player.post("/v1/me/setups", &setup).ok(201);
    let made = json!({"name": "my bot", "scopes": ["play"]});
    let token = text(&player.post("/v1/me/tokens", &made).ok(201)["token"]);
    player
        .put(&format!("/v1/me/blocks/{}", unrelated.red.name), &json!({}))
        .ok(204);
    challenge(&player, None, "duel", &Value::Null).ok(201);
    let hook =
        json!({"url": "https://example.org/hook", "secret": "a secret of thirty-two characters"});
    player.post("/v1/me/webhooks", &hook).ok(201);
    let import = player.request("POST", "/v1/imports").bytes("no game");
    let import = import.send().ok(202);
    let own = prepare(&running, &player, &[line("b7-b6", "b4-b5", &[])]).ok(200);
    prepare(&running, &other, &[line("b4-b5", "b7-b6", &[])]).ok(200);
    // One of them on a game of others.
    let mut on: Vec<&Game> = over.iter().chain([&running, &unrelated]).collect();
    on.sort_by(|one, other| one.id.cmp(&other.id));
    for game in &on {
        let note = json!({"text": format!("of\n{}", game.id)});
        player.put(&game.path("/notes"), &note).ok(200);
        other
            .put(&game.path("/notes"), &json!({"text": "hidden"}))
            .ok(200);
    }

    let answer = player.get("/v1/me/export");
    let export = answer.ok(200);
    assert_eq!(export["account"]["email"], "me@example.org");
    assert_eq!(export["account"]["preferences"]["challenges"], "anyone");
    assert_eq!(export["sessions"][0]["current"], true);
    assert_eq!(export["tokens"][0]["name"], "my bot");
    assert!(
        !answer.text().contains(&token[4..]),
        "a token is shown again"
    );
    assert_eq!(export["setups"][0]["name"], "mine");
    assert_eq!(
        export["blocks"][0]["player"]["username"],
        json!(unrelated.red.name)
    );
    assert_eq!(export["challenges"][0]["ruleset"], "duel");
    assert_eq!(export["webhooks"][0]["url"], hook["url"]);
    assert!(!answer.text().contains("thirty-two"), "a secret is shown");
    assert_eq!(export["push_subscriptions"], json!([]));
    assert_eq!(export["imports"][0]["id"], import["id"]);
    assert_eq!(export["vacation"], player.get("/v1/me/vacation").ok(200));
    assert_eq!(export["ratings"], json!([]));
    let notes = export["notes"].as_array().unwrap();
    assert_eq!(notes.len(), on.len());
    for (note, game) in notes.iter().zip(&on) {
        assert_eq!(note["game_id"], json!(game.id));
        assert_eq!(note["text"], json!(format!("of\n{}", game.id)));
    }
    assert!(!answer.text().contains("hidden"), "notes of another");
    let games = export["games"].as_array().unwrap();
    let ids: Vec<String> = games.iter().map(|game| text(&game["game"]["id"])).collect();
    let expected: Vec<String> = std::iter::once(&running)
        .chain(&over)
        .map(|game| game.id.clone())
        .collect();
    assert_eq!(ids, expected, "each once, the oldest first");
    for field in ["id", "viewpoint", "pieces", "last_move"] {
        assert_eq!(games[0]["game"][field], running.view(&player)[field]);
    }
    assert_eq!(games[0]["moves"].as_array().unwrap().len(), 2);
    assert_eq!(games[0]["conditional_moves"], own);
    assert_eq!(games[1]["conditional_moves"], Value::Null);
    assert_eq!(games[1]["game"]["viewpoint"], "omniscient");
    for word in ["argon2", "hash", "password"] {
        assert!(!answer.text().contains(word), "{word}: {}", answer.text());
    }
    for header in ["content-disposition", "cache-control"] {
        assert!(answer.header(header).is_some(), "{answer:?}");
    }
}

/// Of a running game a player gets his own view and nothing else.
fn the_export_of_a_running_game_keeps_its_secrets(server: &TestServer) {
    let mut game = EVEN.begin(server);
    game.line("a4-a5");
    prepare(&game, &game.blue, &[line("b4-b5", "b7-b6", &[])]).ok(200);
    let (_, blue_setup) = EVEN.setups();
    let answer = game.red.get("/v1/me/export");
    let shown = answer.ok(200)["games"][0]["conditional_moves"].clone();
    assert_eq!(shown, Value::Null, "lines of the opponent");
    Secrets::of(Side::Blue, &blue_setup).assert_kept(&answer);
    let nobody = server.client().get("/v1/me/export");
    assert_problem(&nobody, 401, "unauthenticated");
    let fresh = server.register("fresh").get("/v1/me/export").ok(200);
    assert_eq!(fresh["games"], json!([]));
    assert_eq!(fresh["notes"], json!([]));
}

/// C08: what somebody who leaves had going vanishes, and whom it concerns hears of it.
fn nothing_waits_for_who_has_left(server: &TestServer) {
    let (gone, other) = (server.register("gone"), server.register("other"));
    let finished = Game::between(gone.clone(), other.clone(), "barrage", &Value::Null);
    let open = challenge(&gone, None, "barrage", &Value::Null).ok(201);
    let to_other = challenge(&gone, Some(&other), "barrage", &Value::Null).ok(201);
    let from_other = challenge(&other, Some(&gone), "barrage", &Value::Null).ok(201);
    let token = json!({"name": "bot", "scopes": ["play", "read"]});
    let token = gone.post("/v1/me/tokens", &token).ok(201);
    let bot = gone.with_token(token["token"].as_str());
    bot.get("/v1/me").ok(200);
    let mut told = EventStream::open(&other, "/v1/me/events", None);
    gone.delete("/v1/me").ok(204);
    let mut closed: Vec<String> = Vec::new();
    while closed.len() < 2 {
        let event = told.event();
        if event.name == "challenge.closed" {
            closed.push(text(&event.json()["challenge"]["id"]));
        }
    }
    let mut expected = [&to_other, &from_other].map(|one| text(&one["id"]));
    closed.sort();
    expected.sort();
    assert_eq!(closed, expected);
    for challenge in [&open, &to_other] {
        assert_problem(&accept(&other, challenge), 409, "challenge_closed");
    }
    let left = text(&finished.view(&other)["red"]["player"]["username"]);
    let refused = other.post(
        "/v1/challenges",
        &json!({
            "ruleset": "barrage", "opponent": left,
            "time_control": {"kind": "per_move", "per_move": "P3D"},
        }),
    );
    assert_problem(&refused, 410, "gone");
    // D05: neither token serves whoever comes after.
    server.register("next");
    for caller in [&gone, &bot] {
        assert_problem(&caller.get("/v1/me"), 401, "unauthenticated");
    }
}

on_both! {
    a_player_gets_all_that_is_kept_of_him,
    the_export_of_a_running_game_keeps_its_secrets,
    nothing_waits_for_who_has_left,
}
