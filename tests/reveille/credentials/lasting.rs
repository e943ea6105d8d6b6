//! Nothing that lasts comes of a login that has ended, however the requests meet.

use serde_json::{Value, json};
use tests::client::{PASSWORD, text};
use tests::game::challenge;
use tests::{Backend, Client, EventStream, Response, TestServer, assert_problem, on_both};

use super::{another_login, assert_ended, bot_of, change_password, login, make, refresh};
use crate::lines::EVEN;
use crate::races::at_once;

const NEW: &str = "another password";
const SECRET: &str = "a secret of thirty-two characters";

fn webhook(player: &Client) -> Response {
    let body = json!({"url": "https://example.org/hook", "secret": SECRET});
    player.post("/v1/me/webhooks", &body)
}

/// Another node, as there may be many of on PostgreSQL, takes the access token of a login that has ended for some seconds: for nothing that
/// outlasts it, and nothing that cannot be made good.
fn a_login_that_has_ended_leaves_nothing_behind(server: &TestServer) {
    let player = server.register("owner");
    let hook = webhook(&player).ok(201);
    let thief = another_login(&player);
    let node = (server.backend() == Backend::Postgres).then(|| server.another_node());
    let there = node
        .as_ref()
        .map_or_else(|| thief.clone(), |node| thief.at(node.url()));
    there.get("/v1/me").ok(200);
    change_password(&player, PASSWORD, NEW).ok(204);
    let path = format!("/v1/me/webhooks/{}", text(&hook["id"]));
    for refused in [
        make(&there, &["read"]),
        webhook(&there),
        there.patch(&path, &json!({"enabled": true})),
        there.patch("/v1/me", &json!({"email": "thief@example.org"})),
        there.delete("/v1/me"),
        there.delete("/v1/me/sessions"),
    ] {
        assert_problem(&refused, 401, "unauthenticated");
    }
    assert_eq!(player.get("/v1/me").ok(200)["email"], Value::Null);
}

/// Who knows the old password logs in while another is set: what he gets ends with it.
fn a_login_that_races_another_password_ends(server: &TestServer) {
    for _ in 0..3 {
        let player = server.register("owner");
        let change = || change_password(&player, PASSWORD, NEW);
        let guess = || login(&player, PASSWORD);
        let requests: [&(dyn Fn() -> Response + Sync); 6] =
            [&guess, &guess, &change, &guess, &guess, &guess];
        let answers = at_once(&requests);
        answers[2].ok(204);
        for answer in answers.iter().filter(|answer| answer.status == 200) {
            let mut thief = player.with_token(None);
            thief.refresh_token = text(&answer.json()["tokens"]["refresh_token"]);
            assert_problem(&refresh(&thief), 401, "unauthenticated");
        }
    }
}

/// A login makes tokens for itself while the password is changed by another.
fn tokens_that_race_another_password_end(server: &TestServer) {
    for _ in 0..3 {
        let player = server.register("owner");
        let thief = another_login(&player);
        let change = || change_password(&player, PASSWORD, NEW);
        let mint = || make(&thief, &["read"]);
        let mut requests: Vec<&(dyn Fn() -> Response + Sync)> = vec![&mint; 9];
        requests.insert(4, &change);
        let answers = at_once(&requests);
        answers[4].ok(204);
        for answer in answers.iter().filter(|answer| answer.status == 201) {
            assert_ended(&player.with_token(answer.json()["token"].as_str()));
        }
    }
}

/// A webhook that is enabled while all is ended is disabled with the rest, or was not enabled.
fn a_webhook_that_races_another_password_is_disabled(server: &TestServer) {
    for _ in 0..3 {
        let player = server.register("owner");
        let thief = another_login(&player);
        let path = format!("/v1/me/webhooks/{}", text(&webhook(&player).ok(201)["id"]));
        player.patch(&path, &json!({"enabled": false})).ok(200);
        let change = || change_password(&player, PASSWORD, NEW);
        let enable = || thief.patch(&path, &json!({"enabled": true}));
        let requests: [&(dyn Fn() -> Response + Sync); 6] =
            [&enable, &enable, &change, &enable, &enable, &enable];
        at_once(&requests)[2].ok(204);
        assert_eq!(player.get(&path).ok(200)["enabled"], false);
    }
}

