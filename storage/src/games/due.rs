//! Games in which something is due by the clock.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Binary};
use domain::Timestamp;

use crate::either::DatabaseConnection as Connection;
use crate::error::StorageError;
use crate::ids::GameId;
use crate::time::micros;

/// What is due.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Due {
    /// The end: time has run out.
    Deadline,
    /// To say that time is nearly up.
    Warning,
}

#[derive(QueryableByName)]
struct Found {
    #[diesel(sql_type = Binary)]
    id: GameId,
}

/// Some of the games in which something is due by then, the one that was due first first; at most
/// `limit`. On PostgreSQL they are locked for this write, and those that another node has locked are
/// left out.
///
/// # Errors
/// None of its own.
pub fn due(
    conn: &mut Connection,
    what: Due,
    now: Timestamp,
    limit: u32,
) -> Result<Vec<GameId>, StorageError> {
    // In the words of the indexes, or they would not be used.
    let (filter, order) = match what {
        Due::Deadline => (
            "COALESCE(deadline, 9223372036854775807) <= $1",
            "COALESCE(deadline, 9223372036854775807), id",
        ),
        Due::Warning => ("near_at IS NOT NULL AND near_at <= $1", "near_at"),
    };
    let lock = match conn {
        Connection::Sqlite(_) => "",
        Connection::Postgres(_) => " FOR UPDATE SKIP LOCKED",
    };
    let query = format!("SELECT id FROM games WHERE {filter} ORDER BY {order} LIMIT $2{lock}");
    let found: Vec<Found> = diesel::sql_query(query)
        .bind::<BigInt, _>(micros(now))
        .bind::<BigInt, _>(i64::from(limit))
        .load(conn)?;
    Ok(found.into_iter().map(|found| found.id).collect())
}
