//! A game as its callers see it: its shape, its tag, endings by word; and the rules.

use crate::lines::EVEN;
use crate::offers::offer;
use serde_json::{Value, json};
use tests::client::text;
use tests::duration::seconds;
use tests::game::piece;
use tests::{Game, Response, Side, TestServer, assert_problem, on_both};

pub(crate) fn abort(game: &Game, side: Side) -> Response {
    game.player(side).post(&game.path("/abort"), &json!({}))
}

fn a_game_has_its_documented_shape(server: &TestServer) {
    let mut game = EVEN.begin(server);
    game.line("i4xi7 j7xj4 a4-a5");
    let view = game.view(&game.blue);
    assert_eq!(view["id"], json!(game.id));
    assert_eq!(
        (&view["ruleset"], &view["status"]),
        (&json!("barrage"), &json!("active"))
    );
    assert_eq!((&view["turn"], &view["ply"]), (&json!("blue"), &json!(3)));
    assert_eq!(
        (&view["viewpoint"], &view["outcome"]),
        (&json!("blue"), &Value::Null)
    );
    assert_eq!(
        (&view["rated"], &view["private"]),
        (&json!(false), &json!(false))
    );
    assert_eq!(
        (&view["paused"], &view["offers"]),
        (&Value::Null, &json!([]))
    );
    assert_eq!(view["time_control"]["kind"], "per_move");
    assert_eq!(seconds(&view["time_control"]["per_move"]), 259_200);
    for field in ["created_at", "started_at", "updated_at", "deadline"] {
        let instant = text(&view[field]);
        assert!(
            instant.len() == 24 && instant.ends_with('Z'),
            "{field}: {instant}"
        );
    }
    assert_eq!(view["finished_at"], Value::Null);
    for side in ["red", "blue"] {
        assert_eq!(view[side]["setup_placed"], true);
        assert!(view[side]["time_left"].is_string(), "{view}");
        let commitment = view[side]["setup_commitment"].as_str().unwrap();
        assert_eq!(commitment.len(), 64);
    }
    assert_eq!(view["pieces"].as_array().unwrap().len(), 12);
    assert_eq!(
        *piece(&view["pieces"], "red:a4"),
        json!({
        "id": "red:a4", "owner": "red", "square": "a5", "piece": "?", "moved": true, "revealed_ply": null,
        "possible": ["S", "3", "9", "M"], "possible_exact": true})
    );
    assert_eq!(
        *piece(&view["pieces"], "blue:a7"),
        json!({
        "id": "blue:a7", "owner": "blue", "square": "a7", "piece": "M", "moved": false, "revealed_ply": null})
    );
    let captured = view["captured"].as_array().unwrap();
    assert_eq!(captured.len(), 4);
    assert!(
        captured.contains(&json!({"id": "red:i4", "owner": "red", "piece": "2", "ply": 1})),
        "{captured:?}"
    );
    let last = &view["last_move"];
    assert_eq!(
        (&last["ply"], &last["side"], &last["from"], &last["to"]),
        (&json!(2), &json!("red"), &json!("a4"), &json!("a5"))
    );
    assert_eq!(
        (&last["distance"], &last["attack"], &last["forfeited"]),
        (&json!(1), &Value::Null, &json!(false))
    );
    assert!(
        last["think_time"].as_str().unwrap().starts_with("PT"),
        "{last}"
    );
}

fn an_etag_saves_the_second_reading(server: &TestServer) {
    let mut game = EVEN.begin(server);
    let path = game.path("");
    for client in [&game.red, &game.blue, &server.client()] {
        let first = client.get(&path);
        let tag = first.header("etag").expect("ETag").to_owned();
        let again = client
            .request("GET", &path)
            .header("if-none-match", &tag)
            .send();
        assert_eq!((again.status, again.body.len()), (304, 0), "{again:?}");
        assert_eq!(again.header("etag"), Some(&*tag));
        let vary = first
            .header("vary")
            .unwrap_or_default()
            .to_ascii_lowercase();
        assert!(vary.contains("authorization"), "{vary}");
        assert!(
            first
                .header("cache-control")
                .unwrap_or_default()
                .contains("private"),
            "{first:?}"
        );
    }
    let of_red = game.red.get(&path).header("etag").unwrap().to_owned();
    game.line("a4-a5");
    let moved_on = game
        .red
        .request("GET", &path)
        .header("if-none-match", &of_red)
        .send();
    assert_eq!(moved_on.ok(200)["ply"], 1);
}

/// C12: whoever says which state he means is held to it.
fn a_move_on_an_outdated_state_is_refused(server: &TestServer) {
    let mut game = EVEN.begin(server);
    let old = game
        .red
        .get(&game.path(""))
        .header("etag")
        .unwrap()
        .to_owned();
    game.line("a4-a5 a7-a6");
    let send = |tag: &str| {
        let body = json!({"ply": 2, "from": "b4", "to": "b5"});
        game.red
            .request("POST", &game.path("/moves"))
            .header("if-match", tag)
            .json(&body)
            .send()
    };
    assert_problem(&send(&old), 412, "precondition_failed");
    assert_eq!(game.view(&game.red)["ply"], 2);
    let now = game
        .red
        .get(&game.path(""))
        .header("etag")
        .unwrap()
        .to_owned();
    send(&now).ok(201);
    // A stored retry comes before the precondition.
    send(&old).ok(200);
}

