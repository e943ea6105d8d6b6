use std::sync::Arc;

use domain::Timestamp;
use secrecy::SecretString;
use storage::mail::{self, Errand, Purpose};
use storage::{Connection, CredentialId, FamilyId, PlayerId, StorageError, credentials, players};

use super::email::wake;
use super::login::{count_attempt, verify};
use super::me::require_active;
use crate::problem::{ApiError, Code};
use crate::state::AppState;

/// Sets another password in the place of the current one, ends all other logins and all personal
/// tokens of the player, and has him told by mail. The login that asks stays; where it does not say which it is, all end.
///
/// # Errors
/// `invalid_credentials` when the current password is another; `rate_limited` after too many attempts,
/// which count together with those to log in.
pub async fn change_password(
    state: &Arc<AppState>,
    player: PlayerId,
    login: Option<FamilyId>,
    current: SecretString,
    new: SecretString,
) -> Result<(), ApiError> {
    let find = move |connection: &mut Connection| {
        let player = require_active(connection, player)?;
        let hash = players::password_hash(connection, player.id)?;
        Ok((player.username, hash))
    };
    let (username, old_hash) = state.read(find).await?;
    count_attempt(state, &username)?;
    if !verify(state, current, old_hash.clone()).await? {
        return Err(wrong_password());
    }
    let work = Arc::clone(state);
    let hash = move || work.passwords.hash(&new);
    let hash = state.password_work.run(hash).await?;
    let hash = hash.map_err(|fault| ApiError::internal(&fault))?;
    let (db, now, is_on) = (state.db.clone(), state.now(), state.mail.is_some());
    let change = move || {
        db.write_holding(&[player], |connection| {
            require_active(connection, player)?;
            let old_hash = old_hash.as_deref().unwrap_or_default();
            match players::replace_password(connection, player, old_hash, &hash) {
                // Somebody else was faster, and it is not the current one any more.
                Err(StorageError::Conflict) => return Err(wrong_password()),
                outcome => outcome?,
            }
            if is_on {
                mail::ask(connection, player, Errand::PasswordChanged, now)?;
            }
            Ok(end_all_credentials(connection, player, login, now)?)
        })
    };
    let ended = state.database_work.try_run(change).await?;
    state.end_credentials(player, &ended);
    wake(state);
    Ok(())
}

/// Ends all logins, personal tokens and tickets of a player, but for one login if it is named, and what
/// mails would let set another password: in the write that sets another password, or takes the player's place from him, and that holds him. Once it is committed, what
/// this gives goes to [`AppState::end_credentials`].
///
/// # Errors
/// When the database fails.
pub fn end_all_credentials(
    connection: &mut Connection,
    player: PlayerId,
    except: Option<FamilyId>,
    now: Timestamp,
) -> Result<Vec<CredentialId>, StorageError> {
    mail::spend_all(connection, player, Purpose::Reset, now)?;
    credentials::end_all(connection, player, except, now)
}

fn wrong_password() -> ApiError {
    ApiError::new(Code::InvalidCredentials, "the current password is another")
}
