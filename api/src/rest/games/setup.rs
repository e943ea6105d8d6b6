//! Placing an army.

use actix_web::{HttpResponse, put, web};
use domain::{Command, Setup};
use serde::Deserialize;
use utoipa::ToSchema;

use super::{GamePath, act_on};
use crate::auth::{Caller, Scope};
use crate::http::extract::{PathParams, RawBody};
use crate::problem::{ApiError, Problem};
use crate::state::AppState;
use crate::wire::game::GameResponse;
use crate::wire::setups::illegal_setup;

/// An army to be placed.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SetupRequest {
    /// Forty characters as the player sees them: front row first, each row from his left to right,
    /// `.` for an empty square; white space and `/` are ignored.
    #[schema(example = "6527M3538B/36228B7446/2B24562279/5FB43S3B2B")]
    setup: String,
}

/// Place the army
///
/// It can be replaced until both armies stand; then the game begins. The other side learns that it
/// was placed, and no more.
#[utoipa::path(
    tag = "games",
    params(("game_id" = uuid::Uuid, Path, description = "The game.")),
    request_body = SetupRequest,
    responses(
        (status = 200, description = "The game with the army.", body = GameResponse),
        (status = 403, description = "Not a player of this game.", body = Problem,
            content_type = "application/problem+json"),
        (status = 404, description = "There is no such game.", body = Problem,
            content_type = "application/problem+json"),
        (status = 409, description = "Both armies stand already, or the game is over.",
            body = Problem, content_type = "application/problem+json"),
        (status = 422, description = "The setup does not fit the army; every fault is listed.",
            body = Problem, content_type = "application/problem+json"),
    ),
    security(("bearer" = [])),
)]
#[put("/v1/games/{game_id}/setup")]
pub(crate) async fn place_setup(
    state: web::Data<AppState>,
    caller: Caller,
    path: PathParams<GamePath>,
    body: RawBody,
) -> Result<HttpResponse, ApiError> {
    let caller = caller.require(Scope::Play)?;
    let now = state.now();
    let acted = act_on(state, path.0, caller, move |stored, _| {
        let request: SetupRequest = body.parse()?;
        // Said before the setup is looked at: a right one would not be taken either.
        if stored.game.status() == domain::Status::Active {
            return Err(domain::PlayError::SetupAlreadyPlaced.into());
        }
        if stored.game.status().is_over() {
            return Err(domain::PlayError::GameOver.into());
        }
        let ruleset = stored.game.terms().ruleset;
        let setup =
            Setup::parse(ruleset, &request.setup).map_err(|errors| illegal_setup(&errors))?;
        Ok(Command::PlaceSetup(setup))
    })
    .await?;
    Ok(HttpResponse::Ok().json(GameResponse::of(&acted.stored, Some(acted.side), now)))
}
