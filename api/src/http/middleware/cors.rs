//! Which web pages may call the API.

use actix_cors::Cors;
use actix_web::Error;
use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{self, HeaderName, HeaderValue};
use actix_web::http::{Method, header as names};
use actix_web::middleware::Next;

use crate::config::CorsOrigins;
use crate::http::rate_limit::{RATELIMIT, RATELIMIT_POLICY};
use crate::rest::games::list::{CHALLENGES_INCOMING, GAMES_RUNNING, GAMES_YOUR_TURN};

/// How long a browser may remember a preflight, in seconds.
const PREFLIGHT_MAX_AGE: usize = 3_600;

/// CORS for the configured origins. Preflights are answered here, before authentication and limits.
pub fn cors(origins: &CorsOrigins) -> Cors {
    let cors = Cors::default()
        .allowed_methods([
            Method::GET,
            Method::HEAD,
            Method::POST,
            Method::PUT,
            Method::PATCH,
            Method::DELETE,
        ])
        .allowed_headers([
            names::ACCEPT,
            names::ACCEPT_LANGUAGE,
            names::AUTHORIZATION,
            names::CONTENT_TYPE,
            names::IF_MATCH,
            names::IF_NONE_MATCH,
            HeaderName::from_static("idempotency-key"),
            HeaderName::from_static("last-event-id"),
        ])
        .expose_headers([
            header::ALLOW,
            header::ETAG,
            header::LOCATION,
            header::RETRY_AFTER,
            RATELIMIT,
            RATELIMIT_POLICY,
            HeaderName::from_static("x-request-id"),
            GAMES_YOUR_TURN,
            GAMES_RUNNING,
            CHALLENGES_INCOMING,
        ])
        .max_age(PREFLIGHT_MAX_AGE);
    match origins {
        CorsOrigins::Any => cors.allow_any_origin().send_wildcard(),
        CorsOrigins::These(origins) => origins
            .iter()
            .fold(cors, |cors, origin| cors.allowed_origin(origin)),
    }
}

/// Writes the lists of CORS in the order of names. They are kept as sets, and each worker would write
/// its own order: equal requests get equal answers.
///
/// # Errors
/// Those of the service within.
pub async fn order_cors_lists<B: MessageBody>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<B>, Error> {
    let mut response = next.call(request).await?;
    let headers = response.headers_mut();
    for list in [
        header::ACCESS_CONTROL_ALLOW_HEADERS,
        header::ACCESS_CONTROL_ALLOW_METHODS,
        header::ACCESS_CONTROL_EXPOSE_HEADERS,
    ] {
        if let Some(ordered) = headers.get(&list).and_then(in_order) {
            headers.insert(list, ordered);
        }
    }
    Ok(response)
}

fn in_order(list: &HeaderValue) -> Option<HeaderValue> {
    let mut names: Vec<&str> = list.to_str().ok()?.split(',').map(str::trim).collect();
    names.sort_unstable();
    HeaderValue::try_from(names.join(", ")).ok()
}
