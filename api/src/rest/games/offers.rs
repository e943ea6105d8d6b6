//! Draw offers.

use actix_web::{HttpResponse, post, web};
use domain::{Command, OfferId};
use serde::Deserialize;
use storage::generate_offer_id;
use utoipa::ToSchema;
use uuid::Uuid;

use super::{GamePath, act_on};
use crate::auth::{Caller, Scope};
use crate::http::extract::{PathParams, RawBody};
use crate::problem::{ApiError, Problem};
use crate::state::AppState;
use crate::usecase::games::instant;
use crate::wire::EmptyRequest;
use crate::wire::game::{GameResponse, OfferKind, OfferResponse, OfferStatus};
use crate::wire::object::word;

/// Something to offer the opponent.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct OfferRequest {
    /// What.
    #[expect(
        dead_code,
        reason = "there is one kind so far; reading it refuses all others"
    )]
    #[serde(deserialize_with = "word")]
    kind: OfferKind,
}

/// The path of an offer.
#[derive(Debug, Clone, Copy, Deserialize)]
pub struct OfferPath {
    game_id: Uuid,
    offer_id: Uuid,
}

/// Offer a draw
///
/// The offer lapses when its receiver moves. While one's own is open, offering again is answered
/// with it; when the opponent's is open, offering the same agrees, and the game is drawn.
#[utoipa::path(
    tag = "games",
    params(("game_id" = Uuid, Path, description = "The game.")),
    request_body = OfferRequest,
    responses(
        (status = 201, description = "The offer is made, or the opponent's was agreed to: the game \
            tells.", body = OfferResponse),
        (status = 200, description = "The offer that is open already.", body = OfferResponse),
        (status = 403, description = "Not a player of this game.", body = Problem,
            content_type = "application/problem+json"),
        (status = 404, description = "There is no such game.", body = Problem,
            content_type = "application/problem+json"),
        (status = 409, description = "The game is over, or has not begun.", body = Problem,
            content_type = "application/problem+json"),
    ),
    security(("bearer" = [])),
)]
#[post("/v1/games/{game_id}/offers")]
pub(crate) async fn make_offer(
    state: web::Data<AppState>,
    caller: Caller,
    path: PathParams<GamePath>,
    body: RawBody,
) -> Result<HttpResponse, ApiError> {
    let caller = caller.require(Scope::Play)?;
    let id = generate_offer_id(instant(&*state.clock));
    let acted = act_on(state, path.0, caller, move |_, _| {
        body.parse::<OfferRequest>()?;
        Ok(Command::OfferDraw(id))
    })
    .await?;
    let own = || domain::Offer { id, by: acted.side };
    let offer = match acted.stored.game.offer() {
        Some(open) => OfferResponse::from(open),
        None => OfferResponse {
            status: OfferStatus::Accepted,
            ..OfferResponse::from(own())
        },
    };
    if acted.events.is_empty() {
        Ok(HttpResponse::Ok().json(offer))
    } else {
        Ok(HttpResponse::Created().json(offer))
    }
}

/// Accept an offer
///
/// The game is drawn.
#[utoipa::path(
    tag = "games",
    params(
        ("game_id" = Uuid, Path, description = "The game."),
        ("offer_id" = Uuid, Path, description = "The opponent's offer."),
    ),
    request_body = EmptyRequest,
    responses(
        (status = 200, description = "The game, drawn.", body = GameResponse),
        (status = 403, description = "Not a player of this game.", body = Problem,
            content_type = "application/problem+json"),
        (status = 404, description = "There is no such game.", body = Problem,
            content_type = "application/problem+json"),
        (status = 409, description = "`offer_closed`, `own_offer`, or the game is over.",
            body = Problem, content_type = "application/problem+json"),
    ),
    security(("bearer" = [])),
)]
#[post("/v1/games/{game_id}/offers/{offer_id}/accept")]
pub(crate) async fn accept_offer(
    state: web::Data<AppState>,
    caller: Caller,
    path: PathParams<OfferPath>,
    body: RawBody,
) -> Result<HttpResponse, ApiError> {
    answer(state, caller, path.0, body, Command::AcceptOffer).await
}

/// Decline an offer
///
/// The game goes on.
#[utoipa::path(
    tag = "games",
    params(
        ("game_id" = Uuid, Path, description = "The game."),
        ("offer_id" = Uuid, Path, description = "The opponent's offer."),
    ),
    request_body = EmptyRequest,
    responses(
        (status = 200, description = "The game.", body = GameResponse),
        (status = 403, description = "Not a player of this game.", body = Problem,
            content_type = "application/problem+json"),
        (status = 404, description = "There is no such game.", body = Problem,
            content_type = "application/problem+json"),
        (status = 409, description = "`offer_closed`, `own_offer`, or the game is over.",
            body = Problem, content_type = "application/problem+json"),
    ),
    security(("bearer" = [])),
)]
#[post("/v1/games/{game_id}/offers/{offer_id}/decline")]
pub(crate) async fn decline_offer(
    state: web::Data<AppState>,
    caller: Caller,
    path: PathParams<OfferPath>,
    body: RawBody,
) -> Result<HttpResponse, ApiError> {
    answer(state, caller, path.0, body, Command::DeclineOffer).await
}

async fn answer(
    state: web::Data<AppState>,
    caller: Caller,
    path: OfferPath,
    body: RawBody,
    command: fn(OfferId) -> Command,
) -> Result<HttpResponse, ApiError> {
    let caller = caller.require(Scope::Play)?;
    let game = GamePath {
        game_id: path.game_id,
    };
    let acted = act_on(state, game, caller, move |_, _| {
        body.parse_or_empty::<EmptyRequest>()?;
        Ok(command(OfferId(path.offer_id.as_u128())))
    })
    .await?;
    Ok(HttpResponse::Ok().json(GameResponse::of(&acted.stored, Some(acted.side))))
}
