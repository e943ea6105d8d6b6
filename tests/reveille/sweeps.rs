//! What is taken away after a while, as clients see it: the server runs in this process, on a clock
//! that the test moves, and sweeps when the test says so.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::time::Duration;

use serde_json::{Value, json};
use tests::client::text;
use tests::dice::Dice;
use tests::game::{accept, challenge};
use tests::gravon::GravonGame;
use tests::imports::import;
use tests::{Backend, Client, Game, Side, Timed, assert_problem, on_both};

use crate::lines::EVEN;

const HOUR: Duration = Duration::from_hours(1);
const DAY: Duration = Duration::from_hours(24);

/// The first event of a stream that is opened with a last one: its number and its kind.
fn first_event(timed: &Timed, client: &Client, path: &str, last: u64) -> (u64, String) {
    let address = timed.url().replace("http://", "");
    let mut stream = TcpStream::connect(&address).unwrap();
    stream
        .set_read_timeout(Some(Duration::from_secs(30)))
        .unwrap();
    let token = client.token.as_ref().map_or(String::new(), |token| {
        format!("authorization: Bearer {token}\r\n")
    });
    write!(
        stream,
        "GET {path} HTTP/1.1\r\nhost: {address}\r\n{token}last-event-id: {last}\r\n\r\n"
    )
    .unwrap();
    let (mut number, mut kind) = (None, None);
    for line in BufReader::new(stream).lines() {
        let line = line.unwrap();
        if let Some(text) = line.strip_prefix("id: ") {
            number = Some(text.parse().unwrap());
        } else if let Some(text) = line.strip_prefix("event: ") {
            kind = Some(text.to_owned());
        } else if line.starts_with("data: ") {
            break;
        }
    }
    (number.unwrap(), kind.unwrap())
}

/// A game of the even armies that Red gave up after two moves.
fn finished(timed: &Timed) -> Game {
    let (red, blue) = (timed.register("red"), timed.register("blue"));
    let mut game = Game::between(red, blue, "barrage", &json!({}));
    let (red, blue) = EVEN.setups();
    game.place(Side::Red, &red).ok(200);
    game.place(Side::Blue, &blue).ok(200);
    game.line("a4-a5 a7-a6");
    game.resign(Side::Red).ok(200);
    game
}

fn resync(number: u64) -> (u64, String) {
    (number, "resync".to_owned())
}

/// Whoever is further behind than what is kept is told to read anew, and goes on from there.
fn who_comes_back_after_a_month_is_told_to_read_anew(backend: Backend) {
    let timed = Timed::start(backend);
    let mut game = finished(&timed);
    let path = game.path("/events");
    let anyone = game.red.with_token(None);
    // Two armies, the start, two moves, the end.
    let (game_end, my_events) = (6, "/v1/me/events");
    // What happened before, and then the game: a challenge made and taken.
    let feed_end = game_end + 2;
    timed.advance([&mut game.red, &mut game.blue], 29 * DAY);
    timed.sweep();
    for last in [0, 3] {
        for (client, path) in [
            (&game.red, &*path),
            (&anyone, &path),
            (&game.blue, my_events),
        ] {
            let (number, kind) = first_event(&timed, client, path, last);
            assert_eq!(number, last + 1, "{kind}");
        }
    }
    timed.advance([&mut game.red, &mut game.blue], 2 * DAY);
    timed.sweep();
    for last in [0, 3, game_end - 1] {
        for client in [&game.red, &game.blue, &anyone] {
            assert_eq!(first_event(&timed, client, &path, last), resync(game_end));
        }
        // Blue has looked at his events before, and Red never.
        for client in [&game.red, &game.blue] {
            assert_eq!(
                first_event(&timed, client, my_events, last),
                resync(feed_end)
            );
        }
    }
    // What comes then has the next number, and the game itself is whole.
    challenge(&game.red, Some(&game.blue), "barrage", &json!({})).ok(201);
    for client in [&game.red, &game.blue] {
        let next = (feed_end + 1, "challenge.created".to_owned());
        assert_eq!(first_event(&timed, client, my_events, feed_end), next);
    }
    let moves = anyone.get(&game.path("/moves")).ok(200);
    assert_eq!(moves["items"].as_array().map(Vec::len), Some(2));
}

/// A game that goes on keeps its events, however old, and who plays it is told of them when he looks.
fn a_game_that_goes_on_keeps_its_events(backend: Backend) {
    let timed = Timed::start(backend);
    let (red, blue) = (timed.register("red"), timed.register("blue"));
    let open = json!({"ruleset": "barrage", "color": "red", "time_control": {"kind": "unlimited"}});
    let made = red.post("/v1/challenges", &open).ok(201);
    let id = text(&accept(&blue, &made).ok(201)["id"]);
    let mut game = Game {
        id,
        red,
        blue,
        ply: 0,
    };
    let (red, blue) = EVEN.setups();
    game.place(Side::Red, &red).ok(200);
    game.place(Side::Blue, &blue).ok(200);
    timed.advance([&mut game.red, &mut game.blue], 90 * DAY);
    timed.sweep();
    game.line("a4-a5");
    let path = game.path("/events");
    assert_eq!(first_event(&timed, &game.red, &path, 2).0, 3);
    // Of an open challenge Blue heard nothing: two armies and the start.
    let told = first_event(&timed, &game.blue, "/v1/me/events", 0);
    assert_eq!(told, (1, "game.setup_placed".to_owned()));
    let told = first_event(&timed, &game.blue, "/v1/me/events", 3);
    assert_eq!(told, (4, "game.move".to_owned()));
    // Once told they are kept for a month from when they happened.
    timed.sweep();
    for last in [0, 2] {
        let told = first_event(&timed, &game.blue, "/v1/me/events", last);
        assert_eq!(told, resync(4));
    }
}

