//! Those who administer the server, on its command line and over REST, and what is noted of it.

use serde_json::{Value, json};
use tests::client::{PASSWORD, text};
use tests::game::challenge;
use tests::problem::assert_invalid;
use tests::{Backend, Client, EventStream, Response, TestServer, assert_problem, on_both};

use crate::lines::EVEN;
use crate::races::at_once;

/// Runs `reveille admin` beside the server; gives what it prints.
fn run(server: &TestServer, arguments: &[&str]) -> String {
    let output = attempt(server, arguments);
    let fault = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {fault}");
    String::from_utf8(output.stdout).unwrap()
}

fn attempt(server: &TestServer, arguments: &[&str]) -> std::process::Output {
    let all = [&["admin"], arguments].concat();
    server.command(&all).output().unwrap()
}

fn log_in(player: &Client, password: &str) -> Response {
    let body = json!({"username": player.name, "password": password});
    player.with_token(None).post("/v1/auth/login", &body)
}

/// A new player who administers the server, and has logged in since.
fn admin(server: &TestServer) -> Client {
    let player = server.register("admin");
    run(server, &["grant", &player.name]);
    let tokens = log_in(&player, PASSWORD).ok(200);
    player.with_token(tokens["tokens"]["access_token"].as_str())
}

fn act(admin: &Client, name: &str, what: &str, body: &Value) -> Response {
    admin.post(&format!("/v1/admin/players/{name}/{what}"), body)
}

fn assert_suspended(player: &Client) {
    assert_problem(&player.get("/v1/me"), 401, "unauthenticated");
    let refused = log_in(player, PASSWORD);
    let problem = assert_problem(&refused, 403, "forbidden");
    assert!(text(&problem["detail"]).contains("suspended"), "{problem}");
    let wrong = log_in(player, "not the password");
    assert_problem(&wrong, 401, "invalid_credentials");
    let body = json!({"refresh_token": player.refresh_token});
    let refused = player.with_token(None).post("/v1/auth/refresh", &body);
    assert_problem(&refused, 401, "unauthenticated");
}

fn only_admins_administer(server: &TestServer) {
    let (player, other) = (server.register("player"), server.register("other"));
    for what in ["suspend", "unsuspend", "reset-password"] {
        let refused = act(&player, &other.name, what, &json!({}));
        let problem = assert_problem(&refused, 403, "insufficient_scope");
        assert_eq!(problem["scope"], "admin");
        // Whether there is such a player is no part of it.
        let refused = act(&player, "nobody_at_all", what, &json!({}));
        assert_problem(&refused, 403, "insufficient_scope");
        let refused = act(&server.client(), &other.name, what, &json!({}));
        assert_problem(&refused, 401, "unauthenticated");
    }
    assert_problem(&player.get("/v1/admin/audit"), 403, "insufficient_scope");
    assert_problem(
        &server.client().get("/v1/admin/audit"),
        401,
        "unauthenticated",
    );
    other.get("/v1/me").ok(200);
    assert_eq!(run(server, &["audit"]), "");
}

fn who_is_an_admin_is_said_on_the_command_line(server: &TestServer) {
    let player = server.register("admin");
    assert!(run(server, &["grant", &player.name.to_uppercase()]).contains("is an admin now"));
    assert!(run(server, &["grant", &player.name]).contains("was one already"));
    // With the next tokens.
    assert_problem(&player.get("/v1/admin/audit"), 403, "insufficient_scope");
    let body = json!({"refresh_token": player.refresh_token});
    let tokens = player.post("/v1/auth/refresh", &body).ok(200);
    let admin = player.with_token(tokens["tokens"]["access_token"].as_str());
    admin.get("/v1/admin/audit").ok(200);
    let made = json!({"name": "watch", "scopes": ["admin"]});
    let made = admin.post("/v1/me/tokens", &made).ok(201);
    let bot = admin.with_token(made["token"].as_str());
    bot.get("/v1/admin/audit").ok(200);
    // At once, whatever a token says.
    assert!(run(server, &["revoke", &player.name]).contains("no admin any more"));
    for caller in [&admin, &bot] {
        assert_problem(&caller.get("/v1/admin/audit"), 403, "insufficient_scope");
        let refused = act(caller, "nobody_at_all", "suspend", &json!({}));
        assert_problem(&refused, 403, "insufficient_scope");
    }
    admin.get("/v1/me").ok(200);
    for line in [
        &["grant", "nobody_at_all"][..],
        &["suspend", "nobody_at_all"],
    ] {
        let output = attempt(server, line);
        let fault = String::from_utf8_lossy(&output.stderr);
        assert!(
            !output.status.success() && fault.contains("no such player"),
            "{fault}"
        );
    }
}

