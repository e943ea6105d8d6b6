//! The sign of life of the nodes, and what an outage took from the clocks.

use std::time::Duration;

use diesel::prelude::*;
use diesel::sql_types::BigInt;
use domain::Timestamp;

use crate::either::DatabaseConnection as Connection;
use crate::error::StorageError;
use crate::games;
use crate::ids::GameId;
use crate::schema::{games as games_table, heartbeat};
use crate::time::{instant, micros};

const ROW: i16 = 1;

/// Notes that a node runs; gives the instant that was noted before, if any. Belongs into a
/// [`write`](crate::Database::write): of nodes that do so at once, each sees what the one before it noted.
///
/// # Errors
/// None of its own.
pub fn beat(conn: &mut Connection, now: Timestamp) -> Result<Option<Timestamp>, StorageError> {
    let first = diesel::insert_into(heartbeat::table)
        .values((heartbeat::id.eq(ROW), heartbeat::beat_at.eq(micros(now))));
    let row = heartbeat::table.find(ROW).select(heartbeat::beat_at);
    let (inserted, before): (usize, i64) = match conn {
        Connection::Sqlite(conn) => (
            first.on_conflict_do_nothing().execute(conn)?,
            row.first(conn)?,
        ),
        Connection::Postgres(conn) => (
            first.on_conflict_do_nothing().execute(conn)?,
            row.for_update().first(conn)?,
        ),
    };
    if inserted == 1 {
        return Ok(None);
    }
    if before < micros(now) {
        diesel::update(heartbeat::table.find(ROW))
            .set(heartbeat::beat_at.eq(micros(now)))
            .execute(conn)?;
    }
    Ok(Some(instant(before)))
}

/// When last no node ran for longer than [`OUTAGE`], and until when.
///
/// # Errors
/// None of its own.
pub fn last_outage(conn: &mut Connection) -> Result<Option<(Timestamp, Timestamp)>, StorageError> {
    let row: Option<(Option<i64>, Option<i64>)> = heartbeat::table
        .find(ROW)
        .select((heartbeat::outage_from, heartbeat::outage_until))
        .first(conn)
        .optional()?;
    let outage = row.and_then(|(from, until)| from.zip(until));
    Ok(outage.map(|(from, until)| (instant(from), instant(until))))
}

/// Notes an outage, and gives the time between its instants back to every side whose clock ran; says
/// in how many games. Belongs into the write that noted it, so that it is done once.
///
/// # Errors
/// None of its own.
pub fn credit(
    conn: &mut Connection,
    began: Timestamp,
    ended: Timestamp,
) -> Result<usize, StorageError> {
    // Where nobody could do much between two outages, they are one.
    let from = match last_outage(conn)? {
        Some((from, until)) if began < until + OUTAGE => from,
        _ => began,
    };
    diesel::update(heartbeat::table.find(ROW))
        .set((
            heartbeat::outage_from.eq(Some(micros(from))),
            heartbeat::outage_until.eq(Some(micros(ended))),
        ))
        .execute(conn)?;
    let credited = credit_at_once(conn, began, ended)?;
    let resting: Vec<GameId> = games_table::table
        .filter(games_table::finished_at.is_null())
        .filter(games_table::deadline.is_not_null())
        .filter(games_table::weekends.eq(true))
        .select(games_table::id)
        .load(conn)?;
    for id in &resting {
        let stored = games::load(conn, *id)?;
        if let Some(event) = stored.game.credit(began, ended) {
            games::append_events(conn, &stored, &[event])?;
        }
    }
    Ok(credited + resting.len())
}

/// Of the games whose clocks run every day, in two statements however many they are: the entry in the
/// log, and what the row repeats of it.
fn credit_at_once(
    conn: &mut Connection,
    began: Timestamp,
    ended: Timestamp,
) -> Result<usize, StorageError> {
    let every_day = match conn {
        Connection::Sqlite(_) => "weekends = 0",
        Connection::Postgres(_) => "NOT weekends",
    };
    // SQLite numbers parameters as they first come.
    let span = "CASE WHEN updated_at > $1 THEN $2 - updated_at ELSE $2 - $1 END";
    let which = format!(
        "finished_at IS NULL AND deadline IS NOT NULL AND {every_day} AND updated_at < $2 AND $1 < $2"
    );
    let entries = format!(
        "INSERT INTO clock_entries (game_id, seq, kind, span, happened_at) \
         SELECT id, version, 'credited', {span}, $2 FROM games WHERE {which}"
    );
    let rows = format!(
        "UPDATE games SET version = version + 1, deadline = deadline + {span}, \
         near_at = near_at + {span}, updated_at = $2 WHERE {which}"
    );
    let mut credited = 0;
    for query in [entries, rows] {
        credited = diesel::sql_query(query)
            .bind::<BigInt, _>(micros(began))
            .bind::<BigInt, _>(micros(ended))
            .execute(conn)?;
    }
    Ok(credited)
}

/// For how long nobody may have noted anything before it counts as an outage.
pub const OUTAGE: Duration = Duration::from_mins(1);
