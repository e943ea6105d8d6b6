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
use crate::wire::push::PushSubscriptionResponse;

/// Browsers that are told
///
/// The caller's own, the newest first, all on one page: there are 20 at the most.
#[utoipa::path(
    tag = "events",
    responses(
        (status = 200, description = "The subscriptions.",
            body = PageResponse<PushSubscriptionResponse>,
            headers(("ETag" = String, description = "Of this page."))),
        (status = 304, description = "It is as the `ETag` in `If-None-Match` says."),
    ),
    security(("bearer" = [])),
)]
#[get("/v1/me/push-subscriptions")]
pub(crate) async fn list_browsers(
    state: web::Data<AppState>,
    caller: Caller,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let caller = PlayerId::from_uuid(caller.require(Scope::Read)?.player_id);
    let work = Arc::clone(&state);
    let found = state
        .database_work
        .try_run(move || subscriptions::list(&work.db, caller, ChannelKind::Push))
        .await?;
    let items: Vec<PushSubscriptionResponse> = found.into_iter().map(Into::into).collect();
    Ok(Tagged::new(&PageResponse { items, next: None })?.answer(&request, Sharing::Private))
}
