//! Personal tokens, another password, and logins that are listed and ended.

mod lasting;

use std::time::Duration;

use serde_json::{Value, json};
use tests::client::{PASSWORD, text};
use tests::game::challenge;
use tests::problem::assert_invalid;
use tests::{Backend, Client, EventStream, Response, TestServer, Timed, assert_problem, on_both};

use crate::lines::EVEN;

fn make(player: &Client, scopes: &[&str]) -> Response {
    let body = json!({"name": "my bot", "scopes": scopes});
    player.post("/v1/me/tokens", &body)
}

/// A caller with a new personal token of the player's, and the token's identifier.
fn bot_of(player: &Client, scopes: &[&str]) -> (Client, String) {
    let made = make(player, scopes).ok(201);
    let bot = player.with_token(made["token"].as_str());
    (bot, text(&made["id"]))
}

fn delete(player: &Client, id: &str) -> Response {
    player.delete(&format!("/v1/me/tokens/{id}"))
}

fn login(player: &Client, password: &str) -> Response {
    let body = json!({"username": player.name, "password": password});
    player.with_token(None).post("/v1/auth/login", &body)
}

fn another_login(player: &Client) -> Client {
    let tokens = login(player, PASSWORD).ok(200)["tokens"].clone();
    let mut other = player.with_token(tokens["access_token"].as_str());
    other.refresh_token = text(&tokens["refresh_token"]);
    other
}

fn refresh(player: &Client) -> Response {
    let body = json!({"refresh_token": player.refresh_token});
    player.with_token(None).post("/v1/auth/refresh", &body)
}

fn change_password(player: &Client, current: &str, new: &str) -> Response {
    let body = json!({"current_password": current, "new_password": new});
    player.post("/v1/me/password", &body)
}

fn assert_ended(caller: &Client) {
    assert_problem(&caller.get("/v1/me"), 401, "unauthenticated");
    // Nor is it taken for nobody's where none is needed.
    assert_problem(&caller.get("/v1/rules"), 401, "unauthenticated");
}

fn a_token_is_shown_once_and_plays(server: &TestServer) {
    let mut game = EVEN.begin(server);
    let made = make(&game.red, &["play", "read"]).ok(201);
    let token = text(&made["token"]);
    assert!(token.starts_with("rvl_") && token.len() == 47, "{made}");
    assert_eq!(
        (&made["name"], &made["scopes"], &made["expires_at"]),
        (&json!("my bot"), &json!(["play", "read"]), &Value::Null)
    );
    let listed = game.red.get("/v1/me/tokens");
    assert!(!listed.text().contains(&token[4..]), "{}", listed.text());
    assert_eq!(listed.ok(200)["items"][0]["id"], made["id"]);
    let red = game.red.clone();
    game.red = red.with_token(Some(&token));
    game.line("a4-a5");
    assert_eq!(game.view(&game.red)["viewpoint"], "red");
    assert_eq!(game.red.get("/v1/me").ok(200)["id"], json!(red.id));
    let query = "{ games(first: 1) { edges { node { uuid } } } }";
    let found = game.red.query(query, &Value::Null);
    assert_eq!(found["games"]["edges"][0]["node"]["uuid"], json!(game.id));
    let used = red.get("/v1/me/tokens").ok(200);
    assert!(used["items"][0]["last_used_at"].is_string(), "{used}");
    // It stands for the player in the log of nobody.
    assert!(!server.stderr().contains(&token[4..]), "a token is logged");
}

fn a_token_allows_what_its_scopes_say(server: &TestServer) {
    let player = server.register("maker");
    let (reader, _) = bot_of(&player, &["read"]);
    reader.get("/v1/me").ok(200);
    let refused = reader.post("/v1/challenges", &json!({}));
    let problem = assert_problem(&refused, 403, "insufficient_scope");
    assert_eq!(problem["scope"], "play");
    // Nobody plays who may not look.
    let (player_only, _) = bot_of(&player, &["play"]);
    player_only.get("/v1/me").ok(200);
    let problem = assert_problem(
        &make(&player, &["play", "admin"]),
        403,
        "insufficient_scope",
    );
    assert_eq!(problem["scope"], "admin");
    make(&player, &["analysis", "import"]).ok(201);
}

