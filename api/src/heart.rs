//! Whether this node's sign of life is fresh, and the credit for an outage.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use domain::Timestamp;
use storage::{Connection, StorageError, heartbeat};

use crate::state::AppState;

/// How often a node notes that it runs.
pub const BEAT: Duration = Duration::from_secs(10);

/// When this node last noted that it runs, by a clock that nobody sets.
///
/// Only a node that has not done so for a while can have seen an outage: one that starts, or one that
/// the database was away from. So a clock that is set forward while the server runs is none.
#[derive(Debug, Default)]
pub struct Heart {
    last: Mutex<Option<Instant>>,
}

impl Heart {
    fn age(&self) -> Option<Duration> {
        let last = self.last.lock().ok()?;
        last.map(|last| last.elapsed())
    }

    fn note(&self) {
        if let Ok(mut last) = self.last.lock() {
            *last = Some(Instant::now());
        }
    }

    /// Whether it is time for the next.
    pub fn is_due(&self) -> bool {
        self.age().is_none_or(|age| age >= BEAT)
    }

    /// Whether an outage can have gone unnoticed: before a game is ended by the clock, that is asked.
    pub fn may_have_missed_an_outage(&self) -> bool {
        self.age().is_none_or(|age| age >= heartbeat::OUTAGE)
    }
}

/// Notes that this node runs. If no node did for longer than [`OUTAGE`](heartbeat::OUTAGE), that time is
/// given back to every side whose clock ran, in the same write.
///
/// # Errors
/// When the database fails.
pub fn beat(state: &AppState) -> Result<(), StorageError> {
    let now = state.now();
    state
        .db
        .write(|connection| beat_within(connection, state, now))?;
    state.heart.note();
    Ok(())
}

/// As [`beat`], within a write that goes on.
///
/// # Errors
/// When the database fails.
fn beat_within(
    connection: &mut Connection,
    state: &AppState,
    now: Timestamp,
) -> Result<(), StorageError> {
    let before = heartbeat::beat(connection, now)?;
    let Some(before) = before.filter(|before| now.since(*before) > heartbeat::OUTAGE) else {
        return Ok(());
    };
    if state.heart.may_have_missed_an_outage() {
        let games = heartbeat::credit(connection, before, now)?;
        let seconds = now.since(before).as_secs();
        tracing::warn!(seconds, games, "no node ran: the time is given back");
    }
    Ok(())
}
