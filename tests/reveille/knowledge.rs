//! What can be known of the other side: possible ranks, hidden bits, and why.

use serde_json::{Value, json};
use tests::game::piece;
use tests::{Game, Side, TestServer, army, assert_problem, on_both};

/// Blue's scout on f7 runs, its spy on j7 is attacked by a marshal, its miner on e7 steps.
fn told(server: &TestServer) -> Game {
    let red = army(Side::Red, "9e4 Ma4 3b4 2f4 2i4 Sj4 Fa1 Bb1");
    let blue = army(Side::Blue, "3e7 9a7 Mb7 2f7 Si7 2j7 Fa10 Bb10");
    let mut game = Game::begin(server, "barrage", &red, &blue);
    game.line("i4xi7 e7-e6 a4-a5 f7-f5");
    game
}

fn possible(game: &Value, id: &str) -> Value {
    piece(&game["pieces"], id)["possible"].clone()
}

/// An enemy that is not known has the ranks that it can still be; nothing else has.
fn a_game_tells_what_an_unknown_piece_can_be(server: &TestServer) {
    let game = told(server);
    let view = game.view(&game.red);
    for piece in view["pieces"].as_array().unwrap() {
        let unknown = piece["piece"] == "?";
        assert_eq!(piece.get("possible").is_some(), unknown, "{piece}");
        assert_eq!(piece.get("possible_exact").is_some(), unknown, "{piece}");
        assert!(!unknown || piece["owner"] == "blue");
    }
    // The spy fell, a scout ran: what moved is one of the rest that move.
    assert_eq!(possible(&view, "blue:e7"), json!(["2", "3", "9", "M"]));
    let still = json!(["F", "B", "2", "3", "9", "M"]);
    assert_eq!(possible(&view, "blue:a7"), still);
    let public = game.view(&server.client());
    for id in ["red:e4", "blue:e7", "red:a4", "blue:a10"] {
        assert!(possible(&public, id).is_array(), "{id}");
    }
}

fn why(game: &Game, query: &str) -> Value {
    game.red
        .get(&game.path(&format!("/pieces/{query}")))
        .ok(200)
}

fn kinds(why: &Value) -> Vec<(u64, String)> {
    let seen = why["observations"].as_array().unwrap().iter();
    seen.map(|seen| {
        let kind = seen["kind"].as_str().unwrap().to_owned();
        (seen["ply"].as_u64().unwrap(), kind)
    })
    .collect()
}

fn a_piece_is_known_for_reasons(server: &TestServer) {
    let game = told(server);
    let moved = why(&game, "blue:e7/why");
    assert_eq!(moved["viewpoint"], "red");
    assert_eq!((&moved["piece"], &moved["ply"]), (&json!("?"), &json!(4)));
    let steps = [(0, "army"), (1, "elimination"), (2, "moved")];
    let steps = steps.map(|(ply, kind)| (ply, kind.to_owned()));
    assert_eq!(kinds(&moved), steps);
    let last = &moved["observations"][2];
    assert_eq!(last["leaves"], json!(["2", "3", "9", "M"]));
    assert_eq!(
        moved["observations"][1]["text"],
        "Other pieces account for every spy."
    );
    let spy = why(&game, "blue:i7/why");
    assert_eq!(spy["piece"], "S");
    assert_eq!(kinds(&spy)[1], (1, "was_attacked".to_owned()));
    let scout = why(&game, "blue:f7/why?viewpoint=public");
    assert_eq!(
        (&scout["piece"], kinds(&scout).pop()),
        (&json!("2"), Some((4, "scout_move".to_owned())))
    );
    let before = why(&game, "blue:f7/why?ply=3");
    assert_eq!(before["piece"], "?");
    let own = why(&game, "red:a4/why");
    assert_eq!(
        (&own["piece"], kinds(&own)),
        (&json!("M"), vec![(0, "own".to_owned())])
    );
    let as_known = why(&game, "red:a4/why?viewpoint=public");
    assert_eq!(as_known["piece"], "?");
}

fn a_reason_is_asked_of_a_piece_and_a_ply_that_there_were(server: &TestServer) {
    let game = told(server);
    let ask = |query: &str| game.red.get(&game.path(&format!("/pieces/{query}")));
    for (query, status, code) in [
        ("blue:e7/why?viewpoint=blue", 403, "forbidden"),
        ("blue:e7/why?viewpoint=omniscient", 403, "forbidden"),
        ("blue:e7/why?ply=5", 404, "not_found"),
        ("blue:rescue1/why", 404, "not_found"),
        ("red:d4/why", 404, "not_found"),
        ("blue:e4/why", 400, "malformed_request"),
        ("e7/why", 400, "malformed_request"),
        ("blue:e7/why?ply=-1", 400, "malformed_request"),
        ("blue:e7/why?side=red", 400, "malformed_request"),
    ] {
        assert_problem(&ask(query), status, code);
    }
    let answer = ask("blue:e7/why");
    let tag = answer.header("etag").unwrap().to_owned();
    let path = game.path("/pieces/blue:e7/why");
    let again = game.red.request("GET", &path).header("If-None-Match", &tag);
    assert_eq!(again.send().status, 304);
    let nobody = server.client();
    let closed = nobody.get(&game.path("/pieces/blue:e7/why?viewpoint=red"));
    assert_problem(&closed, 401, "unauthenticated");
}

/// The falls of a side's bits are those of its reveals, but for what moving alone tells.
fn a_replay_weighs_what_was_told(server: &TestServer) {
    let game = told(server);
    game.resign(Side::Red).ok(200);
    for viewpoint in ["red", "blue", "public", "omniscient"] {
        let replay = game.replay(&game.red, &format!("?viewpoint={viewpoint}"));
        let points = replay["information"].as_array().unwrap();
        assert_eq!(points.len(), 5);
        let bits =
            |ply: usize, side: &str| points[ply][format!("{side}_hidden_bits")].as_f64().unwrap();
        assert!((bits(0, "red") - 14.2992).abs() < 1e-9);
        assert!((bits(0, "blue") - 14.2992).abs() < 1e-9);
        for reveal in replay["reveals"].as_array().unwrap() {
            let ply = usize::try_from(reveal["ply"].as_u64().unwrap()).unwrap();
            let owner = reveal["owner"].as_str().unwrap();
            let fall = match reveal["cause"].as_str().unwrap() {
                "game_over" => 0.0,
                _ => bits(ply - 1, owner) - bits(ply, owner),
            };
            assert!(
                (reveal["bits"].as_f64().unwrap() - fall).abs() < 2e-4,
                "{reveal}"
            );
        }
    }
}

on_both! {
    a_game_tells_what_an_unknown_piece_can_be,
    a_piece_is_known_for_reasons,
    a_reason_is_asked_of_a_piece_and_a_ply_that_there_were,
    a_replay_weighs_what_was_told,
}
