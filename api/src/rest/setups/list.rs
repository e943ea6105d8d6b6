use std::sync::Arc;

use actix_web::{HttpRequest, HttpResponse, get, web};
use serde::Deserialize;
use storage::{PageRequest, PlayerId, SetupId};
use utoipa::IntoParams;
use uuid::Uuid;

use crate::auth::{Caller, Scope};
use crate::http::etag::{Sharing, Tagged};
use crate::http::extract::Query;
use crate::problem::ApiError;
use crate::state::AppState;
use crate::usecase::setups;
use crate::wire::page::{self, PageResponse};
use crate::wire::setups::SavedSetupResponse;

/// Which part of the list is wanted.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct SetupsQuery {
    /// At most so many, 1 to 100; 20 when nothing is said.
    #[param(minimum = 1, maximum = 100)]
    limit: Option<u32>,
    /// The `next` of the page before.
    after: Option<String>,
}

/// Saved setups
///
/// The caller's own, the newest first.
#[utoipa::path(
    tag = "rules",
    params(SetupsQuery),
    responses(
        (status = 200, description = "A page of saved setups.",
            body = PageResponse<SavedSetupResponse>,
            headers(("ETag" = String, description = "Of this page."))),
        (status = 304, description = "It is as the `ETag` in `If-None-Match` says."),
    ),
    security(("bearer" = [])),
)]
#[get("/v1/me/setups")]
pub(crate) async fn list_setups(
    state: web::Data<AppState>,
    caller: Caller,
    query: Query<SetupsQuery>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let caller = PlayerId::from_uuid(caller.require(Scope::Read)?.player_id);
    let limit = page::limit(query.0.limit)?;
    let wanted = match &query.0.after {
        None => PageRequest::first(limit),
        Some(cursor) => {
            let id: Uuid = page::decode_cursor(cursor)?;
            PageRequest::after(limit, SetupId::from_uuid(id))
        }
    };
    let work = Arc::clone(&state);
    let page = state
        .database_work
        .try_run(move || setups::list(&work.db, caller, &wanted))
        .await?;
    let last = page.items.last().filter(|_| page.has_more);
    let next = last.map(|last| page::encode_cursor(&last.id.as_uuid()));
    let items: Vec<SavedSetupResponse> = page.items.into_iter().map(Into::into).collect();
    Ok(Tagged::new(&PageResponse { items, next })?.answer(&request, Sharing::Private))
}
