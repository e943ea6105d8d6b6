//! What those do who administer the server. Who is one is said on the command line of its machine.

use std::sync::Arc;

use actix_web::{HttpResponse, get, post, web};
use secrecy::ExposeSecret;
use serde::Deserialize;
use storage::{AuditId, GameId, PageRequest};
use utoipa::IntoParams;
use uuid::Uuid;

use crate::auth::{Caller, Scope};
use crate::events::Topic;
use crate::http::extract::{PathParams, Query, RawBody};
use crate::http::validate::validated;
use crate::problem::{ApiError, Problem};
use crate::state::AppState;
use crate::usecase::admin::{self, Actor, Done, Order};
use crate::wire::admin::{AnnulRequest, AuditResponse, GivenPasswordResponse, ReasonRequest};
use crate::wire::page::{self, PageResponse};

/// Whom it is about.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Path)]
pub struct SubjectPath {
    /// The username, in any case.
    #[param(example = "Marshal")]
    username: String,
}

/// Which game it is about.
#[derive(Debug, Clone, Copy, Deserialize)]
pub struct AnnulPath {
    game_id: Uuid,
}

/// Which part of the log is wanted.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct AuditQuery {
    /// At most so many, 1 to 100; 20 when nothing is said.
    #[param(minimum = 1, maximum = 100)]
    limit: Option<u32>,
    /// The `next` of the page before.
    after: Option<String>,
}

/// Suspend a player
///
/// He can neither log in nor do anything. His logins, tokens and streams end, at once on this node and
/// within 10 s on others, and his open challenges are closed. The clocks of his games go on. One who is
/// suspended stays so.
#[utoipa::path(
    tag = "administration",
    params(SubjectPath),
    request_body = ReasonRequest,
    responses(
        (status = 204, description = "He is suspended."),
        (status = 403, description = "`insufficient_scope`; `forbidden` for another admin.",
            body = Problem, content_type = "application/problem+json"),
        (status = 404, description = "There is no such player.", body = Problem,
            content_type = "application/problem+json"),
        (status = 410, description = "The account was erased.", body = Problem,
            content_type = "application/problem+json"),
        (status = 422, description = "`validation_failed`.", body = Problem,
            content_type = "application/problem+json"),
    ),
    security(("bearer" = [])),
)]
#[post("/v1/admin/players/{username}/suspend")]
pub(crate) async fn suspend_player(
    caller: Caller,
    state: web::Data<AppState>,
    path: PathParams<SubjectPath>,
    body: RawBody,
) -> Result<HttpResponse, ApiError> {
    let actor = actor_of(caller)?;
    let reason = reason_of(&body)?;
    let (db, now) = (state.db.clone(), state.now());
    let suspend = move || {
        admin::suspend(
            &db,
            &Order {
                actor,
                username: &path.0.username,
                reason: reason.as_deref(),
                now,
            },
        )
    };
    let done = state.database_work.try_run(suspend).await?;
    tell(&state, done);
    Ok(HttpResponse::NoContent().finish())
}

/// Let a player in again
///
/// Who was suspended logs in anew.
#[utoipa::path(
    tag = "administration",
    params(SubjectPath),
    request_body = ReasonRequest,
    responses(
        (status = 204, description = "He is not suspended."),
        (status = 403, description = "`insufficient_scope`.", body = Problem,
            content_type = "application/problem+json"),
        (status = 404, description = "There is no such player.", body = Problem,
            content_type = "application/problem+json"),
        (status = 410, description = "The account was erased.", body = Problem,
            content_type = "application/problem+json"),
        (status = 422, description = "`validation_failed`.", body = Problem,
            content_type = "application/problem+json"),
    ),
    security(("bearer" = [])),
)]
#[post("/v1/admin/players/{username}/unsuspend")]
pub(crate) async fn unsuspend_player(
    caller: Caller,
    state: web::Data<AppState>,
    path: PathParams<SubjectPath>,
    body: RawBody,
) -> Result<HttpResponse, ApiError> {
    let actor = actor_of(caller)?;
    let reason = reason_of(&body)?;
    let (db, now) = (state.db.clone(), state.now());
    let unsuspend = move || {
        admin::unsuspend(
            &db,
            &Order {
                actor,
                username: &path.0.username,
                reason: reason.as_deref(),
                now,
            },
        )
    };
    state.database_work.try_run(unsuspend).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Give a player a password
///
/// For who has lost his and has no verified address. It takes the place of the old one; his logins,
/// tokens and streams end, at once on this node and within 10 s on others.
#[utoipa::path(
    tag = "administration",
    params(SubjectPath),
    request_body = ReasonRequest,
    responses(
        (status = 200, description = "The password, shown this once.", body = GivenPasswordResponse),
        (status = 403, description = "`insufficient_scope`; `forbidden` for another admin.",
            body = Problem, content_type = "application/problem+json"),
        (status = 404, description = "There is no such player.", body = Problem,
            content_type = "application/problem+json"),
        (status = 410, description = "The account was erased.", body = Problem,
            content_type = "application/problem+json"),
        (status = 422, description = "`validation_failed`.", body = Problem,
            content_type = "application/problem+json"),
    ),
    security(("bearer" = [])),
)]
#[post("/v1/admin/players/{username}/reset-password")]
pub(crate) async fn reset_password(
    caller: Caller,
    state: web::Data<AppState>,
    path: PathParams<SubjectPath>,
    body: RawBody,
) -> Result<HttpResponse, ApiError> {
    let actor = actor_of(caller)?;
    let reason = reason_of(&body)?;
    let password = admin::draw_password()?;
    let (work, drawn) = (Arc::clone(&state), password.clone());
    let hash = move || work.passwords.hash(&drawn);
    let hash = state.password_work.run(hash).await?;
    let hash = hash.map_err(|fault| ApiError::internal(&fault))?;
    let (db, now) = (state.db.clone(), state.now());
    let reset = move || {
        let order = Order {
            actor,
            username: &path.0.username,
            reason: reason.as_deref(),
            now,
        };
        admin::reset_password(&db, &order, &hash)
    };
    let done = state.database_work.try_run(reset).await?;
    tell(&state, done);
    Ok(HttpResponse::Ok().json(GivenPasswordResponse {
        password: password.expose_secret().to_owned(),
    }))
}

