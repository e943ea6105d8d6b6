use std::sync::Arc;

use actix_web::{HttpRequest, HttpResponse, get, web};
use storage::PlayerId;
use storage::subscriptions::ChannelKind;

use crate::auth::{Caller, Scope};
use crate::http::etag::{Sharing, Tagged};
use crate::problem::ApiError;
use crate::state::AppState;
use crate::usecase::subscriptions;
use crate::wire::page::PageResponse;
use crate::wire::webhook::WebhookResponse;

/// Webhooks
///
/// The caller's own, the newest first, all on one page: there are 10 at the most.
#[utoipa::path(
    tag = "events",
    responses(
        (status = 200, description = "The webhooks.", body = PageResponse<WebhookResponse>,
            headers(("ETag" = String, description = "Of this page."))),
        (status = 304, description = "It is as the `ETag` in `If-None-Match` says."),
    ),
    security(("bearer" = [])),
)]
#[get("/v1/me/webhooks")]
pub(crate) async fn list_webhooks(
    state: web::Data<AppState>,
    caller: Caller,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let caller = PlayerId::from_uuid(caller.require(Scope::Read)?.player_id);
    let work = Arc::clone(&state);
    let found = state
        .database_work
        .try_run(move || subscriptions::list(&work.db, caller, ChannelKind::Webhook))
        .await?;
    let items: Vec<WebhookResponse> = found.into_iter().map(Into::into).collect();
    Ok(Tagged::new(&PageResponse { items, next: None })?.answer(&request, Sharing::Private))
}
