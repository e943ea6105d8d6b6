//! Moves over HTTP: what is refused and why, what a battle does, what comes back.

use crate::lines::EVEN;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use tests::client::text;
use tests::game::{move_body, piece};
use tests::problem::assert_reason;
use tests::{Game, Side, TestServer, army, assert_problem, on_both};

/// A game of `ruleset` on these setups, some moves in.
pub(crate) fn after(
    server: &TestServer,
    ruleset: &str,
    red: &str,
    blue: &str,
    moves: &str,
) -> Game {
    after_with(server, ruleset, &Value::Null, (red, blue), moves)
}

pub(crate) fn after_with(
    server: &TestServer,
    ruleset: &str,
    options: &Value,
    armies: (&str, &str),
    moves: &str,
) -> Game {
    let (red, blue) = (army(Side::Red, armies.0), army(Side::Blue, armies.1));
    let mut game = Game::begin_with(server, ruleset, options, &red, &blue);
    game.line(moves);
    game
}

#[track_caller]
pub(crate) fn assert_illegal(game: &Game, notation: &str, reason: &str) {
    let answer = game.attempt(notation);
    let problem = assert_reason(&answer, "illegal_move", reason);
    assert_eq!(problem["type"], "/problems/illegal-move");
}

pub(crate) fn legal_from(game: &Game, side: Side, from: &str) -> BTreeSet<String> {
    let answer = game.player(side).get(&game.path("/legal-moves")).ok(200);
    assert_eq!(answer["ply"], json!(game.ply));
    let moves = answer["moves"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|step| step["from"] == from);
    moves
        .map(|step| {
            format!(
                "{}{}",
                if step["attack"] == true { "x" } else { "" },
                text(&step["to"])
            )
        })
        .collect()
}

/// A11, A17: the first reason that applies, whatever the direction, and nothing moves.
fn an_illegal_move_is_refused_with_the_first_reason(server: &TestServer) {
    let game = EVEN.begin(server);
    for (notation, reason) in [
        ("k1-a4", "not_on_board"),
        ("a4-a11", "not_on_board"),
        ("a0-a4", "not_on_board"),
        ("-a4", "not_on_board"),
        ("A4-a5", "not_on_board"),
        ("a4-a05", "not_on_board"),
        ("a99999999999-a5", "not_on_board"),
        ("а4-a5", "not_on_board"),
        ("a４-a5", "not_on_board"),
        ("a4-a4", "same_square"),
        ("a5-a6", "empty_square"),
        ("c5-c6", "empty_square"),
        ("a7-a6", "not_your_piece"),
        ("a10-a9", "not_your_piece"),
        ("a1-a2", "immovable"),
        ("b1-b2", "immovable"),
        ("a1-e9", "immovable"),
        ("b4-c5", "lake"),
        ("a4-c5", "lake"),
        ("a4-b4", "occupied_by_own"),
        ("a4-a1", "occupied_by_own"),
        ("a4-e4", "occupied_by_own"),
        ("a4-b5", "not_straight"),
        ("i4-h3", "not_straight"),
        ("a4-b7", "not_straight"),
        ("a4-a6", "too_far"),
        ("a4-a2", "too_far"),
        ("b4-b2", "too_far"),
        ("e4-e7", "too_far"),
        ("b4-d4", "too_far"),
        ("i4-i8", "path_blocked"),
        ("j4-j10", "path_blocked"),
    ] {
        assert_illegal(&game, notation, reason);
    }
    for (notation, detail) in [
        ("a5-a6", "no piece stands on a5"),
        ("a10-a9", "the piece on a10 is not yours"),
        (
            "a1-a2",
            "nothing moves from a1: bombs and the flag never move",
        ),
        ("b4-c5", "c5 is a lake"),
        ("a4-b4", "a piece of your own stands on b4"),
        (
            "a4-a6",
            "a4-a6 goes too far: only a scout moves more than one square",
        ),
        ("j4-j10", "the way from j4 to j10 is not free"),
    ] {
        let problem = assert_problem(&game.attempt(notation), 422, "illegal_move");
        assert_eq!(problem["detail"], detail, "{notation}");
    }
    let view = game.view(&game.red);
    assert_eq!(
        (&view["ply"], &view["last_move"]),
        (&json!(0), &Value::Null)
    );
    assert_eq!(
        game.red.get(&game.path("/moves")).ok(200)["items"],
        json!([])
    );
}

