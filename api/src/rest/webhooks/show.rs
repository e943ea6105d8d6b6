use std::sync::Arc;

use actix_web::{HttpRequest, HttpResponse, get, web};
use storage::PlayerId;
use storage::subscriptions::ChannelKind;

use super::WebhookPath;
use crate::auth::{Caller, Scope};
use crate::http::etag::{Sharing, Tagged};
use crate::http::extract::PathParams;
use crate::problem::{ApiError, Problem};
use crate::state::AppState;
use crate::usecase::subscriptions;
use crate::wire::webhook::WebhookResponse;

/// A webhook
///
/// One of the caller's own; those of others are as good as not there.
#[utoipa::path(
    tag = "events",
    params(("webhook_id" = uuid::Uuid, Path, description = "The webhook.")),
    responses(
        (status = 200, description = "The webhook.", body = WebhookResponse,
            headers(("ETag" = String, description = "Of the webhook."))),
        (status = 304, description = "It is as the `ETag` in `If-None-Match` says."),
        (status = 404, description = "The caller has no such webhook.", body = Problem,
            content_type = "application/problem+json"),
    ),
    security(("bearer" = [])),
)]
#[get("/v1/me/webhooks/{webhook_id}")]
pub(crate) async fn show_webhook(
    state: web::Data<AppState>,
    caller: Caller,
    path: PathParams<WebhookPath>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let caller = PlayerId::from_uuid(caller.require(Scope::Read)?.player_id);
    let id = path.0.id();
    let work = Arc::clone(&state);
    let webhook = state
        .database_work
        .try_run(move || {
            work.db.read(|connection| {
                subscriptions::find(connection, caller, ChannelKind::Webhook, id)
            })
        })
        .await?;
    Ok(Tagged::new(&WebhookResponse::from(webhook))?.answer(&request, Sharing::Private))
}
