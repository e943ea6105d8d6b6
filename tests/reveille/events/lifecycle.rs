//! Streams when the server goes down, and readers that do not read. C12, D11.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;
use tests::game::move_body;
use tests::sse::Part;
use tests::{Backend, Client, EventStream, Game, TestServer, on_both};

use super::{assert_dense, follow};
use crate::lines::EVEN;

/// D11: SIGTERM while moves are under way and streams are open. What was asked is answered and kept,
/// streams say why they end, and the program ends in time.
fn a_shutdown_answers_what_is_under_way(backend: Backend) {
    let mut server = TestServer::start_with(backend, &[("REVEILLE_SHUTDOWN_TIMEOUT", "10")]);
    let games: Vec<Game> = (0..20).map(|_| EVEN.begin(&server)).collect();
    let mut streams: Vec<EventStream> = games[..4]
        .iter()
        .map(|game| follow(game, &game.blue, None))
        .collect();
    streams.push(super::follow_me(&games[4].blue, None));
    for stream in &mut streams {
        assert_eq!(stream.part(), Part::Retry(3000));
    }
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
        let red = game.red.at(server.url());
        let ply = red.get(&game.path("")).ok(200)["ply"].clone();
        assert!(!made || ply == 1, "an answered move is gone");
        let log = red.get(&game.path("/moves")).ok(200);
        assert_eq!(
            log["items"].as_array().unwrap().len() as u64,
            ply.as_u64().unwrap()
        );
        let told = follow(game, &red, Some("0")).events(if ply == 1 { 4 } else { 3 });
        assert_dense(&told, 1);
        let retried = red
            .post(&game.path("/moves"), &move_body(0, "a4-a5"))
            .status;
        assert_eq!(retried, if ply == 1 { 200 } else { 201 });
    }
    let made = answers
        .iter()
        .filter(|answer| answer.starts_with("HTTP/1.1 201"));
    assert!(made.count() > 0, "{answers:?}");
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

/// A stream is dropped that nobody reads, and whoever does read goes on: what is kept for him is
/// bounded, and with the last event that he has he misses nothing.
fn a_reader_that_does_not_read_misses_nothing(server: &TestServer) {
    let mut game = EVEN.begin(server);
    let mut slow = follow(&game, &game.blue, None);
    let mut quick = follow(&game, &game.red, None);
    let shuttle = [
        "a4-a5", "a7-a8", "b4-b5", "b7-b8", "a5-a4", "a8-a7", "b5-b4", "b8-b7",
    ];
    let moves: u64 = 240;
    for notation in shuttle.iter().cycle().take(usize::try_from(moves).unwrap()) {
        game.attempt(notation).ok(201);
        game.ply += 1;
        quick.event();
    }
    // He wakes up: what was written for him by then, and then either all the rest or the reason.
    let mut told = Vec::new();
    while (told.len() as u64) < moves {
        let event = slow.event_or_closing();
        if event.name == "closing" {
            assert_eq!(event.json()["reason"], "too_slow");
            slow = follow(&game, &game.blue, Some(&(3 + told.len()).to_string()));
            continue;
        }
        told.push(event);
    }
    assert_dense(&told, 4);
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
    a_shutdown_answers_what_is_under_way,
    a_reader_that_does_not_read_misses_nothing,
    streams_come_and_go,
}
