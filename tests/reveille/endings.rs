//! Endings over HTTP: without a mobile piece or a legal move, between equals, after plies without an attack.

use serde_json::{Value, json};
use tests::{TestServer, assert_problem, on_both};

use crate::lines::{
    BLUE_HAS_NOTHING_LEFT_TO_MOVE, BLUE_IS_WALLED_IN, BOTH_ARE_WALLED_IN, ENDINGS, EVEN,
};
use crate::moves::{after, after_with};

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

on_both! {
    the_last_mobile_piece_may_win_and_play_on,
    a_side_without_a_mobile_piece_has_lost_at_once,
    a_walled_in_side_has_lost,
    every_ending_names_its_winner_everywhere,
    plies_without_an_attack_end_in_a_draw_where_that_was_agreed,
    the_aggressor_wins_between_equals_where_that_was_agreed,
}
