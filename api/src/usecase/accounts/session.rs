//! Logins and the tokens they give.
//!
//! A refresh token serves once. Of two uses at the same time one wins; the other is refused, as is
//! any use within [`GRACE`] of the first, and the login goes on with the winner's token: a client
//! that asked twice is no thief. A spent token that turns up later ends the login for everybody.

use std::sync::Arc;
use std::time::Duration;

use domain::Timestamp;
use storage::players::{self, Player};
use storage::sessions::{self, NewFamily, Rotate, Rotation};
use storage::{Connection, FamilyId, PlayerId, StorageError};

use super::login::wrong_credentials;
use super::me::require_active;
use crate::auth::{OpaqueToken, Scopes};
use crate::problem::{ApiError, Code};
use crate::state::AppState;

/// How long a login lasts from the last use of its refresh token.
const REFRESH_LIFETIME: Duration = Duration::from_hours(30 * 24);
/// How long after its use a refresh token may turn up again without the login ending.
const GRACE: Duration = Duration::from_secs(10);

/// What a caller holds after a login.
#[derive(Clone)]
pub struct Tokens {
    /// For every call, for [`ACCESS_TOKEN_LIFETIME`](crate::auth::ACCESS_TOKEN_LIFETIME).
    pub access_token: String,
    /// For the next tokens, once.
    pub refresh_token: String,
}

/// A player with tokens.
#[derive(Clone)]
pub struct SignedIn {
    /// The player.
    pub player: Player,
    /// The tokens of a login of their own.
    pub tokens: Tokens,
}

/// Begins a login of a player whose password is that of a hash, and gives its tokens.
///
/// # Errors
/// `invalid_credentials` when he has set another by now, `forbidden` when he is suspended.
pub(super) async fn sign_in(
    state: &Arc<AppState>,
    player: PlayerId,
    hash: Option<String>,
    user_agent: Option<String>,
) -> Result<SignedIn, ApiError> {
    let now = state.now();
    let token = first_token(now)?;
    let new = new_family(player, &token, user_agent, now);
    let db = state.db.clone();
    let start = move || {
        db.write_holding(&[new.player_id], |connection| {
            let player = require_active(connection, new.player_id)?;
            if players::password_hash(connection, player.id)? != hash {
                return Err(wrong_credentials());
            }
            sessions::start(connection, &new)?;
            Ok(player)
        })
    };
    let player: Player = state.database_work.try_run(start).await?;
    Ok(SignedIn {
        tokens: tokens(state, &player, &token)?,
        player,
    })
}

/// Draws the first token of a new login.
pub(super) fn first_token(now: Timestamp) -> Result<OpaqueToken, ApiError> {
    draw(FamilyId::generate(now))
}

/// The login that a refresh token belongs to.
fn family(token: &OpaqueToken) -> FamilyId {
    FamilyId::from_uuid(token.id())
}

/// The login that begins with `token`.
pub(super) fn new_family(
    player: PlayerId,
    token: &OpaqueToken,
    user_agent: Option<String>,
    now: Timestamp,
) -> NewFamily {
    NewFamily {
        id: family(token),
        player_id: player,
        token: token.digest(),
        created_at: now,
        expires_at: now + REFRESH_LIFETIME,
        user_agent,
    }
}

/// The tokens of a login whose refresh token is `refresh`.
pub(super) fn tokens(
    state: &AppState,
    player: &Player,
    refresh: &OpaqueToken,
) -> Result<Tokens, ApiError> {
    let (id, scopes) = (player.id.as_uuid(), Scopes::of(player.is_admin));
    let access_token = state
        .tokens
        .issue(id, family(refresh), scopes, state.clock.now())
        .map_err(|fault| ApiError::internal(&fault))?;
    Ok(Tokens {
        access_token,
        refresh_token: refresh.expose(),
    })
}

/// Spends a refresh token for new tokens.
///
/// # Errors
/// `token_reused` for one that was spent before, `unauthenticated` for one that is not valid.
pub async fn refresh(state: &Arc<AppState>, shown: &str) -> Result<Tokens, ApiError> {
    let shown = OpaqueToken::parse(shown).ok_or_else(invalid)?;
    let next = draw(family(&shown))?;
    let (db, rotate) = (state.db.clone(), rotation(&shown, &next, state.now()));
    let rotate = move |connection: &mut Connection| -> Result<_, StorageError> {
        let rotated = sessions::rotate(connection, &rotate)?;
        let player = match rotated {
            Rotation::Rotated(player) => Some(players::by_id(connection, player)?),
            _ => None,
        };
        Ok((rotated, player))
    };
    let (rotated, player) = state.database_work.run(move || db.write(rotate)).await??;
    if rotated == Rotation::Reused {
        // Streams that it opened end when the node looks for what has ended.
        state.ended.note(family(&shown).into(), state.now());
    }
    match rotated {
        Rotation::Rotated(_) => match player {
            Some(player) => tokens(state, &player, &next),
            None => Err(invalid()),
        },
        Rotation::JustSpent => Err(ApiError::new(
            Code::TokenReused,
            "this refresh token was used a moment ago; use the one that was given for it",
        )),
        Rotation::Reused => Err(ApiError::new(
            Code::TokenReused,
            "this refresh token was used before; the login has ended, log in again",
        )),
        Rotation::Invalid => Err(invalid()),
    }
}

/// Ends the login of a refresh token, and with it the access tokens that came of it. A token that is not valid has nothing to end: no fault.
///
/// # Errors
/// When the database fails.
pub async fn logout(state: &Arc<AppState>, shown: &str) -> Result<(), ApiError> {
    let Some(shown) = OpaqueToken::parse(shown) else {
        return Ok(());
    };
    let next = draw(family(&shown))?;
    let (work, now) = (Arc::clone(state), state.now());
    let login = family(&shown);
    let end = move |connection: &mut Connection| -> Result<_, StorageError> {
        // Only who holds a token of the login may end it: to know its identifier is not enough.
        match sessions::rotate(connection, &rotation(&shown, &next, now))? {
            Rotation::Rotated(_) | Rotation::JustSpent => sessions::end(connection, login, now),
            Rotation::Reused | Rotation::Invalid => Ok(None),
        }
    };
    let ended = state
        .database_work
        .run(move || work.db.write(end))
        .await??;
    if let Some(player) = ended {
        state.end_credentials(player, &[login.into()]);
    }
    Ok(())
}

fn rotation(shown: &OpaqueToken, next: &OpaqueToken, now: Timestamp) -> Rotate {
    Rotate {
        family: family(shown),
        shown: shown.digest(),
        next: next.digest(),
        now,
        expires_at: now + REFRESH_LIFETIME,
        grace: GRACE,
    }
}

fn draw(family: FamilyId) -> Result<OpaqueToken, ApiError> {
    OpaqueToken::generate(family.as_uuid()).map_err(|fault| ApiError::internal(&fault))
}

fn invalid() -> ApiError {
    ApiError::invalid_token("the refresh token is not valid, or its login has ended; log in again")
}