/// A challenge that is made while its maker is suspended is closed with the rest, or not made.
fn a_challenge_that_races_a_suspension_does_not_stand(server: &TestServer) {
    let admin = admin(server);
    for _ in 0..3 {
        let player = server.register("player");
        let ask = || challenge(&player, None, "duel", &Value::Null);
        let suspend = || act(&admin, &player.name, "suspend", &json!({}));
        let requests: [&(dyn Fn() -> Response + Sync); 7] =
            [&ask, &ask, &ask, &suspend, &ask, &ask, &ask];
        let answers = at_once(&requests);
        answers[3].ok(204);
        for made in answers.iter().filter(|answer| answer.status == 201) {
            let path = format!("/v1/challenges/{}", text(&made.json()["id"]));
            assert_ne!(admin.get(&path).json()["status"], "open");
        }
    }
}

fn a_suspended_player_is_out_until_he_is_let_in(server: &TestServer) {
    let admin = admin(server);
    let mut game = EVEN.begin(server);
    let player = game.red.clone();
    let made = json!({"name": "bot", "scopes": ["play", "read"]});
    let made = player.post("/v1/me/tokens", &made).ok(201);
    let bot = player.with_token(made["token"].as_str());
    let stands = challenge(&player, None, "barrage", &Value::Null).ok(201);
    let mut streams = [&player, &bot].map(|one| EventStream::open(one, "/v1/me/events", None));
    act(&admin, &player.name, "suspend", &json!({"reason": "abuse"})).ok(204);
    act(&admin, &player.name, "suspend", &json!({})).ok(204);
    for stream in &mut streams {
        while stream.event_or_closing().name != "closing" {}
    }
    assert_suspended(&player);
    assert_problem(&bot.get("/v1/me"), 401, "unauthenticated");
    assert_problem(&game.attempt("a4-a5"), 401, "unauthenticated");
    // His games stand and their clocks go on; his challenges do not stand.
    let seen = game.view(&game.blue);
    assert_eq!(
        (&seen["status"], &seen["turn"]),
        (&json!("active"), &json!("red"))
    );
    assert!(seen["deadline"].is_string(), "{seen}");
    let refused = tests::game::accept(&game.blue, &stands);
    assert_problem(&refused, 409, "challenge_closed");
    let refused = challenge(&game.blue, Some(&player), "barrage", &Value::Null);
    assert_problem(&refused, 403, "forbidden");
    act(&admin, &player.name, "unsuspend", &json!({})).ok(204);
    assert_eq!(player.get("/v1/me").status, 401, "what ended stays so");
    let tokens = log_in(&player, PASSWORD).ok(200);
    game.red = player.with_token(tokens["tokens"]["access_token"].as_str());
    game.line("a4-a5");
}

/// The command line is another process: whoever follows something hears of it soon, on every node.
fn the_command_line_suspends_beside_servers_that_run(server: &TestServer) {
    let player = server.register("player");
    let node = (server.backend() == Backend::Postgres).then(|| server.another_node());
    let mut nodes = vec![server.url()];
    nodes.extend(node.as_ref().map(TestServer::url));
    let follow = |node: &&str| EventStream::open(&player.at(node), "/v1/me/events", None);
    let mut streams: Vec<EventStream> = nodes.iter().map(follow).collect();
    run(
        server,
        &["suspend", &player.name, "--reason", "many accounts"],
    );
    for (node, stream) in nodes.iter().zip(&mut streams) {
        assert_eq!(stream.closing(), "token_revoked");
        assert_suspended(&player.at(node));
    }
    assert!(run(server, &["unsuspend", &player.name]).contains("may log in again"));
    log_in(&player, PASSWORD).ok(200);
    let log = run(server, &["audit"]);
    let lines: Vec<&str> = log.lines().collect();
    assert_eq!(lines.len(), 2, "{log}");
    let expected = format!("command line: suspend {} (many accounts)", player.name);
    assert!(lines[1].ends_with(&expected), "{log}");
    assert!(lines[0].contains("command line: unsuspend"), "{log}");
}

fn a_lost_password_is_replaced(server: &TestServer) {
    let (admin, player) = (admin(server), server.register("player"));
    let answer = act(
        &admin,
        &player.name,
        "reset-password",
        &json!({"reason": "asked"}),
    );
    let given = text(&answer.ok(200)["password"]);
    assert_problem(&player.get("/v1/me"), 401, "unauthenticated");
    assert_problem(&log_in(&player, PASSWORD), 401, "invalid_credentials");
    let tokens = log_in(&player, &given).ok(200);
    let again = player.with_token(tokens["tokens"]["access_token"].as_str());
    let body = json!({"current_password": given, "new_password": PASSWORD});
    again.post("/v1/me/password", &body).ok(204);
    let printed = run(server, &["reset-password", &player.name]);
    let drawn = printed.trim().rsplit(' ').next().unwrap();
    log_in(&player, drawn).ok(200);
    assert!(!server.stderr().contains(&given), "a password is logged");
    for secret in [drawn, &given] {
        assert!(
            !run(server, &["audit"]).contains(secret),
            "the log tells a password"
        );
    }
}

