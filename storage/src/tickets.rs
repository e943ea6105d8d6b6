//! Tickets that open an event stream once.

use diesel::prelude::*;
use diesel::sql_types::BigInt;
use domain::Timestamp;

use crate::either::DatabaseConnection as Connection;
use crate::error::StorageError;
use crate::ids::{Digest, PlayerId};
use crate::schema::event_tickets;
use crate::time::{instant, micros};

/// A ticket to be kept.
#[derive(Debug, Clone, Copy)]
pub struct NewTicket {
    /// Whose streams it opens.
    pub player_id: PlayerId,
    /// Its digest.
    pub ticket: Digest,
    /// Until when it can be used.
    pub expires_at: Timestamp,
    /// When a stream that it opened ends.
    pub stream_until: Timestamp,
}

/// Keeps a ticket.
///
/// # Errors
/// None of its own.
pub fn issue(conn: &mut Connection, new: &NewTicket) -> Result<(), StorageError> {
    diesel::insert_into(event_tickets::table)
        .values((
            event_tickets::player_id.eq(new.player_id),
            event_tickets::hash.eq(new.ticket),
            event_tickets::expires_at.eq(micros(new.expires_at)),
            event_tickets::stream_until.eq(micros(new.stream_until)),
        ))
        .execute(conn)?;
    Ok(())
}

/// Spends a ticket: says when the stream that it opens ends; `None` when it does not hold.
///
/// # Errors
/// None of its own.
pub fn spend(
    conn: &mut Connection,
    player: PlayerId,
    ticket: Digest,
    now: Timestamp,
) -> Result<Option<Timestamp>, StorageError> {
    let until: Option<i64> = diesel::delete(event_tickets::table.find((player, ticket)))
        .filter(event_tickets::expires_at.gt(micros(now)))
        .returning(event_tickets::stream_until)
        .get_result(conn)
        .optional()?;
    Ok(until.map(instant))
}

/// Takes away tickets that nobody used in time, at most `limit`; says how many.
///
/// # Errors
/// None of its own.
pub fn forget_old(
    conn: &mut Connection,
    now: Timestamp,
    limit: u32,
) -> Result<usize, StorageError> {
    Ok(diesel::sql_query(FORGET)
        .bind::<BigInt, _>(micros(now))
        .bind::<BigInt, _>(i64::from(limit))
        .execute(conn)?)
}

const FORGET: &str = "DELETE FROM event_tickets WHERE (player_id, hash) IN \
     (SELECT player_id, hash FROM event_tickets WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2)";
