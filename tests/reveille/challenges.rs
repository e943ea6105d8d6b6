//! From a challenge to a game in setup.

use serde_json::{Value, json};
use tests::client::text;
use tests::duration::seconds;
use tests::game::{accept, challenge};
use tests::problem::assert_invalid;
use tests::{Client, TestServer, assert_problem, on_both};

fn ids(page: &Value) -> Vec<String> {
    page["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|item| text(&item["id"]))
        .collect()
}

fn listed(client: &Client, query: &str) -> Vec<String> {
    ids(&client.get(&format!("/v1/challenges{query}")).ok(200))
}

fn with_time(client: &Client, control: &Value) -> tests::Response {
    client.post(
        "/v1/challenges",
        &json!({"ruleset": "barrage", "time_control": control}),
    )
}

fn an_open_challenge_is_for_whoever_comes_first(server: &TestServer) {
    let (red, blue) = (server.register("red"), server.register("blue"));
    let open = challenge(&red, None, "barrage", &Value::Null).ok(201);
    assert_eq!(open["ruleset"], "barrage");
    assert_eq!(open["time_control"]["kind"], "per_move");
    assert_eq!(seconds(&open["time_control"]["per_move"]), 259_200);
    let id = text(&open["id"]);
    assert!(listed(&blue, "?direction=open").contains(&id));
    assert!(!listed(&blue, "?direction=open&ruleset=duel").contains(&id));
    assert!(listed(&red, "?direction=outgoing").contains(&id));
    let accepted = accept(&blue, &open);
    let game = accepted.ok(201);
    assert_eq!(
        accepted.header("location"),
        Some(&*format!("/v1/games/{}", text(&game["id"])))
    );
    assert_eq!(
        (&game["status"], &game["turn"], &game["ply"]),
        (&json!("setup"), &Value::Null, &json!(0))
    );
    assert_eq!(game["red"]["player"]["username"], json!(red.name));
    assert_eq!(game["blue"]["player"]["username"], json!(blue.name));
    assert!(!listed(&blue, "?direction=open").contains(&id));
}

fn a_targeted_challenge_is_for_one_player(server: &TestServer) {
    let (red, blue, third) = (
        server.register("red"),
        server.register("blue"),
        server.register("third"),
    );
    let targeted = challenge(&red, Some(&blue), "duel", &Value::Null).ok(201);
    let id = text(&targeted["id"]);
    assert!(listed(&blue, "?direction=incoming").contains(&id));
    for client in [&third, &blue] {
        assert!(!listed(client, "?direction=open").contains(&id));
    }
    assert!(!listed(&third, "?direction=incoming").contains(&id));
    let refused = accept(&third, &targeted);
    assert!(matches!(refused.status, 403 | 404), "{}", refused.text());
    accept(&blue, &targeted).ok(201);
}

fn the_challenger_chooses_his_side(server: &TestServer) {
    let (one, two) = (server.register("one"), server.register("two"));
    let game = |color: &str| {
        let body = json!({"ruleset": "barrage", "color": color, "opponent": two.name,
                          "time_control": {"kind": "unlimited"}});
        let made = one.post("/v1/challenges", &body).ok(201);
        accept(&two, &made).ok(201)
    };
    assert_eq!(game("red")["red"]["player"]["id"], json!(one.id));
    assert_eq!(game("blue")["blue"]["player"]["id"], json!(one.id));
    let random = game("random");
    let players = [
        &random["red"]["player"]["id"],
        &random["blue"]["player"]["id"],
    ];
    assert!(
        players.contains(&&json!(one.id)) && players.contains(&&json!(two.id)),
        "{random}"
    );
}

/// C13.
fn nobody_plays_himself(server: &TestServer) {
    let red = server.register("red");
    let open = challenge(&red, None, "barrage", &Value::Null).ok(201);
    assert_problem(&accept(&red, &open), 409, "own_challenge");
    assert_problem(
        &challenge(&red, Some(&red), "barrage", &Value::Null),
        409,
        "own_challenge",
    );
}

/// B19, C13.
fn a_challenge_is_accepted_once(server: &TestServer) {
    let (red, blue, third) = (
        server.register("red"),
        server.register("blue"),
        server.register("third"),
    );
    let open = challenge(&red, None, "barrage", &Value::Null).ok(201);
    accept(&blue, &open).ok(201);
    for client in [&blue, &third] {
        assert_problem(&accept(client, &open), 409, "challenge_closed");
    }
}

fn a_challenge_may_be_declined_or_withdrawn(server: &TestServer) {
    let (red, blue, third) = (
        server.register("red"),
        server.register("blue"),
        server.register("third"),
    );
    let path = |challenge: &Value| format!("/v1/challenges/{}", text(&challenge["id"]));
    let first = challenge(&red, Some(&blue), "barrage", &Value::Null).ok(201);
    let not_his = third.post(&format!("{}/decline", path(&first)), &json!({}));
    assert!(matches!(not_his.status, 403 | 404), "{}", not_his.text());
    let declined = blue.post(
        &format!("{}/decline", path(&first)),
        &json!({"reason": "no time"}),
    );
    assert_eq!(declined.status, 204);
    assert_problem(&accept(&blue, &first), 409, "challenge_closed");

    let second = challenge(&red, None, "barrage", &Value::Null).ok(201);
    let not_his = blue.delete(&path(&second));
    assert!(matches!(not_his.status, 403 | 404), "{}", not_his.text());
    assert_eq!(red.delete(&path(&second)).status, 204);
    assert_problem(&accept(&blue, &second), 409, "challenge_closed");
    assert!(listed(&red, "?direction=outgoing").is_empty());
}

/// C08: they vanish, and nobody begins a game with one who has left.
fn challenges_go_with_their_challenger(server: &TestServer) {
    let (red, blue) = (server.register("red"), server.register("blue"));
    let open = challenge(&red, None, "barrage", &Value::Null).ok(201);
    let sent = challenge(&red, Some(&blue), "barrage", &Value::Null).ok(201);
    let received = challenge(&blue, Some(&red), "barrage", &Value::Null).ok(201);
    red.delete("/v1/me").ok(204);
    for direction in ["open", "incoming", "outgoing"] {
        let query = format!("?direction={direction}&limit=100");
        let left = listed(&blue, &query);
        for gone in [&open, &sent, &received] {
            assert!(!left.contains(&text(&gone["id"])), "{direction}");
        }
    }
    assert_problem(&accept(&blue, &sent), 409, "challenge_closed");
    // As if it had been made at the same instant.
    server
        .database()
        .run("UPDATE challenges SET closing = NULL, closed_at = NULL");
    for made in [&open, &sent] {
        assert_problem(&accept(&blue, made), 410, "gone");
    }
    let games = blue.get(&format!("/v1/games?player={}", blue.name)).ok(200);
    assert_eq!(games["items"], json!([]));
}

fn a_challenge_must_make_sense(server: &TestServer) {
    let (red, blue) = (server.register("red"), server.register("blue"));
    let unknown = red.post(
        "/v1/challenges",
        &json!({"ruleset": "chess", "time_control": {"kind": "unlimited"}}),
    );
    assert!(matches!(unknown.status, 400 | 422), "{}", unknown.text());
    let nobody = json!({"ruleset": "barrage", "time_control": {"kind": "unlimited"}, "opponent": "nobody_here"});
    let nobody = red.post("/v1/challenges", &nobody);
    assert!(matches!(nobody.status, 404 | 422), "{}", nobody.text());
    for (options, field) in [
        (json!({"two_squares_limit": 1}), "options.two_squares_limit"),
        (json!({"two_squares_limit": 6}), "options.two_squares_limit"),
        (
            json!({"no_progress_plies": 49}),
            "options.no_progress_plies",
        ),
        (
            json!({"no_progress_plies": 1001}),
            "options.no_progress_plies",
        ),
    ] {
        assert_invalid(&challenge(&red, Some(&blue), "barrage", &options), field);
    }
    for options in [
        json!({"unknown": true}),
        json!({"rescue": "yes"}),
        json!({"two_squares": "maybe"}),
    ] {
        assert_problem(
            &challenge(&red, Some(&blue), "barrage", &options),
            400,
            "malformed_request",
        );
    }
}

fn a_time_control_has_bounds(server: &TestServer) {
    let red = server.register("red");
    for control in [
        json!({"kind": "per_move", "per_move": "PT1S"}),
        json!({"kind": "per_move", "per_move": "P28D"}),
        json!({"kind": "fischer", "initial": "P7D", "increment": "P1D", "max": "P10D"}),
        json!({"kind": "unlimited"}),
    ] {
        let made = with_time(&red, &control).ok(201);
        assert_eq!(made["time_control"]["kind"], control["kind"]);
    }
    for (control, field) in [
        (
            json!({"kind": "per_move", "per_move": "PT0.999S"}),
            "time_control.per_move",
        ),
        (
            json!({"kind": "per_move", "per_move": "P29D"}),
            "time_control.per_move",
        ),
    ] {
        assert_invalid(&with_time(&red, &control), field);
    }
    for control in [
        json!({"kind": "per_move"}),
        json!({"kind": "blitz"}),
        json!({}),
        json!("P3D"),
        json!(null),
        json!({"kind": "per_move", "per_move": "three days"}),
        json!({"kind": "per_move", "per_move": "-P1D"}),
        json!({"kind": "per_move", "per_move": 3}),
        json!({"kind": "unlimited", "per_move": "P3D"}),
    ] {
        let refused = with_time(&red, &control);
        assert!(
            matches!(refused.status, 400 | 422),
            "{control}: {}",
            refused.text()
        );
    }
}

fn options_are_kept_with_the_game(server: &TestServer) {
    let (red, blue) = (server.register("red"), server.register("blue"));
    let chosen = json!({"aggressor_advantage": true, "silent_defense": true, "rescue": true,
        "more_squares": false, "two_squares": "forfeit_turn", "two_squares_limit": 5, "no_progress_plies": 50});
    let made = challenge(&red, Some(&blue), "duel", &chosen).ok(201);
    assert_eq!(accept(&blue, &made).ok(201)["options"], chosen);
    let plain = challenge(&red, Some(&blue), "classic", &Value::Null).ok(201);
    let rules = json!({"aggressor_advantage": false, "silent_defense": false, "rescue": false,
        "more_squares": false, "two_squares": "illegal", "two_squares_limit": 2, "no_progress_plies": null});
    assert_eq!(accept(&blue, &plain).ok(201)["options"], rules);
}

fn a_repeated_post_with_one_key_makes_one_challenge(server: &TestServer) {
    let (red, blue) = (server.register("red"), server.register("blue"));
    let post = |client: &Client, key: &str, ruleset: &str| {
        let body = json!({"ruleset": ruleset, "time_control": {"kind": "unlimited"}});
        client
            .request("POST", "/v1/challenges")
            .header("idempotency-key", key)
            .json(&body)
            .send()
    };
    let first = post(&red, "k-1", "barrage").ok(201);
    assert_eq!(post(&red, "k-1", "barrage").ok(201), first);
    assert_eq!(listed(&red, "?direction=outgoing").len(), 1);
    assert_problem(&post(&red, "k-1", "duel"), 422, "idempotency_key_reused");
    // A key is its caller's own.
    assert_ne!(post(&blue, "k-1", "barrage").ok(201)["id"], first["id"]);
    assert_ne!(post(&red, "k-2", "barrage").ok(201)["id"], first["id"]);
    assert_eq!(listed(&red, "?direction=outgoing").len(), 2);
}

fn pages_of_challenges_hold_each_once(server: &TestServer) {
    let red = server.register("red");
    let mut made: Vec<String> = (0..5)
        .map(|_| text(&challenge(&red, None, "barrage", &Value::Null).ok(201)["id"]))
        .collect();
    let mut seen = Vec::new();
    let mut query = "?direction=outgoing&limit=2".to_owned();
    let mut pages = 0;
    loop {
        let page = red.get(&format!("/v1/challenges{query}")).ok(200);
        assert!(ids(&page).len() <= 2, "{page}");
        seen.extend(ids(&page));
        pages += 1;
        let Some(next) = page["next"].as_str() else {
            break;
        };
        query = format!("?direction=outgoing&limit=2&after={next}");
    }
    assert_eq!(pages, 3);
    seen.sort();
    made.sort();
    assert_eq!(seen, made);
}

on_both! {
    an_open_challenge_is_for_whoever_comes_first,
    a_targeted_challenge_is_for_one_player,
    the_challenger_chooses_his_side,
    nobody_plays_himself,
    a_challenge_is_accepted_once,
    a_challenge_may_be_declined_or_withdrawn,
    challenges_go_with_their_challenger,
    a_challenge_must_make_sense,
    a_time_control_has_bounds,
    options_are_kept_with_the_game,
    a_repeated_post_with_one_key_makes_one_challenge,
    pages_of_challenges_hold_each_once,
}
