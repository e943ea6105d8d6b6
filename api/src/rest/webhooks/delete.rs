use std::sync::Arc;

use actix_web::{HttpResponse, delete, web};
use storage::PlayerId;
use storage::subscriptions::ChannelKind;

use super::WebhookPath;
use crate::auth::{Caller, Scope};
use crate::http::extract::PathParams;
use crate::problem::{ApiError, Problem};
use crate::state::AppState;
use crate::usecase::subscriptions;

/// Delete a webhook
///
/// An event that is on its way may still arrive.
#[utoipa::path(
    tag = "events",
    params(("webhook_id" = uuid::Uuid, Path, description = "The webhook.")),
    responses(
        (status = 204, description = "It is gone."),
        (status = 404, description = "The caller has no such webhook.", body = Problem,
            content_type = "application/problem+json"),
    ),
    security(("bearer" = [])),
)]
#[delete("/v1/me/webhooks/{webhook_id}")]
pub(crate) async fn delete_webhook(
    state: web::Data<AppState>,
    caller: Caller,
    path: PathParams<WebhookPath>,
) -> Result<HttpResponse, ApiError> {
    let caller = PlayerId::from_uuid(caller.require(Scope::Play)?.player_id);
    let id = path.0.id();
    let work = Arc::clone(&state);
    state
        .database_work
        .try_run(move || subscriptions::delete(&work.db, caller, ChannelKind::Webhook, id))
        .await?;
    Ok(HttpResponse::NoContent().finish())
}
