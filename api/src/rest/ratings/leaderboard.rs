//! Who leads.

use std::sync::Arc;

use actix_web::{HttpResponse, get, web};
use serde::{Deserialize, Serialize};
use storage::ratings::{self, RankCursor};
use storage::{Connection, PageRequest, PlayerId};
use utoipa::IntoParams;
use uuid::Uuid;

use crate::auth::MaybeCaller;
use crate::http::extract::{PathParams, Query};
use crate::problem::{ApiError, Problem};
use crate::state::AppState;
use crate::wire::page::{self, PageResponse};
use crate::wire::rating::LeaderResponse;

/// Which leaderboard is asked for.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Path)]
pub struct LeaderboardPath {
    /// The rule sheet.
    #[param(example = "original")]
    ruleset: String,
}

/// Which part of it is wanted.
#[derive(Debug, Clone, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct LeaderboardQuery {
    /// At most so many, 1 to 100; 20 when nothing is said.
    #[param(minimum = 1, maximum = 100)]
    limit: Option<u32>,
    /// The `next` of the page before.
    after: Option<String>,
}

#[derive(Serialize, Deserialize)]
struct Place(i64, Uuid);

/// Show a leaderboard
///
/// The players whose rating by a rule sheet is established (its deviation is below 110), the highest
/// first; of equal ratings the older account comes first.
#[utoipa::path(
    tag = "ratings",
    params(LeaderboardPath, LeaderboardQuery),
    security((), ("bearer" = [])),
    responses(
        (status = 200, description = "A page of the leaderboard.", body = PageResponse<LeaderResponse>),
        (status = 404, description = "There is no such ruleset.", body = Problem,
            content_type = "application/problem+json"),
    ),
)]
#[get("/v1/leaderboards/{ruleset}")]
pub(crate) async fn show_leaderboard(
    _caller: MaybeCaller,
    path: PathParams<LeaderboardPath>,
    query: Query<LeaderboardQuery>,
    state: web::Data<AppState>,
) -> Result<HttpResponse, ApiError> {
    let ruleset = path.0.ruleset.parse();
    let ruleset = ruleset.map_err(|_| ApiError::not_found("ruleset"))?;
    let request = request(&query.0)?;
    let read = move |connection: &mut Connection| {
        Ok::<_, ApiError>(ratings::leaderboard(connection, ruleset, &request)?)
    };
    let work = Arc::clone(&state);
    let page = state.database_work.try_run(move || work.db.read(read));
    let page = page.await?;
    let next = page.items.last().filter(|_| page.has_more).map(|last| {
        let RankCursor { rating, player } = last.cursor;
        page::encode_cursor(&Place(rating, player.as_uuid()))
    });
    let items: Vec<LeaderResponse> = page.items.iter().map(Into::into).collect();
    Ok(HttpResponse::Ok().json(PageResponse { items, next }))
}

fn request(query: &LeaderboardQuery) -> Result<PageRequest<RankCursor>, ApiError> {
    let limit = page::limit(query.limit)?;
    let Some(cursor) = &query.after else {
        return Ok(PageRequest::first(limit));
    };
    let Place(rating, player) = page::decode_cursor(cursor)?;
    let player = PlayerId::from_uuid(player);
    Ok(PageRequest::after(limit, RankCursor { rating, player }))
}
