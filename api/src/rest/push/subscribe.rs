use std::sync::Arc;

use actix_web::{HttpRequest, HttpResponse, post, web};

use crate::auth::{Caller, Scope};
use crate::http::extract::RawBody;
use crate::http::idempotency::Idempotency;
use crate::problem::{ApiError, Problem};
use crate::state::AppState;
use crate::usecase::games::instant;
use crate::usecase::subscriptions;
use crate::wire::push::{PushSubscriptionRequest, PushSubscriptionResponse};

/// Have a browser told
///
/// By Web Push, of what the player has to know when he is elsewhere: that it is his turn, that a game
/// began or is over, offers, challenges to him and what became of his own, and time that runs out. The
/// browser reads `{"kind", "title", "game_id"?, "challenge_id"?, "ply"?}`: `title` is the key of a short
/// text (`your_turn`, `game_started`, `game_finished`, `game_offer`, `game_paused`, `game_resumed`,
/// `challenge_created`, `challenge_accepted`, `challenge_declined`, `deadline_near`), `ply` the number of
/// moves made. No rank is in it.
///
/// Of messages about one game that wait for a browser it gets the last. A subscription that the push
/// service no longer has, or that failed for a day, is removed. The same `endpoint` again changes keys
/// and kinds. A player may have up to 20.
#[utoipa::path(
    tag = "events",
    params(("Idempotency-Key" = Option<String>, Header, description = "1 to 255 visible ASCII \
        characters, remembered for 24 hours.")),
    request_body = PushSubscriptionRequest,
    responses(
        (status = 200, description = "The subscription, which was there before.",
            body = PushSubscriptionResponse),
        (status = 201, description = "The subscription.", body = PushSubscriptionResponse),
        (status = 404, description = "This server pushes nothing.", body = Problem,
            content_type = "application/problem+json"),
        (status = 422, description = "`validation_failed` for the endpoint, the keys or the kinds, or \
            when there are 20 already.", body = Problem, content_type = "application/problem+json"),
    ),
    security(("bearer" = [])),
)]
#[post("/v1/me/push-subscriptions")]
pub(crate) async fn subscribe_browser(
    state: web::Data<AppState>,
    caller: Caller,
    body: RawBody,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let caller = caller.require_login()?.require(Scope::Play)?;
    super::vapid(&state)?;
    let wanted = body
        .parse::<PushSubscriptionRequest>()?
        .validate(&state.deliveries.networks)?;
    let key = Idempotency::read(&request, &body.parse::<serde_json::Value>()?)?;
    let now = instant(&*state.clock);
    let work = Arc::clone(&state);
    let subscribe =
        move || subscriptions::subscribe_browser(&work.db, caller, &wanted, key.as_ref(), now);
    let (browser, is_new) = state.database_work.try_run(subscribe).await?;
    let mut answer = if is_new {
        HttpResponse::Created()
    } else {
        HttpResponse::Ok()
    };
    Ok(answer.json(PushSubscriptionResponse::from(browser)))
}
