//! Moves over HTTP: what is refused and why, what a battle does, what repeats.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use tests::client::text;
use tests::game::{move_body, piece};
use tests::problem::assert_reason;
use tests::setup::ORIGINAL;
use tests::{Game, Side, TestServer, army, assert_problem, on_both};

use crate::lines::{
    BLUE_HAS_NOTHING_LEFT_TO_MOVE, BLUE_IS_WALLED_IN, BOTH_ARE_WALLED_IN, ENDINGS, EVEN, Line,
};

/// A game of `ruleset` on these setups, some moves in.
fn after(server: &TestServer, ruleset: &str, red: &str, blue: &str, moves: &str) -> Game {
    after_with(server, ruleset, &Value::Null, (red, blue), moves)
}

fn after_with(
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
fn assert_illegal(game: &Game, notation: &str, reason: &str) {
    let answer = game.attempt(notation);
    let problem = assert_reason(&answer, "illegal_move", reason);
    assert_eq!(problem["type"], "/problems/illegal-move");
}

fn legal_from(game: &Game, side: Side, from: &str) -> BTreeSet<String> {
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

const CHASER: Line = Line {
    ruleset: "barrage",
    red: "9a4 Me4 3f4 2i4 2j4 Sf3 Fe1 Bf1",
    blue: "3b7 Me7 9f7 2i7 2j7 Se8 Fe10 Bf10",
    // Red's general drives the miner once round the four squares in the corner.
    moves: "a4-a5 b7-b6 a5-b5 b6-a6 b5-b6 a6-a5 b6-a6 a5-b5 a6-a5 b5-b6",
    winner: None,
    reason: "",
};

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

/// A15: a side whose last mobile piece wins its attack plays on.
fn the_last_mobile_piece_may_win_and_play_on(server: &TestServer) {
    let mut game = after(
        server,
        "barrage",
        "Ma4 9b4 Se4 3f4 2i4 2j4 Fa1 Bb1",
        "2a7 Mb7 3e7 9f7 Bi7 2j7 Sa9 Fa10",
        "i4xi7 b7-b8 j4xj7 b8-b7 e4-e5 e7-e6 e5xe6 b7-b8 f4-f5 f7-f6 f5xf6 b8-b7 b4-b5 b7-b6 b5xb6 a7-a6 a4-a5 e6-e5",
    );
    let won = game.line("a5xa6");
    assert_eq!(won["move"]["attack"]["outcome"], "attacker_wins");
    assert_eq!(
        (&won["game"]["status"], &won["game"]["turn"]),
        (&json!("active"), &json!("blue"))
    );
}

/// A01: the end comes at once, not when a clock runs out.
fn a_side_without_a_mobile_piece_has_lost_at_once(server: &TestServer) {
    let game = BLUE_HAS_NOTHING_LEFT_TO_MOVE.play(server);
    let view = game.view(&game.blue);
    assert_eq!(
        view["outcome"],
        json!({"winner": "red", "reason": "no_mobile_pieces"})
    );
    assert_eq!(
        (&view["status"], &view["turn"], &view["deadline"]),
        (&json!("finished"), &Value::Null, &Value::Null)
    );
    assert_problem(&game.attempt("a10-a9"), 409, "game_over");
}

/// A02: what counts is whether the side to move can move.
fn a_walled_in_side_has_lost(server: &TestServer) {
    let blue = BLUE_IS_WALLED_IN.play(server);
    assert_eq!(
        blue.view(&blue.red)["outcome"],
        json!({"winner": "red", "reason": "no_legal_move"})
    );
    let both = BOTH_ARE_WALLED_IN.play(server);
    assert_eq!(
        both.view(&both.red)["outcome"],
        json!({"winner": null, "reason": "both_immobile"})
    );
}

/// F08: the winner is the winner in every view and list, whoever ended it.
fn every_ending_names_its_winner_everywhere(server: &TestServer) {
    for line in ENDINGS {
        let game = line.play(server);
        let outcome = json!({"winner": line.winner_json(), "reason": line.reason});
        for viewer in [&game.red, &game.blue, &server.client()] {
            assert_eq!(game.view(viewer)["outcome"], outcome);
        }
        let page = game
            .red
            .get(&format!("/v1/games?player={}", game.red.name))
            .ok(200);
        assert_eq!(page["items"][0]["outcome"], outcome);
        assert_eq!(game.replay(&game.red, "")["game"]["outcome"], outcome);
        let seen = game.red.query(
            "query($id: UUID!) { game(id: $id) { outcome { winner reason } } }",
            &json!({"id": game.id}),
        );
        let winner = line
            .winner
            .map_or(Value::Null, |side| json!(side.name().to_uppercase()));
        assert_eq!(
            seen["game"]["outcome"],
            json!({"winner": winner, "reason": line.reason.to_uppercase()})
        );
    }
}

/// A18.
fn nobody_moves_twice_in_a_row(server: &TestServer) {
    let mut game = after(
        server,
        "barrage",
        "3e4 Ma4 9b4 2f4 2i4 Sj4 Fa1 Bb1",
        "9e7 Ma7 3b7 2f7 2i7 Sj7 Fa10 Bb10",
        "e4-e5 e7-e6 e5xe6",
    );
    // Red's attack was lost; it is Blue's turn all the same.
    assert_problem(
        &game.attempt_as(Side::Red, 3, "a4-a5"),
        409,
        "not_your_turn",
    );
    assert_problem(&game.attempt_as(Side::Red, 4, "a4-a5"), 409, "stale_ply");
    assert_illegal(&game, "a4-a5", "not_your_piece");
    assert_eq!(game.view(&game.red)["ply"], 3);
    assert_problem(&game.attempt_as(Side::Blue, 2, "a7-a6"), 409, "stale_ply");
    let stale = assert_problem(&game.attempt_as(Side::Blue, 9, "a7-a6"), 409, "stale_ply");
    assert_eq!(stale["current_ply"], 3);
    game.line("a7-a6");
    let third = server.register("third");
    assert_problem(
        &third.post(&game.path("/moves"), &move_body(4, "a4-a5")),
        403,
        "forbidden",
    );
}

/// A05.
fn a_fourth_shuttle_over_one_border_is_barred(server: &TestServer) {
    let mut game = EVEN.begin(server);
    game.line("a4-a5 b7-b8 a5-a4 e7-e8 a4-a5 f7-f8");
    assert_illegal(&game, "a5-a4", "two_squares");
    assert!(!legal_from(&game, Side::Red, "a5").contains("a4"));
    // Another piece's move ends the run.
    game.line("b4-b5 b8-b7 a5-a4 e8-e7 a4-a5 f8-f7 a5-a4 b7-b8");
    assert_illegal(&game, "a4-a5", "two_squares");
    game.line("b5-b6");
}

/// A05: the rule in force is the one that the game was made with.
fn the_limit_of_shuttles_is_the_games_own(server: &TestServer) {
    let armies = (EVEN.red, EVEN.blue);
    let strict = after_with(
        server,
        "barrage",
        &json!({"two_squares_limit": 2}),
        armies,
        "a4-a5 b7-b8 a5-a4 e7-e8",
    );
    assert_illegal(&strict, "a4-a5", "two_squares");
    let mut loose = after_with(
        server,
        "barrage",
        &json!({"two_squares_limit": 5}),
        armies,
        "a4-a5 b7-b8 a5-a4 e7-e8 a4-a5 f7-f8 a5-a4 b8-b7 a4-a5 e8-e7",
    );
    assert_illegal(&loose, "a5-a4", "two_squares");
    loose.line("a5-a6");
}

/// A05: the Greek sheet lets the turn pass instead.
fn a_breach_may_cost_the_turn_instead(server: &TestServer) {
    let mut game = Game::begin(server, "original_forfeit", ORIGINAL, ORIGINAL);
    game.line("a4-a5 j7-j6 a5-a4 i7-i6 a4-a5 f7-f6");
    assert!(!legal_from(&game, Side::Red, "a5").contains("a4"));
    let passed = game.line("a5-a4");
    assert_eq!(
        (&passed["move"]["forfeited"], &passed["move"]["attack"]),
        (&json!(true), &Value::Null)
    );
    assert_eq!(
        (&passed["move"]["from"], &passed["move"]["to"]),
        (&json!("a5"), &json!("a4"))
    );
    assert_eq!(piece(&passed["game"]["pieces"], "red:a4")["square"], "a5");
    assert_eq!(passed["game"]["turn"], "blue");
    // It is retried like any other.
    let again = game.attempt_as(Side::Red, 6, "a5-a4").ok(200);
    assert_eq!(again["move"], passed["move"]);
}

/// A07.
fn a_chase_may_not_come_back_to_where_it_was(server: &TestServer) {
    let mut game = CHASER.begin(server);
    game.line(CHASER.moves);
    assert_illegal(&game, "a5-b5", "more_squares");
    assert!(!legal_from(&game, Side::Red, "a5").contains("b5"));
    // Stepping away from the hunted piece is no threat.
    game.line("a5-a4 b6-b5");
    let free = after_with(
        server,
        CHASER.ruleset,
        &json!({"more_squares": false}),
        (CHASER.red, CHASER.blue),
        CHASER.moves,
    );
    free.attempt("a5-b5").ok(201);
}

fn plies_without_an_attack_end_in_a_draw_where_that_was_agreed(server: &TestServer) {
    let round = "a4-a5 a7-a8 b4-b5 b7-b8 a5-a4 a8-a7 b5-b4 b8-b7";
    let moves: Vec<&str> = round.split(' ').cycle().take(49).collect();
    let mut game = after_with(
        server,
        "barrage",
        &json!({"no_progress_plies": 50}),
        (EVEN.red, EVEN.blue),
        &moves.join(" "),
    );
    assert_eq!(game.view(&game.red)["status"], "active");
    let last = game.line("b7-b8");
    assert_eq!(
        last["game"]["outcome"],
        json!({"winner": null, "reason": "no_progress"})
    );
}

fn the_aggressor_wins_between_equals_where_that_was_agreed(server: &TestServer) {
    let mut game = after_with(
        server,
        "barrage",
        &json!({"aggressor_advantage": true}),
        (EVEN.red, EVEN.blue),
        "",
    );
    assert_eq!(
        game.line("i4xi7")["move"]["attack"]["outcome"],
        "attacker_wins"
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
    the_last_mobile_piece_may_win_and_play_on,
    a_side_without_a_mobile_piece_has_lost_at_once,
    a_walled_in_side_has_lost,
    every_ending_names_its_winner_everywhere,
    nobody_moves_twice_in_a_row,
    a_fourth_shuttle_over_one_border_is_barred,
    the_limit_of_shuttles_is_the_games_own,
    a_breach_may_cost_the_turn_instead,
    a_chase_may_not_come_back_to_where_it_was,
    plies_without_an_attack_end_in_a_draw_where_that_was_agreed,
    the_aggressor_wins_between_equals_where_that_was_agreed,
    a_piece_on_the_back_row_brings_another_home,
    the_log_comes_in_pages_from_any_ply,
}
