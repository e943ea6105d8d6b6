//! Who may prepare what, and when.

use serde_json::{Value, json};
use tests::{Client, Game, Response, TestServer, assert_problem, on_both};

use super::{PATH, chain, line, prepare, prepared};
use crate::lines::{EVEN, RED_TAKES_THE_FLAG};

fn each_way(game: &Game, client: &Client, body: &Value) -> [Response; 3] {
    let path = game.path(PATH);
    [
        client.put(&path, body),
        client.get(&path),
        client.delete(&path),
    ]
}

fn lines_are_their_owners_alone(server: &TestServer) {
    let game = EVEN.begin(server);
    prepare(&game, &game.blue, &[line("a4-a5", "a7-a6", &[])]).ok(200);
    // What is wrong with the body is not looked at before that.
    let body = json!({"lines": 7});
    for answer in each_way(&game, &server.client(), &body) {
        assert_problem(&answer, 401, "unauthenticated");
    }
    for answer in each_way(&game, &server.register("third"), &body) {
        assert_problem(&answer, 403, "forbidden");
    }
    assert_eq!(prepared(&game, &game.red), (json!([]), Value::Null));
    let nowhere = Game {
        id: "018c0000-0000-7000-8000-000000000000".to_owned(),
        red: game.red.clone(),
        blue: game.blue.clone(),
        ply: 0,
    };
    for answer in each_way(&nowhere, &game.red, &body) {
        assert_problem(&answer, 404, "not_found");
    }
    let answer = game.blue.get(&game.path(PATH));
    assert_eq!(answer.header("cache-control"), Some("private, no-cache"));
}

fn lines_wait_in_a_running_game(server: &TestServer) {
    let game = Game::in_setup(server, "barrage", &Value::Null);
    let fine = json!({"lines": [line("a4-a5", "a7-a6", &[])]});
    let [put, get, delete] = each_way(&game, &game.red, &fine);
    assert_problem(&put, 409, "game_not_active");
    assert_problem(&delete, 409, "game_not_active");
    assert_eq!(get.ok(200), json!({"lines": [], "dropped": null}));
    let mut game = RED_TAKES_THE_FLAG.begin(server);
    prepare(&game, &game.red, &[line("a7-a8", "a5-a6", &[])]).ok(200);
    game.line("a4-a5");
    game.resign(tests::Side::Red).ok(200);
    let [put, get, delete] = each_way(&game, &game.red, &fine);
    assert_problem(&put, 409, "game_over");
    assert_problem(&delete, 409, "game_over");
    assert_eq!(get.ok(200), json!({"lines": [], "dropped": null}));
    // A body that cannot be read comes before, a form that is wrong after.
    let put = |body: Value| game.red.put(&game.path(PATH), &body);
    assert_problem(&put(json!({})), 400, "malformed_request");
    assert_problem(
        &put(json!({"lines": [line("k4-a5", "a7-a6", &[])]})),
        409,
        "game_over",
    );
}

/// The fields and codes of a refusal.
fn faults(answer: &Response) -> Vec<(String, String)> {
    let problem = assert_problem(answer, 422, "validation_failed");
    let errors = problem["errors"].as_array().unwrap().iter();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    errors
        .map(|error| (text(&error["field"]), text(&error["code"])))
        .collect()
}

fn the_form_of_lines_is_checked_and_nothing_else(server: &TestServer) {
    let game = EVEN.begin(server);
    let put = |lines: &[Value]| prepare(&game, &game.blue, lines);
    let fault = |field: &str, code: &str| (field.to_owned(), code.to_owned());
    let wrong = line("a4-k5", "a7-a6", &[line("a0-a5", "e4-E5", &[])]);
    assert_eq!(
        faults(&put(&[line("a4-a5", "a7-a6", &[]), wrong])),
        [
            fault("lines[1].if.opponent.to", "not_on_board"),
            fault("lines[1].next[0].if.opponent.from", "not_on_board"),
            fault("lines[1].next[0].then.to", "not_on_board"),
        ]
    );
    let twice = [line("b4-b5", "b7-b6", &[]), line("b4-b5", "f7-f6", &[])];
    let within = line("a4-a5", "a7-a6", &twice);
    assert_eq!(
        faults(&put(std::slice::from_ref(&within))),
        [fault("lines[0].next[1]", "same_trigger")]
    );
    let moves = "a4-a5 a7-a6 ".repeat(21);
    let deepest = format!("lines{}", ["[0]"; 21].join(".next"));
    assert_eq!(faults(&put(&chain(&moves))), [fault(&deepest, "too_deep")]);
    put(&chain(&"a4-a5 a7-a6 ".repeat(20))).ok(200);
    let square = |index: usize| {
        format!(
            "{}{}",
            char::from(b"abcdefghij"[index % 10]),
            1 + index / 10
        )
    };
    let many = |count: usize| -> Vec<Value> {
        let opponent = |index| format!("{}-{}", square(index), square((index + 1) % 100));
        (0..count)
            .map(|index| line(&opponent(index), "a7-a6", &[]))
            .collect()
    };
    put(&many(100)).ok(200);
    let mut more = many(100);
    more.push(line("a1-a3", "a7-a6", &[]));
    assert_eq!(faults(&put(&more)), [fault("lines", "too_many")]);
    // What can never be played is taken all the same: what is legal is for the owner to know.
    put(&[
        line("a1-a1", "j10-a1", &[]),
        line("e5-e6=flag_captured", "c5-c5", &[]),
    ])
    .ok(200);
    for body in [
        json!({"lines": null}),
        json!({"lines": {}}),
        json!({"lines": [[]]}),
        json!({"lines": [], "more": 1}),
        json!({"lines": [{"if": {"opponent": {"from": "a4", "to": "a5"}}}]}),
        json!({"lines": [{"if": {"opponent": {"from": "a4", "to": "a5"}, "attack_outcome": "lost"},
            "then": {"from": "a7", "to": "a6"}}]}),
        json!({"lines": [{"if": {"opponent": {"from": 4, "to": "a5"}},
            "then": {"from": "a7", "to": "a6"}}]}),
        json!({"lines": [{"if": {"opponent": {"from": "a4", "to": "a5"}},
            "then": {"from": "a7", "to": "a6", "rescue": {"piece": "X", "square": "a1"}}}]}),
        json!({"lines": [{"if": {"opponent": {"from": "a4", "to": "a5"}},
            "then": {"from": "a7", "to": "a6", "ply": 3}}]}),
    ] {
        let answer = game.blue.put(&game.path(PATH), &body);
        assert_problem(&answer, 400, "malformed_request");
    }
    // Refused ones replace nothing.
    let (kept, _) = prepared(&game, &game.blue);
    assert_eq!(kept.as_array().unwrap().len(), 2);
    // What may be left out may be left out.
    let short = json!({"lines": [
        {"if": {"opponent": {"from": "a4", "to": "a5"}}, "then": {"from": "a7", "to": "a6"}}]});
    let kept = game.blue.put(&game.path(PATH), &short).ok(200);
    assert_eq!(kept["lines"], json!([line("a4-a5", "a7-a6", &[])]));
}

on_both! {
    lines_are_their_owners_alone,
    lines_wait_in_a_running_game,
    the_form_of_lines_is_checked_and_nothing_else,
}
