//! One's own vacation.

use std::sync::Arc;

use actix_web::{HttpResponse, delete, get, put, web};
use storage::PlayerId;

use crate::auth::{Caller, Scope};
use crate::http::extract::RawBody;
use crate::problem::{ApiError, Problem};
use crate::state::AppState;
use crate::time::to_domain;
use crate::usecase::vacations;
use crate::wire::pause::{VacationRequest, VacationResponse};

/// Show one's own vacation
///
/// With the days that are left to take.
#[utoipa::path(
    tag = "accounts",
    security(("bearer" = [])),
    responses(
        (status = 200, description = "The vacation.", body = VacationResponse),
        (status = 403, description = "`insufficient_scope`.", body = Problem, content_type = "application/problem+json"),
    ),
)]
#[get("/v1/me/vacation")]
pub(crate) async fn show_vacation(
    state: web::Data<AppState>,
    caller: Caller,
) -> Result<HttpResponse, ApiError> {
    let caller = PlayerId::from_uuid(caller.require(Scope::Read)?.player_id);
    let work = Arc::clone(&state);
    let vacation = state
        .database_work
        .try_run(move || vacations::show(&work, caller))
        .await?;
    Ok(HttpResponse::Ok().json(VacationResponse::of(&vacation, state.now())))
}

/// Go on vacation
///
/// Stops one's own clock in every game whose challenge allowed it, exactly where it stands, and where it
/// is the opponent's turn as soon as that is over. Moves are taken all the same. While a vacation runs
/// its beginning stays; its end can be moved. Both players see it in the game.
#[utoipa::path(
    tag = "accounts",
    security(("bearer" = [])),
    request_body = VacationRequest,
    responses(
        (status = 200, description = "The vacation as it is now; it ends when it is used up, if not before.",
            body = VacationResponse),
        (status = 403, description = "`insufficient_scope`.", body = Problem, content_type = "application/problem+json"),
        (status = 422, description = "`validation_failed`: it would end too early, begin too late, or nothing is left.",
            body = Problem, content_type = "application/problem+json"),
    ),
)]
#[put("/v1/me/vacation")]
pub(crate) async fn plan_vacation(
    state: web::Data<AppState>,
    caller: Caller,
    body: RawBody,
) -> Result<HttpResponse, ApiError> {
    let caller = PlayerId::from_uuid(caller.require(Scope::Play)?.player_id);
    let request: VacationRequest = body.parse()?;
    let (from, until) = (request.from.map(to_domain), request.until.map(to_domain));
    let work = Arc::clone(&state);
    let vacation = state
        .database_work
        .try_run(move || vacations::plan(&work, caller, from, until))
        .await?;
    Ok(HttpResponse::Ok().json(VacationResponse::of(&vacation, state.now())))
}

/// Come back from vacation
///
/// Ends the one that runs, so that one's clocks go on from where they stood, or gives up the one that is
/// planned. Without either there is nothing to do.
#[utoipa::path(
    tag = "accounts",
    security(("bearer" = [])),
    responses(
        (status = 204, description = "There is none any more."),
        (status = 403, description = "`insufficient_scope`.", body = Problem, content_type = "application/problem+json"),
    ),
)]
#[delete("/v1/me/vacation")]
pub(crate) async fn end_vacation(
    state: web::Data<AppState>,
    caller: Caller,
) -> Result<HttpResponse, ApiError> {
    let caller = PlayerId::from_uuid(caller.require(Scope::Play)?.player_id);
    let work = Arc::clone(&state);
    state
        .database_work
        .try_run(move || vacations::end(&work, caller))
        .await?;
    Ok(HttpResponse::NoContent().finish())
}
