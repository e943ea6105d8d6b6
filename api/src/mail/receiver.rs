//! A player to whom mail may go.

use domain::Timestamp;
use jiff::tz::TimeZone;
use storage::mail::{self, MailState};
use storage::players::{self, Account};
use storage::{Connection, PlayerId, StorageError};

use super::{MailKind, local_time};
use crate::wire::account::Preferences;

/// A player whose address is verified.
pub(super) struct Receiver {
    /// The name.
    pub(super) username: String,
    /// Where mail goes.
    pub(super) email: String,
    /// The same in the form in which addresses are compared.
    pub(super) verified: String,
    /// What is wanted.
    pub(super) preferences: Preferences,
    /// How far the player was told.
    pub(super) state: MailState,
}

impl Receiver {
    /// The player, if mail may go there.
    pub(super) fn load(
        connection: &mut Connection,
        player: PlayerId,
    ) -> Result<Option<Self>, StorageError> {
        let account = players::account(connection, player)?;
        let state = mail::state(connection, player)?;
        let (Some(email), Some(verified), Some(state)) =
            (account.email, account.verified_email, state)
        else {
            return Ok(None);
        };
        Ok(Some(Self {
            username: account.player.username,
            email,
            verified,
            preferences: preferences_of(&account.preferences),
            state,
        }))
    }

    /// The time zone.
    pub(super) fn zone(&self) -> TimeZone {
        local_time::zone(self.preferences.tz.as_deref())
    }
}

/// Preferences as they are kept. What cannot be read is taken for the defaults: a mail more or less.
fn preferences_of(json: &str) -> Preferences {
    Preferences::from_json(json).unwrap_or_default()
}

/// Plans the next digest of an account, after something changed that it depends on.
///
/// # Errors
/// None of its own.
pub fn plan_digest(
    connection: &mut Connection,
    account: &Account,
    now: Timestamp,
) -> Result<(), StorageError> {
    let player = account.player.id;
    let Some(state) = mail::state(connection, player)? else {
        return Ok(());
    };
    let preferences = preferences_of(&account.preferences);
    let is_wanted = account.verified_email.is_some() && MailKind::Digest.is_wanted(&preferences);
    let planned = state.told.digest_at;
    let next = match planned {
        _ if !is_wanted => None,
        // It is about to be sent.
        Some(at) if at <= now => planned,
        _ => {
            let zone = local_time::zone(preferences.tz.as_deref());
            local_time::next_digest(now, &zone, state.told.digest_day)
        }
    };
    if next == planned {
        return Ok(());
    }
    mail::plan_digest(connection, player, next)
}
