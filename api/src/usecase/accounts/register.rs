use std::sync::Arc;

use domain::Timestamp;
use secrecy::SecretString;
use storage::idempotency::{self, IdempotencyKey, Remembered};
use storage::players::{self, HOUSE_BOT, NewPlayer, Player};
use storage::sessions;
use storage::{Connection, Digest, PlayerId, StorageError, Unique};
use uuid::Uuid;

use super::login::{count_attempt, credentials, verify};
use super::session::{SignedIn, first_token, new_family, sign_in, tokens};
use crate::auth::OpaqueToken;
use crate::http::idempotency::Idempotency;
use crate::problem::{ApiError, Code};
use crate::state::AppState;
use crate::usecase::usernames::username_key;

/// An account to be made, its values checked.
pub struct Registration {
    /// The name, in its own case.
    pub username: String,
    /// The password.
    pub password: SecretString,
    /// Where mail is to go.
    pub email: Option<String>,
    /// The request's key, if it has one.
    pub key: Option<Idempotency>,
    /// What stands for a caller without an account: requests with the same key from elsewhere are
    /// others.
    pub origin: [u8; 32],
    /// What it is asked with, as it calls itself.
    pub user_agent: Option<String>,
}

/// Makes an account and logs it in. A retry with the same `Idempotency-Key` finds the account and
/// logs it in anew, if the password is the same too.
///
/// # Errors
/// `username_taken`; `idempotency_key_reused` when the key stands for another request.
pub async fn register(
    state: &Arc<AppState>,
    registration: Registration,
) -> Result<SignedIn, ApiError> {
    if username_key(&registration.username) == HOUSE_BOT {
        return Err(ApiError::new(
            Code::UsernameTaken,
            format!("the username {HOUSE_BOT} is kept for the bot of this server; choose another"),
        ));
    }
    let registration = Arc::new(registration);
    if let Some(done) = recall(state, &registration).await? {
        return Ok(done);
    }
    match create(state, &registration).await? {
        Some(made) => Ok(made),
        // The name or the key is in use. If it is by this very request, sent twice, that one won.
        None => recall(state, &registration).await?.ok_or_else(|| {
            ApiError::new(
                Code::UsernameTaken,
                format!(
                    "the username {} is taken; choose another",
                    registration.username
                ),
            )
        }),
    }
}

/// Makes the account; none when its name or key is in use.
async fn create(
    state: &Arc<AppState>,
    registration: &Arc<Registration>,
) -> Result<Option<SignedIn>, ApiError> {
    let (work, asked) = (Arc::clone(state), Arc::clone(registration));
    let hash = state
        .password_work
        .run(move || work.passwords.hash(&asked.password))
        .await?
        .map_err(|fault| ApiError::internal(&fault))?;
    let now = state.now();
    let token = first_token(now)?;
    let (work, asked, first) = (Arc::clone(state), Arc::clone(registration), token.clone());
    let written = state
        .database_work
        .run(move || {
            work.db
                .write(|connection| write(connection, &asked, &hash, &first, now))
        })
        .await?;
    match written {
        Ok(player) => Ok(Some(SignedIn {
            tokens: tokens(state, &player, &token)?,
            player,
        })),
        Err(StorageError::Duplicate(Unique::Username | Unique::IdempotencyKey)) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

fn write(
    connection: &mut Connection,
    registration: &Registration,
    password_hash: &str,
    token: &OpaqueToken,
    now: Timestamp,
) -> Result<Player, StorageError> {
    let new = NewPlayer {
        id: PlayerId::generate(now),
        username: &registration.username,
        username_key: &username_key(&registration.username),
        password_hash,
        email: registration.email.as_deref(),
        preferences: "{}",
        created_at: now,
    };
    let player = players::create(connection, &new)?;
    let user_agent = registration.user_agent.clone();
    sessions::start(connection, &new_family(player.id, token, user_agent, now))?;
    if let Some(request) = &registration.key {
        let fingerprint = Digest(request.fingerprint);
        let made = Remembered {
            fingerprint,
            resource_id: player.id.as_uuid(),
        };
        idempotency::remember(connection, &stored_key(registration, request), &made, now)?;
    }
    Ok(player)
}

/// The account that an earlier request with this key made, logged in anew.
async fn recall(
    state: &Arc<AppState>,
    registration: &Arc<Registration>,
) -> Result<Option<SignedIn>, ApiError> {
    let Some(made) = remembered(state, registration).await? else {
        return Ok(None);
    };
    // A key must not be a way to guess passwords past the limit.
    count_attempt(state, &registration.username)?;
    let found = credentials(state, &registration.username).await?;
    let found = found
        .filter(|found| found.player.id.as_uuid() == made)
        .ok_or_else(|| {
            ApiError::new(
                Code::Gone,
                "the account that this Idempotency-Key made was erased",
            )
        })?;
    let hash = found.password_hash;
    if !verify(state, registration.password.clone(), hash.clone()).await? {
        return Err(Idempotency::reused());
    }
    let user_agent = registration.user_agent.clone();
    sign_in(state, found.player.id, hash, user_agent)
        .await
        .map(Some)
}

async fn remembered(
    state: &Arc<AppState>,
    registration: &Arc<Registration>,
) -> Result<Option<Uuid>, ApiError> {
    let Some(fingerprint) = registration.key.as_ref().map(|key| Digest(key.fingerprint)) else {
        return Ok(None);
    };
    let (work, asked, now) = (Arc::clone(state), Arc::clone(registration), state.now());
    let find = move |connection: &mut Connection| match &asked.key {
        Some(request) => idempotency::find(connection, &stored_key(&asked, request), now),
        None => Ok(None),
    };
    match state
        .database_work
        .run(move || work.db.read(find))
        .await??
    {
        Some(made) if made.fingerprint != fingerprint => Err(Idempotency::reused()),
        made => Ok(made.map(|made| made.resource_id)),
    }
}

fn stored_key<'a>(registration: &'a Registration, request: &'a Idempotency) -> IdempotencyKey<'a> {
    IdempotencyKey {
        caller: &registration.origin,
        path: &request.path,
        key: &request.key,
    }
}