/// That a challenge ran out is told to both, and accepting it is answered as before.
fn a_challenge_that_ran_out_is_closed(backend: Backend) {
    let timed = Timed::start(backend);
    let (mut red, mut blue) = (timed.register("red"), timed.register("blue"));
    let body = json!({
        "ruleset": "barrage", "opponent": blue.name, "expires_in": "PT1H",
        "time_control": {"kind": "unlimited"},
    });
    let challenge = red.post("/v1/challenges", &body).ok(201);
    timed.advance([&mut red, &mut blue], HOUR);
    assert_problem(&accept(&blue, &challenge), 410, "gone");
    timed.sweep();
    assert_problem(&accept(&blue, &challenge), 410, "gone");
    for client in [&red, &blue] {
        for (number, kind) in [(1, "challenge.created"), (2, "challenge.closed")] {
            let told = first_event(&timed, client, "/v1/me/events", number - 1);
            assert_eq!(told, (number, kind.to_owned()));
        }
    }
    let path = format!("/v1/challenges/{}", text(&challenge["id"]));
    assert_eq!(red.get(&path).ok(200)["status"], Value::from("expired"));
}

/// A login that lasts keeps what tells a spent token; one that is over is forgotten in the end.
fn a_spent_token_is_known_for_as_long_as_its_login_lasts(backend: Backend) {
    let timed = Timed::start(backend);
    let player = timed.register("family");
    let refresh = |token: &str| {
        player
            .with_token(None)
            .post("/v1/auth/refresh", &json!({"refresh_token": token}))
    };
    let next = text(&refresh(&player.refresh_token).ok(200)["tokens"]["refresh_token"]);
    timed.clock.advance(7 * DAY);
    timed.sweep();
    assert_problem(&refresh(&player.refresh_token), 401, "token_reused");
    timed.clock.advance(7 * DAY);
    timed.sweep();
    assert_eq!(refresh(&next).status, 401);
    assert_eq!(refresh(&player.refresh_token).status, 401);
}

/// An import of which nothing was heard for minutes is told of as failed, with what was counted.
fn an_import_that_nobody_works_on_is_given_up(backend: Backend) {
    let timed = Timed::start(backend);
    let mut ann = timed.register("ann");
    let done = import(&ann, "", "{}\n{}\n");
    let path = format!("/v1/imports/{}", text(&done["id"]));
    let status = |ann: &Client| text(&ann.get(&path).ok(200)["status"]);
    let goes_on = "UPDATE imports SET status = 'running', finished_at = NULL, imported = 3";
    timed.database().run(goes_on);
    for (minutes, expected) in [(4, "running"), (2, "failed")] {
        timed.advance([&mut ann], Duration::from_mins(minutes));
        timed.sweep();
        assert_eq!(status(&ann), expected);
    }
    let told = ann.get(&path).ok(200);
    assert_eq!([&told["imported"], &told["rejected_total"]], [3, 2]);
    assert!(told["finished_at"].is_string());
}

/// What was counted game by game is then folded, and comes to the same.
fn games_are_folded_and_statistics_stay(backend: Backend) {
    let timed = Timed::start(backend);
    for _ in 0..3 {
        finished(&timed);
    }
    let analyst = timed.register("analyst");
    let query = "{ stats { games results { redWins blueWins draws } gameLength(buckets: 3) { count mean }
        reveals { rank pieces revealed } survival(at: [0, 1]) { rank points { pieces alive } }
        deployment(rank: FLAG) { square games share } firstMoves { move games } bluffs { bombMimicry }
        information { ply games winners losers } barrage: byPeriod(unit: DAY) { period games } } }";
    let before = analyst.query(query, &Value::Null);
    assert_eq!(before["stats"]["games"], 3);
    timed.sweep();
    assert_eq!(timed.database().count("facts_to_fold"), 0);
    assert!(timed.database().count("rollups") > 5);
    assert_eq!(analyst.query(query, &Value::Null), before);
    // What comes later is counted beside what is folded.
    finished(&timed);
    let after = analyst.query(query, &Value::Null);
    assert_eq!(after["stats"]["games"], 4);
    timed.sweep();
    assert_eq!(timed.database().count("facts_to_fold"), 0);
    assert_eq!(analyst.query(query, &Value::Null), after);
}

/// What came of an import is told for a month.
fn an_old_import_is_forgotten(backend: Backend) {
    let timed = Timed::start(backend);
    let mut ann = timed.register("ann");
    let game = GravonGame::random(&mut Dice::new(1), 20);
    let done = import(&ann, "?filename=barrage-2006.3-9.xml", game.xml());
    let path = format!("/v1/imports/{}", text(&done["id"]));
    timed.advance([&mut ann], 30 * DAY);
    timed.sweep();
    assert_eq!(ann.get(&path).ok(200), done);
    timed.advance([&mut ann], HOUR);
    timed.sweep();
    assert_problem(&ann.get(&path), 404, "not_found");
    let query = "{ stats(filter: {sources: [\"gravon\"]}) { games } }";
    assert_eq!(ann.query(query, &Value::Null)["stats"]["games"], 1);
}

on_both! {
    games_are_folded_and_statistics_stay,
    an_import_that_nobody_works_on_is_given_up,
    an_old_import_is_forgotten,
    who_comes_back_after_a_month_is_told_to_read_anew,
    a_game_that_goes_on_keeps_its_events,
    a_challenge_that_ran_out_is_closed,
    a_spent_token_is_known_for_as_long_as_its_login_lasts,
}
