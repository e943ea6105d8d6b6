//! Making a move.

use actix_web::http::header::HeaderMap;
use actix_web::{HttpRequest, HttpResponse, post, web};
use domain::{Color, Command, Standing};
use storage::games::StoredGame;

use super::{GamePath, act_on};
use crate::auth::{Caller, Scope};
use crate::http::etag::Tagged;
use crate::http::extract::{PathParams, RawBody};
use crate::http::json;
use crate::problem::{ApiError, Code, Problem};
use crate::state::AppState;
use crate::wire::game::GameResponse;
use crate::wire::moves::{MoveRequest, PlayedResponse};

/// Make a move
///
/// Exactly once: `ply` is the number of moves already made, as the player believes. The same move
/// at the same ply sent again is answered with 200 and what is stored, so a retry after a lost
/// answer is safe; anything else at another ply is 409 `stale_ply`. `If-Match` with the game's ETag
/// is honoured too.
#[utoipa::path(
    tag = "games",
    params(
        ("game_id" = uuid::Uuid, Path, description = "The game."),
        ("If-Match" = Option<String>, Header, description = "The `ETag` of the game as it was read; \
            412 when it has moved on."),
    ),
    request_body = MoveRequest,
    responses(
        (status = 201, description = "The move was made.", body = PlayedResponse),
        (status = 200, description = "The move had been made before.", body = PlayedResponse),
        (status = 403, description = "Not a player of this game.", body = Problem,
            content_type = "application/problem+json"),
        (status = 404, description = "There is no such game.", body = Problem,
            content_type = "application/problem+json"),
        (status = 409, description = "`game_over`, `game_not_active`, `stale_ply` (with \
            `current_ply`) or `not_your_turn`.", body = Problem,
            content_type = "application/problem+json"),
        (status = 412, description = "`If-Match` was sent and the game has moved on.",
            body = Problem, content_type = "application/problem+json"),
        (status = 422, description = "`illegal_move` or `illegal_rescue`, with the first `reason` \
            that applies.", body = Problem, content_type = "application/problem+json"),
    ),
    security(("bearer" = [])),
)]
#[post("/v1/games/{game_id}/moves")]
pub(crate) async fn play_move(
    state: web::Data<AppState>,
    caller: Caller,
    path: PathParams<GamePath>,
    body: RawBody,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let caller = caller.require(Scope::Play)?;
    let headers = request.headers().clone();
    let now = state.now();
    let ply = body.parse::<MoveRequest>().ok().map(|request| request.ply);
    let acted = act_on(state, path.0, caller, move |stored, side| {
        let request: MoveRequest = body.parse()?;
        decide(stored, side, &(&request).into(), &headers, now)
    })
    .await?;
    let view = acted.stored.game.view_for(Some(acted.side));
    let made = ply
        .and_then(|ply| view.move_at(ply))
        .ok_or_else(|| ApiError::not_found("move"))?;
    let game = GameResponse::of(&acted.stored, Some(acted.side), now);
    let body = PlayedResponse {
        r#move: made.into(),
        game,
    };
    let mut answer = if acted.events.is_empty() {
        HttpResponse::Ok()
    } else {
        HttpResponse::Created()
    };
    Ok(answer
        .content_type("application/json")
        .body(json::write(&body)?))
}

/// `If-Match` comes after the turn and before the rules of moving.
fn decide(
    stored: &StoredGame,
    side: Color,
    request: &domain::MoveRequest,
    headers: &HeaderMap,
    now: domain::Timestamp,
) -> Result<Command, ApiError> {
    if stored.game.standing(side, request)? == Standing::Next
        && headers.contains_key(actix_web::http::header::IF_MATCH)
        && !Tagged::new(&GameResponse::of(stored, Some(side), now))?.passes_if_match(headers)
    {
        let detail = "the game is no longer as `If-Match` names it; read it again";
        return Err(ApiError::new(Code::PreconditionFailed, detail));
    }
    Ok(Command::Move(*request))
}
