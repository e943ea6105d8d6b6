//! Streams when the server goes down. C12, D11.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tests::game::move_body;
use tests::sse::Part;
use tests::{Backend, Client, EventStream, Game, TestServer, metrics, on_both};

use super::{assert_dense, follow};
use crate::lines::EVEN;

/// How many games are played when the server goes down.
const GAMES: u32 = 20;

fn start(backend: Backend) -> (TestServer, Vec<Game>) {
    let settings = [
        ("REVEILLE_SHUTDOWN_TIMEOUT", "10"),
        ("REVEILLE_METRICS_LISTEN", "127.0.0.1:0"),
    ];
    let server = TestServer::start_with(backend, &settings);
    let games = (0..GAMES).map(|_| EVEN.begin(&server)).collect();
    (server, games)
}

/// Five streams that have begun: of four games, and of a player.
fn begun_streams(games: &[Game]) -> Vec<EventStream> {
    let of_games = games[..4].iter().map(|game| follow(game, &game.blue, None));
    let of_player = super::follow_me(&games[4].blue, None);
    let mut streams: Vec<EventStream> = of_games.chain([of_player]).collect();
    for stream in &mut streams {
        assert_eq!(stream.part(), Part::Retry(3000));
    }
    streams
}

/// D11: SIGTERM while moves are held up on their way to the disk and streams are open. Streams say why
/// they end; every move that was taken in is answered and kept, once; the program ends in time.
fn a_shutdown_answers_what_was_taken_in(backend: Backend) {
    let (mut server, games) = start(backend);
    let mut streams = begun_streams(&games);
    let before = server.figure(metrics::IN_FLIGHT);
    let hold = server.database().hold_moves();
    let (answers, ended) = thread::scope(|scope| {
        let under_way: Vec<_> = games
            .iter()
            .map(|game| scope.spawn(|| game.attempt("a4-a5").ok(201)))
            .collect();
        metrics::wait_for(&server, metrics::IN_FLIGHT, before + f64::from(GAMES));
        let stopped = scope.spawn(|| {
            let began = Instant::now();
            assert!(server.stop().success(), "{}", server.stderr());
            began.elapsed()
        });
        for stream in &mut streams {
            assert_eq!(stream.closing(), "shutdown");
        }
        // It was told to end, and not one move is answered.
        drop(hold);
        let answers: Vec<Value> = under_way
            .into_iter()
            .map(|one| one.join().unwrap())
            .collect();
        (answers, stopped.join().unwrap())
    });
    assert!(ended < Duration::from_secs(11), "it took {ended:?}");
    server.restart();
    for (game, answer) in games.iter().zip(&answers) {
        assert_eq!(plies(&server, game), 1);
        let red = game.red.at(server.url());
        let log = red.get(&game.path("/moves")).ok(200);
        assert_eq!(log["items"], json!([answer["move"]]));
    }
}

/// The number of moves that a game has after a start, which its log, its events and a retry agree with.
fn plies(server: &TestServer, game: &Game) -> u64 {
    let red = game.red.at(server.url());
    let ply = red.get(&game.path("")).ok(200)["ply"].as_u64().unwrap();
    let log = red.get(&game.path("/moves")).ok(200);
    assert_eq!(log["items"].as_array().unwrap().len() as u64, ply);
    let told = follow(game, &red, Some("0")).events(if ply == 1 { 4 } else { 3 });
    assert_dense(&told, 1);
    let retried = red.post(&game.path("/moves"), &move_body(0, "a4-a5"));
    assert_eq!(retried.status, if ply == 1 { 200 } else { 201 });
    ply
}

/// D11: SIGTERM just when moves are sent. What is answered is kept, what is not was made wholly or not
/// at all, and streams say why they end.
fn a_shutdown_makes_no_move_by_halves(backend: Backend) {
    let (mut server, games) = start(backend);
    let mut streams = begun_streams(&games);
    let (sent, all_sent) = mpsc::channel();
    let address = server.address().to_owned();
    let (answers, ended) = thread::scope(|scope| {
        let under_way: Vec<_> = games
            .iter()
            .map(|game| {
                let (sent, address) = (sent.clone(), &address);
                scope.spawn(move || {
                    let mut socket = TcpStream::connect(address).unwrap();
                    socket
                        .set_read_timeout(Some(Duration::from_secs(20)))
                        .unwrap();
                    // So that the connection is the server's, and not the system's still.
                    socket
                        .write_all(b"GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n")
                        .unwrap();
                    let mut first = [0];
                    socket.read_exact(&mut first).unwrap();
                    socket.write_all(request(game).as_bytes()).unwrap();
                    sent.send(()).unwrap();
                    // Until the server closes the connection.
                    let mut answer = String::new();
                    let _ = socket.read_to_string(&mut answer);
                    let second = answer.find("HTTP/1.1 ").map(|at| answer[at..].to_owned());
                    second.unwrap_or_default()
                })
            })
            .collect();
        for _ in &games {
            all_sent.recv().unwrap();
        }
        let began = Instant::now();
        assert!(server.stop().success(), "{}", server.stderr());
        let ended = began.elapsed();
        let answers: Vec<String> = under_way
            .into_iter()
            .map(|one| one.join().unwrap())
            .collect();
        (answers, ended)
    });
    assert!(ended < Duration::from_secs(11), "it took {ended:?}");
    for stream in &mut streams {
        let mut last = stream.event_or_closing();
        while last.name == "game.move" {
            last = stream.event_or_closing();
        }
        assert_eq!((last.name.as_str(), &last.id), ("closing", &None));
        assert_eq!(last.json()["reason"], "shutdown");
        assert_eq!(stream.part(), Part::End);
    }
    server.restart();
    for (game, answer) in games.iter().zip(&answers) {
        let made = answer.starts_with("HTTP/1.1 201");
        // One that the server had not taken in by then was not made, and may be sent again.
        let refused = answer.is_empty() || answer.starts_with("HTTP/1.1 503");
        assert!(made || refused, "{answer}");
        assert!(
            plies(&server, game) == 1 || !made,
            "an answered move is gone"
        );
    }
}

fn request(game: &Game) -> String {
    let body = move_body(0, "a4-a5").to_string();
    let (path, token) = (game.path("/moves"), game.red.token.as_deref().unwrap());
    let length = body.len();
    format!(
        "POST {path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {token}\r\n\
         content-type: application/json\r\ncontent-length: {length}\r\n\r\n{body}"
    )
}

/// Closed streams leave nothing behind that would be looked at, and new ones begin anew.
fn streams_come_and_go(server: &TestServer) {
    let mut game = EVEN.begin(server);
    let viewers: [&Client; 2] = [&game.red, &game.blue];
    for _ in 0..20 {
        thread::scope(|scope| {
            for viewer in viewers {
                scope.spawn(|| {
                    let mut stream = follow(&game, viewer, Some("2"));
                    assert_eq!(stream.event().number(), 3);
                });
            }
        });
    }
    let mut stream = follow(&game, &game.red, Some("3"));
    let last = game.line("a4-a5");
    assert_eq!(stream.event().json()["move"], last["move"]);
    assert_ne!(last, Value::Null);
}

on_both! {
    a_shutdown_answers_what_was_taken_in,
    a_shutdown_makes_no_move_by_halves,
    streams_come_and_go,
}
