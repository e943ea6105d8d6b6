use std::sync::Arc;

use actix_web::http::header;
use actix_web::{HttpRequest, HttpResponse, post, web};
use storage::PlayerId;

use crate::auth::{Caller, Scope};
use crate::http::extract::RawBody;
use crate::http::idempotency::Idempotency;
use crate::problem::{ApiError, Problem};
use crate::state::AppState;
use crate::usecase::games::instant;
use crate::usecase::setups;
use crate::wire::setups::{SavedSetupRequest, SavedSetupResponse};

/// Save a setup
///
/// For the caller alone, who may keep up to 100. With an `Idempotency-Key` it is saved once, however
/// often the request is sent.
#[utoipa::path(
    tag = "rules",
    params(("Idempotency-Key" = Option<String>, Header, description = "1 to 255 visible ASCII \
        characters, remembered for 24 hours.")),
    request_body = SavedSetupRequest,
    responses(
        (status = 201, description = "The saved setup.", body = SavedSetupResponse,
            headers(("Location" = String, description = "Where it is."))),
        (status = 422, description = "`validation_failed` for the name or when 100 are saved \
            already, `illegal_setup` for the arrangement.", body = Problem,
            content_type = "application/problem+json"),
    ),
    security(("bearer" = [])),
)]
#[post("/v1/me/setups")]
pub(crate) async fn save_setup(
    state: web::Data<AppState>,
    caller: Caller,
    body: RawBody,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let caller = PlayerId::from_uuid(caller.require(Scope::Play)?.player_id);
    let wanted = body.parse::<SavedSetupRequest>()?.validate()?;
    let key = Idempotency::read(&request, &body.parse::<serde_json::Value>()?)?;
    let now = instant(&*state.clock);
    let work = Arc::clone(&state);
    let saved = state
        .database_work
        .try_run(move || setups::save(&work.db, caller, &wanted, key.as_ref(), now))
        .await?;
    Ok(HttpResponse::Created()
        .insert_header((header::LOCATION, format!("/v1/me/setups/{}", saved.id)))
        .json(SavedSetupResponse::from(saved)))
}
