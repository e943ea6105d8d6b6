//! Takes away what has had its time, and closes what has expired: a function for each kind.
//!
//! Any node does all of it, and several may do it at once: each write takes what it finds, a bounded
//! part at a time, so that nobody waits for long behind one.

use std::sync::Arc;
use std::time::Duration;

use actix_web::web;
use domain::Timestamp;
use storage::feeds::SweepCursor;
use storage::{
    Connection, StorageError, challenges, facts, feeds, games, idempotency, imports, mail,
    personal_tokens, sessions, tickets,
};
use tokio::time::{Instant, MissedTickBehavior, interval_at};

use crate::events::Topic;
use crate::state::AppState;

/// How long an event of a player's stream is kept, and those of a game after its end.
pub const EVENTS_KEPT: Duration = Duration::from_hours(30 * 24);

/// How long it is told what came of an import.
const IMPORTS_KEPT: Duration = Duration::from_hours(30 * 24);
/// How long nothing may be heard of an import before it is taken for one of a node that died: each says some times
/// a minute how far it is. One that ends after all says so itself.
const IMPORT_SILENT: Duration = Duration::from_mins(5);

/// How often what runs out by the minute is looked for.
const MINUTE: Duration = Duration::from_mins(1);
/// How often all else is looked for.
const HOUR: Duration = Duration::from_hours(1);
/// How long after the start it is looked for first, when those have their answers who waited for it.
const SOON: Duration = Duration::from_secs(30);
/// How many rows one write takes away, where it is told.
const ROWS: u32 = 500;

/// The events of a game go this much later than those of the streams that refer to them, so that
/// none is told that is gone.
const GAMES_LATER: Duration = Duration::from_hours(2);

/// A kind of what is swept: its name in the log, and what sweeps it and says how much.
type Kind = (
    &'static str,
    fn(&AppState, Timestamp) -> Result<usize, StorageError>,
);

const BY_THE_MINUTE: [Kind; 3] = [
    ("expired challenges", expired_challenges),
    ("imports that nobody works on", lost_imports),
    (
        "games that statistics are folded with",
        games_for_statistics,
    ),
];
const BY_THE_HOUR: [Kind; 9] = [
    ("idempotency keys", idempotency_keys),
    ("logins", logins),
    ("personal tokens", personal_tokens),
    ("event tickets", event_tickets),
    ("tokens of mails", mail_tokens),
    ("deadlines that were told", told_deadlines),
    ("imports", old_imports),
    ("events of players", events_of_players),
    ("events of games", events_of_games),
];

/// Sweeps for as long as the server runs.
pub async fn run(state: web::Data<AppState>) {
    let minutes = async {
        let mut minutes = every(MINUTE, MINUTE);
        loop {
            minutes.tick().await;
            if let Some(limiters) = &state.rate_limiters {
                limiters.forget_idle();
            }
            sweep(&state, &BY_THE_MINUTE).await;
        }
    };
    let hours = async {
        let mut hours = every(HOUR, SOON);
        loop {
            hours.tick().await;
            sweep(&state, &BY_THE_HOUR).await;
        }
    };
    tokio::join!(minutes, hours);
}

fn every(period: Duration, first: Duration) -> tokio::time::Interval {
    let mut interval = interval_at(Instant::now() + first, period);
    interval.set_missed_tick_behavior(MissedTickBehavior::Delay);
    interval
}

/// Sweeps kinds one after another. What fails is tried again when its time comes.
async fn sweep(state: &Arc<AppState>, kinds: &[Kind]) {
    for (name, kind) in kinds {
        let (work, now, kind) = (Arc::clone(state), state.now(), *kind);
        let swept = state.database_work.run(move || kind(&work, now)).await;
        match swept.and_then(|swept| Ok(swept?)) {
            Ok(0) => {}
            Ok(swept) => tracing::debug!(swept, "{name}"),
            Err(fault) => tracing::warn!(%fault, "cannot sweep {name}; trying again later"),
        }
    }
}

/// Sweeps everything at once, whatever the time, on the thread that calls.
///
/// # Errors
/// What the first kind says that fails.
pub fn everything(state: &AppState) -> Result<(), StorageError> {
    let now = state.now();
    for (_, kind) in BY_THE_MINUTE.iter().chain(&BY_THE_HOUR) {
        kind(state, now)?;
    }
    Ok(())
}