/// Requests of one player that wait for each other are all answered.
fn what_one_player_makes_at_once_is_all_made(server: &TestServer) {
    let player = server.register("busy");
    let ask = || challenge(&player, None, "duel", &Value::Null);
    let requests: Vec<&(dyn Fn() -> Response + Sync)> = vec![&ask; 30];
    for answer in at_once(&requests) {
        answer.ok(201);
    }
}

/// What tells a player by itself ends with his password: somebody else may have made it.
fn another_password_disables_webhooks(server: &TestServer) {
    let player = server.register("owner");
    let hook = webhook(&player).ok(201);
    change_password(&player, PASSWORD, NEW).ok(204);
    let path = format!("/v1/me/webhooks/{}", text(&hook["id"]));
    let shown = player.get(&path).ok(200);
    assert_eq!(shown["enabled"], false);
    assert!(shown["disabled_at"].is_string(), "{shown}");
    let enabled = player.patch(&path, &json!({"enabled": true})).ok(200);
    assert_eq!(enabled["enabled"], true);
}

/// A webhook outlasts a token, and reads what its maker may not.
fn no_personal_token_makes_a_webhook(server: &TestServer) {
    let player = server.register("owner");
    let hook = webhook(&player).ok(201);
    let (bot, _) = bot_of(&player, &["play", "read"]);
    assert_problem(&webhook(&bot), 403, "forbidden");
    let path = format!("/v1/me/webhooks/{}", text(&hook["id"]));
    let elsewhere = json!({"url": "https://example.org/another"});
    assert_problem(&bot.patch(&path, &elsewhere), 403, "forbidden");
    bot.get(&path).ok(200);
}

/// Without `read`, and without `play`, which needs it, a token sees what everybody sees.
fn a_token_that_may_not_read_sees_what_everybody_sees(server: &TestServer) {
    let mut game = EVEN.begin(server);
    game.line("a4-a5");
    let (blind, _) = bot_of(&game.red, &["analysis", "import"]);
    let nobody = server.client();
    for rest in ["", "/moves", "/replay?ply=0"] {
        let (shown, public) = (blind.get(&game.path(rest)), nobody.get(&game.path(rest)));
        assert_eq!(shown.status, public.status, "{rest}");
        assert_eq!(shown.text(), public.text(), "{rest}");
    }
    let query = "query ($id: UUID!) { game(id: $id) { replay { viewpoint } } }";
    let viewpoint = blind.query(query, &json!({"id": game.id}));
    assert_eq!(viewpoint["game"]["replay"]["viewpoint"], "PUBLIC");
    for path in [&game.path("/legal-moves"), "/v1/me", "/v1/games?turn=mine"] {
        assert!(matches!(blind.get(path).status, 401 | 403), "{path}");
    }
    let refused = EventStream::send(&blind, "GET", "/v1/me/events", &[]);
    assert_eq!(refused.head.status, 403);
    let private = json!({"ruleset": "barrage", "private": true,
        "time_control": {"kind": "unlimited"}});
    let hidden = game.red.post("/v1/challenges", &private).ok(201);
    let path = format!("/v1/challenges/{}", text(&hidden["id"]));
    assert_eq!(blind.get(&path).status, nobody.get(&path).status);
    let refused = challenge(&blind, None, "barrage", &Value::Null);
    assert_problem(&refused, 403, "insufficient_scope");
    let (player, _) = bot_of(&game.red, &["play"]);
    assert_eq!(game.view(&player)["viewpoint"], "red");
    EventStream::open(&player, "/v1/me/events", None);
}

on_both! {
    a_login_that_has_ended_leaves_nothing_behind,
    a_login_that_races_another_password_ends,
    tokens_that_race_another_password_end,
    a_webhook_that_races_another_password_is_disabled,
    what_one_player_makes_at_once_is_all_made,
    another_password_disables_webhooks,
    no_personal_token_makes_a_webhook,
    a_token_that_may_not_read_sees_what_everybody_sees,
}
