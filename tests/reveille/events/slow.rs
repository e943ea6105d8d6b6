//! Readers that do not read.

use std::fs;

use tests::{Backend, EventStream, Game, TestServer, on_both};

use super::{assert_dense, follow};
use crate::lines::EVEN;

/// How many do not read.
const READERS: usize = 60;
/// After so many moves nothing more fits into what the connection and the system hold for a reader.
const FILLING: u64 = 700;
/// How many moves come then: more than a reader may fall behind.
const MISSED: u64 = 1_000;
/// How much the server may grow meanwhile, in KiB: half of what the readers have not read.
const GROWTH: u64 = 13 * 1_024;

/// Moves that lead back to where they began.
const SHUTTLE: [&str; 8] = [
    "a4-a5", "a7-a8", "b4-b5", "b7-b8", "a5-a4", "a8-a7", "b5-b4", "b8-b7",
];

/// Makes moves, of which somebody else hears at once.
fn shuttle(game: &mut Game, quick: &mut EventStream, moves: u64) {
    let from = usize::try_from(game.ply).unwrap();
    let moves = usize::try_from(moves).unwrap();
    for notation in SHUTTLE.iter().cycle().skip(from).take(moves) {
        game.attempt(notation).ok(201);
        game.ply += 1;
        quick.event();
    }
}

fn resident(server: &TestServer) -> u64 {
    let status = fs::read_to_string(format!("/proc/{}/status", server.pid())).unwrap();
    let line = status.lines().find(|line| line.starts_with("VmRSS:"));
    let number = line.and_then(|line| line.split_whitespace().nth(1));
    number.expect("a number of KiB").parse().unwrap()
}

/// They are dropped, and say so; nothing is kept for them meanwhile; and with the last event that one
/// has he misses nothing.
fn a_reader_that_does_not_read_is_dropped(backend: Backend) {
    let server = TestServer::start(backend);
    let mut game = EVEN.begin(&server);
    let mut quick = follow(&game, &game.red, None);
    let path = game.path("/events");
    let mut slow: Vec<EventStream> = (0..READERS)
        .map(|_| EventStream::open_narrow(&game.blue, &path))
        .collect();
    shuttle(&mut game, &mut quick, 40);
    // They have read all there was, so that it is on them that they fall behind.
    for reader in &mut slow {
        reader.up_to(43);
    }
    shuttle(&mut game, &mut quick, FILLING);
    let before = resident(&server);
    shuttle(&mut game, &mut quick, MISSED);
    let grown = resident(&server).saturating_sub(before);
    println!("{READERS} readers that do not read: {grown} KiB");
    // A connection to PostgreSQL has its share of the memory, and how many there are is chance.
    assert!(
        backend == Backend::Postgres || grown < GROWTH,
        "{grown} KiB"
    );
    let last = 43 + FILLING + MISSED;
    for (place, mut reader) in slow.into_iter().enumerate() {
        let mut told = Vec::new();
        let reason = loop {
            let event = reader.event_or_closing();
            if event.name == "closing" {
                break event;
            }
            told.push(event);
        };
        assert_eq!(reason.json()["reason"], "too_slow");
        assert_dense(&told, 44);
        let heard = 43 + told.len() as u64;
        assert!(heard < last, "he was told all, whether he read or not");
        // Each would hear the same.
        if place == 0 {
            let rest = follow(&game, &game.blue, Some(&heard.to_string())).up_to(last);
            assert_dense(&rest, heard + 1);
        }
    }
}

on_both! { a_reader_that_does_not_read_is_dropped }
