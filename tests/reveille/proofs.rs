//! What binds a side to its army, and what opens it when the game is over.

use serde_json::{Value, json};
use tests::client::text;
use tests::game::accept;
use tests::{Backend, Client, Game, Response, Side, TestServer, army, assert_problem, on_both};

use crate::lines::{EVEN, RED_TAKES_THE_FLAG};

/// What a viewer sees of both sides' commitments.
pub(crate) fn commitments(game: &Game, viewer: &Client) -> [Value; 2] {
    let view = game.view(viewer);
    ["red", "blue"].map(|side| view[side]["setup_commitment"].clone())
}

fn is_commitment(value: &Value) -> bool {
    value.as_str().is_some_and(|text| {
        let is_digit = |letter: char| letter.is_ascii_digit() || ('a'..='f').contains(&letter);
        text.len() == 64 && text.chars().all(is_digit)
    })
}

fn etag(game: &Game, viewer: &Client) -> String {
    let answer = viewer.get(&game.path(""));
    answer.header("etag").unwrap().to_owned()
}

/// Red's army of the line that takes the flag, otherwise arranged.
fn other_army() -> String {
    army(Side::Red, "2e4 Ma4 9b4 3a3 2j4 Sb3 Fb1 Ba1")
}

/// A side's own from the moment its army is placed, everybody's once both armies stand.
fn commitments_are_seen_by_their_owner_and_then_by_all(server: &TestServer) {
    let (red_setup, blue_setup) = RED_TAKES_THE_FLAG.setups();
    let mut game = Game::in_setup(server, "barrage", &Value::Null);
    let (third, anonymous) = (server.register("third"), server.client());
    let none = [Value::Null, Value::Null];
    for viewer in [&game.red, &game.blue, &third, &anonymous] {
        assert_eq!(commitments(&game, viewer), none);
    }

    let placed = game.place(Side::Red, &other_army()).ok(200);
    let first = placed["red"]["setup_commitment"].clone();
    assert!(is_commitment(&first), "{first}");
    assert_eq!(commitments(&game, &game.red), [first.clone(), Value::Null]);
    for viewer in [&game.blue, &third, &anonymous] {
        assert_eq!(commitments(&game, viewer), none);
    }

    // Replaced, by another army and by the same once more: nobody else can tell.
    let tags = [&game.blue, &third, &anonymous].map(|viewer| etag(&game, viewer));
    let own = etag(&game, &game.red);
    let mut before = first;
    for _ in 0..2 {
        let placed = game.place(Side::Red, &red_setup).ok(200);
        let now = placed["red"]["setup_commitment"].clone();
        assert!(is_commitment(&now) && now != before, "{now}");
        assert_eq!(commitments(&game, &game.red), [now.clone(), Value::Null]);
        before = now;
    }
    assert_ne!(etag(&game, &game.red), own);
    let seen = [&game.blue, &third, &anonymous].map(|viewer| etag(&game, viewer));
    assert_eq!(seen, tags);

    let started = game.place(Side::Blue, &blue_setup).ok(200);
    let both = ["red", "blue"].map(|side| started[side]["setup_commitment"].clone());
    assert_eq!(both[0], before);
    assert!(is_commitment(&both[1]) && both[0] != both[1], "{both:?}");
    for moves in RED_TAKES_THE_FLAG.moves.split_whitespace() {
        for viewer in [&game.red, &game.blue, &third, &anonymous] {
            assert_eq!(commitments(&game, viewer), both);
        }
        game.line(moves);
    }
    for viewer in [&game.red, &game.blue, &third, &anonymous] {
        assert_eq!(game.view(viewer)["status"], "finished");
        assert_eq!(commitments(&game, viewer), both);
    }
}

