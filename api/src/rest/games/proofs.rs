//! The proofs of both armies.

use std::sync::Arc;

use actix_web::{HttpRequest, HttpResponse, get, web};
use storage::PlayerId;

use super::GamePath;
use crate::auth::MaybeCaller;
use crate::http::etag::{Sharing, Tagged};
use crate::http::extract::PathParams;
use crate::problem::{ApiError, Problem};
use crate::state::AppState;
use crate::usecase::games::{Proofs, proofs};
use crate::wire::proofs::ProofsResponse;

/// The proofs
///
/// When the game is over, both armies as they were placed, with what opens their
/// `setup_commitment`. `reveille verify FILE` checks the answer offline: that no piece was changed
/// after the start.
///
/// Each side has a tree of SHA-256 digests over its forty home squares. A leaf is the digest of a
/// zero byte, the salt, the index of the square (a1 is 0, j10 is 99) as a byte, and the piece's
/// character; a node is the digest of a one byte and the two nodes below it; 24 nodes of zero bytes
/// stand behind the forty.
#[utoipa::path(
    tag = "games",
    params(("game_id" = uuid::Uuid, Path, description = "The game.")),
    responses(
        (status = 200, description = "Both armies, opened.", body = ProofsResponse,
            headers(("ETag" = String, description = "Of the proofs."))),
        (status = 304, description = "The caller has them."),
        (status = 403, description = "The game was not played, or is not over.", body = Problem,
            content_type = "application/problem+json"),
        (status = 404, description = "There is no such game, or its armies were placed before \
            commitments were made.", body = Problem, content_type = "application/problem+json"),
    ),
    security((), ("bearer" = [])),
)]
#[get("/v1/games/{game_id}/proofs")]
pub(crate) async fn show_proofs(
    state: web::Data<AppState>,
    caller: MaybeCaller,
    path: PathParams<GamePath>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let work = Arc::clone(&state);
    let caller = caller.player_id().map(PlayerId::from_uuid);
    let tagged = state
        .database_work
        .try_run(move || {
            let Proofs {
                stored,
                commitments,
                proofs,
            } = work
                .db
                .read(|connection| proofs(connection, &work.games, path.0.id(), caller))?;
            Tagged::new(&ProofsResponse::of(&stored, commitments, proofs))
        })
        .await?;
    Ok(tagged.answer(&request, Sharing::Private))
}
