//! What repeats, over HTTP: shuttles over a border, a chase, two moves in a row.

use serde_json::{Value, json};
use tests::game::{move_body, piece};
use tests::setup::ORIGINAL;
use tests::{Game, Side, TestServer, assert_problem, on_both};

use crate::lines::{EVEN, Line};
use crate::moves::{after, after_with, assert_illegal, legal_from};

const CHASER: Line = Line {
    ruleset: "barrage",
    red: "9a4 Me4 3f4 2i4 2j4 Sf3 Fe1 Bf1",
    blue: "3b7 Me7 9f7 2i7 2j7 Se8 Fe10 Bf10",
    // Red's general drives the miner once round the four squares in the corner.
    moves: "a4-a5 b7-b6 a5-b5 b6-a6 b5-b6 a6-a5 b6-a6 a5-b5 a6-a5 b5-b6",
    winner: None,
    reason: "",
};

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

on_both! {
    nobody_moves_twice_in_a_row,
    a_fourth_shuttle_over_one_border_is_barred,
    the_limit_of_shuttles_is_the_games_own,
    a_breach_may_cost_the_turn_instead,
    a_chase_may_not_come_back_to_where_it_was,
}
