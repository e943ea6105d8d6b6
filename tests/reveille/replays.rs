//! A game seen again: every ply, from every viewpoint, with what was disclosed when.

use std::time::Duration;

use serde_json::{Value, json};
use tests::game::piece;
use tests::{Backend, Client, Game, Side, TestServer, Timed, army, assert_problem, on_both};

use crate::events::follow;
use crate::lines::{ENDINGS, EVEN, RED_ENDS_IT_WITH_A_RESCUE};
use crate::ratings::rated;

/// A board without what only its owner may know, to compare positions.
fn squares(pieces: &Value) -> Vec<(String, String)> {
    let pieces = pieces.as_array().unwrap().iter();
    let mut squares: Vec<_> = pieces
        .map(|piece| {
            (
                piece["square"].as_str().unwrap().to_owned(),
                piece["id"].as_str().unwrap().to_owned(),
            )
        })
        .collect();
    squares.sort();
    squares
}

fn board(game: &Game, ply: usize, viewpoint: &str) -> Value {
    game.replay(&game.red, &format!("?viewpoint={viewpoint}&ply={ply}"))
}

/// A short game with a long scout move, a won battle and an even one, given up by Red.
fn told(server: &TestServer) -> Game {
    let red = army(Side::Red, "9e4 Ma4 3b4 2f4 2i4 Sj4 Fa1 Bb1");
    let blue = army(Side::Blue, "3e7 Ma7 9b7 2f7 2i7 Sj7 Fa10 Bb10");
    let mut game = Game::begin(server, "barrage", &red, &blue);
    game.line("f4-f6 e7-e6 e4-e5 a7-a6 e5xe6 i7xi4");
    game.resign(Side::Red).ok(200);
    game
}

/// F04: N moves, N + 1 boards, and the last is where the game ended.
fn a_replay_holds_every_move_and_ends_where_the_game_did(server: &TestServer) {
    for line in ENDINGS {
        let game = line.play(server);
        let view = game.view(&game.red);
        let replay = game.replay(&game.blue, "");
        assert_eq!(replay["viewpoint"], "omniscient");
        let moves = replay["moves"].as_array().unwrap();
        assert_eq!(moves.len(), line.plies());
        for (step, notation) in moves.iter().zip(line.moves.split_whitespace()) {
            let joint = if step["attack"].is_null() { "-" } else { "x" };
            let written = format!(
                "{}{joint}{}",
                step["from"].as_str().unwrap(),
                step["to"].as_str().unwrap()
            );
            assert_eq!(written, notation);
        }
        assert_eq!(moves.last().unwrap()["ply"], line.plies() - 1);
        let (first, last) = (
            board(&game, 0, "omniscient"),
            board(&game, line.plies(), "omniscient"),
        );
        assert_eq!(squares(&first["pieces"]), squares(&replay["initial"]));
        assert_eq!(squares(&last["pieces"]), squares(&view["pieces"]));
        let log = game.red.get(&game.path("/moves")).ok(200);
        assert_eq!(log["items"], replay["moves"]);
    }
}

/// F04: a resignation adds no move.
fn a_resigned_game_replays_up_to_its_last_move(server: &TestServer) {
    let game = told(server);
    let replay = game.replay(&server.client(), "");
    assert_eq!(replay["moves"].as_array().unwrap().len(), 6);
    assert_eq!(replay["game"]["ply"], 6);
    assert_eq!(
        replay["game"]["outcome"],
        json!({"winner": "blue", "reason": "resignation"})
    );
    assert_eq!(
        squares(&board(&game, 6, "omniscient")["pieces"]),
        squares(&game.view(&game.red)["pieces"])
    );
}

/// The last move of a replay of so many plies, once both ends of it are as the game has them.
fn last_move(game: &Game, viewer: &Client, plies: usize) -> Value {
    let (view, replay) = (game.view(viewer), game.replay(viewer, ""));
    assert_eq!(view["status"], "finished");
    assert_eq!(replay["game"]["outcome"], view["outcome"]);
    let moves = replay["moves"].as_array().unwrap();
    assert_eq!((moves.len(), &view["ply"]), (plies, &json!(plies)));
    let (first, last) = (
        board(game, 0, "omniscient"),
        board(game, plies, "omniscient"),
    );
    assert_eq!(squares(&first["pieces"]), squares(&replay["initial"]));
    assert_eq!(squares(&last["pieces"]), squares(&view["pieces"]));
    let beyond = game.path(&format!("/replay?ply={}", plies + 1));
    assert_problem(&viewer.get(&beyond), 404, "not_found");
    moves.last().unwrap().clone()
}

