//! The log of a game.

use actix_web::{HttpRequest, HttpResponse, get, web};
use serde::Deserialize;
use utoipa::IntoParams;

use super::{GamePath, read_game};
use crate::auth::MaybeCaller;
use crate::http::etag::Tagged;
use crate::http::extract::{PathParams, Query};
use crate::problem::{ApiError, Problem};
use crate::state::AppState;
use crate::usecase::games::Seen;
use crate::wire::moves::MoveResponse;
use crate::wire::page::{self, PageResponse};

/// Which part of the log is wanted.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct MovesQuery {
    /// The first ply wanted; 0 when nothing is said. The `next` of a page goes here.
    after_ply: Option<u32>,
    /// At most so many moves, 1 to 100; 20 when nothing is said.
    #[param(minimum = 1, maximum = 100)]
    limit: Option<u32>,
}

/// The log
///
/// The moves from a ply on, as the caller may see them.
#[utoipa::path(
    tag = "games",
    params(("game_id" = uuid::Uuid, Path, description = "The game."), MovesQuery),
    responses(
        (status = 200, description = "A page of moves.", body = PageResponse<MoveResponse>),
        (status = 304, description = "Nothing has changed for the caller."),
        (status = 404, description = "There is no such game.", body = Problem,
            content_type = "application/problem+json"),
    ),
    security((), ("bearer" = [])),
)]
#[get("/v1/games/{game_id}/moves")]
pub(crate) async fn list_moves(
    state: web::Data<AppState>,
    caller: MaybeCaller,
    path: PathParams<GamePath>,
    query: Query<MovesQuery>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let Query(MovesQuery { after_ply, limit }) = query;
    let (first, limit) = (after_ply.unwrap_or(0), page::limit(limit)?);
    read_game(state, path.0.id(), caller, request, move |seen, _| {
        Tagged::new(&moves(seen, first, limit))
    })
    .await
}

fn moves(seen: &Seen, first: u32, limit: u32) -> PageResponse<MoveResponse> {
    let game = &seen.stored.game;
    let count = usize::try_from(limit).unwrap_or(usize::MAX);
    let items = game
        .view_for(seen.side)
        .moves_from(first)
        .take(count)
        .map(Into::into)
        .collect();
    let end = first.saturating_add(limit);
    PageResponse {
        items,
        next: (end < game.ply()).then(|| end.to_string()),
    }
}
