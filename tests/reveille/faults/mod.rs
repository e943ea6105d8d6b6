//! Faults that a server survives: after each of them every acknowledged move is there exactly once.
//!
//! Each test prints what it counted (`cargo nextest run --no-capture`); the long rounds of
//! `tests/run --long` cause each fault more often.

mod clock_back;
mod endings;
mod full_disk;
mod kills;
mod nodes;
mod start;
mod syncs;

use tests::pressure::{Tally, verify};
use tests::table::Table;
use tests::{Backend, TestServer, integrity};

/// How many games are played at once.
const GAMES: usize = 6;

/// Holds the games against what was acknowledged, and the file against SQLite's own check.
fn audit(tally: &mut Tally, tables: &[Table], server: &TestServer) {
    tally.unanswered += verify(tables, server.url());
    if server.backend() == Backend::Sqlite {
        integrity::assert_sound(&server.data_folder().join("reveille.db"));
    }
}
