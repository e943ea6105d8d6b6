use rand::rand_core::TryRng;
use rand::rngs::SysRng;
use storage::players::{self, Account, AccountChange, Player};
use storage::{Connection, Database, PlayerId, StorageError, Unique};

use crate::clock::Clock;
use crate::problem::{ApiError, Code, RETRY_SOON};
use crate::time::to_domain;
use crate::usecase::games::resign_all;
use crate::usecase::usernames::{ERASED_PREFIX, username_key};
use crate::wire::patch::Patch;

/// How many random characters the name of an erased account has.
const ERASED_CHARS: usize = 12;
/// How often such a name is drawn anew because it is taken. One in 10^18 is.
const ATTEMPTS: usize = 3;

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
/// 401 for an erased one.
pub fn update(
    db: &Database,
    caller: PlayerId,
    change: impl Fn(&Account) -> Result<AccountPatch, ApiError>,
) -> Result<Account, ApiError> {
    db.write(|connection| {
        let account = players::account(connection, caller).map_err(known)?;
        active(&account.player)?;
        let patch = change(&account)?;
        let change = AccountChange {
            email: match &patch.email {
                Patch::Absent => None,
                Patch::Null => Some(None),
                Patch::Value(email) => Some(Some(email)),
            },
            preferences: patch.preferences.as_deref(),
        };
        players::update(connection, caller, &change).map_err(known)
    })
}

/// Erases the caller's account: running games are resigned, logins end, open challenges vanish, and
/// a name that says nothing takes the place of the name.
///
/// # Errors
/// 401 for an erased one.
pub fn erase(db: &Database, clock: &dyn Clock, caller: PlayerId) -> Result<(), ApiError> {
    account(db, caller)?;
    resign_all(db, clock, caller)?;
    let now = to_domain(clock.now());
    for _ in 0..ATTEMPTS {
        let name = erased_name()?;
        let key = username_key(&name);
        match db.write(|connection| players::erase(connection, caller, &name, &key, now)) {
            Err(StorageError::Duplicate(Unique::Username)) => {}
            Err(StorageError::Conflict) => return Err(erased()),
            // A challenge may have been accepted while the others were resigned; now none can be.
            outcome => {
                return outcome
                    .map_err(ApiError::from)
                    .and_then(|()| resign_all(db, clock, caller));
            }
        }
    }
    Err(ApiError::unavailable(
        "no name was free for the erased account; try again",
        RETRY_SOON,
    ))
}

/// The caller as a player whose account is there: what every write of a caller begins with.
///
/// # Errors
/// 401 for an erased account: its tokens serve no more.
pub fn require_active(connection: &mut Connection, caller: PlayerId) -> Result<Player, ApiError> {
    let player = players::by_id(connection, caller).map_err(known)?;
    active(&player)?;
    Ok(player)
}

fn active(player: &Player) -> Result<(), ApiError> {
    player.erased_at.map_or(Ok(()), |_| Err(erased()))
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
