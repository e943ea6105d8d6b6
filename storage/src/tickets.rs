//! Tickets that open an event stream once.

use diesel::prelude::*;
use diesel::sql_types::BigInt;
use domain::Timestamp;

use crate::either::DatabaseConnection as Connection;
use crate::error::StorageError;
use crate::ids::{CredentialId, Digest, PlayerId};
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
    /// The login or personal token that asks for it, with which the stream ends.
    pub credential: Option<CredentialId>,
}

/// What a ticket was good for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Spent {
    /// When the stream that it opens ends.
    pub stream_until: Timestamp,
    /// The login or personal token that asked for it.
    pub credential: Option<CredentialId>,
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
            event_tickets::credential_id.eq(new.credential),
        ))
        .execute(conn)?;
    Ok(())
}

/// Spends a ticket: says what it is good for; `None` when it does not hold.
///
/// # Errors
/// None of its own.
pub fn spend(
    conn: &mut Connection,
    player: PlayerId,
    ticket: Digest,
    now: Timestamp,
) -> Result<Option<Spent>, StorageError> {
    let spent: Option<(i64, Option<CredentialId>)> =
        diesel::delete(event_tickets::table.find((player, ticket)))
            .filter(event_tickets::expires_at.gt(micros(now)))
            .returning((event_tickets::stream_until, event_tickets::credential_id))
            .get_result(conn)
            .optional()?;
    Ok(spent.map(|(until, credential)| Spent {
        stream_until: instant(until),
        credential,
    }))
}

/// Takes away the tickets of a player, but for those that a credential asked for if it is named.
pub(crate) fn take_away(
    conn: &mut Connection,
    player: PlayerId,
    except: Option<CredentialId>,
) -> Result<(), StorageError> {
    let own = event_tickets::table.filter(event_tickets::player_id.eq(player));
    match except {
        None => diesel::delete(own).execute(conn)?,
        Some(kept) => {
            let asked = event_tickets::credential_id;
            diesel::delete(own.filter(asked.is_null().or(asked.ne(kept)))).execute(conn)?
        }
    };
    Ok(())
}

/// Takes away the tickets that a credential of a player asked for.
pub(crate) fn take_away_of(
    conn: &mut Connection,
    player: PlayerId,
    credential: CredentialId,
) -> Result<(), StorageError> {
    let own = event_tickets::table.filter(event_tickets::player_id.eq(player));
    diesel::delete(own.filter(event_tickets::credential_id.eq(credential))).execute(conn)?;
    Ok(())
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
