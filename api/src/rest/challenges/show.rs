//! One challenge.

use std::sync::Arc;

use actix_web::{HttpRequest, HttpResponse, get, web};
use storage::PlayerId;

use super::ChallengePath;
use crate::auth::MaybeCaller;
use crate::http::etag::{Sharing, Tagged};
use crate::http::extract::PathParams;
use crate::problem::{ApiError, Problem};
use crate::state::AppState;
use crate::usecase::challenges;
use crate::usecase::games::instant;
use crate::wire::challenge::ChallengeResponse;

/// A challenge
///
/// One to a single player is there for the two alone; one open to all, for all while it stands.
#[utoipa::path(
    tag = "challenges",
    params(("challenge_id" = uuid::Uuid, Path, description = "The challenge.")),
    responses(
        (status = 200, description = "The challenge.", body = ChallengeResponse),
        (status = 304, description = "Nothing has changed."),
        (status = 404, description = "There is no such challenge.", body = Problem,
            content_type = "application/problem+json"),
    ),
    security((), ("bearer" = [])),
)]
#[get("/v1/challenges/{challenge_id}")]
pub(crate) async fn show_challenge(
    state: web::Data<AppState>,
    caller: MaybeCaller,
    path: PathParams<ChallengePath>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let work = Arc::clone(&state);
    let caller = caller.player_id().map(PlayerId::from_uuid);
    let find = move || {
        work.db
            .read(|connection| challenges::find(connection, path.0.id(), caller))
    };
    let challenge = state.database_work.try_run(find).await?;
    let body = ChallengeResponse::of(&challenge, instant(&*state.clock));
    Ok(Tagged::new(&body)?.answer(&request, Sharing::Private))
}