fn of_admins_the_command_line_disposes(server: &TestServer) {
    let (one, other) = (admin(server), admin(server));
    for what in ["suspend", "reset-password"] {
        let refused = act(&one, &other.name, what, &json!({}));
        assert_problem(&refused, 403, "forbidden");
        assert_problem(&act(&one, &one.name, what, &json!({})), 403, "forbidden");
    }
    run(server, &["suspend", &other.name]);
    let refused = log_in(&other, PASSWORD);
    assert_problem(&refused, 403, "forbidden");
}

fn every_deed_is_in_the_log(server: &TestServer) {
    let (admin, player) = (admin(server), server.register("player"));
    act(&admin, &player.name, "suspend", &json!({"reason": "abuse"})).ok(204);
    act(&admin, &player.name, "unsuspend", &json!({})).ok(204);
    act(&admin, &player.name, "unsuspend", &json!({})).ok(204);
    act(&admin, &player.name, "reset-password", &json!({})).ok(200);
    let first = admin.get("/v1/admin/audit?limit=3").ok(200);
    let next = text(&first["next"]);
    let rest = admin
        .get(&format!("/v1/admin/audit?limit=3&after={next}"))
        .ok(200);
    assert_eq!(rest["next"], Value::Null, "{rest}");
    let told: Vec<(String, String, String)> = [&first, &rest]
        .iter()
        .flat_map(|page| page["items"].as_array().unwrap())
        .map(|entry| {
            let of = |field: &str| text(&entry[field]);
            (of("by"), of("action"), text(&entry["player"]["username"]))
        })
        .collect();
    let by = |by: &str, action: &str, whom: &Client| {
        (by.to_owned(), action.to_owned(), whom.name.clone())
    };
    assert_eq!(
        told,
        [
            by(&admin.name, "reset_password", &player),
            by(&admin.name, "unsuspend", &player),
            by(&admin.name, "suspend", &player),
            by("command line", "grant_admin", &admin),
        ]
    );
    assert_eq!(first["items"][2]["reason"], "abuse");
    for (what, status, code) in [
        (json!({"reason": 7}), 400, "malformed_request"),
        (json!({"why": "x"}), 400, "malformed_request"),
    ] {
        let refused = act(&admin, &player.name, "suspend", &what);
        assert_problem(&refused, status, code);
    }
    for reason in ["x".repeat(501), "a\u{0}b".to_owned()] {
        let refused = act(&admin, &player.name, "suspend", &json!({"reason": reason}));
        assert_invalid(&refused, "reason");
    }
    let refused = act(&admin, "nobody_at_all", "suspend", &json!({}));
    assert_problem(&refused, 404, "not_found");
    for query in ["limit=0", "after=x"] {
        let refused = admin.get(&format!("/v1/admin/audit?{query}"));
        assert_problem(&refused, 400, "malformed_request");
    }
    let again = admin.get("/v1/admin/audit?limit=3").ok(200);
    assert_eq!(again, first, "what was refused is not noted");
}

/// A game that is over counts no more, by either way, once and for its first reason.
fn a_game_is_annulled_once(server: &TestServer) {
    let (admin, game) = (admin(server), EVEN.begin(server));
    let path = format!("/v1/admin/games/{}/annul", game.id);
    let annul = |who: &Client, reason: &str| who.post(&path, &json!({"reason": reason}));
    assert_problem(&annul(&game.red, "x"), 403, "insufficient_scope");
    assert_problem(&annul(&admin, "too soon"), 403, "forbidden");
    game.resign(tests::Side::Red).ok(200);
    assert_invalid(&annul(&admin, " "), "reason");
    assert_problem(&admin.post(&path, &json!({})), 400, "malformed_request");
    annul(&admin, "a program played").ok(204);
    annul(&admin, "another reason").ok(204);
    let again = run(server, &["annul", &game.id, "--reason", "more"]);
    assert!(again.contains("was annulled before"), "{again}");
    let log = admin.get("/v1/admin/audit?limit=2").ok(200);
    let entry = &log["items"][0];
    assert_eq!(
        (&entry["action"], &entry["game_id"], &entry["reason"]),
        (
            &json!("annul_game"),
            &json!(game.id),
            &json!("a program played")
        )
    );
    assert_eq!(log["items"][1]["action"], "grant_admin");
    let second = EVEN.play(server);
    let done = run(server, &["annul", &second.id, "--reason", "asked by both"]);
    assert!(done.contains("is annulled"), "{done}");
    let nothing = "/v1/admin/games/0190f0a0-0000-7000-8000-000000000000/annul";
    let refused = admin.post(nothing, &json!({"reason": "x"}));
    assert_problem(&refused, 404, "not_found");
}

on_both! {
    a_challenge_that_races_a_suspension_does_not_stand,
    a_game_is_annulled_once,
    only_admins_administer,
    who_is_an_admin_is_said_on_the_command_line,
    a_suspended_player_is_out_until_he_is_let_in,
    the_command_line_suspends_beside_servers_that_run,
    a_lost_password_is_replaced,
    of_admins_the_command_line_disposes,
    every_deed_is_in_the_log,
}
