use std::sync::Arc;

use actix_web::{HttpResponse, patch, web};

use super::WebhookPath;
use crate::auth::{Caller, Scope};
use crate::events::Topic;
use crate::http::extract::{PathParams, RawBody};
use crate::problem::{ApiError, Problem};
use crate::state::AppState;
use crate::usecase::games::instant;
use crate::usecase::subscriptions;
use crate::wire::webhook::{WebhookPatchRequest, WebhookResponse};

/// Change a webhook
///
/// What is absent stays as it is. What failed before is tried again at once.
#[utoipa::path(
    tag = "events",
    params(("webhook_id" = uuid::Uuid, Path, description = "The webhook.")),
    request_body = WebhookPatchRequest,
    responses(
        (status = 200, description = "The webhook as it is now.", body = WebhookResponse),
        (status = 404, description = "The caller has no such webhook.", body = Problem,
            content_type = "application/problem+json"),
        (status = 422, description = "`validation_failed` for the address, the secret or the kinds.",
            body = Problem, content_type = "application/problem+json"),
    ),
    security(("bearer" = [])),
)]
#[patch("/v1/me/webhooks/{webhook_id}")]
pub(crate) async fn change_webhook(
    state: web::Data<AppState>,
    caller: Caller,
    path: PathParams<WebhookPath>,
    body: RawBody,
) -> Result<HttpResponse, ApiError> {
    let caller = caller.require_login()?.require(Scope::Play)?;
    let id = path.0.id();
    let now = instant(&*state.clock);
    let work = Arc::clone(&state);
    let change = move || {
        let wanted = || {
            body.parse::<WebhookPatchRequest>()?
                .validate(&work.deliveries.networks)
        };
        subscriptions::change_webhook(&work.db, caller, id, wanted, now)
    };
    let webhook = state.database_work.try_run(change).await?;
    state.deliveries.hint(&[Topic::Player(caller.player())]);
    Ok(HttpResponse::Ok().json(WebhookResponse::from(webhook)))
}