/// F04: a move that ends the game and brings a piece home does both in the replay.
fn a_game_that_ends_by_a_rescue_replays_whole(server: &TestServer) {
    let line = RED_ENDS_IT_WITH_A_RESCUE;
    let (red, blue) = line.setups();
    let options = json!({"rescue": true});
    let mut game = Game::begin_with(server, line.ruleset, &options, &red, &blue);
    game.line(line.moves);
    let outcome = json!({"winner": line.winner_json(), "reason": line.reason});
    assert_eq!(game.view(&game.blue)["outcome"], outcome);
    let last = last_move(&game, &server.client(), line.plies());
    let home = json!({"piece": "2", "square": "a2", "piece_id": "red:rescue1"});
    assert_eq!(last["rescue"], home);
    assert_eq!(last["attack"]["outcome"], "attacker_wins");
    for (ply, stands) in [(line.plies() - 1, false), (line.plies(), true)] {
        let pieces = squares(&board(&game, ply, "omniscient")["pieces"]);
        let scout = ("a2".to_owned(), "red:rescue1".to_owned());
        assert_eq!(pieces.contains(&scout), stands, "{ply}");
    }
    let query = "query($id: UUID!, $ply: Int!) { game(id: $id) { plies
        moves(first: 100) { edges { node { ply rescue } } }
        replay { frame(ply: $ply) { pieces { pieceId square } } } } }";
    let variables = json!({"id": game.id, "ply": line.plies()});
    let seen = server.client().query(query, &variables)["game"].take();
    assert_eq!(seen["plies"], line.plies());
    let told = seen["moves"]["edges"].as_array().unwrap().last().unwrap();
    let expected = json!({"ply": line.plies() - 1, "rescue": "SCOUT"});
    assert_eq!(told["node"], expected);
    let home = json!({"pieceId": "red:rescue1", "square": "a2"});
    let pieces = seen["replay"]["frame"]["pieces"].as_array().unwrap();
    assert!(pieces.contains(&home), "{pieces:?}");
}

/// F04: time that is up adds no move.
fn a_game_that_ends_by_timeout_replays_up_to_its_last_move(backend: Backend) {
    let timed = Timed::start(backend);
    let [mut red, mut blue] = ["red", "blue"].map(|name| timed.register(name));
    let mut game = rated(&red, &blue, &EVEN, "i4xi7 a7-a6 b4-b5", &Value::Null);
    timed.advance([&mut red, &mut blue], Duration::from_hours(72));
    timed.keep_time();
    (game.red, game.blue) = (red, blue);
    let last = last_move(&game, &game.blue, 3);
    assert_eq!((&last["from"], &last["to"]), (&json!("b4"), &json!("b5")));
    let outcome = json!({"winner": "red", "reason": "timeout"});
    assert_eq!(game.view(&game.red)["outcome"], outcome);
}

/// F05: the move that makes ply k of k - 1 has the number k - 1 in the replay, in the event stream, in GraphQL
/// and by its place in the export.
fn plies_have_the_same_numbers_everywhere(server: &TestServer) {
    let game = told(server);
    let replay = game.replay(&server.client(), "");
    let replayed: Vec<_> = replay["moves"].as_array().unwrap().iter().collect();
    let events = follow(&game, &server.client(), Some("0")).up_to(10);
    let streamed: Vec<Value> = events
        .iter()
        .filter(|event| event.name == "game.move")
        .map(|event| event.json()["move"].clone())
        .collect();
    let end = events.iter().find(|event| event.name == "game.finished");
    assert_eq!(end.unwrap().json()["ply"], replayed.len());
    let query = "query($id: UUID!) { game(id: $id) { moves(first: 100) { edges { node { ply from to } } } } }";
    let seen = server.client().query(query, &json!({"id": game.id}));
    let listed = seen["game"]["moves"]["edges"].as_array().unwrap();
    let exported = server.client().get(&game.path("/export")).ok(200);
    let exported = exported["moves"].as_array().unwrap();
    assert_eq!(streamed.len(), replayed.len());
    assert_eq!(listed.len(), replayed.len());
    assert_eq!(exported.len(), replayed.len());
    let words = "f4-f6 e7-e6 e4-e5 a7-a6 e5xe6 i7xi4".split(' ');
    for (ply, notation) in words.enumerate() {
        let (from, to) = notation.split_once(['-', 'x']).unwrap();
        assert_eq!(exported[ply], notation);
        for told in [replayed[ply], &streamed[ply], &listed[ply]["node"]] {
            let step = (&told["ply"], &told["from"], &told["to"]);
            assert_eq!(step, (&json!(ply), &json!(from), &json!(to)));
        }
    }
}

