//! Refuses callers that ask too much, and tells all others what is left to them.

use actix_web::body::{EitherBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::Method;
use actix_web::http::header::HeaderValue;
use actix_web::middleware::Next;
use actix_web::{Error, HttpMessage, web};

use crate::auth::{AUTH_PREFIX, Authentication};
use crate::http::client_address::client_address;
use crate::http::rate_limit::Standing;
use crate::state::AppState;

/// Paths that probes ask for.
const NOT_COUNTED: [&str; 2] = ["/healthz", "/readyz"];

/// Counts the request and refuses it when it is one too many.
///
/// # Errors
/// Those of the service within; a refusal is an answer and no error.
pub async fn limit_rate<B: MessageBody>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<EitherBody<B>>, Error> {
    let standing = count(&request);
    if let Some(refusal) = standing.and_then(|standing| standing.refusal()) {
        return Ok(request.error_response(refusal).map_into_right_body());
    }
    let mut response = next.call(request).await?;
    for (name, value) in standing.iter().flat_map(Standing::headers) {
        if let Ok(value) = HeaderValue::from_str(&value) {
            // A handler with a rule of its own has said something more to the point.
            if !response.headers().contains_key(&name) {
                response.headers_mut().insert(name, value);
            }
        }
    }
    Ok(response.map_into_left_body())
}

fn count(request: &ServiceRequest) -> Option<Standing> {
    let state = request.app_data::<web::Data<AppState>>()?;
    let limiters = state.rate_limiters.as_ref()?;
    if request.method() == Method::OPTIONS || NOT_COUNTED.contains(&request.path()) {
        return None;
    }
    let address = client_address(request.request(), &state.config.trusted_proxies);
    let player_id = match request.extensions().get::<Authentication>() {
        Some(Authentication::Caller(caller)) => Some(caller.player_id),
        _ => None,
    };
    limiters.count(address, player_id, request.path().starts_with(AUTH_PREFIX))
}