/// What was placed for a game that never began stays its owner's.
fn a_game_that_never_began_opens_nothing(server: &TestServer) {
    let game = Game::in_setup(server, "barrage", &Value::Null);
    let placed = game.place(Side::Red, &other_army()).ok(200);
    let own = placed["red"]["setup_commitment"].clone();
    game.blue.post(&game.path("/abort"), &json!({})).ok(200);
    assert_eq!(commitments(&game, &game.red), [own, Value::Null]);
    for viewer in [&game.blue, &server.client()] {
        assert_eq!(commitments(&game, viewer), [Value::Null, Value::Null]);
    }
    for viewer in [&game.red, &game.blue, &server.client()] {
        assert_problem(&viewer.get(&game.path("/proofs")), 403, "forbidden");
    }
}

/// The same refusal for everybody, before the start and after it.
fn proofs_are_closed_until_the_game_is_over(server: &TestServer) {
    let (red_setup, blue_setup) = EVEN.setups();
    let mut game = Game::in_setup(server, "barrage", &Value::Null);
    let (third, anonymous) = (server.register("third"), server.client());
    let refusals = |game: &Game| {
        [&game.red, &game.blue, &third, &anonymous].map(|viewer| {
            let refused = viewer.get(&game.path("/proofs"));
            text(&assert_problem(&refused, 403, "forbidden")["detail"])
        })
    };
    let closed = refusals(&game);
    assert!(closed.iter().all(|detail| *detail == closed[0]));
    game.place(Side::Red, &red_setup).ok(200);
    assert_eq!(refusals(&game), closed);
    game.place(Side::Blue, &blue_setup).ok(200);
    assert_eq!(refusals(&game), closed);
    game.line("i4xi7 a7-a6");
    assert_eq!(refusals(&game), closed);
    game.resign(Side::Red).ok(200);
    let bodies = [&game.red, &game.blue, &third, &anonymous].map(|viewer| {
        let answer = viewer.get(&game.path("/proofs"));
        answer.ok(200);
        answer.body
    });
    assert!(bodies.iter().all(|body| *body == bodies[0]));

    // Called off after the start: shown whole, and opened too.
    let aborted = EVEN.begin(server);
    aborted
        .red
        .post(&aborted.path("/abort"), &json!({}))
        .ok(200);
    assert_eq!(aborted.view(&anonymous)["status"], "aborted");
    let proofs = anonymous.get(&aborted.path("/proofs")).ok(200);
    assert_eq!(proofs["red"]["leaves"].as_array().unwrap().len(), 40);
}

/// A private game is there for its players alone, and so is what opens it.
fn proofs_of_a_private_game_are_its_players(server: &TestServer) {
    let (red, blue) = (server.register("red"), server.register("blue"));
    let challenge = red.post(
        "/v1/challenges",
        &json!({
            "ruleset": "barrage", "color": "red", "opponent": blue.name, "private": true,
            "time_control": {"kind": "unlimited"},
        }),
    );
    let id = text(&accept(&blue, &challenge.ok(201)).ok(201)["id"]);
    let game = Game {
        id,
        red,
        blue,
        ply: 0,
    };
    let strangers = [server.register("third"), server.client()];
    let hidden = || {
        for stranger in &strangers {
            assert_problem(&stranger.get(&game.path("/proofs")), 404, "not_found");
        }
    };
    hidden();
    let (red_setup, blue_setup) = EVEN.setups();
    game.place(Side::Red, &red_setup).ok(200);
    game.place(Side::Blue, &blue_setup).ok(200);
    hidden();
    game.resign(Side::Blue).ok(200);
    hidden();
    for player in [&game.red, &game.blue] {
        player.get(&game.path("/proofs")).ok(200);
    }
}

