//! Playing a game again.

use std::sync::Arc;

use actix_web::http::header;
use actix_web::{HttpRequest, HttpResponse, post, web};
use storage::PlayerId;

use super::GamePath;
use crate::auth::{Caller, Scope};
use crate::http::extract::{PathParams, RawBody};
use crate::http::idempotency::Idempotency;
use crate::problem::{ApiError, Problem};
use crate::state::AppState;
use crate::usecase::games::{find_for_player, instant};
use crate::usecase::rematches;
use crate::wire::EmptyRequest;
use crate::wire::challenge::ChallengeResponse;

/// Ask for a rematch
///
/// A challenge to the opponent on the terms of this game, with the sides exchanged. When he has asked
/// already this accepts his: the challenge is closed, and `game_id` and `Location` are the new game. A
/// game is played again once: who asks again gets the challenge that there is, with 200.
#[utoipa::path(
    tag = "games",
    params(
        ("game_id" = uuid::Uuid, Path, description = "The game, which is over."),
        ("Idempotency-Key" = Option<String>, Header, description = "1 to 255 visible ASCII \
            characters, remembered for 24 hours."),
    ),
    request_body = EmptyRequest,
    responses(
        (status = 201, description = "The challenge, made or accepted.", body = ChallengeResponse,
            headers(("Location" = String, description = "Where the challenge is, or the game that \
                came of it."))),
        (status = 200, description = "The challenge that was there already.",
            body = ChallengeResponse,
            headers(("Location" = String, description = "As above."))),
        (status = 403, description = "Not a player of this game.", body = Problem,
            content_type = "application/problem+json"),
        (status = 404, description = "There is no such game.", body = Problem,
            content_type = "application/problem+json"),
        (status = 409, description = "The game is not over.", body = Problem,
            content_type = "application/problem+json"),
        (status = 410, description = "The opponent has left.", body = Problem,
            content_type = "application/problem+json"),
        (status = 422, description = "The key was used for another request.", body = Problem,
            content_type = "application/problem+json"),
    ),
    security(("bearer" = [])),
)]
#[post("/v1/games/{game_id}/rematch")]
pub(crate) async fn offer_rematch(
    state: web::Data<AppState>,
    caller: Caller,
    path: PathParams<GamePath>,
    body: RawBody,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let caller = PlayerId::from_uuid(caller.require(Scope::Play)?.player_id);
    let game = path.0.id();
    let key = Idempotency::read(&request, &())?;
    let now = instant(&*state.clock);
    let work = Arc::clone(&state);
    let rematch = state
        .database_work
        .try_run(move || {
            work.db
                .read(|connection| find_for_player(connection, &work.games, game, caller))?;
            body.parse_or_empty::<EmptyRequest>()?;
            rematches::ask(&work, caller, game, key.as_ref(), now)
        })
        .await?;
    let location = match rematch.game() {
        Some(game) => format!("/v1/games/{game}"),
        None => format!("/v1/challenges/{}", rematch.challenge.id),
    };
    let mut answer = if rematch.is_new {
        HttpResponse::Created()
    } else {
        HttpResponse::Ok()
    };
    Ok(answer
        .insert_header((header::LOCATION, location))
        .json(ChallengeResponse::of(&rematch.challenge, now)))
}
