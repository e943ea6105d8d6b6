//! Offers: to draw, and to pause.

use std::sync::Arc;

use actix_web::{HttpRequest, HttpResponse, post, web};
use domain::{Color, Command, OfferId};
use serde::{Deserialize, Serialize};
use storage::games;
use storage::{Connection, GameId, PlayerId, StorageError, generate_offer_id};
use utoipa::ToSchema;
use uuid::Uuid;

use super::{GamePath, act_on};
use crate::auth::{Caller, Scope};
use crate::http::extract::{PathParams, RawBody};
use crate::http::idempotency::Idempotency;
use crate::problem::{ApiError, Problem};
use crate::state::AppState;
use crate::usecase::blocks::refuse_blocked;
use crate::usecase::games::{GameCache, Made, act, find_for_player, instant};
use crate::usecase::once::Keyed;
use crate::wire::EmptyRequest;
use crate::wire::game::{GameResponse, OfferKind, OfferResponse, OfferStatus};
use crate::wire::object::word;

/// Something to offer the opponent.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct OfferRequest {
    /// What.
    #[serde(deserialize_with = "word")]
    kind: OfferKind,
}

/// The path of an offer.
#[derive(Debug, Clone, Copy, Deserialize)]
pub struct OfferPath {
    game_id: Uuid,
    offer_id: Uuid,
}

/// Offer a draw, or a pause
///
/// The offer lapses when its receiver moves. While one's own is open, offering again is answered
/// with it; when the opponent's is open, offering the same agrees. After an answer the same is not
/// offered again before one has moved.
#[utoipa::path(
    tag = "games",
    params(
        ("game_id" = Uuid, Path, description = "The game."),
        ("Idempotency-Key" = Option<String>, Header, description = "1 to 255 visible ASCII \
            characters, remembered for 24 hours."),
    ),
    request_body = OfferRequest,
    responses(
        (status = 201, description = "The offer is made, or the opponent's was agreed to: the game \
            tells.", body = OfferResponse),
        (status = 200, description = "The offer that is open already.", body = OfferResponse),
        (status = 403, description = "Not a player of this game, or the opponent blocks the caller.",
            body = Problem, content_type = "application/problem+json"),
        (status = 404, description = "There is no such game.", body = Problem,
            content_type = "application/problem+json"),
        (status = 409, description = "The game is over, or has not begun; `offer_closed` when the last \
            one was answered and one has not moved since, or when the game is paused already.",
            body = Problem, content_type = "application/problem+json"),
    ),
    security(("bearer" = [])),
)]
#[post("/v1/games/{game_id}/offers")]
pub(crate) async fn make_offer(
    state: web::Data<AppState>,
    caller: Caller,
    path: PathParams<GamePath>,
    body: RawBody,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let caller = PlayerId::from_uuid(caller.require(Scope::Play)?.player_id);
    // A body that does not pass is refused where its turn comes.
    let key = Idempotency::read(&request, &body.parse::<OfferRequest>().ok())?;
    let (created, offer) = offer_to_other(&state, path.0.id(), caller, key, body).await?;
    if created {
        Ok(HttpResponse::Created().json(offer))
    } else {
        Ok(HttpResponse::Ok().json(offer))
    }
}

/// Makes the offer, or finds it made by the same request or open already; says whether the request
/// made one, now or before.
async fn offer_to_other(
    state: &Arc<AppState>,
    game: GameId,
    caller: PlayerId,
    key: Option<Idempotency>,
    body: RawBody,
) -> Result<(bool, OfferResponse), ApiError> {
    let now = instant(&*state.clock);
    let keyed = key.map(|request| Keyed {
        request,
        caller,
        now,
    });
    let request = body.parse::<OfferRequest>().ok();
    if let (Some(keyed), Some(request)) = (keyed.clone(), request) {
        let at = Arc::clone(state);
        let recall = move |connection: &mut Connection| {
            recall(connection, &at.games, game, &keyed, request.kind)
        };
        if let Some(offer) = state.read(recall).await? {
            return Ok((true, offer));
        }
    }
    let cache = Arc::clone(state);
    let may = move |connection: &mut Connection| {
        let (stored, side) = find_for_player(connection, &cache.games, game, caller)?;
        refuse_blocked(connection, caller, stored.summary.players[!side].id)
    };
    state.read(may).await?;
    let offer_id = generate_offer_id(now);
    let id = Uuid::from_u128(offer_id.0);
    let made = keyed.map(|keyed| Made { keyed, id });
    let acted = act(state, game, caller, made, move |_, _| {
        Ok(match body.parse::<OfferRequest>()?.kind {
            OfferKind::Draw => Command::OfferDraw(offer_id),
            OfferKind::Pause => Command::OfferPause(offer_id),
        })
    })
    .await?;
    let kind = request.ok_or_else(|| ApiError::not_found("offer"))?.kind;
    let offer = match acted.stored.game.offer(kind.into()) {
        Some(open) => OfferResponse::from(open),
        None => agreed(offer_id, kind, acted.side),
    };
    Ok((!acted.events.is_empty(), offer))
}

/// The offer that the same request made before, as it is now.
fn recall(
    connection: &mut Connection,
    cache: &GameCache,
    game: GameId,
    keyed: &Keyed,
    kind: OfferKind,
) -> Result<Option<OfferResponse>, ApiError> {
    let (_, by) = find_for_player(connection, cache, game, keyed.caller)?;
    let Some(id) = keyed.made(connection)? else {
        return Ok(None);
    };
    let id = OfferId(id.as_u128());
    let offer = match games::offer(connection, game, id) {
        // It crossed with the opponent's and was never open.
        Err(StorageError::NotFound) => agreed(id, kind, by),
        found => {
            let (offer, closing) = found?;
            OfferResponse {
                status: closing.into(),
                ..OfferResponse::from(offer)
            }
        }
    };
    Ok(Some(offer))
}

fn agreed(id: OfferId, kind: OfferKind, by: Color) -> OfferResponse {
    OfferResponse {
        id: Uuid::from_u128(id.0),
        kind,
        by: by.into(),
        status: OfferStatus::Accepted,
    }
}

/// Accept an offer
///
/// The game is drawn, or its clocks stop until one of the players goes on.
#[utoipa::path(
    tag = "games",
    params(
        ("game_id" = Uuid, Path, description = "The game."),
        ("offer_id" = Uuid, Path, description = "The opponent's offer."),
    ),
    request_body = EmptyRequest,
    responses(
        (status = 200, description = "The game, drawn or paused.", body = GameResponse),
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
    let now = state.now();
    let acted = act_on(state, game, caller, move |_, _| {
        body.parse_or_empty::<EmptyRequest>()?;
        Ok(command(OfferId(path.offer_id.as_u128())))
    })
    .await?;
    Ok(HttpResponse::Ok().json(GameResponse::of(&acted.stored, Some(acted.side), now)))
}