/// F05: ply k is the position after k moves, here as in GraphQL, and there is nothing outside.
fn a_ply_is_the_position_after_that_many_moves(server: &TestServer) {
    let game = told(server);
    assert_eq!(
        piece(&board(&game, 0, "red")["pieces"], "red:f4")["square"],
        "f4"
    );
    assert_eq!(
        piece(&board(&game, 1, "red")["pieces"], "red:f4")["square"],
        "f6"
    );
    let query = "query($id: UUID!, $ply: Int!) { game(id: $id) { replay { frame(ply: $ply) { ply pieces { pieceId square } } } } }";
    for ply in 0..=6 {
        let board = board(&game, ply, "omniscient");
        assert_eq!(board["ply"], ply);
        let frame = server
            .client()
            .query(query, &json!({"id": game.id, "ply": ply}));
        let frame = &frame["game"]["replay"]["frame"];
        assert_eq!(frame["ply"], ply);
        let mut of_graphql: Vec<(String, String)> = frame["pieces"]
            .as_array()
            .unwrap()
            .iter()
            .filter_map(|piece| {
                Some((
                    piece["square"].as_str()?.to_owned(),
                    piece["pieceId"].as_str()?.to_owned(),
                ))
            })
            .collect();
        of_graphql.sort();
        assert_eq!(of_graphql, squares(&board["pieces"]));
    }
    assert_problem(&game.red.get(&game.path("/replay?ply=7")), 404, "not_found");
    for ply in ["-1", "x", "1.5", "", "99999999999999999999"] {
        let refused = game.red.get(&game.path(&format!("/replay?ply={ply}")));
        assert_problem(&refused, 400, "malformed_request");
    }
    for ply in [7, -1] {
        let answer = server
            .client()
            .graphql(query, &json!({"id": game.id, "ply": ply}))
            .json();
        assert!(answer["errors"].is_array(), "{answer}");
    }
}

/// F06: squares are the same for everybody; a side to look from is the client's own affair.
fn squares_are_the_same_for_every_viewer(server: &TestServer) {
    let mut game = EVEN.begin(server);
    game.line("i4xi7 j7xj4 a4-a5 a7-a6");
    let views = [&game.red, &game.blue, &server.client()].map(|viewer| game.view(viewer));
    for view in &views {
        assert_eq!(squares(&view["pieces"]), squares(&views[0]["pieces"]));
        assert_eq!(
            (&view["last_move"]["from"], &view["last_move"]["to"]),
            (&json!("a7"), &json!("a6"))
        );
        assert_eq!(piece(&view["pieces"], "red:a4")["square"], "a5");
    }
    game.resign(Side::Red).ok(200);
    for ply in 0..=4 {
        let boards = ["red", "blue", "public", "omniscient"]
            .map(|viewpoint| squares(&board(&game, ply, viewpoint)["pieces"]));
        assert!(boards.iter().all(|board| *board == boards[0]), "{boards:?}");
    }
}

/// The reveal timeline: who learned what when, and what was hidden to the end.
fn reveals_come_in_order_with_their_cause(server: &TestServer) {
    let game = told(server);
    let expected = |viewpoint: &str| {
        let replay = game.replay(&game.red, &format!("?viewpoint={viewpoint}"));
        let reveals = replay["reveals"].as_array().unwrap().clone();
        let (over, told): (Vec<_>, Vec<_>) = reveals
            .into_iter()
            .partition(|reveal| reveal["cause"] == "game_over");
        // 16 pieces, of which five were disclosed in play.
        assert_eq!(over.len(), 11, "{over:?}");
        assert!(
            over.iter()
                .all(|reveal| reveal["ply"] == 6 && reveal["to"] == "both"),
            "{over:?}"
        );
        told.iter()
            .map(|reveal| {
                ["ply", "piece_id", "piece", "square", "cause", "to"]
                    .map(|field| reveal[field].clone())
            })
            .collect::<Vec<_>>()
    };
    let wanted = [
        [
            json!(1),
            json!("red:f4"),
            json!("2"),
            json!("f6"),
            json!("scout_move"),
            json!("blue"),
        ],
        [
            json!(5),
            json!("red:e4"),
            json!("9"),
            json!("e6"),
            json!("attacked"),
            json!("blue"),
        ],
        [
            json!(5),
            json!("blue:e7"),
            json!("3"),
            json!("e6"),
            json!("was_attacked"),
            json!("red"),
        ],
        [
            json!(6),
            json!("blue:i7"),
            json!("2"),
            json!("i4"),
            json!("attacked"),
            json!("red"),
        ],
        [
            json!(6),
            json!("red:i4"),
            json!("2"),
            json!("i4"),
            json!("was_attacked"),
            json!("blue"),
        ],
    ];
    for viewpoint in ["red", "blue", "public", "omniscient"] {
        let mut told = expected(viewpoint);
        let mut wanted = wanted.clone();
        assert!(
            told.is_sorted_by_key(|reveal| reveal[0].as_u64()),
            "{told:?}"
        );
        told.sort_by_key(|reveal| format!("{reveal:?}"));
        wanted.sort_by_key(|reveal| format!("{reveal:?}"));
        assert_eq!(told, wanted, "{viewpoint}");
    }
}

