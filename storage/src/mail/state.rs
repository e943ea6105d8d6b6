//! How far a player was told by mail.
//!
//! Whoever makes a mail notes here, in a write of its own, that it was made, and sends it afterwards. Of
//! two nodes that saw the same state one succeeds, so that each mail is made once.

use diesel::prelude::*;
use domain::Timestamp;

use crate::either::DatabaseConnection as Connection;
use crate::error::StorageError;
use crate::ids::{Digest, PlayerId};
use crate::schema::{mail_state, players};
use crate::time::{instant, micros};

/// How far a player was told.
#[derive(Clone)]
pub struct MailState {
    /// Whose.
    pub player: PlayerId,
    version: i64,
    /// What the links that stop a kind of mail are signed with.
    pub unsubscribe_key: [u8; 32],
    /// What was told.
    pub told: Told,
}

/// What was told, and what is to be told when.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Told {
    /// Turns that began until then were told.
    pub turns: Timestamp,
    /// When the last mail about turns was made.
    pub turns_mailed_at: Option<Timestamp>,
    /// When the last mail about near deadlines was made.
    pub near_mailed_at: Option<Timestamp>,
    /// When the next digest is due.
    pub digest_at: Option<Timestamp>,
    /// The day of the last digest in the player's time zone, in days since 1970.
    pub digest_day: Option<i64>,
    /// Until when the last digest told.
    pub digest: Timestamp,
}

type StateRow = (
    i64,
    Digest,
    i64,
    Option<i64>,
    Option<i64>,
    Option<i64>,
    Option<i64>,
    i64,
);

/// How far a player was told; `None` for one who never had a verified address.
///
/// # Errors
/// None of its own.
pub fn state(conn: &mut Connection, player: PlayerId) -> Result<Option<MailState>, StorageError> {
    let row: Option<StateRow> = mail_state::table
        .find(player)
        .select((
            mail_state::version,
            mail_state::unsubscribe_key,
            mail_state::turns_told,
            mail_state::turns_mailed_at,
            mail_state::near_mailed_at,
            mail_state::digest_at,
            mail_state::digest_day,
            mail_state::digest_told,
        ))
        .first(conn)
        .optional()?;
    Ok(row.map(
        |(version, key, turns, turns_mailed, near_mailed, digest_at, digest_day, digest)| {
            MailState {
                player,
                version,
                unsubscribe_key: key.0,
                told: Told {
                    turns: instant(turns),
                    turns_mailed_at: turns_mailed.map(instant),
                    near_mailed_at: near_mailed.map(instant),
                    digest_at: digest_at.map(instant),
                    digest_day,
                    digest: instant(digest),
                },
            }
        },
    ))
}

/// Begins to tell a player who has a verified address now: of what happens from now on. Who was told
/// before keeps the key of his links.
///
/// # Errors
/// None of its own.
pub fn begin(
    conn: &mut Connection,
    player: PlayerId,
    unsubscribe_key: [u8; 32],
    now: Timestamp,
) -> Result<(), StorageError> {
    let rows = diesel::update(mail_state::table.find(player))
        .set((
            mail_state::version.eq(mail_state::version + 1),
            mail_state::turns_told.eq(micros(now)),
            mail_state::digest_told.eq(micros(now)),
        ))
        .execute(conn)?;
    if rows == 0 {
        diesel::insert_into(mail_state::table)
            .values((
                mail_state::player_id.eq(player),
                mail_state::version.eq(0),
                mail_state::unsubscribe_key.eq(Digest(unsubscribe_key)),
                mail_state::turns_told.eq(micros(now)),
                mail_state::digest_told.eq(micros(now)),
            ))
            .execute(conn)?;
    }
    Ok(())
}

/// Notes what is told now, if the state is still as it was seen and the address still the verified one.
/// Says whether it was: only then may the mail be sent, after the commit.
///
/// # Errors
/// None of its own.
pub fn advance(
    conn: &mut Connection,
    seen: &MailState,
    address: Option<&str>,
    told: &Told,
) -> Result<bool, StorageError> {
    let verified: Option<Option<String>> = players::table
        .find(seen.player)
        .select(players::verified_email)
        .first(conn)
        .optional()?;
    if verified.flatten().as_deref() != address {
        return Ok(false);
    }
    let rows = diesel::update(mail_state::table.find(seen.player))
        .filter(mail_state::version.eq(seen.version))
        .set((
            mail_state::version.eq(seen.version + 1),
            mail_state::turns_told.eq(micros(told.turns)),
            mail_state::turns_mailed_at.eq(told.turns_mailed_at.map(micros)),
            mail_state::near_mailed_at.eq(told.near_mailed_at.map(micros)),
            mail_state::digest_at.eq(told.digest_at.map(micros)),
            mail_state::digest_day.eq(told.digest_day),
            mail_state::digest_told.eq(micros(told.digest)),
        ))
        .execute(conn)?;
    Ok(rows == 1)
}

/// Says when a player's next digest is due, if ever.
///
/// # Errors
/// None of its own.
pub fn plan_digest(
    conn: &mut Connection,
    player: PlayerId,
    at: Option<Timestamp>,
) -> Result<(), StorageError> {
    diesel::update(mail_state::table.find(player))
        .set((
            mail_state::version.eq(mail_state::version + 1),
            mail_state::digest_at.eq(at.map(micros)),
        ))
        .execute(conn)?;
    Ok(())
}

/// Players with a verified address whose digest is due, those who wait longest first.
///
/// # Errors
/// None of its own.
pub fn due_digests(
    conn: &mut Connection,
    now: Timestamp,
    limit: u32,
) -> Result<Vec<PlayerId>, StorageError> {
    let verified = players::table
        .filter(players::verified_email.is_not_null())
        .select(players::id);
    Ok(mail_state::table
        .filter(mail_state::player_id.eq_any(verified))
        .filter(mail_state::digest_at.is_not_null())
        .filter(mail_state::digest_at.le(micros(now)))
        .order((mail_state::digest_at, mail_state::player_id))
        .limit(limit.into())
        .select(mail_state::player_id)
        .load(conn)?)
}
