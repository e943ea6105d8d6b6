//! Requests that arrive together: one of them is first, and the others are told.

use std::sync::Barrier;
use std::thread;

use serde_json::{Value, json};
use tests::game::{accept, challenge, move_body};
use tests::{Backend, Client, Game, Response, Side, TestServer, assert_problem, on_both};

use crate::lines::EVEN;

/// Sends all of `requests` at the same moment, each on a connection of its own.
pub(crate) fn at_once<R: Fn() -> Response + Sync>(requests: &[R]) -> Vec<Response> {
    let start = Barrier::new(requests.len());
    thread::scope(|scope| {
        let running: Vec<_> = requests
            .iter()
            .map(|request| {
                scope.spawn(|| {
                    start.wait();
                    request()
                })
            })
            .collect();
        running.into_iter().map(|one| one.join().unwrap()).collect()
    })
}

pub(crate) fn post<'a>(
    client: &'a Client,
    path: &'a str,
    body: &'a Value,
) -> impl Fn() -> Response + Sync + 'a {
    move || client.post(path, body)
}

pub(crate) fn with_status(answers: &[Response], status: u16) -> Vec<&Response> {
    answers
        .iter()
        .filter(|answer| answer.status == status)
        .collect()
}

/// C11: a double click is one move, and both clicks get its result.
fn the_same_move_sent_many_times_is_made_once(server: &TestServer) {
    let game = EVEN.begin(server);
    let (path, body) = (game.path("/moves"), move_body(0, "a4-a5"));
    let requests: Vec<_> = (0..20).map(|_| post(&game.red, &path, &body)).collect();
    let answers = at_once(&requests);
    let first = with_status(&answers, 201);
    assert_eq!(first.len(), 1, "{answers:?}");
    assert_eq!(with_status(&answers, 200).len(), 19, "{answers:?}");
    for answer in &answers {
        assert_eq!(answer.json()["move"], first[0].json()["move"]);
    }
    assert_eq!(game.view(&game.red)["ply"], 1);
}

/// C11: of different moves for one ply one is made; the rest learn where the game stands.
fn different_moves_for_one_ply_make_one_move(server: &TestServer) {
    let game = EVEN.begin(server);
    let path = game.path("/moves");
    let bodies: Vec<Value> = [
        "a4-a5", "a4-a3", "b4-b5", "b4-c4", "b4-b3", "e4-e5", "e4-d4", "e4-e3", "f4-f5", "f4-g4",
        "f4-f3", "i4-i5", "i4-h4", "i4-i3", "j4-j5", "j4-j3", "j4-j2", "i4-i2", "i4-i6", "j4-j6",
    ]
    .map(|notation| move_body(0, notation))
    .into();
    let requests: Vec<_> = bodies
        .iter()
        .map(|body| post(&game.red, &path, body))
        .collect();
    let answers = at_once(&requests);
    assert_eq!(with_status(&answers, 201).len(), 1, "{answers:?}");
    for answer in answers.iter().filter(|answer| answer.status != 201) {
        assert_eq!(assert_problem(answer, 409, "stale_ply")["current_ply"], 1);
    }
    let log = game.red.get(&game.path("/moves")).ok(200);
    assert_eq!(log["items"].as_array().unwrap().len(), 1);
}

/// C11: whoever sends his next moves as well as this one makes no two moves in a row.
fn moves_for_several_plies_at_once_make_one_move(server: &TestServer) {
    let game = EVEN.begin(server);
    let path = game.path("/moves");
    let bodies: Vec<Value> = [(0, "a4-a5"), (1, "b4-b5"), (2, "b4-b5"), (2, "e4-e5")]
        .map(|(ply, notation)| move_body(ply, notation))
        .into();
    let requests: Vec<_> = bodies
        .iter()
        .map(|body| post(&game.red, &path, body))
        .collect();
    let answers = at_once(&requests);
    answers[0].ok(201);
    for answer in &answers[1..] {
        let code = answer.code().unwrap_or_default();
        assert!(
            ["stale_ply", "not_your_turn"].contains(&code.as_str()),
            "{answer:?}"
        );
    }
    assert_eq!(game.view(&game.red)["ply"], 1);
}

