//! The tokens that mails carry: only their digests are kept, and for a day even of those that were
//! used, so that they also count the mails.

use diesel::prelude::*;
use diesel::sql_types::BigInt;
use domain::Timestamp;

use crate::either::DatabaseConnection as Connection;
use crate::error::StorageError;
use crate::ids::{Digest, PlayerId};
use crate::schema::mail_tokens;
use crate::time::micros;

/// What a token is good for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Purpose {
    /// To show that the address is one's own.
    Verify,
    /// To set another password.
    Reset,
}

impl Purpose {
    const fn name(self) -> &'static str {
        match self {
            Self::Verify => "verify",
            Self::Reset => "reset",
        }
    }
}

/// A token to be kept.
#[derive(Debug, Clone, Copy)]
pub struct NewToken<'a> {
    /// Whose.
    pub player: PlayerId,
    /// Its digest.
    pub token: Digest,
    /// What it is good for.
    pub purpose: Purpose,
    /// The address that it goes to, in the form in which addresses are compared.
    pub address: &'a str,
    /// When.
    pub created_at: Timestamp,
    /// Until when it can be used.
    pub expires_at: Timestamp,
}

/// Keeps a token.
///
/// # Errors
/// None of its own.
pub fn issue(conn: &mut Connection, new: &NewToken<'_>) -> Result<(), StorageError> {
    diesel::insert_into(mail_tokens::table)
        .values((
            mail_tokens::player_id.eq(new.player),
            mail_tokens::hash.eq(new.token),
            mail_tokens::kind.eq(new.purpose.name()),
            mail_tokens::address.eq(new.address),
            mail_tokens::created_at.eq(micros(new.created_at)),
            mail_tokens::expires_at.eq(micros(new.expires_at)),
        ))
        .execute(conn)?;
    Ok(())
}

/// Takes a token away whose mail could not be sent.
///
/// # Errors
/// None of its own.
pub fn revoke(conn: &mut Connection, player: PlayerId, token: Digest) -> Result<(), StorageError> {
    diesel::delete(mail_tokens::table.find((player, token))).execute(conn)?;
    Ok(())
}

/// The address that a token was sent to, if it can be used at that instant.
///
/// # Errors
/// None of its own.
pub fn valid(
    conn: &mut Connection,
    player: PlayerId,
    token: Digest,
    purpose: Purpose,
    now: Timestamp,
) -> Result<Option<String>, StorageError> {
    Ok(mail_tokens::table
        .find((player, token))
        .filter(mail_tokens::kind.eq(purpose.name()))
        .filter(mail_tokens::used_at.is_null())
        .filter(mail_tokens::expires_at.gt(micros(now)))
        .select(mail_tokens::address)
        .first(conn)
        .optional()?)
}

/// Spends a token, and with it all others of the player for the same purpose. Gives the address that it
/// was sent to; `None` when it does not hold.
///
/// # Errors
/// None of its own.
pub fn spend(
    conn: &mut Connection,
    player: PlayerId,
    token: Digest,
    purpose: Purpose,
    now: Timestamp,
) -> Result<Option<String>, StorageError> {
    let Some(address) = valid(conn, player, token, purpose, now)? else {
        return Ok(None);
    };
    spend_all(conn, player, purpose, now)?;
    Ok(Some(address))
}

/// Spends all tokens of a player for a purpose: no mail that is under way serves it any more.
///
/// # Errors
/// None of its own.
pub fn spend_all(
    conn: &mut Connection,
    player: PlayerId,
    purpose: Purpose,
    now: Timestamp,
) -> Result<(), StorageError> {
    diesel::update(mail_tokens::table)
        .filter(mail_tokens::player_id.eq(player))
        .filter(mail_tokens::kind.eq(purpose.name()))
        .filter(mail_tokens::used_at.is_null())
        .set(mail_tokens::used_at.eq(Some(micros(now))))
        .execute(conn)?;
    Ok(())
}

/// How many tokens were made since then: for the player, and for the address whoever's.
///
/// # Errors
/// None of its own.
pub fn count(
    conn: &mut Connection,
    player: PlayerId,
    address: &str,
    purpose: Purpose,
    since: Timestamp,
) -> Result<(u64, u64), StorageError> {
    let made = || {
        mail_tokens::table
            .filter(mail_tokens::kind.eq(purpose.name()))
            .filter(mail_tokens::created_at.gt(micros(since)))
            .count()
    };
    let of_player: i64 = made()
        .filter(mail_tokens::player_id.eq(player))
        .get_result(conn)?;
    let of_address: i64 = made()
        .filter(mail_tokens::address.eq(address))
        .get_result(conn)?;
    let count = |count: i64| u64::try_from(count).unwrap_or(0);
    Ok((count(of_player), count(of_address)))
}

/// Takes away tokens that were made by then, at most `limit`; says how many.
///
/// # Errors
/// None of its own.
pub fn forget_old(
    conn: &mut Connection,
    made_by: Timestamp,
    limit: u32,
) -> Result<usize, StorageError> {
    Ok(diesel::sql_query(FORGET)
        .bind::<BigInt, _>(micros(made_by))
        .bind::<BigInt, _>(i64::from(limit))
        .execute(conn)?)
}

const FORGET: &str = "DELETE FROM mail_tokens WHERE (player_id, hash) IN \
     (SELECT player_id, hash FROM mail_tokens WHERE created_at <= $1 ORDER BY created_at LIMIT $2)";
