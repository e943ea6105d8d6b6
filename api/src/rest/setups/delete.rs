use std::sync::Arc;

use actix_web::{HttpResponse, delete, web};
use storage::PlayerId;

use super::SetupPath;
use crate::auth::{Caller, Scope};
use crate::http::extract::PathParams;
use crate::problem::{ApiError, Problem};
use crate::state::AppState;
use crate::usecase::setups;

/// Delete a saved setup
///
/// Games in which it was placed keep their own copy.
#[utoipa::path(
    tag = "rules",
    params(("setup_id" = uuid::Uuid, Path, description = "The saved setup.")),
    responses(
        (status = 204, description = "It is gone."),
        (status = 404, description = "The caller has no such setup.", body = Problem,
            content_type = "application/problem+json"),
    ),
    security(("bearer" = [])),
)]
#[delete("/v1/me/setups/{setup_id}")]
pub(crate) async fn delete_setup(
    state: web::Data<AppState>,
    caller: Caller,
    path: PathParams<SetupPath>,
) -> Result<HttpResponse, ApiError> {
    let caller = PlayerId::from_uuid(caller.require(Scope::Play)?.player_id);
    let id = path.0.id();
    let work = Arc::clone(&state);
    state
        .database_work
        .try_run(move || setups::delete(&work.db, caller, id))
        .await?;
    Ok(HttpResponse::NoContent().finish())
}