/// C12: a move and a resignation race; whichever is second meets the state that the first made.
fn a_move_and_a_resignation_leave_one_consistent_game(server: &TestServer) {
    for _ in 0..5 {
        let mut game = EVEN.begin(server);
        game.line("a4-a5 a7-a6");
        let (moves, resign) = (game.path("/moves"), game.path("/resign"));
        let (body, empty) = (move_body(2, "b4-b5"), json!({}));
        let racing: [Box<dyn Fn() -> Response + Sync>; 2] = [
            Box::new(post(&game.red, &moves, &body)),
            Box::new(post(&game.red, &resign, &empty)),
        ];
        let answers = at_once(&racing);
        answers[1].ok(200);
        let view = game.view(&game.blue);
        assert_eq!(
            view["outcome"],
            json!({"winner": "blue", "reason": "resignation"})
        );
        if answers[0].status == 201 {
            assert_eq!(view["ply"], 3);
        } else {
            assert_problem(&answers[0], 409, "game_over");
            assert_eq!(view["ply"], 2);
        }
    }
}

/// C12: a game ends once.
fn both_players_resigning_at_once_end_the_game_once(server: &TestServer) {
    let mut game = EVEN.begin(server);
    game.line("a4-a5 a7-a6");
    let (path, empty) = (game.path("/resign"), json!({}));
    let answers = at_once(&[
        post(&game.red, &path, &empty),
        post(&game.blue, &path, &empty),
    ]);
    let ended = with_status(&answers, 200);
    assert_eq!(ended.len(), 1, "{answers:?}");
    assert_eq!(game.view(&game.red)["outcome"], ended[0].json()["outcome"]);
    for answer in answers.iter().filter(|answer| answer.status != 200) {
        assert_problem(answer, 409, "game_over");
    }
}

/// C12: an acceptance and a withdrawal of the same offer cannot both happen.
fn accepting_and_declining_a_draw_at_once_do_one_of_them(server: &TestServer) {
    let mut game = EVEN.begin(server);
    game.line("a4-a5 a7-a6");
    game.blue
        .post(&game.path("/offers"), &json!({"kind": "draw"}))
        .ok(201);
    let offer = game.view(&game.red)["offers"][0]["id"]
        .as_str()
        .unwrap()
        .to_owned();
    let paths = ["accept", "decline"].map(|answer| game.path(&format!("/offers/{offer}/{answer}")));
    let empty = json!({});
    let answers = at_once(&[
        post(&game.red, &paths[0], &empty),
        post(&game.red, &paths[1], &empty),
    ]);
    assert_eq!(with_status(&answers, 200).len(), 1, "{answers:?}");
    let status = game.view(&game.red)["status"].clone();
    assert_eq!(
        status == "finished",
        answers[0].status == 200,
        "{status}: {answers:?}"
    );
}

/// C13.
fn of_two_acceptors_one_gets_the_game(server: &TestServer) {
    for _ in 0..5 {
        let red = server.register("red");
        let acceptors: Vec<Client> = (0..4).map(|_| server.register("blue")).collect();
        let open = challenge(&red, None, "barrage", &Value::Null).ok(201);
        let requests: Vec<_> = acceptors
            .iter()
            .map(|blue| || accept(blue, &open))
            .collect();
        let answers = at_once(&requests);
        let won = with_status(&answers, 201);
        assert_eq!(won.len(), 1, "{answers:?}");
        for answer in answers.iter().filter(|answer| answer.status != 201) {
            assert_problem(answer, 409, "challenge_closed");
        }
        let page = red.get(&format!("/v1/games?player={}", red.name)).ok(200);
        assert_eq!(page["items"].as_array().unwrap().len(), 1);
    }
}

