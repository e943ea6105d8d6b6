use std::sync::Arc;

use actix_web::{HttpResponse, delete, web};
use serde::Deserialize;
use storage::subscriptions::ChannelKind;
use storage::{PlayerId, SubscriptionId};
use uuid::Uuid;

use crate::auth::{Caller, Scope};
use crate::http::extract::PathParams;
use crate::problem::{ApiError, Problem};
use crate::state::AppState;
use crate::usecase::subscriptions;

/// The path of a browser's subscription.
#[derive(Debug, Clone, Copy, Deserialize)]
pub(crate) struct BrowserPath {
    subscription_id: Uuid,
}

/// Have a browser told no more
///
/// A message that is on its way may still arrive.
#[utoipa::path(
    tag = "events",
    params(("subscription_id" = uuid::Uuid, Path, description = "The subscription.")),
    responses(
        (status = 204, description = "It is gone."),
        (status = 404, description = "The caller has no such subscription.", body = Problem,
            content_type = "application/problem+json"),
    ),
    security(("bearer" = [])),
)]
#[delete("/v1/me/push-subscriptions/{subscription_id}")]
pub(crate) async fn unsubscribe_browser(
    state: web::Data<AppState>,
    caller: Caller,
    path: PathParams<BrowserPath>,
) -> Result<HttpResponse, ApiError> {
    let caller = PlayerId::from_uuid(caller.require(Scope::Play)?.player_id);
    let id = SubscriptionId::from_uuid(path.0.subscription_id);
    let work = Arc::clone(&state);
    state
        .database_work
        .try_run(move || subscriptions::delete(&work.db, caller, ChannelKind::Push, id))
        .await?;
    Ok(HttpResponse::NoContent().finish())
}
