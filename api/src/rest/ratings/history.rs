//! The ratings of a player over time.

use std::sync::Arc;

use actix_web::{HttpResponse, get, web};
use serde::{Deserialize, Serialize};
use storage::ratings::HistoryCursor;
use storage::{PageRequest, PlayerId};
use utoipa::IntoParams;

use super::RatedPlayerPath;
use crate::auth::MaybeCaller;
use crate::http::etag::Sharing;
use crate::http::extract::{PathParams, Query};
use crate::problem::{ApiError, Problem};
use crate::state::AppState;
use crate::usecase::ratings;
use crate::wire::names::Ruleset;
use crate::wire::page::{self, PageResponse};
use crate::wire::rating::RatingChangeResponse;

/// Which part of a history is wanted.
#[derive(Debug, Clone, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct HistoryQuery {
    /// By this rule sheet alone.
    ruleset: Option<Ruleset>,
    /// At most so many, 1 to 100; 20 when nothing is said.
    #[param(minimum = 1, maximum = 100)]
    limit: Option<u32>,
    /// The `next` of the page before.
    after: Option<String>,
}

/// A row by its number in its pool: of a private game neither its identifier nor its end may show.
#[derive(Serialize, Deserialize)]
struct Place(Ruleset, u64);

/// Show a player's rating history
///
/// What each rated game made of the player's ratings, from the first on: the last row of a rule sheet
/// is the rating as it is. A game that was annulled keeps its row, with the figures of the row before.
#[utoipa::path(
    tag = "ratings",
    params(RatedPlayerPath, HistoryQuery),
    security((), ("bearer" = [])),
    responses(
        (status = 200, description = "A page of the history.", body = PageResponse<RatingChangeResponse>),
        (status = 404, description = "`not_found`.", body = Problem, content_type = "application/problem+json"),
        (status = 410, description = "`gone`: the account was erased.",
            body = Problem, content_type = "application/problem+json"),
    ),
)]
#[get("/v1/players/{username}/rating-history")]
pub(crate) async fn list_rating_history(
    caller: MaybeCaller,
    path: PathParams<RatedPlayerPath>,
    query: Query<HistoryQuery>,
    state: web::Data<AppState>,
) -> Result<HttpResponse, ApiError> {
    let viewer = caller.player_id().map(PlayerId::from_uuid);
    let request = request(&query.0)?;
    let ruleset = query.0.ruleset.map(Into::into);
    let work = Arc::clone(&state);
    let read = move || {
        work.db.read(|connection| {
            ratings::history(connection, &path.0.username, ruleset, viewer, &request)
        })
    };
    let page = state.database_work.try_run(read).await?;
    let next = page.items.last().filter(|_| page.has_more).map(|last| {
        let HistoryCursor { ruleset, number } = last.cursor;
        page::encode_cursor(&Place(ruleset.into(), number))
    });
    let items: Vec<RatingChangeResponse> = page.items.iter().map(Into::into).collect();
    let mut answer = HttpResponse::Ok();
    for header in Sharing::Private.headers() {
        answer.insert_header(header);
    }
    Ok(answer.json(PageResponse { items, next }))
}

fn request(query: &HistoryQuery) -> Result<PageRequest<HistoryCursor>, ApiError> {
    let limit = page::limit(query.limit)?;
    let Some(cursor) = &query.after else {
        return Ok(PageRequest::first(limit));
    };
    let Place(ruleset, number) = page::decode_cursor(cursor)?;
    let ruleset = ruleset.into();
    Ok(PageRequest::after(limit, HistoryCursor { ruleset, number }))
}
