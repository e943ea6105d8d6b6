use std::sync::Arc;

use actix_web::{HttpResponse, put, web};
use storage::PlayerId;

use super::SetupPath;
use crate::auth::{Caller, Scope};
use crate::http::extract::{PathParams, RawBody};
use crate::problem::{ApiError, Problem};
use crate::state::AppState;
use crate::usecase::games::instant;
use crate::usecase::setups;
use crate::wire::setups::{SavedSetupRequest, SavedSetupResponse};

/// Replace a saved setup
///
/// Its name, ruleset and arrangement, all at once.
#[utoipa::path(
    tag = "rules",
    params(("setup_id" = uuid::Uuid, Path, description = "The saved setup.")),
    request_body = SavedSetupRequest,
    responses(
        (status = 200, description = "The setup as it is saved now.", body = SavedSetupResponse),
        (status = 404, description = "The caller has no such setup.", body = Problem,
            content_type = "application/problem+json"),
        (status = 422, description = "`validation_failed` for the name, `illegal_setup` for the \
            arrangement.", body = Problem, content_type = "application/problem+json"),
    ),
    security(("bearer" = [])),
)]
#[put("/v1/me/setups/{setup_id}")]
pub(crate) async fn replace_setup(
    state: web::Data<AppState>,
    caller: Caller,
    path: PathParams<SetupPath>,
    body: RawBody,
) -> Result<HttpResponse, ApiError> {
    let caller = PlayerId::from_uuid(caller.require(Scope::Play)?.player_id);
    let id = path.0.id();
    let now = instant(&*state.clock);
    let work = Arc::clone(&state);
    let read = move || body.parse::<SavedSetupRequest>()?.validate();
    let saved = state
        .database_work
        .try_run(move || setups::replace(&work.db, caller, id, read, now))
        .await?;
    Ok(HttpResponse::Ok().json(SavedSetupResponse::from(saved)))
}
