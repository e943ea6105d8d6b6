//! What is played when lines come up, and what is not.

use serde_json::{Value, json};
use tests::client::text;
use tests::{Game, Side, TestServer, army, assert_problem, on_both};

use super::{chain, line, prepare, prepared};
use crate::events::{follow, follow_me};
use crate::lines::{BLUE_TAKES_THE_FLAG, EVEN};

fn a_prepared_reply_is_played_with_the_move_that_it_waits_for(server: &TestServer) {
    let game = EVEN.begin(server);
    let deeper = line("b4-b5", "b7-b6", &[]);
    let lines = [
        line("a4-a5", "a7-a6", std::slice::from_ref(&deeper)),
        line("b4-b5", "a7-a6", &[]),
    ];
    let kept = prepare(&game, &game.blue, &lines).ok(200);
    assert_eq!(kept, json!({"lines": lines, "dropped": null}));
    let made = game.attempt("a4-a5").ok(201);
    assert_eq!(made["move"]["from"], "a4");
    let now = &made["game"];
    assert_eq!((&now["ply"], &now["turn"]), (&json!(2), &json!("red")));
    let reply = &now["last_move"];
    assert_eq!((&reply["from"], &reply["to"]), (&json!("a7"), &json!("a6")));
    assert_eq!(reply["think_time"], "PT0S");
    assert_eq!(reply["played_at"], made["move"]["played_at"]);
    // Sent again after a lost answer it is the same move, and the game is as it is now.
    let again = game.attempt("a4-a5").ok(200);
    assert_eq!(again, made);
    // What follows waits.
    assert_eq!(prepared(&game, &game.blue), (json!([deeper]), json!(null)));
    let made = game.attempt_as(Side::Red, 2, "b4-b5").ok(201);
    assert_eq!(made["game"]["ply"], 4);
    assert_eq!(prepared(&game, &game.blue), (json!([]), json!(null)));
    // The reply is a move like any other: sent by hand it is one that was made.
    game.attempt_as(Side::Blue, 3, "b7-b6").ok(200);
}

fn how_an_attack_ended_chooses_the_line(server: &TestServer) {
    let game = EVEN.begin(server);
    let lines = [
        line("i4-i7", "a7-a6", &[]),
        line("i4-i7=attacker_wins", "b7-b6", &[]),
        line(
            "i4-i7=both_removed",
            "j7-j4",
            &[line("a4-a5", "b7-b6", &[])],
        ),
    ];
    prepare(&game, &game.blue, &lines).ok(200);
    let made = game.attempt("i4xi7").ok(201);
    assert_eq!(made["move"]["attack"]["outcome"], "both_removed");
    let reply = &made["game"]["last_move"];
    assert_eq!(reply["from"], "j7");
    assert_eq!(reply["attack"]["outcome"], "both_removed");
    assert_eq!(made["game"]["captured"].as_array().unwrap().len(), 4);
    // A line that names an outcome does not wait for a move that is no attack.
    let other = EVEN.begin(server);
    prepare(
        &other,
        &other.blue,
        &[line("a4-a5=both_removed", "a7-a6", &[])],
    )
    .ok(200);
    assert_eq!(other.attempt("a4-a5").ok(201)["game"]["ply"], 1);
    assert_eq!(prepared(&other, &other.blue), (json!([]), json!(null)));
}

fn a_rescue_is_prepared_too(server: &TestServer) {
    let red = army(Side::Red, EVEN.red);
    let blue = army(Side::Blue, "Bi7 Mb7 9b8 3f7 2j7 2f8 Se8 Fe10");
    let options = json!({"rescue": true});
    let walk = "i4xi7 f7-f6 a4-a5 b7-b6 a5-a6 f6-f7 a6-a7 b6-b7 a7-a8 f7-f6 a8-a9";
    for (rescue, reason) in [("2@a5", None), ("9@a5", Some("not_captured"))] {
        let mut game = Game::begin_with(server, "barrage", &options, &red, &blue);
        game.line(walk);
        let reply = format!("a9-a10={rescue}");
        prepare(&game, &game.red, &[line("b7-b6", &reply, &[])]).ok(200);
        let made = game.attempt("b7-b6").ok(201);
        match reason {
            None => {
                assert_eq!(
                    made["game"]["last_move"]["rescue"],
                    json!({"piece": "2", "square": "a5", "piece_id": "red:rescue1"})
                );
                game.attempt_as(Side::Red, 12, &reply).ok(200);
            }
            Some(reason) => {
                assert_eq!(made["game"]["ply"], 12);
                let dropped = json!({"ply": 12, "code": "illegal_rescue", "reason": reason});
                assert_eq!(prepared(&game, &game.red), (json!([]), dropped));
            }
        }
    }
}

