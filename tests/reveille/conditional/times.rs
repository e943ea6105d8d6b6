//! Replies and the clock.

use std::time::Duration;

use serde_json::json;
use tests::client::text;
use tests::game::accept;
use tests::{Backend, Game, Side, Timed, assert_problem, on_both};

use super::{line, prepare, prepared};
use crate::lines::EVEN;

/// A reply is made when the move is, however little time is left, and takes none.
fn a_reply_is_never_late(backend: Backend) {
    let timed = Timed::start(backend);
    let (red, blue) = (timed.register("red"), timed.register("blue"));
    let control = json!({"kind": "fischer", "initial": "PT1H", "increment": "PT0S", "max": "PT2H"});
    let body = json!({"ruleset": "barrage", "color": "red", "time_control": control});
    let challenge = red.post("/v1/challenges", &body).ok(201);
    let mut game = Game {
        id: text(&accept(&blue, &challenge).ok(201)["id"]),
        red,
        blue,
        ply: 0,
    };
    let (red, blue) = EVEN.setups();
    game.place(Side::Red, &red).ok(200);
    game.place(Side::Blue, &blue).ok(200);
    prepare(&game, &game.blue, &[line("a4-a5", "a7-a6", &[])]).ok(200);
    let nearly = Duration::from_secs(3_599);
    timed.advance([&mut game.red, &mut game.blue], nearly);
    let made = game.attempt("a4-a5").ok(201);
    assert_eq!(made["move"]["think_time"], "PT59M59S");
    assert_eq!(made["game"]["last_move"]["think_time"], "PT0S");
    assert_eq!(made["game"]["red"]["time_left"], "PT1S");
    assert_eq!(made["game"]["blue"]["time_left"], "PT1H");
    // His time is up: nothing is prepared or played any more, and the game is lost.
    timed.advance([&mut game.red, &mut game.blue], Duration::from_secs(1));
    let lines = [line("b4-b5", "b7-b6", &[])];
    assert_problem(&prepare(&game, &game.blue, &lines), 409, "game_over");
    assert_problem(&game.attempt_as(Side::Red, 2, "b4-b5"), 409, "game_over");
    let view = game.view(&game.blue);
    assert_eq!(
        view["outcome"],
        json!({"winner": "blue", "reason": "timeout"})
    );
    assert_eq!(prepared(&game, &game.blue), (json!([]), json!(null)));
}

on_both! { a_reply_is_never_late }
