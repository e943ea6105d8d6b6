//! Moves that replies answer, with others at the same moment.

use serde_json::{Value, json};
use tests::game::move_body;
use tests::{Response, Side, TestServer, on_both};

use super::{PATH, line, prepare};
use crate::lines::EVEN;
use crate::races::at_once;

fn the_same_move_sent_many_times_is_answered_once(server: &TestServer) {
    let game = EVEN.begin(server);
    prepare(&game, &game.blue, &[line("a4-a5", "a7-a6", &[])]).ok(200);
    let (path, body) = (game.path("/moves"), move_body(0, "a4-a5"));
    let requests: Vec<_> = (0..20).map(|_| || game.red.post(&path, &body)).collect();
    let answers = at_once(&requests);
    let count = |status| {
        answers
            .iter()
            .filter(|answer| answer.status == status)
            .count()
    };
    assert_eq!((count(201), count(200)), (1, 19), "{answers:?}");
    for answer in &answers {
        let json = answer.json();
        assert_eq!(json["move"], answers[0].json()["move"]);
        assert_eq!(json["game"]["ply"], 2);
    }
}

/// Lines are stored and given up while the move comes that they wait for: it is answered, or it is not,
/// and the log is sound.
fn lines_that_change_meanwhile_are_played_or_not(server: &TestServer) {
    for _ in 0..10 {
        let game = EVEN.begin(server);
        prepare(&game, &game.blue, &[line("a4-a5", "a7-a6", &[])]).ok(200);
        let (moves, lines) = (game.path("/moves"), game.path(PATH));
        let other = json!({"lines": [line("a4-a5", "b7-b6", &[])]});
        let racing: [Box<dyn Fn() -> Response + Sync>; 3] = [
            Box::new(|| game.red.post(&moves, &move_body(0, "a4-a5"))),
            Box::new(|| game.blue.put(&lines, &other)),
            Box::new(|| game.blue.delete(&lines)),
        ];
        let answers = at_once(&racing);
        answers[0].ok(201);
        answers[1].ok(200);
        assert_eq!(answers[2].status, 204);
        let log = game.red.get(&moves).ok(200);
        let made = log["items"].as_array().unwrap();
        assert_eq!(json!(made.len()), game.view(&game.red)["ply"]);
        let reply = made.get(1).map_or(&Value::Null, |reply| &reply["from"]);
        assert!(
            [json!(null), json!("a7"), json!("b7")].contains(reply),
            "{log}"
        );
    }
}

fn a_resignation_at_the_same_time_leaves_one_game(server: &TestServer) {
    for _ in 0..10 {
        let mut game = EVEN.begin(server);
        game.line("b4-b5 b7-b6");
        prepare(&game, &game.blue, &[line("a4-a5", "a7-a6", &[])]).ok(200);
        let moves = game.path("/moves");
        let racing: [Box<dyn Fn() -> Response + Sync>; 2] = [
            Box::new(|| game.red.post(&moves, &move_body(2, "a4-a5"))),
            Box::new(|| game.resign(Side::Blue)),
        ];
        let answers = at_once(&racing);
        answers[1].ok(200);
        let view = game.view(&game.red);
        let won = json!({"winner": "red", "reason": "resignation"});
        assert_eq!(view["outcome"], won);
        // The move and its reply are made together or not at all.
        let plies = if answers[0].status == 201 { 4 } else { 2 };
        assert_eq!(view["ply"], plies, "{answers:?}");
    }
}

on_both! {
    the_same_move_sent_many_times_is_answered_once,
    lines_that_change_meanwhile_are_played_or_not,
    a_resignation_at_the_same_time_leaves_one_game,
}