/// Annul a game
///
/// A game that is over stays as it was played and counts no more: all ratings of its pool that came after
/// it are reckoned anew. One that is annulled stays so, for its first reason.
#[utoipa::path(
    tag = "administration",
    params(("game_id" = Uuid, Path, description = "The game.")),
    request_body = AnnulRequest,
    responses(
        (status = 204, description = "It is annulled."),
        (status = 403, description = "`insufficient_scope`; `forbidden` for a game that is not over.",
            body = Problem, content_type = "application/problem+json"),
        (status = 404, description = "There is no such game.", body = Problem,
            content_type = "application/problem+json"),
        (status = 422, description = "`validation_failed`.", body = Problem,
            content_type = "application/problem+json"),
    ),
    security(("bearer" = [])),
)]
#[post("/v1/admin/games/{game_id}/annul")]
pub(crate) async fn annul_game(
    caller: Caller,
    state: web::Data<AppState>,
    path: PathParams<AnnulPath>,
    body: RawBody,
) -> Result<HttpResponse, ApiError> {
    let actor = actor_of(caller)?;
    let reason = body.parse::<AnnulRequest>()?.reason;
    let (db, now, game) = (
        state.db.clone(),
        state.now(),
        GameId::from_uuid(path.0.game_id),
    );
    let annul = move || admin::annul(&db, actor, game, &reason, now);
    state.database_work.try_run(annul).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// The audit log
///
/// What was done by those who administer the server, over REST and on the command line, the newest
/// first.
#[utoipa::path(
    tag = "administration",
    params(AuditQuery),
    responses(
        (status = 200, description = "A page of entries.", body = PageResponse<AuditResponse>),
        (status = 403, description = "`insufficient_scope`.", body = Problem,
            content_type = "application/problem+json"),
    ),
    security(("bearer" = [])),
)]
#[get("/v1/admin/audit")]
pub(crate) async fn show_audit(
    caller: Caller,
    state: web::Data<AppState>,
    query: Query<AuditQuery>,
) -> Result<HttpResponse, ApiError> {
    let actor = actor_of(caller)?;
    let limit = page::limit(query.0.limit)?;
    let wanted = match &query.0.after {
        None => PageRequest::first(limit),
        Some(cursor) => {
            let id: Uuid = page::decode_cursor(cursor)?;
            PageRequest::after(limit, AuditId::from_uuid(id))
        }
    };
    let db = state.db.clone();
    let list = move || admin::log(&db, actor, &wanted);
    let page = state.database_work.try_run(list).await?;
    let end = page.items.last().filter(|_| page.has_more);
    let next = end.map(|entry| page::encode_cursor(&entry.id.as_uuid()));
    let items: Vec<AuditResponse> = page.items.into_iter().map(Into::into).collect();
    Ok(HttpResponse::Ok().json(PageResponse { items, next }))
}

fn actor_of(caller: Caller) -> Result<Actor, ApiError> {
    Ok(Actor::Admin(caller.require(Scope::Admin)?))
}

fn reason_of(body: &RawBody) -> Result<Option<String>, ApiError> {
    let asked: ReasonRequest = body.parse_or_empty()?;
    Ok(validated(asked)?.reason)
}

/// Tells of what is committed.
fn tell(state: &AppState, done: Done) {
    let topics: Vec<Topic> = done.concerned.into_iter().map(Topic::Player).collect();
    state.announce(&topics);
    if let Some(player) = done.player {
        state.end_credentials(player, &done.ended);
    }
}
