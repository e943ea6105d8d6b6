use std::sync::Arc;

use actix_web::{HttpRequest, HttpResponse, get, web};
use storage::PlayerId;

use super::SetupPath;
use crate::auth::{Caller, Scope};
use crate::http::etag::{Sharing, Tagged};
use crate::http::extract::PathParams;
use crate::problem::{ApiError, Problem};
use crate::state::AppState;
use crate::usecase::setups;
use crate::wire::setups::SavedSetupResponse;

/// A saved setup
///
/// One of the caller's own; those of others are as good as not there.
#[utoipa::path(
    tag = "rules",
    params(("setup_id" = uuid::Uuid, Path, description = "The saved setup.")),
    responses(
        (status = 200, description = "The saved setup.", body = SavedSetupResponse,
            headers(("ETag" = String, description = "Of the saved setup."))),
        (status = 304, description = "It is as the `ETag` in `If-None-Match` says."),
        (status = 404, description = "The caller has no such setup.", body = Problem,
            content_type = "application/problem+json"),
    ),
    security(("bearer" = [])),
)]
#[get("/v1/me/setups/{setup_id}")]
pub(crate) async fn show_setup(
    state: web::Data<AppState>,
    caller: Caller,
    path: PathParams<SetupPath>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let caller = PlayerId::from_uuid(caller.require(Scope::Read)?.player_id);
    let id = path.0.id();
    let work = Arc::clone(&state);
    let saved = state
        .database_work
        .try_run(move || {
            work.db
                .read(|connection| setups::find(connection, caller, id))
        })
        .await?;
    Ok(Tagged::new(&SavedSetupResponse::from(saved))?.answer(&request, Sharing::Private))
}