fn a_token_opens_no_more_of_the_account(server: &TestServer) {
    let player = server.register("maker");
    let (bot, id) = bot_of(&player, &["play", "read", "analysis", "import"]);
    for refused in [
        make(&bot, &["read"]),
        bot.get("/v1/me/tokens"),
        delete(&bot, &id),
        bot.get("/v1/me/sessions"),
        bot.delete("/v1/me/sessions"),
        bot.delete("/v1/me/sessions/0190f0a0-0000-7000-8000-000000000000"),
        change_password(&bot, PASSWORD, "another password"),
        bot.patch("/v1/me", &json!({"email": "thief@example.org"})),
        bot.patch("/v1/me", &json!({"email": null})),
        bot.get("/v1/me/export"),
        bot.delete("/v1/me"),
    ] {
        assert_problem(&refused, 403, "forbidden");
    }
    let patch = json!({"preferences": {"language": "fr"}});
    bot.patch("/v1/me", &patch).ok(200);
    login(&player, PASSWORD).ok(200);
}

fn what_is_no_sensible_token_is_refused(server: &TestServer) {
    let player = server.register("maker");
    let ask = |body: Value| player.post("/v1/me/tokens", &body);
    let long = "é".repeat(101);
    for name in ["", "  ", &long, "a\u{0}b", "a\nb"] {
        assert_invalid(&ask(json!({"name": name, "scopes": ["read"]})), "name");
    }
    assert_invalid(&ask(json!({"name": "x", "scopes": []})), "scopes");
    for span in ["PT59S", "P3651D"] {
        let body = json!({"name": "x", "scopes": ["read"], "expires_in": span});
        assert_invalid(&ask(body), "expires_in");
    }
    for body in [
        json!({}),
        json!({"name": "x"}),
        json!({"name": "x", "scopes": ["everything"]}),
        json!({"name": "x", "scopes": "read"}),
        json!({"name": "x", "scopes": ["read"], "expires_in": -5}),
        json!({"name": "x", "scopes": ["read"], "more": 1}),
    ] {
        assert_problem(&ask(body), 400, "malformed_request");
    }
    assert_eq!(player.get("/v1/me/tokens").ok(200)["items"], json!([]));
    for token in ["rvl_", "rvl_x", &format!("rvl_{}", "A".repeat(43))] {
        assert_ended(&player.with_token(Some(token)));
    }
    let nobody = server.client();
    assert_problem(&make(&nobody, &["read"]), 401, "unauthenticated");
}

fn a_player_has_so_many_tokens_and_each_request_makes_one(server: &TestServer) {
    let player = server.register("maker");
    let body = json!({"name": "once", "scopes": ["read"]});
    let once = || {
        player
            .request("POST", "/v1/me/tokens")
            .header("idempotency-key", "k")
            .json(&body)
            .send()
    };
    once().ok(201);
    assert_problem(&once(), 410, "gone");
    for _ in 1..50 {
        make(&player, &["read"]).ok(201);
    }
    assert_invalid(&make(&player, &["read"]), "name");
    let listed = player.get("/v1/me/tokens").ok(200);
    assert_eq!(listed["items"].as_array().unwrap().len(), 50);
    delete(&player, &text(&listed["items"][0]["id"])).ok(204);
    make(&player, &["read"]).ok(201);
}

/// A token that is taken back is refused at once, and on another node when its stream has ended.
fn a_token_that_is_deleted_serves_no_more(server: &TestServer) {
    let (player, other) = (server.register("maker"), server.register("other"));
    let (bot, id) = bot_of(&player, &["play", "read"]);
    let (kept, _) = bot_of(&player, &["read"]);
    let node = (server.backend() == Backend::Postgres).then(|| server.another_node());
    let mut nodes = vec![server.url()];
    nodes.extend(node.as_ref().map(TestServer::url));
    let follow = |node: &&str| EventStream::open(&bot.at(node), "/v1/me/events", None);
    let mut streams: Vec<EventStream> = nodes.iter().map(follow).collect();
    let ticket = bot.post("/v1/me/event-tickets", &json!({})).ok(201);
    assert_problem(&delete(&other, &id), 404, "not_found");
    bot.get("/v1/me").ok(200);
    delete(&player, &id).ok(204);
    assert_problem(&delete(&player, &id), 404, "not_found");
    assert_ended(&bot);
    for (node, stream) in nodes.iter().zip(&mut streams) {
        assert_eq!(stream.closing(), "token_revoked");
        assert_ended(&bot.at(node));
        kept.at(node).get("/v1/me").ok(200);
    }
    let path = format!("/v1/me/events?access_token={}", text(&ticket["ticket"]));
    let refused = EventStream::send(&bot.with_token(None), "GET", &path, &[]);
    assert_eq!(refused.head.status, 401, "a ticket of a token that is gone");
    player.get("/v1/me").ok(200);
}

