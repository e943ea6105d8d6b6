use std::sync::Arc;

use domain::Timestamp;
use rand::rand_core::TryRng;
use rand::rngs::SysRng;
use storage::players::{self, Account, AccountChange, Erased, Player};
use storage::{Connection, Database, PlayerId, StorageError, Unique, credentials};

use crate::auth::{Caller, ended_refusal};
use crate::events::Topic;
use crate::mail;
use crate::problem::{ApiError, Code, RETRY_SOON};
use crate::state::AppState;
use crate::usecase::games::{resign_all, unfinished};
use crate::usecase::usernames::{ERASED_PREFIX, username_key};
use crate::wire::account::Preferences;
use crate::wire::patch::Patch;

/// How many random characters the name of an erased account has.
const ERASED_CHARS: usize = 12;
/// How often erasing is tried anew: because a game began meanwhile, or the drawn name is taken.
const ATTEMPTS: usize = 8;

/// What changes of an account; none stays as it is.
#[derive(Debug, Clone, Default)]
pub struct AccountPatch {
    /// Another address, or none.
    pub email: Patch<String>,
    /// Other preferences, as JSON.
    pub preferences: Option<String>,
}

/// The caller's account.
///
/// # Errors
/// 401 for an erased one.
pub fn account(db: &Database, caller: PlayerId) -> Result<Account, ApiError> {
    let account = db
        .read(|connection| players::account(connection, caller))
        .map_err(known)?;
    active(&account.player)?;
    Ok(account)
}

/// Changes the caller's account: `change` sees it as it is and says what is to differ.
///
/// # Errors
/// 401 for an erased one, or when the login or token has ended.
pub fn update(
    db: &Database,
    caller: Caller,
    now: Timestamp,
    change: impl Fn(&Account) -> Result<AccountPatch, ApiError>,
) -> Result<Account, ApiError> {
    db.write(|connection| {
        let player = require_alive(connection, caller)?.id;
        let account = players::account(connection, player)?;
        let patch = change(&account)?;
        let change = AccountChange {
            email: match &patch.email {
                Patch::Absent => None,
                Patch::Null => Some(None),
                Patch::Value(email) => Some(Some(email)),
            },
            preferences: patch.preferences.as_deref(),
        };
        let account = players::update(connection, player, &change).map_err(known)?;
        mail::plan_digest(connection, &account, now)?;
        Ok(account)
    })
}

/// Erases the caller's account: running games are resigned, logins, tokens and streams end, open
/// challenges vanish, what is the player's own goes (see [`storage::erasure`]), and a name that says
/// nothing takes the place of the name.
///
/// # Errors
/// 401 for an erased one, or when the login has ended.
pub async fn erase(state: &Arc<AppState>, caller: Caller) -> Result<(), ApiError> {
    let db = state.db.clone();
    let player = move || db.read(|connection| Ok(require_alive(connection, caller)?.id));
    let player: PlayerId = state.database_work.try_run(player).await?;
    for _ in 0..ATTEMPTS {
        resign_all(state, player).await?;
        let (db, name, now) = (state.db.clone(), erased_name()?, state.now());
        let erase = move || {
            db.write_holding(&[player], |connection| {
                // A challenge may have been accepted while the other games were resigned.
                if !unfinished(connection, player)?.is_empty() {
                    return Ok(None);
                }
                let key = username_key(&name);
                players::erase(connection, player, &name, &key, now).map(Some)
            })
        };
        match state.database_work.run(erase).await? {
            Ok(Some(Erased { concerned, ended })) => {
                let topics: Vec<Topic> = concerned.into_iter().map(Topic::Player).collect();
                state.announce(&topics);
                state.listeners.end(player);
                state.end_credentials(player, &ended);
                return Ok(());
            }
            Ok(None) | Err(StorageError::Duplicate(Unique::Username)) => {}
            Err(StorageError::Conflict) => return Err(erased()),
            Err(error) => return Err(error.into()),
        }
    }
    Err(ApiError::unavailable(
        "games began faster than they could be resigned; try again",
        RETRY_SOON,
    ))
}

/// The preferences of a player.
///
/// # Errors
/// When they are not as this program keeps them.
pub fn preferences(connection: &mut Connection, player: PlayerId) -> Result<Preferences, ApiError> {
    let account = players::account(connection, player)?;
    Preferences::from_json(&account.preferences).map_err(|fault| ApiError::internal(&fault))
}

/// The caller as a player whose account is there: what every write of a caller begins with.
///
/// # Errors
/// 401 for an erased account: its tokens serve no more. 403 for one that is suspended.
pub fn require_active(connection: &mut Connection, caller: PlayerId) -> Result<Player, ApiError> {
    let player = players::by_id(connection, caller).map_err(known)?;
    active(&player)?;
    Ok(player)
}

/// As [`require_active`], for what outlasts the login or token that the caller shows, or cannot be made
/// good: that it has not ended is read from the database, whatever this node has heard.
///
/// # Errors
/// As [`require_active`]; 401 when the login or token has ended.
pub fn require_alive(connection: &mut Connection, caller: Caller) -> Result<Player, ApiError> {
    let player = require_active(connection, caller.player())?;
    let is_alive = match caller.credential.id() {
        Some(id) => credentials::is_alive(connection, player.id, id)?,
        None => false,
    };
    if is_alive {
        Ok(player)
    } else {
        Err(ended_refusal())
    }
}

fn active(player: &Player) -> Result<(), ApiError> {
    if player.erased_at.is_some() {
        return Err(erased());
    }
    if player.suspended_at.is_some() {
        return Err(suspended());
    }
    Ok(())
}

/// The refusal of a player who may do nothing here for now.
fn suspended() -> ApiError {
    ApiError::new(Code::Forbidden, "this account is suspended")
}

/// A token of ours whose player is not there is as good as one of an erased player.
fn known(error: StorageError) -> ApiError {
    match error {
        StorageError::NotFound => erased(),
        error => error.into(),
    }
}

/// The refusal of a token whose account was erased.
pub fn erased() -> ApiError {
    ApiError::new(
        Code::Unauthenticated,
        "the account of this token was erased",
    )
}

fn erased_name() -> Result<String, ApiError> {
    // 32 characters: a byte maps onto them evenly.
    const ALPHABET: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";
    let mut bytes = [0; ERASED_CHARS];
    SysRng
        .try_fill_bytes(&mut bytes)
        .map_err(|fault| ApiError::internal(&fault))?;
    let drawn = bytes.map(|byte| char::from(ALPHABET[usize::from(byte % 32)]));
    Ok(ERASED_PREFIX.chars().chain(drawn).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_erased_accounts_are_usernames_of_their_own_kind() {
        let (one, two) = (erased_name().unwrap(), erased_name().unwrap());
        assert_ne!(one, two);
        assert_eq!((one.len(), one.starts_with(ERASED_PREFIX)), (20, true));
        assert_eq!(username_key(&one), one);
    }
}
