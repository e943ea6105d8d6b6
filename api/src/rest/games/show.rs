//! One game.

use std::sync::Arc;

use actix_web::{HttpRequest, HttpResponse, get, web};

use super::{GamePath, read_game};
use crate::auth::MaybeCaller;
use crate::http::etag::Tagged;
use crate::http::extract::PathParams;
use crate::problem::{ApiError, Problem};
use crate::state::AppState;
use crate::usecase::games::Seen;
use crate::wire::game::GameResponse;

/// A game
///
/// As the caller may see it: a player sees his own pieces and what was disclosed to him, anyone else
/// what both players know. A game that is over is open to all, whole. `If-None-Match` is answered
/// with 304 while nothing has changed for the caller.
#[utoipa::path(
    tag = "games",
    params(("game_id" = uuid::Uuid, Path, description = "The game.")),
    responses(
        (status = 200, description = "The game.", body = GameResponse,
            headers(("ETag" = String, description = "Of this view of the game."))),
        (status = 304, description = "Nothing has changed for the caller."),
        (status = 404, description = "There is no such game.", body = Problem,
            content_type = "application/problem+json"),
    ),
    security((), ("bearer" = [])),
)]
#[get("/v1/games/{game_id}")]
pub(crate) async fn show_game(
    state: web::Data<AppState>,
    caller: MaybeCaller,
    path: PathParams<GamePath>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let games = Arc::clone(&state);
    read_game(state, path.0.id(), caller, request, move |seen, _| {
        let Seen { stored, side } = seen;
        let write = || Tagged::new(&GameResponse::of(stored, *side, games.now()));
        if stored.summary.terms.weekends {
            // It changes by itself as a weekend begins and ends.
            return write();
        }
        games.games.shown(stored, *side, write)
    })
    .await
}
