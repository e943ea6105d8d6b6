use std::sync::Arc;

use actix_web::http::header;
use actix_web::{HttpRequest, HttpResponse, post, web};

use crate::auth::{Caller, Scope};
use crate::http::extract::RawBody;
use crate::http::idempotency::Idempotency;
use crate::problem::{ApiError, Problem};
use crate::state::AppState;
use crate::usecase::games::instant;
use crate::usecase::subscriptions;
use crate::wire::webhook::{WebhookRequest, WebhookResponse};

/// Make a webhook
///
/// From now on the events of `GET /v1/me/events` are sent there as well, in order, each as
/// `POST` of `{"id", "kind", "created_at", "data"}`: the number, the kind and the data are those of the
/// stream. An answer of 200 to 299 within 10 seconds takes the event; redirects are not followed. Anything
/// else is tried again with growing pauses, from 10 seconds to an hour, and what comes after waits. After a
/// day of that, and at once by an answer of 410, the webhook is disabled; enabling it again goes on with the
/// event that failed, as long as events are kept.
///
/// An event may come more than once: drop what has a `Reveille-Event-Id` that you have. `Reveille-Signature`
/// is `t=…,v1=…`: the second at which it was sent, in Unix time, and HMAC-SHA256, with the secret as key, of
/// that number, a full stop and the body as it came, in hexadecimal digits. Compute it anew, compare in
/// constant time, and refuse what is older than some minutes.
///
/// A player may have up to 10. With an `Idempotency-Key` it is made once, however often the request is
/// sent.
#[utoipa::path(
    tag = "events",
    params(("Idempotency-Key" = Option<String>, Header, description = "1 to 255 visible ASCII \
        characters, remembered for 24 hours.")),
    request_body = WebhookRequest,
    responses(
        (status = 201, description = "The webhook.", body = WebhookResponse,
            headers(("Location" = String, description = "Where it is."))),
        (status = 422, description = "`validation_failed` for the address, the secret or the kinds, or \
            when there are 10 already.", body = Problem, content_type = "application/problem+json"),
    ),
    security(("bearer" = [])),
)]
#[post("/v1/me/webhooks")]
pub(crate) async fn create_webhook(
    state: web::Data<AppState>,
    caller: Caller,
    body: RawBody,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let caller = caller.require_login()?.require(Scope::Play)?;
    let wanted = body
        .parse::<WebhookRequest>()?
        .validate(&state.deliveries.networks)?;
    let key = Idempotency::read(&request, &body.parse::<serde_json::Value>()?)?;
    let now = instant(&*state.clock);
    let work = Arc::clone(&state);
    let webhook = state
        .database_work
        .try_run(move || {
            subscriptions::create_webhook(&work.db, caller, &wanted, key.as_ref(), now)
        })
        .await?;
    Ok(HttpResponse::Created()
        .insert_header((header::LOCATION, format!("/v1/me/webhooks/{}", webhook.id)))
        .json(WebhookResponse::from(webhook)))
}
