//! Calling a game off.

use actix_web::{HttpResponse, post, web};
use domain::Command;

use super::{GamePath, act_on};
use crate::auth::{Caller, Scope};
use crate::http::extract::{PathParams, RawBody};
use crate::problem::{ApiError, Problem};
use crate::state::AppState;
use crate::wire::EmptyRequest;
use crate::wire::game::GameResponse;

/// Call the game off
///
/// While a side has made no move; the game is then unrated and has no winner.
#[utoipa::path(
    tag = "games",
    params(("game_id" = uuid::Uuid, Path, description = "The game.")),
    request_body = EmptyRequest,
    responses(
        (status = 200, description = "The game, which is over.", body = GameResponse),
        (status = 403, description = "Not a player of this game.", body = Problem,
            content_type = "application/problem+json"),
        (status = 404, description = "There is no such game.", body = Problem,
            content_type = "application/problem+json"),
        (status = 409, description = "The game is over, or both sides have moved.", body = Problem,
            content_type = "application/problem+json"),
    ),
    security(("bearer" = [])),
)]
#[post("/v1/games/{game_id}/abort")]
pub(crate) async fn abort_game(
    state: web::Data<AppState>,
    caller: Caller,
    path: PathParams<GamePath>,
    body: RawBody,
) -> Result<HttpResponse, ApiError> {
    let caller = caller.require(Scope::Play)?;
    let now = state.now();
    let acted = act_on(state, path.0, caller, move |_, _| {
        body.parse_or_empty::<EmptyRequest>()?;
        Ok(Command::Abort)
    })
    .await?;
    Ok(HttpResponse::Ok().json(GameResponse::of(&acted.stored, Some(acted.side), now)))
}
