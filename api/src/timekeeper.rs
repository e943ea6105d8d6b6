//! What the clock alone decides: outages that are given back, vacations that begin and end, warnings,
//! and games whose time is up.
//!
//! Any node does all of it, and several may do it at once: on PostgreSQL a node takes the games that no
//! other has taken.

use std::sync::Arc;
use std::time::Duration;

use actix_web::web;
use domain::{Event, Game, Timestamp};
use storage::games::{self, Due, StoredGame};
use storage::{Connection, GameId, StorageError, vacations};
use tokio::time::{MissedTickBehavior, interval};

use crate::events::Topic;
use crate::heart;
use crate::state::AppState;
use crate::usecase;

/// How often it is looked for what is due.
const PERIOD: Duration = Duration::from_secs(1);
/// How many games one write takes, so that no move waits for long behind it.
const GAMES: u32 = 100;
/// How many vacations are looked at in one go.
const VACATIONS: u32 = 100;

/// Keeps time for as long as the server runs.
pub async fn run(state: web::Data<AppState>) {
    let mut seconds = interval(PERIOD);
    seconds.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        seconds.tick().await;
        let work = Arc::clone(&state);
        let kept = state
            .database_work
            .run(move || {
                if work.heart.is_due() {
                    heart::beat(&work)?;
                }
                keep_time(&work)
            })
            .await;
        match kept.and_then(|kept| Ok(kept?)) {
            Ok(()) => {}
            Err(fault) => tracing::warn!(%fault, "cannot keep time; trying again"),
        }
    }
}

/// Does all that is due, on the thread that calls.
///
/// # Errors
/// When the database fails; what was done by then stays so.
pub fn keep_time(state: &AppState) -> Result<(), StorageError> {
    turn_vacations(state)?;
    for (what, decide) in [
        (Due::Deadline, end as Decide),
        (Due::Warning, warn as Decide),
    ] {
        while !state.lifecycle.is_stopping() {
            let now = state.now();
            let done = state
                .db
                .write(|connection| take_due(connection, what, now, decide))?;
            for stored in &done {
                state.announce(&Topic::of_game(&stored.summary));
            }
            if done.is_empty() {
                break;
            }
        }
    }
    Ok(())
}

/// What is decided of a game by the clock.
type Decide = fn(&Game, Timestamp) -> Vec<Event>;

fn end(game: &Game, now: Timestamp) -> Vec<Event> {
    game.expire(now).unwrap_or_default()
}

fn warn(game: &Game, now: Timestamp) -> Vec<Event> {
    if game.deadline().is_none_or(|deadline| deadline <= now) {
        return Vec::new();
    }
    game.warn(now).into_iter().collect()
}

/// Takes some of the games in which something is due, the longest due first, and keeps what is decided of
/// them. One that fails is left alone: it must not hold up the others.
fn take_due(
    connection: &mut Connection,
    what: Due,
    now: Timestamp,
    decide: Decide,
) -> Result<Vec<StoredGame>, StorageError> {
    let mut done = Vec::new();
    for id in games::due(connection, what, now, GAMES)? {
        let taken = connection.atomically(|connection| take(connection, id, now, decide));
        match taken {
            Ok(stored) => done.extend(stored),
            Err(StorageError::Corrupt(fault)) => {
                tracing::error!(game = %id.as_uuid(), %fault, "cannot decide a game that is due");
            }
            Err(fault) => return Err(fault),
        }
    }
    Ok(done)
}

fn take(
    connection: &mut Connection,
    id: GameId,
    now: Timestamp,
    decide: Decide,
) -> Result<Option<StoredGame>, StorageError> {
    let stored = games::load(connection, id)?;
    let events = decide(&stored.game, now);
    if events.is_empty() {
        return Ok(None);
    }
    games::append_events(connection, &stored, &events).map(Some)
}

fn turn_vacations(state: &AppState) -> Result<(), StorageError> {
    let now = state.now();
    let due = state
        .db
        .read(|connection| vacations::due(connection, now, VACATIONS))?;
    for player in due {
        usecase::vacations::settle(state, player)?;
    }
    Ok(())
}