fn an_illegal_reply_is_dropped_and_its_owner_is_told(server: &TestServer) {
    let mut game = EVEN.begin(server);
    let mut own = follow_me(&game.blue, None);
    let mut others = follow_me(&game.red, None);
    let mut public = follow(&game, &server.client(), None);
    let next = line("b4-b5", "b7-b6", &[]);
    prepare(&game, &game.blue, &[line("a4-a5", "e7-e5", &[next])]).ok(200);
    assert_eq!(game.line("a4-a5")["game"]["ply"], 1);
    let dropped = json!({"ply": 1, "code": "illegal_move", "reason": "too_far"});
    assert_eq!(prepared(&game, &game.blue), (json!([]), dropped.clone()));
    // What was within it is gone with it, also when the owner goes on by himself.
    assert_eq!(game.line("a7-a6 b4-b5")["game"]["ply"], 3);
    assert_eq!(prepared(&game, &game.blue), (json!([]), dropped));
    let told = own.events(4);
    let first = told[0].number();
    let expected = ["game.move", "conditional.dropped", "game.move", "game.move"];
    for ((place, event), name) in (0..).zip(&told).zip(expected) {
        assert_eq!((event.number(), event.name.as_str()), (first + place, name));
    }
    assert_eq!(told[1].json(), json!({"game_id": game.id, "ply": 1}));
    for stream in [&mut others, &mut public] {
        let told = stream.events(3);
        let first = told[0].number();
        for (place, event) in (0..).zip(&told) {
            let seen = (event.number(), event.name.as_str());
            assert_eq!(seen, (first + place, "game.move"));
        }
    }
    // Read again from the tables it stands where it stood.
    let place = told[0].number().to_string();
    assert_eq!(follow_me(&game.blue, Some(&place)).event(), told[1]);
    // Other lines begin anew.
    let kept = prepare(&game, &game.blue, &[line("e4-e5", "e7-e6", &[])]).ok(200);
    assert_eq!(kept["dropped"], json!(null));
}

fn a_reply_that_would_forfeit_the_turn_is_dropped(server: &TestServer) {
    let (red, blue) = EVEN.setups();
    let options = json!({"two_squares": "forfeit_turn", "two_squares_limit": 2});
    let shuttle = "b4-b5 a7-a6 e4-e5 a6-a7";
    let begin = || {
        let mut game = Game::begin_with(server, "barrage", &options, &red, &blue);
        game.line(shuttle);
        game
    };
    // By hand it is a move that forfeits.
    let mut game = begin();
    assert_eq!(game.line("f4-f5 a7-a6")["move"]["forfeited"], true);
    // None waits for the opponent's either: nothing went from there to there.
    prepare(&game, &game.red, &[line("a7-a6", "e5-e6", &[])]).ok(200);
    assert_eq!(game.line("j4-j5 a7-a6")["move"]["forfeited"], true);
    assert_eq!(prepared(&game, &game.red), (json!([]), json!(null)));
    let mut game = begin();
    prepare(&game, &game.blue, &[line("f4-f5", "a7-a6", &[])]).ok(200);
    assert_eq!(game.line("f4-f5")["game"]["ply"], 5);
    let dropped = json!({"ply": 5, "code": "illegal_move", "reason": "two_squares"});
    assert_eq!(prepared(&game, &game.blue), (json!([]), dropped.clone()));
    // Lines that were dropped stay so, whatever their owner does by hand.
    game.line("a7-a6");
    assert_eq!(prepared(&game, &game.blue), (json!([]), dropped));
}

fn both_sides_lines_play_a_whole_game(server: &TestServer) {
    let game = EVEN.begin(server);
    let moves: Vec<String> = EVEN
        .moves
        .split_whitespace()
        .map(|mv| mv.replace('x', "-"))
        .collect();
    prepare(&game, &game.blue, &chain(&moves.join(" "))).ok(200);
    // Red's wait for what Blue does, after a first move of his own.
    prepare(&game, &game.red, &chain(&moves[1..].join(" "))).ok(200);
    let mut stream = follow(&game, &server.client(), Some("0"));
    let made = game.attempt("i4xi7").ok(201);
    assert_eq!(made["move"]["ply"], 0);
    let end = &made["game"];
    assert_eq!(end["ply"], json!(EVEN.plies()));
    assert_eq!(end["status"], "finished");
    assert_eq!(end["outcome"]["reason"], EVEN.reason);
    // Armies, start, moves, end.
    let told = stream.events(3 + EVEN.plies() + 1);
    crate::events::assert_dense(&told, 1);
    let log = game.red.get(&game.path("/moves")).ok(200);
    for (mv, made) in moves.iter().zip(log["items"].as_array().unwrap()) {
        let step = format!("{}-{}", text(&made["from"]), text(&made["to"]));
        assert_eq!(&step, mv);
    }
    for player in [&game.red, &game.blue] {
        assert_eq!(prepared(&game, player), (json!([]), json!(null)));
    }
}