fn resigning_gives_the_game_away(server: &TestServer) {
    for (side, winner) in [(Side::Red, "blue"), (Side::Blue, "red")] {
        let mut game = EVEN.begin(server);
        game.line("a4-a5 a7-a6");
        let third = server.register("third");
        assert_problem(
            &third.post(&game.path("/resign"), &json!({})),
            403,
            "forbidden",
        );
        // It may be done off turn as well.
        let ended = game.resign(side).ok(200);
        assert_eq!(
            (&ended["status"], &ended["turn"], &ended["deadline"]),
            (&json!("finished"), &Value::Null, &Value::Null)
        );
        assert_eq!(
            ended["outcome"],
            json!({"winner": winner, "reason": "resignation"})
        );
        assert!(ended["finished_at"].is_string());
        for side in [Side::Red, Side::Blue] {
            assert_problem(&game.resign(side), 409, "game_over");
            assert_problem(&abort(&game, side), 409, "game_over");
            assert_problem(&offer(&game, side), 409, "game_over");
        }
        assert_problem(&game.attempt("b4-b5"), 409, "game_over");
        assert_eq!(game.view(&game.red)["outcome"], ended["outcome"]);
    }
}

/// C16, E06.
fn a_game_without_a_move_of_both_is_aborted(server: &TestServer) {
    let in_setup = Game::in_setup(server, "barrage", &Value::Null);
    assert_problem(&in_setup.resign(Side::Red), 409, "game_not_active");
    let ended = abort(&in_setup, Side::Red).ok(200);
    assert_eq!(
        ended["outcome"],
        json!({"winner": null, "reason": "aborted"})
    );
    assert_eq!(ended["status"], "aborted");
    assert_problem(
        &in_setup.place(Side::Red, &EVEN.setups().0),
        409,
        "game_over",
    );

    for moves in ["", "a4-a5"] {
        let mut game = EVEN.begin(server);
        game.line(moves);
        let ended = game.resign(Side::Red).ok(200);
        assert_eq!(
            (&ended["status"], &ended["outcome"]),
            (
                &json!("aborted"),
                &json!({"winner": null, "reason": "resignation"})
            )
        );
    }
    let mut game = EVEN.begin(server);
    game.line("a4-a5");
    let third = server.register("third");
    assert_problem(
        &third.post(&game.path("/abort"), &json!({})),
        403,
        "forbidden",
    );
    abort(&game, Side::Blue).ok(200);
    let mut game = EVEN.begin(server);
    game.line("a4-a5 a7-a6");
    for side in [Side::Red, Side::Blue] {
        assert_problem(&abort(&game, side), 409, "game_not_active");
    }
    assert_problem(
        &third.post(&game.path("/abort"), &json!({})),
        403,
        "forbidden",
    );
    assert_eq!(game.view(&game.red)["status"], "active");
}

fn an_array_or_an_object_is_no_word_and_no_body(server: &TestServer) {
    let game = EVEN.begin(server);
    let refused = |path: &str, body: Value| {
        assert_problem(&game.red.post(path, &body), 400, "malformed_request");
    };
    refused(&game.path("/moves"), json!([0, "i4", "i7", null]));
    refused(&game.path("/resign"), json!([]));
    refused(&game.path("/offers"), json!({"kind": {"draw": null}}));
    let challenge = |change: &str, value: Value| {
        let mut body = json!({"ruleset": "duel", "time_control": {"kind": "unlimited"}});
        body[change] = value;
        refused("/v1/challenges", body);
    };
    challenge("ruleset", json!({"duel": null}));
    challenge("color", json!({"red": null}));
    challenge("options", json!([true]));
    challenge("time_control", json!(["per_move", "P3D"]));
    assert_eq!(game.view(&game.red)["ply"], json!(0));
}

/// A19: one numbering, said once.
fn the_rules_are_served_with_names_for_every_rank(server: &TestServer) {
    let client = server.client();
    let all = client.get("/v1/rules").ok(200).to_string();
    for ruleset in ["original", "duel", "classic", "original_forfeit", "barrage"] {
        assert!(
            all.contains(&format!("\"{ruleset}\"")),
            "{ruleset} is not in {all}"
        );
    }
    for (language, marshal, spy) in [
        ("en", "Marshal", "Spy"),
        ("fr", "Maréchal", "Espion"),
        ("es", "Mariscal", "Espía"),
        ("el", "Στρατάρχης", "Κατάσκοπος"),
        ("ro", "Mareșal", "Spion"),
        ("de", "Marschall", "Spion"),
        ("nl", "Maarschalk", "Spion"),
        ("xx", "Marshal", "Spy"),
        ("es-MX, en;q=0.5", "Mariscal", "Espía"),
    ] {
        let rules = client
            .request("GET", "/v1/rules/original")
            .header("accept-language", language)
            .send()
            .ok(200);
        let rules = rules.to_string();
        assert!(
            rules.contains(marshal) && rules.contains(spy),
            "{language}: {rules}"
        );
    }
}

on_both! {
    a_game_has_its_documented_shape,
    an_etag_saves_the_second_reading,
    a_move_on_an_outdated_state_is_refused,
    resigning_gives_the_game_away,
    a_game_without_a_move_of_both_is_aborted,
    an_array_or_an_object_is_no_word_and_no_body,
    the_rules_are_served_with_names_for_every_rank,
}