/// Every way to read a game that is over, but for the proofs.
fn read_the_rest(game: &Game, viewer: &Client) -> Vec<Response> {
    let mut answers: Vec<Response> = ["", "/moves", "/replay", "/replay?ply=1", "/legal-moves"]
        .iter()
        .map(|rest| viewer.get(&game.path(rest)))
        .collect();
    answers.push(viewer.get(&format!("/v1/games?player={}", game.red.name)));
    let query = "query($id: UUID!) { game(id: $id) {
        replay { frames(first: 9) { edges { node { pieces { pieceId rank } } } } } } }";
    answers.push(viewer.graphql(query, &json!({"id": game.id})));
    answers
}

/// A salt in any form in which it might be written.
fn forms(salt: &str) -> [String; 4] {
    let bytes: Vec<u8> = (0..64)
        .step_by(2)
        .map(|at| u8::from_str_radix(&salt[at..at + 2], 16).unwrap())
        .collect();
    let listed = |join: &str| {
        let numbers: Vec<String> = bytes.iter().take(8).map(u8::to_string).collect();
        numbers.join(join)
    };
    [
        salt.to_owned(),
        salt.to_uppercase(),
        listed(", "),
        listed(","),
    ]
}

fn salts_are_in_no_other_answer_and_no_log(backend: Backend) {
    let server = TestServer::start_with(backend, &[("REVEILLE_LOG", "trace")]);
    let (red_setup, blue_setup) = RED_TAKES_THE_FLAG.setups();
    let mut game = Game::in_setup(&server, "barrage", &Value::Null);
    let mut answers = vec![
        game.place(Side::Red, &other_army()),
        game.place(Side::Red, &red_setup),
        game.place(Side::Blue, &blue_setup),
    ];
    for moves in RED_TAKES_THE_FLAG.moves.split_whitespace() {
        answers.extend(read_the_rest(&game, &game.red));
        answers.push(game.red.get(&game.path("/proofs")));
        game.line(moves);
    }
    for viewer in [&game.red, &game.blue, &server.client()] {
        answers.extend(read_the_rest(&game, viewer));
    }
    let proofs = server.client().get(&game.path("/proofs")).ok(200);
    let log = server.stderr();
    assert!(log.contains("/proofs"), "nothing was logged: {log}");
    let leaves = ["red", "blue"].map(|side| proofs[side]["leaves"].as_array().unwrap().clone());
    let mut drawn: Vec<String> = leaves
        .iter()
        .flatten()
        .map(|leaf| text(&leaf["salt"]))
        .collect();
    for salt in &drawn {
        for form in forms(salt) {
            assert!(!log.contains(&form), "the log has a salt");
            for answer in &answers {
                let found = String::from_utf8_lossy(&answer.body).contains(&form);
                assert!(!found, "{:?} has a salt", answer.asked);
            }
        }
    }
    drawn.sort_unstable();
    drawn.dedup();
    assert_eq!(drawn.len(), 80, "each square has a salt of its own");
}

on_both! {
    commitments_are_seen_by_their_owner_and_then_by_all,
    a_game_that_never_began_opens_nothing,
    proofs_are_closed_until_the_game_is_over,
    proofs_of_a_private_game_are_its_players,
    salts_are_in_no_other_answer_and_no_log,
}

/// Armies that were placed before commitments were made are played on, and prove nothing.
#[test]
fn armies_from_before_have_no_proofs() {
    // The army is changed behind the server's back, so that it may keep no game in memory.
    let server = TestServer::start_with(Backend::Postgres, &[("REVEILLE_GAME_CACHE", "0")]);
    let mut game = EVEN.begin(&server);
    let statement = "UPDATE setups SET root = NULL, salts = NULL WHERE color = 'red'";
    server.database().execute(statement);
    game.line("i4xi7");
    let [red, blue] = commitments(&game, &game.blue);
    assert!(red.is_null() && is_commitment(&blue), "{red} {blue}");
    game.resign(Side::Blue).ok(200);
    let refused = server.client().get(&game.path("/proofs"));
    let problem = assert_problem(&refused, 404, "not_found");
    assert!(
        text(&problem["detail"]).contains("before commitments"),
        "{problem}"
    );
}