fn a_reply_ends_the_game(server: &TestServer) {
    let game = BLUE_TAKES_THE_FLAG.begin(server);
    prepare(&game, &game.blue, &[line("a4-a5", "e7-e4", &[])]).ok(200);
    let made = game.attempt("a4-a5").ok(201);
    let end = json!({"winner": "blue", "reason": "flag_captured"});
    assert_eq!(made["game"]["outcome"], end);
    assert_problem(&prepare(&game, &game.blue, &[]), 409, "game_over");
    let lines = game.red.get(&game.path("/conditional-moves")).ok(200);
    assert_eq!(lines, json!({"lines": [], "dropped": null}));
}

fn an_offer_lapses_when_a_prepared_reply_answers(server: &TestServer) {
    let game = EVEN.begin(server);
    prepare(&game, &game.blue, &[line("a4-a5", "a7-a6", &[])]).ok(200);
    let offer = crate::offers::offer(&game, Side::Red).ok(201);
    let made = game.attempt("a4-a5").ok(201);
    assert_eq!(made["game"]["offers"], json!([]));
    let path = game.path(&format!("/offers/{}/accept", text(&offer["id"])));
    assert_problem(&game.blue.post(&path, &json!({})), 409, "offer_closed");
}

fn lines_are_over_when_anything_else_is_played(server: &TestServer) {
    let mut game = EVEN.begin(server);
    let next = [line("b4-b5", "b7-b6", &[])];
    let lines = [line("a4-a5", "a7-a6", &next)];
    // The opponent's other move.
    prepare(&game, &game.blue, &lines).ok(200);
    game.line("f4-f5");
    assert_eq!(prepared(&game, &game.blue), (json!([]), json!(null)));
    game.line("f7-f6");
    assert_eq!(game.line("a4-a5")["game"]["ply"], 3);
    // Lines that are stored when it is one's own turn leave that turn free.
    prepare(&game, &game.blue, &[line("b4-b5", "b7-b6", &[])]).ok(200);
    game.line("a7-a6");
    assert_eq!(prepared(&game, &game.blue).0.as_array().unwrap().len(), 1);
    assert_eq!(game.line("b4-b5")["game"]["ply"], 6);
}

fn stored_lines_replace_others_and_are_given_up(server: &TestServer) {
    let mut game = EVEN.begin(server);
    prepare(&game, &game.blue, &[line("a4-a5", "a7-a6", &[])]).ok(200);
    prepare(&game, &game.blue, &[line("b4-b5", "b7-b6", &[])]).ok(200);
    assert_eq!(game.line("a4-a5")["game"]["ply"], 1);
    game.line("a7-a6");
    let path = game.path("/conditional-moves");
    prepare(&game, &game.blue, &[line("b4-b5", "b7-b6", &[])]).ok(200);
    for _ in 0..2 {
        assert_eq!(game.blue.delete(&path).status, 204);
    }
    assert_eq!(prepared(&game, &game.blue), (json!([]), Value::Null));
    assert_eq!(game.line("b4-b5")["game"]["ply"], 3);
    prepare(&game, &game.blue, &[line("e4-e5", "e7-e6", &[])]).ok(200);
    assert_eq!(prepare(&game, &game.blue, &[]).ok(200)["lines"], json!([]));
}

on_both! {
    a_prepared_reply_is_played_with_the_move_that_it_waits_for,
    how_an_attack_ended_chooses_the_line,
    a_rescue_is_prepared_too,
    an_illegal_reply_is_dropped_and_its_owner_is_told,
    a_reply_that_would_forfeit_the_turn_is_dropped,
    both_sides_lines_play_a_whole_game,
    a_reply_ends_the_game,
    an_offer_lapses_when_a_prepared_reply_answers,
    lines_are_over_when_anything_else_is_played,
    stored_lines_replace_others_and_are_given_up,
}
