//! Mails that were asked for and are not sent yet: at most one of a kind for a player.
//!
//! Whoever sends one moves its time ahead first, so that no other node sends it meanwhile, and takes it
//! away when it was sent. One that was sent by a node that ended before it could say so is sent again.

use std::time::Duration;

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Binary, Text};
use domain::Timestamp;

use crate::either::DatabaseConnection as Connection;
use crate::error::{Corruption, StorageError};
use crate::ids::PlayerId;
use crate::schema::{mail_outbox, mail_reset_requests};
use crate::time::{instant, micros};

/// What a mail is to do that was asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Errand {
    /// Find out whether the address is the player's.
    Verify,
    /// Let its owner set another password.
    Reset,
    /// Say that the password was changed.
    PasswordChanged,
}

impl Errand {
    const fn name(self) -> &'static str {
        match self {
            Self::Verify => "verify",
            Self::Reset => "reset",
            Self::PasswordChanged => "password_changed",
        }
    }

    fn read(name: &str) -> Result<Self, StorageError> {
        match name {
            "verify" => Ok(Self::Verify),
            "reset" => Ok(Self::Reset),
            "password_changed" => Ok(Self::PasswordChanged),
            _ => Err(Corruption::Value { column: "kind" }.into()),
        }
    }
}

/// A mail that is to be sent now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pending {
    /// To whom.
    pub player: PlayerId,
    /// What for.
    pub errand: Errand,
    /// When it was asked for.
    pub asked_at: Timestamp,
    /// How often it was tried before.
    pub attempts: u32,
}

/// Asks for a mail. One that was asked for before and is not sent yet stands for both.
///
/// # Errors
/// None of its own.
pub fn ask(
    conn: &mut Connection,
    player: PlayerId,
    errand: Errand,
    now: Timestamp,
) -> Result<(), StorageError> {
    diesel::sql_query(
        "INSERT INTO mail_outbox (player_id, kind, asked_at, due_at, attempts) VALUES ($1, $2, $3, $3, 0) \
         ON CONFLICT (player_id, kind) DO NOTHING",
    )
    .bind::<Binary, _>(player)
    .bind::<Text, _>(errand.name())
    .bind::<BigInt, _>(micros(now))
    .execute(conn)?;
    Ok(())
}

/// Notes that somebody asked for a new password for an address, in the form in which addresses are
/// compared. The same is written whether it is any account's.
///
/// # Errors
/// None of its own.
pub fn ask_by_address(
    conn: &mut Connection,
    address: &str,
    now: Timestamp,
) -> Result<(), StorageError> {
    diesel::sql_query(
        "INSERT INTO mail_reset_requests (address, asked_at) VALUES ($1, $2) ON CONFLICT (address) DO NOTHING",
    )
    .bind::<Text, _>(address)
    .bind::<BigInt, _>(micros(now))
    .execute(conn)?;
    Ok(())
}

/// Takes some of the addresses for which somebody asked. To be turned into mails within the same write.
///
/// # Errors
/// None of its own.
pub fn take_addresses(conn: &mut Connection, limit: u32) -> Result<Vec<String>, StorageError> {
    let addresses: Vec<String> = mail_reset_requests::table
        .order(mail_reset_requests::address)
        .limit(limit.into())
        .select(mail_reset_requests::address)
        .load(conn)?;
    diesel::delete(
        mail_reset_requests::table.filter(mail_reset_requests::address.eq_any(&addresses)),
    )
    .execute(conn)?;
    Ok(addresses)
}

#[derive(QueryableByName)]
struct PendingRow {
    #[diesel(sql_type = Binary)]
    player_id: PlayerId,
    #[diesel(sql_type = Text)]
    kind: String,
    #[diesel(sql_type = BigInt)]
    asked_at: i64,
    #[diesel(sql_type = BigInt)]
    attempts: i64,
}

/// Takes mails that are due for as long as `lease`, after which another may try them.
///
/// # Errors
/// [`Corrupt`](StorageError::Corrupt) for an unknown kind.
pub fn claim(
    conn: &mut Connection,
    now: Timestamp,
    lease: Duration,
    limit: u32,
) -> Result<Vec<Pending>, StorageError> {
    let skip = match conn {
        Connection::Sqlite(_) => "",
        Connection::Postgres(_) => "FOR UPDATE SKIP LOCKED",
    };
    let query = format!(
        "SELECT player_id, kind, asked_at, attempts FROM mail_outbox WHERE due_at <= $1 \
         ORDER BY due_at LIMIT $2 {skip}"
    );
    let rows: Vec<PendingRow> = diesel::sql_query(query)
        .bind::<BigInt, _>(micros(now))
        .bind::<BigInt, _>(i64::from(limit))
        .load(conn)?;
    let mut claimed = Vec::new();
    for row in rows {
        let pending = Pending {
            player: row.player_id,
            errand: Errand::read(&row.kind)?,
            asked_at: instant(row.asked_at),
            attempts: u32::try_from(row.attempts).unwrap_or(u32::MAX),
        };
        retry(conn, &pending, now + lease)?;
        claimed.push(pending);
    }
    Ok(claimed)
}

/// Takes a mail away that was sent, or that is not to be sent after all.
///
/// # Errors
/// None of its own.
pub fn done(conn: &mut Connection, pending: &Pending) -> Result<(), StorageError> {
    diesel::delete(mail_outbox::table.find((pending.player, pending.errand.name())))
        .filter(mail_outbox::asked_at.eq(micros(pending.asked_at)))
        .execute(conn)?;
    Ok(())
}

/// Has a mail tried again at `due_at`.
///
/// # Errors
/// None of its own.
pub fn retry(
    conn: &mut Connection,
    pending: &Pending,
    due_at: Timestamp,
) -> Result<(), StorageError> {
    diesel::update(mail_outbox::table.find((pending.player, pending.errand.name())))
        .filter(mail_outbox::asked_at.eq(micros(pending.asked_at)))
        .set((
            mail_outbox::due_at.eq(micros(due_at)),
            mail_outbox::attempts.eq(i64::from(pending.attempts.saturating_add(1))),
        ))
        .execute(conn)?;
    Ok(())
}
