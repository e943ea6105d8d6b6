//! Why a piece is known.

use actix_web::{HttpRequest, HttpResponse, get, web};
use domain::PieceId;
use serde::Deserialize;
use storage::{GameId, PlayerId};
use utoipa::IntoParams;
use uuid::Uuid;

use super::{no_such_ply, not_begun, read_game};
use crate::auth::MaybeCaller;
use crate::http::etag::Tagged;
use crate::http::extract::{PathParams, Query};
use crate::problem::{ApiError, Code, Problem};
use crate::state::AppState;
use crate::usecase::games::Seen;
use crate::wire::names::Viewpoint;
use crate::wire::why::WhyResponse;

/// The path of a piece.
#[derive(Debug, Clone, Deserialize)]
pub struct PiecePath {
    game_id: Uuid,
    piece_id: String,
}

/// Whose knowledge is wanted, and when.
#[derive(Debug, Clone, Copy, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct WhyQuery {
    /// Whose eyes: while the game runs the caller's own or `public`. When nothing is said: everything
    /// once the game is over, before that the caller's own, or `public` for who does not play.
    viewpoint: Option<Viewpoint>,
    /// After so many moves; now when nothing is said.
    ply: Option<u32>,
}

/// Why a piece is known
///
/// The observations that prove what a viewpoint knew of a piece, in order, and what each left for it
/// to be. What the opponent knows of one's own piece, everyone does: ask for `public`.
#[utoipa::path(
    tag = "replays",
    params(
        ("game_id" = Uuid, Path, description = "The game."),
        ("piece_id" = String, Path, description = "The piece: its owner and the square that it was \
            deployed on, or which rescue it was.", example = "blue:j7"),
        WhyQuery,
    ),
    responses(
        (status = 200, description = "The observations.", body = WhyResponse),
        (status = 304, description = "Nothing has changed for the caller."),
        (status = 403, description = "A viewpoint that is closed while the game runs.",
            body = Problem, content_type = "application/problem+json"),
        (status = 404, description = "There is no such game, no such ply in it, or no such piece \
            then.", body = Problem, content_type = "application/problem+json"),
        (status = 409, description = "The game has not begun.", body = Problem,
            content_type = "application/problem+json"),
    ),
    security((), ("bearer" = [])),
)]
#[get("/v1/games/{game_id}/pieces/{piece_id}/why")]
pub(crate) async fn explain_piece(
    state: web::Data<AppState>,
    caller: MaybeCaller,
    path: PathParams<PiecePath>,
    query: Query<WhyQuery>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let PathParams(PiecePath { game_id, piece_id }) = path;
    let game = GameId::from_uuid(game_id);
    read_game(state, game, caller, request, move |seen, caller| {
        explain(seen, caller, &piece_id, query.0)
    })
    .await
}

fn explain(
    seen: &Seen,
    caller: Option<PlayerId>,
    piece: &str,
    query: WhyQuery,
) -> Result<Tagged, ApiError> {
    let view = seen.view(caller, query.viewpoint.map(Into::into))?;
    let piece: PieceId = piece
        .parse()
        .map_err(|error| ApiError::malformed_field("piece_id", format!("{error}")))?;
    let game = &seen.stored.game;
    if !game.has_begun() {
        return Err(not_begun(game));
    }
    let ply = query.ply.unwrap_or_else(|| game.ply());
    if ply > game.ply() {
        return Err(no_such_ply(game.ply(), ply));
    }
    let why = WhyResponse::of(&view, piece, ply).ok_or_else(|| {
        let detail = format!("there was no piece {piece} after {ply} moves");
        ApiError::new(Code::NotFound, detail)
    })?;
    Tagged::new(&why)
}
