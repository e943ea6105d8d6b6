use std::sync::Arc;

use actix_web::{HttpRequest, HttpResponse, delete, get, post, web};
use serde::Deserialize;
use storage::{PlayerId, TokenId};
use uuid::Uuid;

use crate::auth::{Caller, Scope};
use crate::http::extract::{PathParams, RawBody};
use crate::http::idempotency::Idempotency;
use crate::problem::{ApiError, Problem};
use crate::state::AppState;
use crate::usecase::personal_tokens;
use crate::wire::credentials::{NewTokenResponse, TokenRequest, TokenResponse};
use crate::wire::page::PageResponse;

/// The path of a personal token.
#[derive(Debug, Clone, Copy, Deserialize)]
pub struct TokenPath {
    token_id: Uuid,
}

/// Make a personal token
///
/// For bots and scripts, which send it as `Authorization: Bearer …` wherever an access token goes. It
/// allows what its scopes say and never more than its maker may; no personal token makes tokens, ends
/// logins, changes the password or the address, exports or erases the account. Up to 50 for a player.
#[utoipa::path(
    tag = "accounts",
    params(("Idempotency-Key" = Option<String>, Header, description = "1 to 255 visible ASCII \
        characters, remembered for 24 hours. A token is shown once: a retry of what was done is 410.")),
    request_body = TokenRequest,
    responses(
        (status = 201, description = "The token, shown this once.", body = NewTokenResponse),
        (status = 403, description = "`insufficient_scope` for a scope that the caller has not; \
            `forbidden` for a personal token.", body = Problem,
            content_type = "application/problem+json"),
        (status = 410, description = "This request has made a token before.", body = Problem,
            content_type = "application/problem+json"),
        (status = 422, description = "`validation_failed`, also when there are 50 already.",
            body = Problem, content_type = "application/problem+json"),
    ),
    security(("bearer" = [])),
)]
#[post("/v1/me/tokens")]
pub(crate) async fn make_token(
    caller: Caller,
    state: web::Data<AppState>,
    body: RawBody,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let caller = caller.require_login()?.require(Scope::Play)?;
    let asked: TokenRequest = body.parse()?;
    let wanted = asked.validate()?;
    let key = Idempotency::read(&request, &asked)?;
    let work = Arc::clone(&state);
    let make = move || personal_tokens::create(&work, caller, &wanted, key.as_ref());
    let (kept, token) = state.database_work.try_run(make).await?;
    Ok(HttpResponse::Created().json(NewTokenResponse {
        token,
        kept: kept.into(),
    }))
}

/// Personal tokens
///
/// Those of the caller, the newest first, all on one page, without what opens them.
#[utoipa::path(
    tag = "accounts",
    responses(
        (status = 200, description = "The tokens.", body = PageResponse<TokenResponse>),
        (status = 403, description = "A personal token may not do this.", body = Problem,
            content_type = "application/problem+json"),
    ),
    security(("bearer" = [])),
)]
#[get("/v1/me/tokens")]
pub(crate) async fn list_tokens(
    caller: Caller,
    state: web::Data<AppState>,
) -> Result<HttpResponse, ApiError> {
    let caller = caller.require_login()?.require(Scope::Read)?;
    let (db, player) = (state.db.clone(), PlayerId::from_uuid(caller.player_id));
    let list = move || personal_tokens::list(&db, player);
    let found = state.database_work.try_run(list).await?;
    Ok(HttpResponse::Ok().json(PageResponse {
        items: found
            .into_iter()
            .map(TokenResponse::from)
            .collect::<Vec<_>>(),
        next: None,
    }))
}

/// Delete a personal token
///
/// It serves no more, and the streams end that it opened: at once on this node, within 10 s on others.
#[utoipa::path(
    tag = "accounts",
    params(("token_id" = Uuid, Path, description = "The token.")),
    responses(
        (status = 204, description = "It is gone."),
        (status = 403, description = "A personal token may not do this.", body = Problem,
            content_type = "application/problem+json"),
        (status = 404, description = "The caller has no such token.", body = Problem,
            content_type = "application/problem+json"),
    ),
    security(("bearer" = [])),
)]
#[delete("/v1/me/tokens/{token_id}")]
pub(crate) async fn delete_token(
    caller: Caller,
    state: web::Data<AppState>,
    path: PathParams<TokenPath>,
) -> Result<HttpResponse, ApiError> {
    let caller = caller.require_login()?.require(Scope::Play)?;
    let (work, id) = (Arc::clone(&state), TokenId::from_uuid(path.0.token_id));
    let end = move || personal_tokens::end(&work, caller, id);
    state.database_work.try_run(end).await?;
    Ok(HttpResponse::NoContent().finish())
}
