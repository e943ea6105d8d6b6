//! Pictures of what was hidden.

use actix_web::{HttpRequest, HttpResponse, get, web};
use serde::Deserialize;
use storage::PlayerId;
use utoipa::IntoParams;

use super::{GamePath, caption, not_begun, read_game};
use crate::auth::MaybeCaller;
use crate::http::etag::Tagged;
use crate::http::extract::{PathParams, Query};
use crate::pictures;
use crate::problem::{ApiError, Problem};
use crate::state::AppState;
use crate::usecase::games::Seen;
use crate::wire::names::Viewpoint;

/// Whose timeline is wanted.
#[derive(Debug, Clone, Copy, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct TimelineQuery {
    /// Whose eyes: while the game runs the caller's own or `public`. When nothing is said: everything
    /// once the game is over, before that the caller's own, or `public` for who does not play.
    viewpoint: Option<Viewpoint>,
}

/// A picture of what was hidden
///
/// The bits that each side hid from the other after every ply, drawn as two lines, with the ranks that
/// became known and the battles marked on them. It follows the reader's light or dark mode and holds no
/// script.
#[utoipa::path(
    tag = "replays",
    params(("game_id" = uuid::Uuid, Path, description = "The game."), TimelineQuery),
    responses(
        (status = 200, description = "The picture.", body = String, content_type = "image/svg+xml"),
        (status = 304, description = "Nothing has changed for the caller."),
        (status = 403, description = "A viewpoint that is closed while the game runs.",
            body = Problem, content_type = "application/problem+json"),
        (status = 404, description = "There is no such game.", body = Problem,
            content_type = "application/problem+json"),
        (status = 409, description = "The game has not begun.", body = Problem,
            content_type = "application/problem+json"),
    ),
    security((), ("bearer" = [])),
)]
#[get("/v1/games/{game_id}/timeline.svg")]
pub(crate) async fn draw_timeline(
    state: web::Data<AppState>,
    caller: MaybeCaller,
    path: PathParams<GamePath>,
    query: Query<TimelineQuery>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    read_game(state, path.0.id(), caller, request, move |seen, caller| {
        draw(seen, caller, query.0)
    })
    .await
}

fn draw(seen: &Seen, caller: Option<PlayerId>, query: TimelineQuery) -> Result<Tagged, ApiError> {
    let view = seen.view(caller, query.viewpoint.map(Into::into))?;
    let picture = pictures::timeline(&view, &caption(&seen.stored))
        .ok_or_else(|| not_begun(&seen.stored.game))?;
    Ok(Tagged::picture(&picture))
}
