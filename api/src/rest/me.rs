//! One's own account.

use std::sync::Arc;

use actix_web::{HttpResponse, delete, get, patch, web};
use storage::PlayerId;
use storage::players::Account;

use crate::auth::{Caller, Scope};
use crate::http::extract::RawBody;
use crate::problem::{ApiError, Problem};
use crate::state::AppState;
use crate::usecase::accounts::{self, AccountPatch};
use crate::wire::account::{MePatchRequest, MeResponse, Preferences};
use crate::wire::patch::Patch;

/// Show one's own account
///
/// With the address and the preferences, which nobody else sees.
#[utoipa::path(
    tag = "accounts",
    security(("bearer" = [])),
    responses(
        (status = 200, description = "The account.", body = MeResponse),
        (status = 403, description = "`insufficient_scope`.", body = Problem, content_type = "application/problem+json"),
    ),
)]
#[get("/v1/me")]
pub(crate) async fn show_me(
    caller: Caller,
    state: web::Data<AppState>,
) -> Result<HttpResponse, ApiError> {
    let player = player_of(caller.require(Scope::Read)?);
    let work = Arc::clone(&state);
    let account = state
        .database_work
        .try_run(move || accounts::account(&work.db, player))
        .await?;
    answer(account)
}

/// Change one's own account
///
/// A field that is absent stays as it is; `null` takes a value away. A new address is not verified, and no
/// personal token may set one.
#[utoipa::path(
    tag = "accounts",
    security(("bearer" = [])),
    request_body = MePatchRequest,
    responses(
        (status = 200, description = "The account as it is now.", body = MeResponse),
        (status = 403, description = "`insufficient_scope`.", body = Problem, content_type = "application/problem+json"),
        (status = 422, description = "`validation_failed`.", body = Problem, content_type = "application/problem+json"),
    ),
)]
#[patch("/v1/me")]
pub(crate) async fn change_me(
    caller: Caller,
    state: web::Data<AppState>,
    body: RawBody,
) -> Result<HttpResponse, ApiError> {
    let caller = caller.require(Scope::Play)?;
    let asked: MePatchRequest = body.parse_valid()?;
    if asked.email != Patch::Absent {
        caller.require_login()?;
    }
    let (work, now) = (Arc::clone(&state), state.now());
    let update =
        move || accounts::update(&work.db, caller, now, |account| patch_of(&asked, account));
    answer(state.database_work.try_run(update).await?)
}

/// Erase one's own account
///
/// Running games are resigned, open challenges vanish, all logins and personal tokens end, and saved
/// setups, blocks and what else is the caller's own go. Games stay, under a name that begins with
/// `deleted-`. The username is free for others. No personal token may do this.
#[utoipa::path(
    tag = "accounts",
    security(("bearer" = [])),
    responses(
        (status = 204, description = "The account is erased."),
        (status = 403, description = "`insufficient_scope`.", body = Problem, content_type = "application/problem+json"),
    ),
)]
#[delete("/v1/me")]
pub(crate) async fn erase_me(
    caller: Caller,
    state: web::Data<AppState>,
) -> Result<HttpResponse, ApiError> {
    let caller = caller.require_login()?.require(Scope::Play)?;
    accounts::erase(&state, caller).await?;
    Ok(HttpResponse::NoContent().finish())
}

fn player_of(caller: Caller) -> PlayerId {
    PlayerId::from_uuid(caller.player_id)
}

fn answer(account: Account) -> Result<HttpResponse, ApiError> {
    let me = MeResponse::new(account).map_err(|fault| ApiError::internal(&fault))?;
    Ok(HttpResponse::Ok().json(me))
}

fn patch_of(asked: &MePatchRequest, account: &Account) -> Result<AccountPatch, ApiError> {
    let preferences = asked.preferences.as_ref().map(|patch| {
        Preferences::from_json(&account.preferences)?
            .with(patch)
            .to_json()
    });
    let preferences = preferences
        .transpose()
        .map_err(|fault| ApiError::internal(&fault))?;
    Ok(AccountPatch {
        email: asked.email.clone(),
        preferences,
    })
}