fn a_token_runs_out_in_its_time(backend: Backend) {
    let timed = Timed::start(backend);
    let player = timed.register("maker");
    let body = json!({"name": "short", "scopes": ["read"], "expires_in": "PT10M"});
    let made = player.post("/v1/me/tokens", &body).ok(201);
    let short = player.with_token(made["token"].as_str());
    let (long, _) = bot_of(&player, &["read"]);
    let mut stream = EventStream::open(&short, "/v1/me/events", None);
    timed.clock.advance(Duration::from_millis(599_999));
    short.get("/v1/me").ok(200);
    timed.clock.advance(Duration::from_millis(1));
    assert_problem(&short.get("/v1/me"), 401, "token_expired");
    // The stream sleeps by true time. Something new wakes it, of which it may not tell.
    challenge(
        &timed.register("other"),
        Some(&player),
        "duel",
        &Value::Null,
    )
    .ok(201);
    assert_eq!(stream.closing(), "token_expired");
    timed.clock.advance(Duration::from_hours(1_000));
    long.get("/v1/me").ok(200);
    let mut player = player;
    timed.advance([&mut player], Duration::ZERO);
    timed.sweep();
    let listed = player.get("/v1/me/tokens").ok(200);
    assert_eq!(listed["items"].as_array().unwrap().len(), 1, "{listed}");
}

/// That a bot uses a token costs no read of the database as a rule, and a write an hour.
fn the_use_of_a_token_is_noted_to_the_hour(backend: Backend) {
    let timed = Timed::start(backend);
    let mut player = timed.register("maker");
    let (bot, _) = bot_of(&player, &["read"]);
    let mut noted = |after: Duration| {
        timed.advance([&mut player], after);
        bot.get("/v1/me").ok(200);
        text(&player.get("/v1/me/tokens").ok(200)["items"][0]["last_used_at"])
    };
    let first = noted(Duration::ZERO);
    assert_eq!(noted(Duration::from_mins(59)), first);
    // It is not looked up again before it has been held for five minutes.
    assert_ne!(noted(Duration::from_mins(6)), first);
}

/// D17: old refresh tokens, access tokens and personal tokens end; the login that asks stays.
fn another_password_ends_all_else(server: &TestServer) {
    let player = server.register("change");
    let (other, (bot, _)) = (another_login(&player), bot_of(&player, &["play", "read"]));
    let mut streams = [&other, &bot].map(|one| EventStream::open(one, "/v1/me/events", None));
    let mut own = EventStream::open(&player, "/v1/me/events", None);
    change_password(&player, PASSWORD, "another password").ok(204);
    for stream in &mut streams {
        assert_eq!(stream.closing(), "token_revoked");
    }
    assert_ended(&other);
    assert_ended(&bot);
    assert_problem(&refresh(&other), 401, "unauthenticated");
    player.get("/v1/me").ok(200);
    refresh(&player).ok(200);
    assert_problem(&login(&player, PASSWORD), 401, "invalid_credentials");
    login(&player, "another password").ok(200);
    // What asks goes on.
    let body = json!({
        "ruleset": "barrage", "time_control": {"kind": "per_move", "per_move": "P3D"},
    });
    player.post("/v1/challenges", &body).ok(201);
    assert_eq!(own.event().name, "challenge.created");
}

fn a_password_is_not_changed_without_the_current_one(server: &TestServer) {
    let player = server.register("change");
    let wrong = change_password(&player, "not the password", "another password");
    assert_problem(&wrong, 401, "invalid_credentials");
    assert!(wrong.header("www-authenticate").is_some());
    for new in ["", "1234567", &"x".repeat(257)] {
        assert_invalid(&change_password(&player, PASSWORD, new), "new_password");
    }
    let nobody = server.client();
    assert_problem(
        &change_password(&nobody, PASSWORD, "another password"),
        401,
        "unauthenticated",
    );
    assert_problem(
        &player.post(
            "/v1/me/password",
            &json!({"new_password": "another password"}),
        ),
        400,
        "malformed_request",
    );
    login(&player, PASSWORD).ok(200);
}

