use std::sync::Arc;

use actix_web::{HttpResponse, delete, get, web};
use serde::Deserialize;
use storage::{FamilyId, PlayerId};
use uuid::Uuid;

use crate::auth::{Caller, Scope};
use crate::http::extract::PathParams;
use crate::problem::{ApiError, Problem};
use crate::state::AppState;
use crate::usecase::sessions;
use crate::wire::credentials::SessionResponse;
use crate::wire::page::PageResponse;

/// The path of a login.
#[derive(Debug, Clone, Copy, Deserialize)]
pub struct SessionPath {
    session_id: Uuid,
}

/// Logins
///
/// Those of the caller that last, the newest first, all on one page (the newest 1,000).
#[utoipa::path(
    tag = "accounts",
    responses(
        (status = 200, description = "The logins.", body = PageResponse<SessionResponse>),
        (status = 403, description = "A personal token may not do this.", body = Problem,
            content_type = "application/problem+json"),
    ),
    security(("bearer" = [])),
)]
#[get("/v1/me/sessions")]
pub(crate) async fn list_sessions(
    caller: Caller,
    state: web::Data<AppState>,
) -> Result<HttpResponse, ApiError> {
    let caller = caller.require_login()?.require(Scope::Read)?;
    let player = PlayerId::from_uuid(caller.player_id);
    let (db, now) = (state.db.clone(), state.now());
    let list = move || sessions::list(&db, player, now);
    let found = state.database_work.try_run(list).await?;
    let session = |session| SessionResponse::of(session, caller.login());
    Ok(HttpResponse::Ok().json(PageResponse {
        items: found.into_iter().map(session).collect::<Vec<_>>(),
        next: None,
    }))
}

/// End a login
///
/// Its refresh token serves no more, nor do the access tokens and streams that came of it: at once on
/// this node, within 10 s on others.
#[utoipa::path(
    tag = "accounts",
    params(("session_id" = Uuid, Path, description = "The login.")),
    responses(
        (status = 204, description = "It has ended."),
        (status = 403, description = "A personal token may not do this.", body = Problem,
            content_type = "application/problem+json"),
        (status = 404, description = "The caller has no such login.", body = Problem,
            content_type = "application/problem+json"),
    ),
    security(("bearer" = [])),
)]
#[delete("/v1/me/sessions/{session_id}")]
pub(crate) async fn end_session(
    caller: Caller,
    state: web::Data<AppState>,
    path: PathParams<SessionPath>,
) -> Result<HttpResponse, ApiError> {
    let caller = caller.require_login()?.require(Scope::Play)?;
    let id = FamilyId::from_uuid(path.0.session_id);
    let work = Arc::clone(&state);
    let end = move || sessions::end(&work, caller, id);
    state.database_work.try_run(end).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// End all other logins
///
/// As each by itself; the login that asks stays.
#[utoipa::path(
    tag = "accounts",
    responses(
        (status = 204, description = "They have ended."),
        (status = 403, description = "A personal token may not do this.", body = Problem,
            content_type = "application/problem+json"),
    ),
    security(("bearer" = [])),
)]
#[delete("/v1/me/sessions")]
pub(crate) async fn end_other_sessions(
    caller: Caller,
    state: web::Data<AppState>,
) -> Result<HttpResponse, ApiError> {
    let caller = caller.require_login()?.require(Scope::Play)?;
    let work = Arc::clone(&state);
    let end = move || sessions::end_others(&work, caller);
    state.database_work.try_run(end).await?;
    Ok(HttpResponse::NoContent().finish())
}
