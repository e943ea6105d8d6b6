//! What the caller notes on a game, for himself alone.

use std::sync::Arc;

use actix_web::{HttpRequest, HttpResponse, delete, get, put, web};
use storage::PlayerId;

use super::GamePath;
use crate::auth::{Caller, Scope};
use crate::http::etag::{Sharing, Tagged};
use crate::http::extract::{PathParams, RawBody};
use crate::problem::{ApiError, Problem};
use crate::state::AppState;
use crate::usecase::games::instant;
use crate::usecase::notes;
use crate::wire::notes::{NoteRequest, NoteResponse};

/// Your notes on the game
///
/// The caller's own, which nobody else sees anywhere, and whether he plays the game or not; an empty
/// text where there are none.
#[utoipa::path(
    tag = "games",
    params(("game_id" = uuid::Uuid, Path, description = "The game.")),
    responses(
        (status = 200, description = "The notes.", body = NoteResponse,
            headers(("ETag" = String, description = "Of the notes."))),
        (status = 304, description = "They are as the `ETag` in `If-None-Match` says."),
        (status = 404, description = "There is no such game.", body = Problem,
            content_type = "application/problem+json"),
    ),
    security(("bearer" = [])),
)]
#[get("/v1/games/{game_id}/notes")]
pub(crate) async fn show_note(
    state: web::Data<AppState>,
    caller: Caller,
    path: PathParams<GamePath>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let caller = PlayerId::from_uuid(caller.require(Scope::Read)?.player_id);
    let game = path.0.id();
    let work = Arc::clone(&state);
    let note = state
        .database_work
        .try_run(move || notes::read(&work, caller, game))
        .await?;
    Ok(Tagged::new(&NoteResponse::from(note))?.answer(&request, Sharing::Private))
}

/// Write notes on the game
///
/// In the place of what was there. They are for the caller alone, and go with his account.
#[utoipa::path(
    tag = "games",
    params(("game_id" = uuid::Uuid, Path, description = "The game.")),
    request_body = NoteRequest,
    responses(
        (status = 200, description = "The notes as they are now.", body = NoteResponse),
        (status = 404, description = "There is no such game.", body = Problem,
            content_type = "application/problem+json"),
        (status = 422, description = "The text is too long or is none, or there are notes on 2,000 \
            other games.", body = Problem, content_type = "application/problem+json"),
    ),
    security(("bearer" = [])),
)]
#[put("/v1/games/{game_id}/notes")]
pub(crate) async fn write_note(
    state: web::Data<AppState>,
    caller: Caller,
    path: PathParams<GamePath>,
    body: RawBody,
) -> Result<HttpResponse, ApiError> {
    let caller = PlayerId::from_uuid(caller.require(Scope::Play)?.player_id);
    let game = path.0.id();
    let now = instant(&*state.clock);
    let work = Arc::clone(&state);
    let text = move || body.parse::<NoteRequest>()?.validate();
    let note = state
        .database_work
        .try_run(move || notes::write(&work, caller, game, text, now))
        .await?;
    Ok(HttpResponse::Ok().json(NoteResponse::from(note)))
}

/// Delete your notes on the game
///
/// Nothing happens where there are none.
#[utoipa::path(
    tag = "games",
    params(("game_id" = uuid::Uuid, Path, description = "The game.")),
    responses(
        (status = 204, description = "There are none any more."),
        (status = 404, description = "There is no such game.", body = Problem,
            content_type = "application/problem+json"),
    ),
    security(("bearer" = [])),
)]
#[delete("/v1/games/{game_id}/notes")]
pub(crate) async fn delete_note(
    state: web::Data<AppState>,
    caller: Caller,
    path: PathParams<GamePath>,
) -> Result<HttpResponse, ApiError> {
    let caller = PlayerId::from_uuid(caller.require(Scope::Play)?.player_id);
    let game = path.0.id();
    let work = Arc::clone(&state);
    state
        .database_work
        .try_run(move || notes::delete(&work, caller, game))
        .await?;
    Ok(HttpResponse::NoContent().finish())
}