/// D19: whoever holds an access token guesses the password no faster than who logs in.
fn guesses_of_the_current_password_are_limited(backend: Backend) {
    let settings = [
        ("REVEILLE_RATE_LIMITS", "on"),
        ("REVEILLE_RATE_LIMIT_ACCOUNT", "3/3600"),
    ];
    let server = TestServer::start_with(backend, &settings);
    let player = server.register("guess");
    for _ in 0..3 {
        let wrong = change_password(&player, "not the password", "another password");
        assert_problem(&wrong, 401, "invalid_credentials");
    }
    let refused = change_password(&player, PASSWORD, "another password");
    assert_problem(&refused, 429, "rate_limited");
    assert_problem(&login(&player, PASSWORD), 429, "rate_limited");
}

fn logins_are_listed_and_end_one_by_one(server: &TestServer) {
    let player = server.register("login");
    let stranger = server.register("stranger");
    let body = json!({"username": player.name, "password": PASSWORD});
    let answer = player
        .with_token(None)
        .request("POST", "/v1/auth/login")
        .header("user-agent", &format!("Phone {}", "x".repeat(300)))
        .json(&body)
        .send()
        .ok(200);
    let phone = player.with_token(answer["tokens"]["access_token"].as_str());
    let mut stream = EventStream::open(&phone, "/v1/me/events", None);
    let listed = player.get("/v1/me/sessions").ok(200);
    let items = listed["items"].as_array().unwrap();
    assert_eq!(items.len(), 2, "{listed}");
    assert_eq!(
        (&items[0]["current"], &items[1]["current"]),
        (&json!(false), &json!(true))
    );
    let agent = text(&items[0]["user_agent"]);
    assert!(
        agent.starts_with("Phone x") && agent.len() == 200,
        "{agent}"
    );
    for field in ["id", "created_at", "last_used_at", "expires_at"] {
        assert!(items[0][field].is_string(), "{listed}");
    }
    let seen_there = phone.get("/v1/me/sessions").ok(200);
    assert_eq!(seen_there["items"][0]["current"], true);
    let end = |who: &Client| {
        let id = text(&items[0]["id"]);
        who.delete(&format!("/v1/me/sessions/{id}"))
    };
    assert_problem(&end(&stranger), 404, "not_found");
    end(&player).ok(204);
    assert_problem(&end(&player), 404, "not_found");
    assert_eq!(stream.closing(), "token_revoked");
    assert_ended(&phone);
    player.get("/v1/me").ok(200);
    let bad = player.delete("/v1/me/sessions/not-a-uuid");
    assert_problem(&bad, 400, "malformed_request");
}

fn all_other_logins_end_at_once(server: &TestServer) {
    let player = server.register("login");
    let others = [another_login(&player), another_login(&player)];
    let (bot, _) = bot_of(&player, &["read"]);
    player.delete("/v1/me/sessions").ok(204);
    for other in &others {
        assert_ended(other);
        assert_eq!(refresh(other).status, 401);
    }
    let listed = player.get("/v1/me/sessions").ok(200);
    assert_eq!(listed["items"].as_array().unwrap().len(), 1);
    bot.get("/v1/me").ok(200);
    player.delete("/v1/me/sessions").ok(204);
    refresh(&player).ok(200);
}

/// D14: who logs out is out, whatever his access token says of its time.
fn logging_out_ends_what_the_login_gave(backend: Backend) {
    let timed = Timed::start(backend);
    let player = timed.register("logout");
    let other = another_login(&player);
    let mut stream = EventStream::open(&player, "/v1/me/events", None);
    let body = json!({"refresh_token": player.refresh_token});
    player.post("/v1/auth/logout", &body).ok(204);
    assert_eq!(stream.closing(), "token_revoked");
    assert_ended(&player);
    timed.clock.advance(Duration::from_secs(899));
    assert_ended(&player);
    other.get("/v1/me").ok(200);
    timed.clock.advance(Duration::from_secs(1));
    assert_problem(&player.get("/v1/me"), 401, "token_expired");
}

on_both! {
    a_token_is_shown_once_and_plays,
    a_token_allows_what_its_scopes_say,
    a_token_opens_no_more_of_the_account,
    what_is_no_sensible_token_is_refused,
    a_player_has_so_many_tokens_and_each_request_makes_one,
    a_token_that_is_deleted_serves_no_more,
    a_token_runs_out_in_its_time,
    the_use_of_a_token_is_noted_to_the_hour,
    another_password_ends_all_else,
    a_password_is_not_changed_without_the_current_one,
    guesses_of_the_current_password_are_limited,
    logins_are_listed_and_end_one_by_one,
    all_other_logins_end_at_once,
    logging_out_ends_what_the_login_gave,
}
