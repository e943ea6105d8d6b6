//! Accepting a challenge.

use std::sync::Arc;

use actix_web::http::header;
use actix_web::{HttpRequest, HttpResponse, post, web};
use storage::PlayerId;

use super::ChallengePath;
use crate::auth::{Caller, Scope};
use crate::http::extract::{PathParams, RawBody};
use crate::http::idempotency::Idempotency;
use crate::problem::{ApiError, Problem};
use crate::state::AppState;
use crate::usecase::challenges;
use crate::usecase::games::instant;
use crate::wire::EmptyRequest;
use crate::wire::game::GameResponse;

/// Accept a challenge
///
/// Makes the game; of two who accept, one gets it. With an `Idempotency-Key` a retry is answered
/// with the same game.
#[utoipa::path(
    tag = "challenges",
    params(
        ("challenge_id" = uuid::Uuid, Path, description = "The challenge."),
        ("Idempotency-Key" = Option<String>, Header, description = "1 to 255 visible ASCII \
            characters, remembered for 24 hours."),
    ),
    request_body = EmptyRequest,
    responses(
        (status = 201, description = "The game.", body = GameResponse,
            headers(("Location" = String, description = "Where it is."))),
        (status = 404, description = "There is no such challenge.", body = Problem,
            content_type = "application/problem+json"),
        (status = 409, description = "`challenge_closed` or `own_challenge`.", body = Problem,
            content_type = "application/problem+json"),
        (status = 410, description = "It has expired.", body = Problem,
            content_type = "application/problem+json"),
    ),
    security(("bearer" = [])),
)]
#[post("/v1/challenges/{challenge_id}/accept")]
pub(crate) async fn accept_challenge(
    state: web::Data<AppState>,
    caller: Caller,
    path: PathParams<ChallengePath>,
    body: RawBody,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let caller = PlayerId::from_uuid(caller.require(Scope::Play)?.player_id);
    let id = path.0.id();
    let key = Idempotency::read(&request, &())?;
    let now = instant(&*state.clock);
    let work = Arc::clone(&state);
    let stored = state
        .database_work
        .try_run(move || {
            work.db
                .read(|connection| challenges::find_to_answer(connection, id, caller))?;
            body.parse_or_empty::<EmptyRequest>()?;
            challenges::accept(&work, caller, id, key.as_ref(), now, rand::random)
        })
        .await?;
    let side = stored.side_of(caller);
    Ok(HttpResponse::Created()
        .insert_header((header::LOCATION, format!("/v1/games/{}", stored.summary.id)))
        .json(GameResponse::of(&stored, side, now)))
}