/// A08: rays start at the piece and end at the first thing in the way; a lake is one.
fn a_scout_sees_up_to_what_stands_in_its_way(server: &TestServer) {
    let mut game = EVEN.begin(server);
    assert_eq!(
        legal_from(&game, Side::Red, "i4"),
        ["g4", "h4", "i1", "i2", "i3", "i5", "i6", "xi7"]
            .map(str::to_owned)
            .into()
    );
    game.line("i4-i5 e7-e6");
    assert_illegal(&game, "i5-h5", "lake");
    assert_illegal(&game, "i5-f5", "path_blocked");
    let around = ["i1", "i2", "i3", "i4", "i6", "j5", "xi7"];
    assert_eq!(
        legal_from(&game, Side::Red, "i5"),
        around.map(str::to_owned).into()
    );
    // Bombs and the flag have no moves.
    for square in ["a1", "b1"] {
        assert!(legal_from(&game, Side::Red, square).is_empty());
    }
}

/// A10: only what lies between can be in the way of an attack.
fn a_scout_attacks_from_a_distance(server: &TestServer) {
    let mut game = EVEN.begin(server);
    let answer = game.line("i4xi7");
    let made = &answer["move"];
    assert_eq!(made["distance"], 3);
    assert_eq!(
        made["attack"],
        json!({"attacker": "2", "defender": "2", "defender_id": "blue:i7", "outcome": "both_removed"})
    );
    assert_eq!(answer["game"]["ply"], 1);
    assert_eq!(answer["game"]["turn"], "blue");
}

fn legal_moves_are_for_the_side_to_move_alone(server: &TestServer) {
    let mut game = EVEN.begin(server);
    let path = game.path("/legal-moves");
    game.red.get(&path).ok(200);
    assert_problem(&game.blue.get(&path), 403, "forbidden");
    assert_problem(&server.register("third").get(&path), 403, "forbidden");
    assert!(matches!(server.client().get(&path).status, 401 | 403));
    game.line("a4-a5");
    game.blue.get(&path).ok(200);
    assert_problem(&game.red.get(&path), 403, "forbidden");
}

/// A12: rank and owner are the server's to know.
fn a_move_is_two_squares_and_nothing_else(server: &TestServer) {
    let mut game = EVEN.begin(server);
    for (field, value) in [
        ("rank", json!("M")),
        ("piece", json!("3")),
        ("color", json!("blue")),
        ("piece_id", json!("blue:a7")),
        ("attack", json!(true)),
        ("status", json!("finished")),
    ] {
        let mut body = move_body(0, "a4-a5");
        body[field] = value;
        let problem = assert_problem(
            &game.red.post(&game.path("/moves"), &body),
            400,
            "malformed_request",
        );
        assert!(
            problem["detail"].as_str().unwrap().contains(field),
            "{problem}"
        );
    }
    for missing in ["ply", "from", "to"] {
        let mut body = move_body(0, "a4-a5");
        body.as_object_mut().unwrap().remove(missing);
        let problem = assert_problem(
            &game.red.post(&game.path("/moves"), &body),
            400,
            "malformed_request",
        );
        assert!(
            problem["detail"].as_str().unwrap().contains(missing),
            "{problem}"
        );
    }
    game.line("a4-a5");
}

