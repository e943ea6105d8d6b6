//! Making a challenge.

use std::sync::Arc;

use actix_web::http::header;
use actix_web::{HttpRequest, HttpResponse, post, web};
use storage::PlayerId;

use crate::auth::{Caller, Scope};
use crate::http::extract::RawBody;
use crate::http::idempotency::Idempotency;
use crate::problem::{ApiError, Problem};
use crate::state::AppState;
use crate::usecase::challenges;
use crate::usecase::games::instant;
use crate::wire::challenge::{ChallengeRequest, ChallengeResponse};

/// Make a challenge
///
/// To one player, or without `opponent` to all. With an `Idempotency-Key` it is made once, however
/// often the request is sent.
#[utoipa::path(
    tag = "challenges",
    params(("Idempotency-Key" = Option<String>, Header, description = "1 to 255 visible ASCII \
        characters, remembered for 24 hours.")),
    request_body = ChallengeRequest,
    responses(
        (status = 201, description = "The challenge.", body = ChallengeResponse,
            headers(("Location" = String, description = "Where it is."))),
        (status = 409, description = "A challenge to oneself.", body = Problem,
            content_type = "application/problem+json"),
        (status = 410, description = "The opponent has left.", body = Problem,
            content_type = "application/problem+json"),
        (status = 422, description = "Values beyond their range, or no such opponent.",
            body = Problem, content_type = "application/problem+json"),
    ),
    security(("bearer" = [])),
)]
#[post("/v1/challenges")]
pub(crate) async fn create_challenge(
    state: web::Data<AppState>,
    caller: Caller,
    body: RawBody,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let caller = PlayerId::from_uuid(caller.require(Scope::Play)?.player_id);
    let wanted: ChallengeRequest = body.parse()?;
    let key = Idempotency::read(&request, &body.parse::<serde_json::Value>()?)?;
    let terms = wanted.validate(state.config.min_time_per_move)?;
    let now = instant(&*state.clock);
    let work = Arc::clone(&state);
    let challenge = state
        .database_work
        .try_run(move || challenges::create(&work, caller, &wanted, terms, key.as_ref(), now))
        .await?;
    Ok(HttpResponse::Created()
        .insert_header((header::LOCATION, format!("/v1/challenges/{}", challenge.id)))
        .json(ChallengeResponse::of(&challenge, now)))
}
