//! The ratings of a player.

use std::sync::Arc;

use actix_web::{HttpResponse, get, web};

use super::RatedPlayerPath;
use crate::auth::MaybeCaller;
use crate::http::extract::PathParams;
use crate::problem::{ApiError, Problem};
use crate::state::AppState;
use crate::usecase::ratings;
use crate::wire::rating::RatingsResponse;

/// Show a player's ratings
///
/// One for each rule sheet that the player has a rated game in (Glicko-2). What is shown is how the
/// last rated game left it.
#[utoipa::path(
    tag = "ratings",
    params(RatedPlayerPath),
    security((), ("bearer" = [])),
    responses(
        (status = 200, description = "The ratings.", body = RatingsResponse),
        (status = 404, description = "`not_found`.", body = Problem, content_type = "application/problem+json"),
        (status = 410, description = "`gone`: the account was erased.",
            body = Problem, content_type = "application/problem+json"),
    ),
)]
#[get("/v1/players/{username}/ratings")]
pub(crate) async fn show_ratings(
    _caller: MaybeCaller,
    path: PathParams<RatedPlayerPath>,
    state: web::Data<AppState>,
) -> Result<HttpResponse, ApiError> {
    let work = Arc::clone(&state);
    let read = move || {
        work.db
            .read(|connection| ratings::of_player(connection, &path.0.username))
    };
    let standings = state.database_work.try_run(read).await?;
    let items = standings.iter().map(Into::into).collect();
    Ok(HttpResponse::Ok().json(RatingsResponse { items }))
}
