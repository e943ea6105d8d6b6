//! A player's logins: listed, and ended one by one or all but one.

use storage::sessions::{self, Session};
use storage::{Database, FamilyId, PlayerId, credentials};

use super::accounts::{require_active, require_alive};
use crate::auth::Caller;
use crate::problem::{ApiError, Code};
use crate::state::AppState;

/// The caller's logins that last, the newest first.
///
/// # Errors
/// 401 for an erased account.
pub fn list(
    db: &Database,
    caller: PlayerId,
    now: domain::Timestamp,
) -> Result<Vec<Session>, ApiError> {
    db.read(|connection| {
        require_active(connection, caller)?;
        Ok(sessions::list(connection, caller, now)?)
    })
}

/// Ends one of the caller's logins, and with it the access tokens and streams that came of it.
///
/// # Errors
/// 401 for an erased account or a login that has ended, 404 when there is none or it is another's.
pub fn end(state: &AppState, caller: Caller, id: FamilyId) -> Result<(), ApiError> {
    let (player, now) = (caller.player(), state.now());
    let ended = state.db.write(|connection| {
        require_alive(connection, caller)?;
        Ok::<_, ApiError>(credentials::end_session(connection, player, id, now)?)
    })?;
    if !ended {
        return Err(ApiError::not_found("session"));
    }
    state.end_credentials(player, &[id.into()]);
    Ok(())
}

/// Ends all of the caller's logins but the one that asks.
///
/// # Errors
/// 401 for an erased account or a login that has ended, 403 when the access token does not say which login
/// it came of.
pub fn end_others(state: &AppState, caller: Caller) -> Result<(), ApiError> {
    let player = caller.player();
    let current = caller.login().ok_or_else(|| {
        ApiError::new(
            Code::Forbidden,
            "the access token does not say which login it came of; refresh it first",
        )
    })?;
    let now = state.now();
    let ended = state.db.write(|connection| {
        require_alive(connection, caller)?;
        Ok::<_, ApiError>(credentials::end_other_sessions(
            connection, player, current, now,
        )?)
    })?;
    state.end_credentials(player, &ended);
    Ok(())
}
