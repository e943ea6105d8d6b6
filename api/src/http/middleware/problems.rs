//! Makes every answer of 400 and above a problem document, whoever refused the request.

use actix_web::body::{BoxBody, EitherBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{self, HeaderValue};
use actix_web::middleware::Next;
use actix_web::{Error, HttpMessage};
use tracing_actix_web::RequestId;

use crate::graphql::http::GRAPHQL_RESPONSE;
use crate::problem::{ApiError, Code, PROBLEM_JSON};

/// Writes the body of refused requests: from the [`ApiError`] that a handler or extractor gave, else
/// from the bare status. Headers that were set stay.
///
/// # Errors
/// Those of the service within.
pub async fn write_problems<B: MessageBody + 'static>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<EitherBody<BoxBody, B>>, Error> {
    let response = next.call(request).await?;
    let status = response.status();
    let is_refused = status.is_client_error() || status.is_server_error();
    if !is_refused || is_graphql(&response) {
        return Ok(response.map_into_right_body());
    }
    let error = response.response().extensions().get::<ApiError>().cloned();
    let error = error.unwrap_or_else(|| bare(&response));
    let request_id = response.request().extensions().get::<RequestId>().copied();
    let request_id = request_id.map(|id| id.to_string()).unwrap_or_default();
    let problem = error.to_problem(response.request().path(), &request_id);
    let body = serde_json::to_vec(&problem).unwrap_or_default();
    let mut response = response
        .map_body(|_, _| BoxBody::new(body))
        .map_into_left_body();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(PROBLEM_JSON));
    headers.remove(header::CONTENT_LENGTH);
    headers.remove(header::CONTENT_ENCODING);
    headers.remove(header::ETAG);
    Ok(response)
}

/// Whether the answer is one of GraphQL, which has its own form for what went wrong.
fn is_graphql<B>(response: &ServiceResponse<B>) -> bool {
    let media_type = response.headers().get(header::CONTENT_TYPE);
    media_type.is_some_and(|value| value == GRAPHQL_RESPONSE)
}

/// The refusal that a bare status stands for. What the framework wrote beside it is not passed on.
fn bare<B>(response: &ServiceResponse<B>) -> ApiError {
    let code = Code::for_status(response.status());
    if code == Code::Internal {
        tracing::error!(
            status = response.status().as_u16(),
            "an answer without a cause"
        );
    }
    let detail = match response.response().error() {
        // CORS alone refuses in this way, and says what was wrong with the preflight.
        Some(fault) if fault.as_error::<actix_cors::CorsError>().is_some() => fault.to_string(),
        _ => code.explanation().to_owned(),
    };
    ApiError::new(code, detail)
}