/// Folds games that have ended into the roll-ups, so that statistics need not look at each.
fn games_for_statistics(state: &AppState, _: Timestamp) -> Result<usize, StorageError> {
    let mut all = 0;
    while !state.lifecycle.is_stopping() {
        let folded = facts::fold(&state.db, ROWS)?;
        all += folded.games;
        if !folded.more {
            break;
        }
    }
    Ok(all)
}

fn expired_challenges(state: &AppState, now: Timestamp) -> Result<usize, StorageError> {
    let mut all = 0;
    while !state.lifecycle.is_stopping() {
        let close = |connection: &mut Connection| challenges::close_expired(connection, now, ROWS);
        let closed = state.db.write(close)?;
        if closed.count == 0 {
            break;
        }
        all += closed.count;
        let topics: Vec<Topic> = closed.players.into_iter().map(Topic::Player).collect();
        state.announce(&topics);
    }
    Ok(all)
}

fn idempotency_keys(state: &AppState, now: Timestamp) -> Result<usize, StorageError> {
    in_batches(state, |connection| {
        idempotency::forget_old(connection, now, ROWS)
    })
}

fn logins(state: &AppState, now: Timestamp) -> Result<usize, StorageError> {
    in_batches(state, |connection| {
        sessions::forget_old(connection, now, ROWS)
    })
}

fn personal_tokens(state: &AppState, now: Timestamp) -> Result<usize, StorageError> {
    in_batches(state, |connection| {
        personal_tokens::forget_old(connection, now, ROWS)
    })
}

fn event_tickets(state: &AppState, now: Timestamp) -> Result<usize, StorageError> {
    in_batches(state, |connection| {
        tickets::forget_old(connection, now, ROWS)
    })
}

/// They are kept for as long as they count the mails.
fn mail_tokens(state: &AppState, now: Timestamp) -> Result<usize, StorageError> {
    let made_by = before(now, crate::mail::WINDOW);
    in_batches(state, |connection| {
        mail::forget_old(connection, made_by, ROWS)
    })
}

/// No turn is as long, so that it could be told again.
fn told_deadlines(state: &AppState, now: Timestamp) -> Result<usize, StorageError> {
    let told_by = before(now, EVENTS_KEPT);
    in_batches(state, |connection| {
        mail::forget_near(connection, told_by, ROWS)
    })
}

/// Those of a node that died.
fn lost_imports(state: &AppState, now: Timestamp) -> Result<usize, StorageError> {
    let seen_by = before(now, IMPORT_SILENT);
    state
        .db
        .write(|connection| imports::give_up(connection, seen_by, now))
}

fn old_imports(state: &AppState, now: Timestamp) -> Result<usize, StorageError> {
    let begun_by = before(now, IMPORTS_KEPT);
    in_batches(state, |connection| {
        imports::forget_old(connection, begun_by, ROWS)
    })
}

fn events_of_players(state: &AppState, now: Timestamp) -> Result<usize, StorageError> {
    let happened_by = before(now, EVENTS_KEPT);
    let (mut all, mut from) = (0, Some(SweepCursor::default()));
    while let Some(cursor) = from.filter(|_| !state.lifecycle.is_stopping()) {
        let find = |connection: &mut Connection| feeds::find_old(connection, cursor, happened_by);
        let old = state.db.read(find)?;
        if !old.is_empty() {
            all += state
                .db
                .write(|connection| feeds::forget_old(connection, &old))?;
        }
        from = old.next;
    }
    Ok(all)
}

fn events_of_games(state: &AppState, now: Timestamp) -> Result<usize, StorageError> {
    let ended_by = before(now, EVENTS_KEPT + GAMES_LATER);
    in_batches(state, |connection| {
        games::sweep_events(connection, ended_by)
    })
}

/// Writes until nothing is left or the server goes down, one bounded write after another.
fn in_batches(
    state: &AppState,
    mut batch: impl FnMut(&mut Connection) -> Result<usize, StorageError>,
) -> Result<usize, StorageError> {
    let mut all = 0;
    while !state.lifecycle.is_stopping() {
        match state.db.write(&mut batch)? {
            0 => break,
            swept => all += swept,
        }
    }
    Ok(all)
}

fn before(now: Timestamp, span: Duration) -> Timestamp {
    let micros = i64::try_from(span.as_micros()).unwrap_or(i64::MAX);
    Timestamp::from_micros(now.as_micros().saturating_sub(micros))
}