/// C13: one player's double click is one game.
fn one_acceptor_twice_gets_one_game(server: &TestServer) {
    let (red, blue) = (server.register("red"), server.register("blue"));
    let open = challenge(&red, None, "barrage", &Value::Null).ok(201);
    let requests: Vec<_> = (0..4).map(|_| || accept(&blue, &open)).collect();
    let answers = at_once(&requests);
    assert_eq!(with_status(&answers, 201).len(), 1, "{answers:?}");
    assert_eq!(with_status(&answers, 409).len(), 3, "{answers:?}");
}

fn one_idempotency_key_at_once_makes_one_challenge(server: &TestServer) {
    let red = server.register("red");
    let body = json!({"ruleset": "barrage", "time_control": {"kind": "unlimited"}});
    let request = || {
        red.request("POST", "/v1/challenges")
            .header("idempotency-key", "one")
            .json(&body)
            .send()
    };
    let answers = at_once(&[request; 8]);
    let made = with_status(&answers, 201);
    assert!(!made.is_empty(), "{answers:?}");
    for answer in &answers {
        if answer.status == 201 {
            assert_eq!(answer.json(), made[0].json());
        } else {
            assert_problem(answer, 409, "idempotency_in_progress");
        }
    }
    let page = red.get("/v1/challenges?direction=outgoing").ok(200);
    assert_eq!(page["items"].as_array().unwrap().len(), 1);
}

fn both_setups_at_once_start_the_game_once(server: &TestServer) {
    for _ in 0..5 {
        let game = Game::in_setup(server, "barrage", &Value::Null);
        let (red, blue) = EVEN.setups();
        let racing: [Box<dyn Fn() -> Response + Sync>; 2] = [
            Box::new(|| game.place(Side::Red, &red)),
            Box::new(|| game.place(Side::Blue, &blue)),
        ];
        for answer in at_once(&racing) {
            answer.ok(200);
        }
        let view = game.view(&game.red);
        assert_eq!(
            (&view["status"], &view["turn"]),
            (&json!("active"), &json!("red"))
        );
        game.attempt("a4-a5").ok(201);
    }
}

/// What was answered is kept, whatever happens next.
fn an_answered_move_outlives_a_power_cut(backend: Backend) {
    let mut server = TestServer::start(backend);
    let mut game = EVEN.begin(&server);
    game.line("i4xi7 j7xj4 a4-a5 a7-a6");
    let before = game.view(&game.red);
    server.kill();
    server.restart();
    let token = |client: &Client| Client::new(server.url()).with_token(client.token.as_deref());
    let mut game = Game {
        red: token(&game.red),
        blue: token(&game.blue),
        ..game
    };
    let after = game.view(&game.red);
    for field in [
        "ply",
        "turn",
        "pieces",
        "captured",
        "last_move",
        "status",
        "deadline",
    ] {
        assert_eq!(after[field], before[field], "{field}");
    }
    game.line("a5xa6");
}

/// Whoever lost the answer asks again and gets it.
fn a_retry_after_a_restart_gets_the_stored_result(backend: Backend) {
    let mut server = TestServer::start(backend);
    let game = EVEN.begin(&server);
    let made = game.attempt("a4-a5").ok(201);
    assert!(server.stop().success(), "{}", server.stderr());
    server.restart();
    let red = Client::new(server.url()).with_token(game.red.token.as_deref());
    let again = red
        .post(&game.path("/moves"), &move_body(0, "a4-a5"))
        .ok(200);
    assert_eq!(again["move"], made["move"]);
}

on_both! {
    the_same_move_sent_many_times_is_made_once,
    different_moves_for_one_ply_make_one_move,
    moves_for_several_plies_at_once_make_one_move,
    a_move_and_a_resignation_leave_one_consistent_game,
    both_players_resigning_at_once_end_the_game_once,
    accepting_and_declining_a_draw_at_once_do_one_of_them,
    of_two_acceptors_one_gets_the_game,
    one_acceptor_twice_gets_one_game,
    one_idempotency_key_at_once_makes_one_challenge,
    both_setups_at_once_start_the_game_once,
    an_answered_move_outlives_a_power_cut,
    a_retry_after_a_restart_gets_the_stored_result,
}
