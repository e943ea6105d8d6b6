//! Conditional moves: what a player has prepared for what his opponent may do. His alone.

use std::sync::Arc;

use actix_web::{HttpRequest, HttpResponse, delete, get, put, web};
use domain::{PlayError, Status};
use storage::PlayerId;
use storage::games::StoredGame;

use super::GamePath;
use crate::auth::{Caller, Scope};
use crate::http::etag::{Sharing, Tagged};
use crate::http::extract::{PathParams, RawBody};
use crate::problem::{ApiError, Problem};
use crate::state::AppState;
use crate::usecase::games::{Prepared, keep_lines, prepared};
use crate::wire::lines::{LinesRequest, LinesResponse};

/// Prepare replies
///
/// When the opponent makes the move that a line waits for, its reply is played at the same instant, and
/// what is in its `next` waits for his move after that. When he does anything else, or the player
/// himself another move, the lines are over. A reply that is not allowed when it comes up, or would forfeit
/// the turn, is not played and ends the lines: `dropped` says so, and `conditional.dropped` in the
/// player's own stream.
///
/// Only the form is checked here, for what is possible depends on what the player may not know. A line may
/// name how the opponent's attack ended, and then counts before one that does not. No line waits for a
/// move that forfeited the turn. Replaces what was prepared before; waits for the opponent's next move,
/// whoever is to move now.
#[utoipa::path(
    tag = "games",
    params(("game_id" = uuid::Uuid, Path, description = "The game.")),
    request_body = LinesRequest,
    responses(
        (status = 200, description = "The lines as they wait.", body = LinesResponse),
        (status = 403, description = "Not a player of this game.", body = Problem,
            content_type = "application/problem+json"),
        (status = 404, description = "There is no such game.", body = Problem,
            content_type = "application/problem+json"),
        (status = 409, description = "The game is over, or has not begun.", body = Problem,
            content_type = "application/problem+json"),
        (status = 422, description = "`validation_failed`: `not_on_board`, `same_trigger`, `too_many`, \
            `too_deep`.", body = Problem, content_type = "application/problem+json"),
    ),
    security(("bearer" = [])),
)]
#[put("/v1/games/{game_id}/conditional-moves")]
pub(crate) async fn prepare_moves(
    state: web::Data<AppState>,
    caller: Caller,
    path: PathParams<GamePath>,
    body: RawBody,
) -> Result<HttpResponse, ApiError> {
    let player = PlayerId::from_uuid(caller.require(Scope::Play)?.player_id);
    let kept = keep_lines(&state, path.0.id(), player, move |stored, side| {
        let request: LinesRequest = body.parse()?;
        require_running(stored)?;
        request.lines(side, stored.game.ply())
    })
    .await?;
    let body = response(&kept);
    let mut answer = HttpResponse::Ok();
    for header in Sharing::Private.headers() {
        answer.insert_header(header);
    }
    Ok(answer.json(body))
}

/// The prepared replies
///
/// Those that still wait, and whether the last ones ended with a reply that was not allowed. None once
/// the game is over.
#[utoipa::path(
    tag = "games",
    params(("game_id" = uuid::Uuid, Path, description = "The game.")),
    responses(
        (status = 200, description = "The caller's own lines.", body = LinesResponse,
            headers(("ETag" = String, description = "Of the lines."))),
        (status = 304, description = "They are as the `ETag` in `If-None-Match` says."),
        (status = 403, description = "Not a player of this game.", body = Problem,
            content_type = "application/problem+json"),
        (status = 404, description = "There is no such game.", body = Problem,
            content_type = "application/problem+json"),
    ),
    security(("bearer" = [])),
)]
#[get("/v1/games/{game_id}/conditional-moves")]
pub(crate) async fn show_prepared(
    state: web::Data<AppState>,
    caller: Caller,
    path: PathParams<GamePath>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let player = PlayerId::from_uuid(caller.require(Scope::Read)?.player_id);
    let work = Arc::clone(&state);
    let game = path.0.id();
    let prepared = state
        .read(move |connection| prepared(connection, &work.games, game, player))
        .await?;
    Ok(Tagged::new(&response(&prepared))?.answer(&request, Sharing::Private))
}

/// Give prepared replies up
///
/// Nothing of the caller's waits after that, and nothing is told of what was dropped before. It may be
/// asked again and again.
#[utoipa::path(
    tag = "games",
    params(("game_id" = uuid::Uuid, Path, description = "The game.")),
    responses(
        (status = 204, description = "The caller has none."),
        (status = 403, description = "Not a player of this game.", body = Problem,
            content_type = "application/problem+json"),
        (status = 404, description = "There is no such game.", body = Problem,
            content_type = "application/problem+json"),
        (status = 409, description = "The game is over, or has not begun.", body = Problem,
            content_type = "application/problem+json"),
    ),
    security(("bearer" = [])),
)]
#[delete("/v1/games/{game_id}/conditional-moves")]
pub(crate) async fn forget_prepared(
    state: web::Data<AppState>,
    caller: Caller,
    path: PathParams<GamePath>,
) -> Result<HttpResponse, ApiError> {
    let player = PlayerId::from_uuid(caller.require(Scope::Play)?.player_id);
    keep_lines(&state, path.0.id(), player, |stored, _| {
        require_running(stored)?;
        Ok(None)
    })
    .await?;
    Ok(HttpResponse::NoContent().finish())
}

fn response(prepared: &Prepared) -> LinesResponse {
    LinesResponse::of(prepared.lines(), &prepared.stored.game)
}

fn require_running(stored: &StoredGame) -> Result<(), ApiError> {
    match stored.game.status() {
        Status::Active => Ok(()),
        Status::Setup => Err(PlayError::NotActive.into()),
        Status::Finished | Status::Aborted => Err(PlayError::GameOver.into()),
    }
}
