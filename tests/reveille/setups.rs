//! Setups over HTTP: placed, refused, replaced, drawn, saved.

use serde_json::{Value, json};
use tests::client::text;
use tests::game::piece;
use tests::problem::assert_reason;
use tests::setup::ORIGINAL;
use tests::{Game, Side, TestServer, army, assert_problem, fixtures, on_both};

use crate::lines::EVEN;

/// A16 and A20.
fn faulty_setups_are_refused_with_the_reason(server: &TestServer) {
    let original = Game::in_setup(server, "original", &Value::Null);
    let barrage = Game::in_setup(server, "barrage", &Value::Null);
    let good = army(Side::Red, EVEN.red);
    let two_flags = ORIGINAL.replacen('S', "F", 1);
    let no_flag = ORIGINAL.replacen('F', "B", 1);
    for (game, setup, reason) in [
        (&original, "M".repeat(40), "wrong_count"),
        (&original, two_flags, "wrong_count"),
        (&original, no_flag, "wrong_count"),
        (&original, ORIGINAL[..39].to_owned(), "wrong_length"),
        (&original, format!("{ORIGINAL}2"), "wrong_length"),
        (&original, String::new(), "wrong_length"),
        (&original, ORIGINAL.replacen('2', "X", 1), "unknown_piece"),
        (&original, ORIGINAL.replacen('2', "m", 1), "unknown_piece"),
        (&original, ORIGINAL.replacen('2', "?", 1), "unknown_piece"),
        (&original, ORIGINAL.replacen('2', "１", 1), "unknown_piece"),
        (&original, ORIGINAL.replacen('2', ".", 1), "wrong_count"),
        (&barrage, good.replacen('2', "3", 1), "wrong_count"),
        // Bombs stand in front of every open column, and lakes in front of the others.
        (
            &original,
            "BB22BB22BBFSM988777666655554444333332222".to_owned(),
            "no_opening_move",
        ),
    ] {
        let answer = game.place(Side::Red, &setup);
        let problem = assert_reason(&answer, "illegal_setup", reason);
        if reason == "wrong_count" {
            let counts = [&problem["expected"], &problem["found"]];
            assert!(
                problem["piece"].is_string() && counts.iter().all(|count| count.is_u64()),
                "{problem}"
            );
        }
    }
    assert_eq!(original.view(&original.red)["red"]["setup_placed"], false);
}

fn a_setup_may_be_replaced_until_both_stand(server: &TestServer) {
    let game = Game::in_setup(server, "barrage", &Value::Null);
    let (red, blue) = EVEN.setups();
    game.place(
        Side::Red,
        &army(Side::Red, "Fa4 Mb4 9c4 2d4 2e4 3f4 Sg4 Bh4"),
    )
    .ok(200);
    // White space and row marks are no squares.
    let spaced = format!(
        " {}/{}\n{}/{} ",
        &red[..10],
        &red[10..20],
        &red[20..30],
        &red[30..]
    );
    let placed = game.place(Side::Red, &spaced).ok(200);
    assert_eq!(
        (&placed["status"], &placed["red"]["setup_placed"]),
        (&json!("setup"), &json!(true))
    );
    assert_eq!(piece(&placed["pieces"], "red:a4")["piece"], "M");
    let started = game.place(Side::Blue, &blue).ok(200);
    assert_eq!(
        (&started["status"], &started["turn"]),
        (&json!("active"), &json!("red"))
    );
    for (side, setup) in [(Side::Red, &red), (Side::Blue, &blue)] {
        assert_problem(&game.place(side, setup), 409, "setup_already_placed");
    }
    let third = server.register("third");
    let stranger = third.put(&game.path("/setup"), &json!({"setup": red}));
    assert_problem(&stranger, 403, "forbidden");
}

fn setups_that_people_played_are_accepted(server: &TestServer) {
    for ruleset in ["original", "barrage"] {
        let Some(setups) = fixtures::setups(ruleset) else {
            return;
        };
        let step = if std::env::var_os("REVEILLE_LONG").is_some() {
            1
        } else {
            setups.len() / 150
        };
        for setup in setups.iter().step_by(step) {
            let body = json!({"ruleset": ruleset, "setup": setup});
            server.client().post("/v1/setups/validate", &body).ok(200);
        }
    }
}

fn random_setups_are_valid(server: &TestServer) {
    let client = server.client();
    for ruleset in ["original", "duel", "classic", "original_forfeit", "barrage"] {
        for style in ["advised", "uniform"] {
            let drawn = client
                .post(
                    "/v1/setups/random",
                    &json!({"ruleset": ruleset, "style": style}),
                )
                .ok(200);
            let body = json!({"ruleset": ruleset, "setup": drawn["setup"]});
            client.post("/v1/setups/validate", &body).ok(200);
        }
    }
}

fn setups_can_be_saved_by_their_owner(server: &TestServer) {
    let (owner, other) = (server.register("owner"), server.register("other"));
    let setup = army(Side::Red, EVEN.red);
    let body = json!({"name": "even", "ruleset": "barrage", "setup": setup});
    let saved = owner.post("/v1/me/setups", &body).ok(201);
    let path = format!("/v1/me/setups/{}", text(&saved["id"]));
    assert_eq!(owner.get(&path).ok(200)["setup"], json!(setup));
    assert!(
        owner.get("/v1/me/setups").ok(200)["items"]
            .to_string()
            .contains(&setup)
    );
    assert_eq!(other.get("/v1/me/setups").ok(200)["items"], json!([]));
    assert_problem(&other.get(&path), 404, "not_found");
    assert_problem(&other.delete(&path), 404, "not_found");
    assert_eq!(owner.delete(&path).status, 204);
    assert_problem(&owner.get(&path), 404, "not_found");
}

on_both! {
    faulty_setups_are_refused_with_the_reason,
    a_setup_may_be_replaced_until_both_stand,
    setups_that_people_played_are_accepted,
    random_setups_are_valid,
    setups_can_be_saved_by_their_owner,
}
