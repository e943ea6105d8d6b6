//! Pictures of the board.

use actix_web::{HttpRequest, HttpResponse, get, web};
use serde::Deserialize;
use storage::PlayerId;
use utoipa::IntoParams;

use super::{GamePath, caption, no_such_ply, not_begun, read_game};
use crate::auth::MaybeCaller;
use crate::http::etag::Tagged;
use crate::http::extract::{PathParams, Query};
use crate::pictures;
use crate::problem::{ApiError, Problem};
use crate::state::AppState;
use crate::usecase::games::Seen;
use crate::wire::names::Viewpoint;

/// Which board is wanted.
#[derive(Debug, Clone, Copy, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct BoardQuery {
    /// Whose eyes: while the game runs the caller's own or `public`. When nothing is said: everything
    /// once the game is over, before that the caller's own, or `public` for who does not play.
    viewpoint: Option<Viewpoint>,
    /// After so many moves; now when nothing is said.
    ply: Option<u32>,
}

/// A picture of the board
///
/// The board as a viewpoint knows it, now or after so many moves, drawn: `?` is a piece that it does
/// not know, with the ranks that it can still be when they are four or fewer. Before the start it shows
/// the army that the caller placed. It follows the reader's light or dark mode and holds no script.
#[utoipa::path(
    tag = "replays",
    params(("game_id" = uuid::Uuid, Path, description = "The game."), BoardQuery),
    responses(
        (status = 200, description = "The picture.", body = String, content_type = "image/svg+xml"),
        (status = 304, description = "Nothing has changed for the caller."),
        (status = 403, description = "A viewpoint that is closed while the game runs.",
            body = Problem, content_type = "application/problem+json"),
        (status = 404, description = "There is no such game, or no such ply in it.",
            body = Problem, content_type = "application/problem+json"),
        (status = 409, description = "A ply was asked for and the game has not begun.",
            body = Problem, content_type = "application/problem+json"),
    ),
    security((), ("bearer" = [])),
)]
#[get("/v1/games/{game_id}/board.svg")]
pub(crate) async fn draw_board(
    state: web::Data<AppState>,
    caller: MaybeCaller,
    path: PathParams<GamePath>,
    query: Query<BoardQuery>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    read_game(state, path.0.id(), caller, request, move |seen, caller| {
        draw(seen, caller, query.0)
    })
    .await
}

fn draw(seen: &Seen, caller: Option<PlayerId>, query: BoardQuery) -> Result<Tagged, ApiError> {
    let view = seen.view(caller, query.viewpoint.map(Into::into))?;
    let game = &seen.stored.game;
    if query.ply.is_some() && !game.has_begun() {
        return Err(not_begun(game));
    }
    let picture = pictures::board(&view, &caption(&seen.stored), query.ply)
        .ok_or_else(|| no_such_ply(game.ply(), query.ply.unwrap_or_default()))?;
    Ok(Tagged::picture(&picture))
}
