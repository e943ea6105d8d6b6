//! What everybody may know of a player.

use std::sync::Arc;

use actix_web::{HttpResponse, get, web};
use serde::Deserialize;
use utoipa::IntoParams;

use crate::auth::MaybeCaller;
use crate::http::extract::PathParams;
use crate::problem::{ApiError, Problem};
use crate::state::AppState;
use crate::usecase::players;
use crate::wire::player::PlayerResponse;

/// Which player is asked for.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Path)]
pub struct PlayerPath {
    /// The username, in any case.
    #[param(example = "Marshal")]
    pub(super) username: String,
}

/// Show a player
///
/// By username, without regard to case.
#[utoipa::path(
    tag = "players",
    params(PlayerPath),
    security((), ("bearer" = [])),
    responses(
        (status = 200, description = "The player.", body = PlayerResponse),
        (status = 404, description = "`not_found`.", body = Problem, content_type = "application/problem+json"),
        (status = 410, description = "`gone`: the account was erased.",
            body = Problem, content_type = "application/problem+json"),
    ),
)]
#[get("/v1/players/{username}")]
pub(crate) async fn show_player(
    _caller: MaybeCaller,
    path: PathParams<PlayerPath>,
    state: web::Data<AppState>,
) -> Result<HttpResponse, ApiError> {
    let work = Arc::clone(&state);
    let find = move || {
        work.db
            .read(|connection| players::find(connection, &path.0.username))
    };
    let player = state.database_work.try_run(find).await?;
    Ok(HttpResponse::Ok().json(PlayerResponse::from(&player)))
}
