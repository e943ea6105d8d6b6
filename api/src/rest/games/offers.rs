//! Draw offers.

use std::sync::Arc;

use actix_web::{HttpRequest, HttpResponse, post, web};
use domain::{Command, Offer, OfferId};
use serde::Deserialize;
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
use crate::usecase::games::{act_once, find_for_player, instant};
use crate::usecase::once::Keyed;
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
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let caller = PlayerId::from_uuid(caller.require(Scope::Play)?.player_id);
    // Any body that passes says the same.
    let key = Idempotency::read(&request, &())?;
    let work = Arc::clone(&state);
    let (created, offer) = state
        .database_work
        .try_run(move || offer_draw(&work, path.0.id(), caller, key.as_ref(), &body))
        .await?;
    if created {
        Ok(HttpResponse::Created().json(offer))
    } else {
        Ok(HttpResponse::Ok().json(offer))
    }
}

/// Makes the offer, or finds it made by the same request or open already; says whether the request
/// made one, now or before.
fn offer_draw(
    state: &AppState,
    game: GameId,
    caller: PlayerId,
    key: Option<&Idempotency>,
    body: &RawBody,
) -> Result<(bool, OfferResponse), ApiError> {
    let now = instant(&*state.clock);
    let keyed = key.map(|request| Keyed {
        request,
        caller,
        now,
    });
    if let Some(keyed) = keyed
        && let Some(offer) = state
            .db
            .read(|connection| recall(connection, game, keyed))?
    {
        return Ok((true, offer));
    }
    let id = generate_offer_id(now);
    let made = keyed.map(|keyed| (keyed, Uuid::from_u128(id.0)));
    let acted = act_once(&state.db, &*state.clock, game, caller, made, |_, _| {
        body.parse::<OfferRequest>()?;
        Ok(Command::OfferDraw(id))
    })?;
    let offer = match acted.stored.game.offer() {
        Some(open) => OfferResponse::from(open),
        None => agreed(Offer { id, by: acted.side }),
    };
    Ok((!acted.events.is_empty(), offer))
}

/// The offer that the same request made before, as it is now.
fn recall(
    connection: &mut Connection,
    game: GameId,
    keyed: Keyed<'_>,
) -> Result<Option<OfferResponse>, ApiError> {
    let (_, by) = find_for_player(connection, game, keyed.caller)?;
    let Some(id) = keyed.made(connection)? else {
        return Ok(None);
    };
    let id = OfferId(id.as_u128());
    let offer = match games::offer(connection, game, id) {
        // It crossed with the opponent's and was never open.
        Err(StorageError::NotFound) => agreed(Offer { id, by }),
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

fn agreed(offer: Offer) -> OfferResponse {
    OfferResponse {
        status: OfferStatus::Accepted,
        ..OfferResponse::from(offer)
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
