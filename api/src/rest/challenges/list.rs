//! The challenges that stand.

use std::sync::Arc;

use actix_web::{HttpResponse, get, web};
use domain::Timestamp;
use serde::{Deserialize, Serialize};
use storage::challenges::{ChallengeCursor, Listing};
use storage::{ChallengeId, PageRequest, PlayerId};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::auth::MaybeCaller;
use crate::http::etag::Sharing;
use crate::http::extract::Query;
use crate::problem::{ApiError, Code};
use crate::state::AppState;
use crate::usecase::challenges;
use crate::usecase::games::instant;
use crate::wire::challenge::ChallengeResponse;
use crate::wire::names::Ruleset;
use crate::wire::page::{self, PageResponse};

/// Which challenges are wanted.
#[derive(Debug, Clone, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ChallengesQuery {
    /// By this rule sheet.
    ruleset: Option<Ruleset>,
    /// `open` to all, `incoming` to the caller, or `outgoing` from the caller; all of these when
    /// nothing is said.
    #[param(inline)]
    direction: Option<Direction>,
    /// At most so many, 1 to 100; 20 when nothing is said.
    #[param(minimum = 1, maximum = 100)]
    limit: Option<u32>,
    /// The `next` of the page before.
    after: Option<String>,
}

/// From whom to whom.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    /// To all.
    Open,
    /// To the caller.
    Incoming,
    /// From the caller.
    Outgoing,
}

#[derive(Serialize, Deserialize)]
struct Place(i64, Uuid);

/// Challenges
///
/// Those that stand, the newest first.
#[utoipa::path(
    tag = "challenges",
    params(ChallengesQuery),
    responses((status = 200, description = "A page of challenges.",
        body = PageResponse<ChallengeResponse>)),
    security((), ("bearer" = [])),
)]
#[get("/v1/challenges")]
pub(crate) async fn list_challenges(
    state: web::Data<AppState>,
    caller: MaybeCaller,
    query: Query<ChallengesQuery>,
) -> Result<HttpResponse, ApiError> {
    let query = query.0;
    let listing = listing(query.direction, caller.player_id().map(PlayerId::from_uuid))?;
    let limit = page::limit(query.limit)?;
    let request = match &query.after {
        None => PageRequest::first(limit),
        Some(cursor) => {
            let Place(at, id) = page::decode_cursor(cursor)?;
            let created_at = Timestamp::from_micros(at);
            PageRequest::after(
                limit,
                ChallengeCursor {
                    created_at,
                    id: ChallengeId::from_uuid(id),
                },
            )
        }
    };
    let now = instant(&*state.clock);
    let ruleset = query.ruleset.map(Into::into);
    let work = Arc::clone(&state);
    let page = state
        .database_work
        .try_run(move || {
            work.db
                .read(|connection| challenges::list(connection, listing, ruleset, &request, now))
        })
        .await?;
    let place = |cursor: ChallengeCursor| {
        page::encode_cursor(&Place(cursor.created_at.as_micros(), cursor.id.as_uuid()))
    };
    let next = page
        .items
        .last()
        .filter(|_| page.has_more)
        .map(|last| place(last.cursor()));
    let items = page
        .items
        .iter()
        .map(|one| ChallengeResponse::of(one, now))
        .collect();
    let mut answer = HttpResponse::Ok();
    for header in Sharing::Private.headers() {
        answer.insert_header(header);
    }
    Ok(answer.json(PageResponse { items, next }))
}

fn listing(direction: Option<Direction>, caller: Option<PlayerId>) -> Result<Listing, ApiError> {
    match (direction, caller) {
        (Some(Direction::Open), _) | (None, None) => Ok(Listing::Open),
        (None, Some(caller)) => Ok(Listing::For(caller)),
        (Some(Direction::Incoming), Some(caller)) => Ok(Listing::Incoming(caller)),
        (Some(Direction::Outgoing), Some(caller)) => Ok(Listing::Outgoing(caller)),
        (Some(_), None) => {
            let detail = "incoming and outgoing challenges need an access token: whose are they?";
            Err(ApiError::new(Code::Unauthenticated, detail))
        }
    }
}
