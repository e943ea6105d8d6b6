//! Which web pages may call the API.

use actix_cors::Cors;
use actix_web::http::header::{self, HeaderName};
use actix_web::http::{Method, header as names};

use crate::config::CorsOrigins;
use crate::http::rate_limit::{RATELIMIT, RATELIMIT_POLICY};

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
        ])
        .max_age(PREFLIGHT_MAX_AGE);
    match origins {
        CorsOrigins::Any => cors.allow_any_origin().send_wildcard(),
        CorsOrigins::These(origins) => origins
            .iter()
            .fold(cors, |cors, origin| cors.allowed_origin(origin)),
    }
}
