//! Headers that every answer carries.

use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{self, HeaderName, HeaderValue};
use actix_web::middleware::Next;
use actix_web::{Error, HttpMessage, web};
use tracing_actix_web::RequestId;

use crate::state::AppState;

/// Adds `X-Request-Id`, the security headers, and `Cache-Control: no-store` where a handler set no
/// other. While the server shuts down, each answer ends its connection.
///
/// # Errors
/// Those of the service within.
pub async fn add_response_headers<B: MessageBody>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<B>, Error> {
    let mut response = next.call(request).await?;
    let request = response.request();
    let id = request
        .extensions()
        .get::<RequestId>()
        .map(ToString::to_string);
    let state = request.app_data::<web::Data<AppState>>();
    if state.is_some_and(|state| state.lifecycle.is_stopping()) {
        response
            .response_mut()
            .head_mut()
            .set_connection_type(actix_web::http::ConnectionType::Close);
    }
    let headers = response.headers_mut();
    if let Some(id) = id.and_then(|id| HeaderValue::try_from(id).ok()) {
        headers.insert(HeaderName::from_static("x-request-id"), id);
    }
    headers.insert(
        header::X_CONTENT_TYPE_OPTIONS,
        HeaderValue::from_static("nosniff"),
    );
    headers.insert(
        header::REFERRER_POLICY,
        HeaderValue::from_static("no-referrer"),
    );
    if !headers.contains_key(header::CACHE_CONTROL) {
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
    Ok(response)
}