/// What was disclosed only by the end is not in the boards before it.
fn the_final_board_of_a_viewpoint_is_what_was_known_before_the_disclosure(server: &TestServer) {
    let game = told(server);
    let last = board(&game, 6, "red");
    assert_eq!(piece(&last["pieces"], "blue:a7")["piece"], "?");
    assert_eq!(piece(&last["pieces"], "red:e4")["revealed_ply"], 5);
    let replay = game.replay(&game.red, "?viewpoint=red");
    assert_eq!(piece(&replay["initial"], "blue:e7")["piece"], "?");
    assert_eq!(replay["moves"][4]["attack"]["defender"], "3");
    // The owner's own view has his own pieces, and when the others came to know them.
    assert_eq!(
        *piece(&board(&game, 5, "red")["pieces"], "red:e4"),
        json!({
        "id": "red:e4", "owner": "red", "square": "e6", "piece": "9", "moved": true, "revealed_ply": 5})
    );
}

fn a_running_replay_goes_up_to_now(server: &TestServer) {
    let mut game = EVEN.begin(server);
    game.line("i4xi7 j7xj4");
    let replay = game.replay(&game.red, "");
    assert_eq!(replay["viewpoint"], "red");
    assert_eq!(replay["moves"].as_array().unwrap().len(), 2);
    let reveals = replay["reveals"].as_array().unwrap();
    assert_eq!(reveals.len(), 4);
    assert!(
        reveals.iter().all(|reveal| reveal["cause"] != "game_over"),
        "{reveals:?}"
    );
    let answer = game.red.get(&game.path("/replay"));
    let tag = answer.header("etag").expect("ETag");
    assert!(
        answer
            .header("cache-control")
            .unwrap_or_default()
            .contains("no-cache"),
        "{answer:?}"
    );
    let again = game
        .red
        .request("GET", &game.path("/replay"))
        .header("if-none-match", tag)
        .send();
    assert_eq!(again.status, 304);
    assert_problem(&game.red.get(&game.path("/replay?ply=3")), 404, "not_found");
}

/// Nothing was played in a game that has not begun, nor in one that never did.
fn what_never_began_is_not_replayed(server: &TestServer) {
    let game = Game::in_setup(server, "barrage", &Value::Null);
    let told = |detail: &str| {
        for path in [
            "/replay",
            "/replay?ply=0",
            "/board.svg?ply=0",
            "/timeline.svg",
            "/pieces/red:a1/why",
        ] {
            let problem = assert_problem(&game.red.get(&game.path(path)), 409, "game_not_active");
            assert_eq!(problem["detail"], detail, "{path}");
        }
    };
    told("this game has not begun: both armies must be placed first");
    game.red.post(&game.path("/abort"), &json!({})).ok(200);
    told("this game was called off before it began");
}

on_both! {
    a_game_that_ends_by_a_rescue_replays_whole,
    a_game_that_ends_by_timeout_replays_up_to_its_last_move,
    plies_have_the_same_numbers_everywhere,
    what_never_began_is_not_replayed,
    a_replay_holds_every_move_and_ends_where_the_game_did,
    a_resigned_game_replays_up_to_its_last_move,
    a_ply_is_the_position_after_that_many_moves,
    squares_are_the_same_for_every_viewer,
    reveals_come_in_order_with_their_cause,
    the_final_board_of_a_viewpoint_is_what_was_known_before_the_disclosure,
    a_running_replay_goes_up_to_now,
}
