//! Personal tokens: made by a player who has logged in, for bots and scripts of his.

use std::sync::Arc;
use std::time::Duration;

use storage::personal_tokens::{self, PersonalToken as Kept};
use storage::{Connection, Database, Digest, PlayerId, TokenId, credentials};

use super::accounts::{require_active, require_alive};
use super::once::once;
use crate::auth::{Caller, PersonalToken, Recognised, Scope, Scopes};
use crate::http::idempotency::Idempotency;
use crate::problem::{ApiError, Code, FieldFault};
use crate::state::AppState;

/// How many tokens a player may have. Requests at the same instant may exceed it by one another: it
/// bounds what is stored, and nothing rests on the number.
const MAX_TOKENS: usize = 50;
/// How often it is noted that a token is used.
const NOTED_EVERY: Duration = Duration::from_hours(1);

/// A token to be made, its values checked.
#[derive(Debug, Clone)]
pub struct Wanted {
    /// What its owner calls it.
    pub name: String,
    /// What it is to allow.
    pub scopes: Scopes,
    /// How long it is to hold; for ever when nothing is said.
    pub expires_in: Option<Duration>,
}

/// Makes a token. A player may give what he may do himself, and no more.
///
/// # Errors
/// 401 when the login has ended, 403 for a scope that the caller has not, 422 when he has as many tokens as
/// may be; `gone` for a retry with the same `Idempotency-Key`, since the token is shown once.
pub fn create(
    state: &AppState,
    caller: Caller,
    wanted: &Wanted,
    key: Option<&Idempotency>,
) -> Result<(Kept, String), ApiError> {
    let now = state.now();
    let drawn = PersonalToken::generate().map_err(|fault| ApiError::internal(&fault))?;
    let create = |connection: &mut Connection| {
        let player = require_alive(connection, caller)?;
        let may = caller.scopes.and(Scopes::of(player.is_admin));
        if let Some(scope) = wanted.scopes.without(may).iter().next() {
            return Err(may_not_give(scope));
        }
        if personal_tokens::list(connection, player.id)?.len() >= MAX_TOKENS {
            return Err(too_many());
        }
        let kept = Kept {
            id: TokenId::generate(now),
            name: wanted.name.clone(),
            scopes: wanted.scopes.to_string(),
            created_at: now,
            expires_at: wanted.expires_in.map(|span| now + span),
            last_used_at: None,
        };
        personal_tokens::create(connection, player.id, &kept, drawn.digest())?;
        Ok((kept.id.as_uuid(), kept))
    };
    let recall = |_: &mut Connection, _| {
        Err(ApiError::new(
            Code::Gone,
            "this request has made a token, which was shown once; delete it and make another",
        ))
    };
    let kept = once(&state.db, caller.player(), key, now, create, recall)?;
    Ok((kept, drawn.expose()))
}

/// The caller's tokens, the newest first, without what opens them.
///
/// # Errors
/// 401 for an erased account.
pub fn list(db: &Database, caller: PlayerId) -> Result<Vec<Kept>, ApiError> {
    db.read(|connection| {
        require_active(connection, caller)?;
        Ok(personal_tokens::list(connection, caller)?)
    })
}

/// Takes one of the caller's tokens back.
///
/// # Errors
/// 401 for an erased account or a login that has ended, 404 when there is none or it is another's.
pub fn end(state: &AppState, caller: Caller, id: TokenId) -> Result<(), ApiError> {
    let (player, now) = (caller.player(), state.now());
    let ended = state.db.write(|connection| {
        require_alive(connection, caller)?;
        Ok::<_, ApiError>(credentials::end_token(connection, player, id, now)?)
    })?;
    if !ended {
        return Err(ApiError::not_found("token"));
    }
    state.end_credentials(player, &[id.into()]);
    Ok(())
}

/// Looks up the token of a digest, notes now and then that it is used, and holds it for a while; none
/// when there is no such token, or its owner may do nothing here.
///
/// # Errors
/// When the database fails.
pub async fn recognise(
    state: &Arc<AppState>,
    digest: Digest,
) -> Result<Option<Recognised>, ApiError> {
    let find =
        move |connection: &mut Connection| Ok(personal_tokens::by_digest(connection, digest)?);
    let Some((token, player)) = state.read(find).await? else {
        return Ok(None);
    };
    if player.erased_at.is_some() || player.suspended_at.is_some() {
        return Ok(None);
    }
    let now = state.now();
    if token.expires_at.is_none_or(|until| now < until)
        && token.last_used_at.is_none_or(|at| at + NOTED_EVERY <= now)
    {
        let (db, owner, id) = (state.db.clone(), player.id, token.id);
        let note = move || {
            db.write(|connection| {
                personal_tokens::note_use(connection, owner, id, now, NOTED_EVERY)
            })
        };
        // What is asked for does not hang on it.
        let noted = state.database_work.run(note).await;
        if let Err(fault) = noted.and_then(|noted| Ok(noted?)) {
            tracing::debug!(%fault, "cannot note the use of a token");
        }
    }
    let recognised = Recognised {
        id: token.id,
        player: player.id,
        scopes: Scopes::parse(&token.scopes).and(Scopes::of(player.is_admin)),
        expires_at: token.expires_at,
    };
    state.held_tokens.hold(digest, recognised, now);
    Ok(Some(recognised))
}

fn may_not_give(scope: Scope) -> ApiError {
    let detail = format!(
        "you may not give the scope {}, which you have not yourself",
        scope.as_str()
    );
    ApiError::new(Code::InsufficientScope, detail).with("scope", scope.as_str())
}

fn too_many() -> ApiError {
    let detail = format!(
        "cannot be made: there are {MAX_TOKENS} already, the most a player may have; delete one first"
    );
    ApiError::validation(vec![FieldFault {
        field: "name".into(),
        code: "too_many".into(),
        detail,
    }])
}
