use std::sync::Arc;

use secrecy::SecretString;
use storage::StorageError;
use storage::players::{self, Credentials};

use super::session::{SignedIn, sign_in};
use crate::problem::{ApiError, Code};
use crate::state::AppState;
use crate::usecase::usernames::username_key;

/// Logs a player in.
///
/// # Errors
/// `invalid_credentials`, with the same answer and after the same work whether the name is unknown
/// or the password wrong; `rate_limited` after too many attempts for one name; `forbidden` for an account
/// that is suspended, once the password is known to be right.
pub async fn login(
    state: &Arc<AppState>,
    username: &str,
    password: SecretString,
    user_agent: Option<String>,
) -> Result<SignedIn, ApiError> {
    count_attempt(state, username)?;
    let found = credentials(state, username).await?;
    let (player, hash) = match found {
        Some(found) => (Some(found.player), found.password_hash),
        None => (None, None),
    };
    let matches = verify(state, password, hash.clone()).await?;
    match player {
        Some(player) if matches => sign_in(state, player.id, hash, user_agent).await,
        _ => Err(wrong_credentials()),
    }
}

/// The refusal of a login, whatever is wrong.
pub(super) fn wrong_credentials() -> ApiError {
    ApiError::new(
        Code::InvalidCredentials,
        "the username and password do not belong together",
    )
}

/// Counts an attempt to guess the password of an account.
pub(super) fn count_attempt(state: &AppState, username: &str) -> Result<(), ApiError> {
    state
        .rate_limiters
        .as_ref()
        .map_or(Ok(()), |limiters| limiters.count_login(username))
}

/// What a login under that name is checked against.
pub(super) async fn credentials(
    state: &Arc<AppState>,
    username: &str,
) -> Result<Option<Credentials>, ApiError> {
    let (work, key) = (Arc::clone(state), username_key(username));
    let found = state
        .database_work
        .run(move || {
            work.db
                .read(|connection| players::credentials(connection, &key))
        })
        .await?;
    match found {
        Ok(found) => Ok(Some(found)),
        Err(StorageError::NotFound) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Whether the password is the one of the hash; without a hash no, after the same work.
pub(super) async fn verify(
    state: &Arc<AppState>,
    password: SecretString,
    hash: Option<String>,
) -> Result<bool, ApiError> {
    let work = Arc::clone(state);
    state
        .password_work
        .run(move || work.passwords.verify(&password, hash.as_deref()))
        .await?
        .map_err(|fault| ApiError::internal(&fault))
}
