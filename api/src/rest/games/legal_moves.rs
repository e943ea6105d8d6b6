//! The moves that the side to move may make.

use std::sync::Arc;

use actix_web::{HttpResponse, get, web};
use domain::MoveBuffer;

use super::GamePath;
use crate::auth::{Caller, Scope};
use crate::http::etag::Sharing;
use crate::http::extract::PathParams;
use crate::problem::{ApiError, Code, Problem};
use crate::state::AppState;
use crate::usecase::games::{Seen, find};
use crate::wire::moves::{LegalMoveResponse, LegalMovesResponse};
use crate::wire::names::SquareName;

/// The legal moves
///
/// Of the side to move, for that player alone: they tell which of his pieces are scouts. Moves that
/// would forfeit the turn are not listed. None once the game is over.
#[utoipa::path(
    tag = "games",
    params(("game_id" = uuid::Uuid, Path, description = "The game.")),
    responses(
        (status = 200, description = "The moves.", body = LegalMovesResponse),
        (status = 403, description = "Not the player to move.", body = Problem,
            content_type = "application/problem+json"),
        (status = 404, description = "There is no such game.", body = Problem,
            content_type = "application/problem+json"),
        (status = 409, description = "The game has not begun.", body = Problem,
            content_type = "application/problem+json"),
    ),
    security(("bearer" = [])),
)]
#[get("/v1/games/{game_id}/legal-moves")]
pub(crate) async fn list_legal_moves(
    state: web::Data<AppState>,
    caller: Caller,
    path: PathParams<GamePath>,
) -> Result<HttpResponse, ApiError> {
    let work = Arc::clone(&state);
    let player = caller.require(Scope::Read)?.player();
    let seen = state
        .database_work
        .try_run(move || {
            work.db
                .read(|connection| find(connection, &work.games, path.0.id(), Some(player)))
        })
        .await?;
    let body = legal_moves(&seen)?;
    let mut answer = HttpResponse::Ok();
    for header in Sharing::Private.headers() {
        answer.insert_header(header);
    }
    Ok(answer.json(body))
}

fn legal_moves(seen: &Seen) -> Result<LegalMovesResponse, ApiError> {
    let game = &seen.stored.game;
    if !game.status().is_over() {
        if seen.side.is_none() || game.turn().is_some_and(|turn| Some(turn) != seen.side) {
            let detail = "only the player to move sees the legal moves";
            return Err(ApiError::new(Code::Forbidden, detail));
        }
        if game.turn().is_none() {
            return Err(domain::PlayError::NotActive.into());
        }
    }
    let mut buffer = MoveBuffer::new();
    game.legal_moves(&mut buffer);
    let moves = buffer.iter().map(|mv| LegalMoveResponse {
        from: SquareName(mv.from),
        to: SquareName(mv.to),
        attack: game.is_attack(*mv),
    });
    Ok(LegalMovesResponse {
        ply: game.ply(),
        moves: moves.collect(),
    })
}
