//! Declining a challenge, and taking one back.

use std::sync::Arc;

use actix_web::{HttpResponse, delete, post, web};
use serde::Deserialize;
use storage::PlayerId;
use utoipa::ToSchema;

use super::ChallengePath;
use crate::auth::{Caller, Scope};
use crate::http::extract::{PathParams, RawBody};
use crate::problem::{ApiError, Problem};
use crate::state::AppState;
use crate::usecase::challenges;
use crate::usecase::games::instant;
use crate::wire::terms::out_of_range;

/// Why a challenge is declined.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct DeclineRequest {
    /// A word to the challenger, up to 200 characters.
    #[schema(max_length = 200)]
    reason: Option<String>,
}

impl DeclineRequest {
    const LONGEST_REASON: usize = 200;

    fn reason(&self) -> Result<Option<&str>, ApiError> {
        let reason = self
            .reason
            .as_deref()
            .map(str::trim)
            .filter(|reason| !reason.is_empty());
        if reason.is_some_and(|reason| reason.chars().count() > Self::LONGEST_REASON) {
            let detail = format!("must be {} characters at the most", Self::LONGEST_REASON);
            return Err(ApiError::validation(vec![out_of_range("reason", detail)]));
        }
        if reason.is_some_and(|reason| reason.chars().any(char::is_control)) {
            let detail = "must have no control characters".to_owned();
            return Err(ApiError::validation(vec![out_of_range("reason", detail)]));
        }
        Ok(reason)
    }
}

/// Decline a challenge
///
/// One that was sent to the caller.
#[utoipa::path(
    tag = "challenges",
    params(("challenge_id" = uuid::Uuid, Path, description = "The challenge.")),
    request_body = DeclineRequest,
    responses(
        (status = 204, description = "It is declined."),
        (status = 422, description = "The reason is too long.", body = Problem,
            content_type = "application/problem+json"),
        (status = 403, description = "It is open to all.", body = Problem,
            content_type = "application/problem+json"),
        (status = 404, description = "There is no such challenge.", body = Problem,
            content_type = "application/problem+json"),
        (status = 409, description = "`challenge_closed` or `own_challenge`.", body = Problem,
            content_type = "application/problem+json"),
        (status = 410, description = "It has expired.", body = Problem,
            content_type = "application/problem+json"),
    ),
    security(("bearer" = [])),
)]
#[post("/v1/challenges/{challenge_id}/decline")]
pub(crate) async fn decline_challenge(
    state: web::Data<AppState>,
    caller: Caller,
    path: PathParams<ChallengePath>,
    body: RawBody,
) -> Result<HttpResponse, ApiError> {
    let caller = PlayerId::from_uuid(caller.require(Scope::Play)?.player_id);
    let id = path.0.id();
    let now = instant(&*state.clock);
    let work = Arc::clone(&state);
    state
        .database_work
        .try_run(move || {
            work.db
                .read(|connection| challenges::find_to_answer(connection, id, caller))?;
            let request: DeclineRequest = body.parse_or_empty()?;
            challenges::decline(&work, caller, id, request.reason()?, now)
        })
        .await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Take a challenge back
///
/// One that the caller made.
#[utoipa::path(
    tag = "challenges",
    params(("challenge_id" = uuid::Uuid, Path, description = "The challenge.")),
    responses(
        (status = 204, description = "It is taken back."),
        (status = 403, description = "It is another's.", body = Problem,
            content_type = "application/problem+json"),
        (status = 404, description = "There is no such challenge.", body = Problem,
            content_type = "application/problem+json"),
        (status = 409, description = "It was answered before.", body = Problem,
            content_type = "application/problem+json"),
        (status = 410, description = "It has expired.", body = Problem,
            content_type = "application/problem+json"),
    ),
    security(("bearer" = [])),
)]
#[delete("/v1/challenges/{challenge_id}")]
pub(crate) async fn withdraw_challenge(
    state: web::Data<AppState>,
    caller: Caller,
    path: PathParams<ChallengePath>,
) -> Result<HttpResponse, ApiError> {
    let caller = PlayerId::from_uuid(caller.require(Scope::Play)?.player_id);
    let id = path.0.id();
    let now = instant(&*state.clock);
    let work = Arc::clone(&state);
    state
        .database_work
        .try_run(move || challenges::withdraw(&work, caller, id, now))
        .await?;
    Ok(HttpResponse::NoContent().finish())
}