/// A14.
fn a_bomb_stays_until_a_miner_comes(server: &TestServer) {
    let mut game = after(
        server,
        "barrage",
        "9e4 3e3 Ma4 2b4 2i4 Sj4 Fa1 Bb1",
        "Be7 Ma7 9b7 3i7 2j7 Sj8 2a10 Fb10",
        "e4-e5 a7-a6 e5-e6 a6-a7",
    );
    let lost = game.line("e6xe7");
    assert_eq!(
        lost["move"]["attack"],
        json!({"attacker": "9", "defender": "B", "defender_id": "blue:e7", "outcome": "defender_wins"})
    );
    for viewer in [&game.red, &game.blue, &server.client()] {
        let view = game.view(viewer);
        let bomb = piece(&view["pieces"], "blue:e7");
        assert_eq!(
            (&bomb["piece"], &bomb["square"], &bomb["revealed_ply"]),
            (&json!("B"), &json!("e7"), &json!(5))
        );
        assert!(
            view["pieces"]
                .as_array()
                .unwrap()
                .iter()
                .all(|piece| piece["id"] != "red:e4")
        );
    }
    let won = game.line("b7-b6 e3-e4 b6-b7 e4-e5 i7-i6 e5-e6 i6-i7 e6xe7");
    assert_eq!(won["move"]["attack"]["outcome"], "attacker_wins");
    assert_eq!(piece(&won["game"]["pieces"], "red:e3")["square"], "e7");
    assert!(
        won["game"]["pieces"]
            .as_array()
            .unwrap()
            .iter()
            .all(|piece| piece["id"] != "blue:e7")
    );
}

fn a_piece_on_the_back_row_brings_another_home(server: &TestServer) {
    let armies = (EVEN.red, "Bi7 Mb7 9b8 3f7 2j7 2f8 Se8 Fe10");
    let walk = "i4xi7 f7-f6 a4-a5 b7-b6 a5-a6 f6-f7 a6-a7 b6-b7 a7-a8 f7-f6 a8-a9 b7-b6";
    let mut game = after_with(server, "barrage", &json!({"rescue": true}), armies, walk);
    let refused = |rescue: &str, reason: &str| {
        assert_reason(
            &game.attempt(&format!("a9-a10={rescue}")),
            "illegal_rescue",
            reason,
        );
    };
    refused("9@a5", "not_captured");
    refused("B@a5", "not_captured");
    refused("2@b4", "square_occupied");
    refused("2@a7", "not_own_half");
    refused("2@c5", "not_own_half");
    assert_reason(
        &game.attempt("a9-a8=2@a5"),
        "illegal_rescue",
        "not_on_back_row",
    );
    let home = game.line("a9-a10=2@a5");
    assert_eq!(
        home["move"]["rescue"],
        json!({"piece": "2", "square": "a5", "piece_id": "red:rescue1"})
    );
    for viewer in [&game.red, &game.blue, &server.client()] {
        let view = game.view(viewer);
        let scout = piece(&view["pieces"], "red:rescue1");
        assert_eq!(
            (&scout["piece"], &scout["square"], &scout["moved"]),
            (&json!("2"), &json!("a5"), &json!(false))
        );
    }
    game.attempt_as(Side::Red, 12, "a9-a10=2@a5").ok(200);
    assert_problem(&game.attempt_as(Side::Red, 12, "a9-a10"), 409, "stale_ply");
    let plain = after(server, "barrage", EVEN.red, EVEN.blue, "");
    assert_reason(
        &plain.attempt("a4-a5=2@a6"),
        "illegal_rescue",
        "not_enabled",
    );
}

fn the_log_comes_in_pages_from_any_ply(server: &TestServer) {
    let game = EVEN.play(server);
    let plies = |query: &str| -> Vec<u64> {
        let page = game.red.get(&game.path(&format!("/moves{query}"))).ok(200);
        page["items"]
            .as_array()
            .unwrap()
            .iter()
            .map(|step| step["ply"].as_u64().unwrap())
            .collect()
    };
    assert_eq!(plies(""), (0..14).collect::<Vec<_>>());
    assert_eq!(plies("?after_ply=11"), [11, 12, 13]);
    assert_eq!(plies("?after_ply=14"), Vec::<u64>::new());
    assert_eq!(plies("?after_ply=3&limit=2"), [3, 4]);
    for query in ["?after_ply=-1", "?after_ply=x", "?limit=0", "?limit=101"] {
        assert_problem(
            &game.red.get(&game.path(&format!("/moves{query}"))),
            400,
            "malformed_request",
        );
    }
}

on_both! {
    an_illegal_move_is_refused_with_the_first_reason,
    a_scout_sees_up_to_what_stands_in_its_way,
    a_scout_attacks_from_a_distance,
    legal_moves_are_for_the_side_to_move_alone,
    a_move_is_two_squares_and_nothing_else,
    a_bomb_stays_until_a_miner_comes,
    a_piece_on_the_back_row_brings_another_home,
    the_log_comes_in_pages_from_any_ply,
}
