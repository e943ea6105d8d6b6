//! Whom the caller blocks.

use std::sync::Arc;

use actix_web::{HttpResponse, delete, get, put, web};
use serde::Deserialize;
use storage::{PageRequest, PlayerId};
use utoipa::IntoParams;
use uuid::Uuid;

use crate::auth::{Caller, Scope};
use crate::http::extract::{PathParams, Query};
use crate::problem::{ApiError, Problem};
use crate::state::AppState;
use crate::usecase::blocks;
use crate::wire::export::BlockedResponse;
use crate::wire::page::{self, PageResponse};

/// Who is blocked.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Path)]
pub struct BlockPath {
    /// The username, in any case.
    #[param(example = "Marshal")]
    username: String,
}

/// Which part of the list is wanted.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct BlocksQuery {
    /// At most so many, 1 to 100; 20 when nothing is said.
    #[param(minimum = 1, maximum = 100)]
    limit: Option<u32>,
    /// The `next` of the page before.
    after: Option<String>,
}

/// Block a player
///
/// He can make no challenges to the caller, accept none of his, and offer him nothing in a game; he is
/// told so when he tries. What the two have challenged each other to is closed; games between them go on.
/// Up to 1,000 for a player.
#[utoipa::path(
    tag = "players",
    params(BlockPath),
    responses(
        (status = 204, description = "He is blocked."),
        (status = 403, description = "That is oneself.", body = Problem,
            content_type = "application/problem+json"),
        (status = 404, description = "There is no such player.", body = Problem,
            content_type = "application/problem+json"),
        (status = 410, description = "The account was erased.", body = Problem,
            content_type = "application/problem+json"),
        (status = 422, description = "The caller blocks 1,000 already.", body = Problem,
            content_type = "application/problem+json"),
    ),
    security(("bearer" = [])),
)]
#[put("/v1/me/blocks/{username}")]
pub(crate) async fn block_player(
    caller: Caller,
    state: web::Data<AppState>,
    path: PathParams<BlockPath>,
) -> Result<HttpResponse, ApiError> {
    let caller = PlayerId::from_uuid(caller.require(Scope::Play)?.player_id);
    let (work, now) = (Arc::clone(&state), state.now());
    let block = move || blocks::block(&work, caller, &path.0.username, now);
    state.database_work.try_run(block).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Block a player no longer
///
/// Whether he was blocked or not.
#[utoipa::path(
    tag = "players",
    params(BlockPath),
    responses(
        (status = 204, description = "He is not blocked."),
        (status = 404, description = "There is no such player.", body = Problem,
            content_type = "application/problem+json"),
        (status = 410, description = "The account was erased.", body = Problem,
            content_type = "application/problem+json"),
    ),
    security(("bearer" = [])),
)]
#[delete("/v1/me/blocks/{username}")]
pub(crate) async fn unblock_player(
    caller: Caller,
    state: web::Data<AppState>,
    path: PathParams<BlockPath>,
) -> Result<HttpResponse, ApiError> {
    let caller = PlayerId::from_uuid(caller.require(Scope::Play)?.player_id);
    let db = state.db.clone();
    let unblock = move || blocks::unblock(&db, caller, &path.0.username);
    state.database_work.try_run(unblock).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Blocked players
///
/// Those whom the caller blocks, by the age of their accounts.
#[utoipa::path(
    tag = "players",
    params(BlocksQuery),
    responses(
        (status = 200, description = "A page of players.", body = PageResponse<BlockedResponse>),
    ),
    security(("bearer" = [])),
)]
#[get("/v1/me/blocks")]
pub(crate) async fn list_blocks(
    caller: Caller,
    state: web::Data<AppState>,
    query: Query<BlocksQuery>,
) -> Result<HttpResponse, ApiError> {
    let caller = PlayerId::from_uuid(caller.require(Scope::Read)?.player_id);
    let limit = page::limit(query.0.limit)?;
    let wanted = match &query.0.after {
        None => PageRequest::first(limit),
        Some(cursor) => {
            let id: Uuid = page::decode_cursor(cursor)?;
            PageRequest::after(limit, PlayerId::from_uuid(id))
        }
    };
    let db = state.db.clone();
    let list = move || blocks::list(&db, caller, &wanted);
    let page = state.database_work.try_run(list).await?;
    let end = page.items.last().filter(|_| page.has_more);
    let next = end.map(|blocked| page::encode_cursor(&blocked.player.id.as_uuid()));
    let items: Vec<BlockedResponse> = page.items.into_iter().map(Into::into).collect();
    Ok(HttpResponse::Ok().json(PageResponse { items, next }))
}
