//! Replays.

use actix_web::{HttpRequest, HttpResponse, get, web};
use serde::Deserialize;
use storage::PlayerId;
use utoipa::IntoParams;

use super::{GamePath, no_such_ply, not_begun, read_game};
use crate::auth::MaybeCaller;
use crate::http::etag::Tagged;
use crate::http::extract::{PathParams, Query};
use crate::problem::{ApiError, Problem};
use crate::state::AppState;
use crate::usecase::games::Seen;
use crate::wire::names::Viewpoint;
use crate::wire::replay::{FrameResponse, ReplayOrFrameResponse, ReplayResponse};

/// Which replay is wanted.
#[derive(Debug, Clone, Copy, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ReplayQuery {
    /// Whose eyes: while the game runs the caller's own or `public`. When nothing is said: everything
    /// once the game is over, before that the caller's own, or `public` for who does not play.
    viewpoint: Option<Viewpoint>,
    /// Only the board after so many moves.
    ply: Option<u32>,
}

/// A game, played again
///
/// As a viewpoint knew it at each ply: with `ply`, the board after so many moves; else the
/// deployment, every move, every reveal and what was hidden at each ply. At the last ply a side's board is what it knew before
/// the end disclosed the rest.
#[utoipa::path(
    tag = "replays",
    params(("game_id" = uuid::Uuid, Path, description = "The game."), ReplayQuery),
    responses(
        (status = 200, description = "The replay; with `ply`, the board after so many moves.",
            body = ReplayOrFrameResponse),
        (status = 304, description = "Nothing has changed for the caller."),
        (status = 403, description = "A viewpoint that is closed while the game runs.",
            body = Problem, content_type = "application/problem+json"),
        (status = 404, description = "There is no such game, or no such ply in it.",
            body = Problem, content_type = "application/problem+json"),
        (status = 409, description = "The game has not begun.", body = Problem,
            content_type = "application/problem+json"),
    ),
    security((), ("bearer" = [])),
)]
#[get("/v1/games/{game_id}/replay")]
pub(crate) async fn replay_game(
    state: web::Data<AppState>,
    caller: MaybeCaller,
    path: PathParams<GamePath>,
    query: Query<ReplayQuery>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let now = state.now();
    read_game(state, path.0.id(), caller, request, move |seen, caller| {
        replay(seen, caller, query.0, now)
    })
    .await
}

fn replay(
    seen: &Seen,
    caller: Option<PlayerId>,
    query: ReplayQuery,
    now: domain::Timestamp,
) -> Result<Tagged, ApiError> {
    let view = seen.view(caller, query.viewpoint.map(Into::into))?;
    let game = &seen.stored.game;
    if !game.has_begun() {
        return Err(not_begun(game));
    }
    let Some(ply) = query.ply else {
        return Tagged::new(&ReplayResponse::of(&seen.stored, &view, now));
    };
    let frame = view
        .frame(ply)
        .ok_or_else(|| no_such_ply(game.ply(), ply))?;
    Tagged::new(&FrameResponse::from(frame))
}
