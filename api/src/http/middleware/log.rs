//! One structured line for each request, under an identifier that the answer carries too.

use std::time::Instant;

use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::{Error, HttpMessage, web};
use tracing::Span;
use tracing_actix_web::{RequestId, RootSpanBuilder, TracingLogger};

use crate::http::client_address::client_address;
use crate::state::AppState;

/// The span of a request. It names the path and never the query, a header or a body: those can hold
/// tokens and passwords.
#[derive(Debug)]
pub struct RequestLog;

/// When the request came in.
#[derive(Clone, Copy)]
struct Started(Instant);

/// The middleware that gives each request an identifier (a UUIDv7 of ours, whatever the caller
/// sent) and a span, and logs its end.
pub fn request_log() -> TracingLogger<RequestLog> {
    TracingLogger::new()
}

impl RootSpanBuilder for RequestLog {
    fn on_request_start(request: &ServiceRequest) -> Span {
        let id = request
            .extensions()
            .get::<RequestId>()
            .map(ToString::to_string);
        let proxies = request.app_data::<web::Data<AppState>>();
        let proxies = proxies.map_or(&[][..], |state| &state.config.trusted_proxies);
        let client = client_address(request.request(), proxies).map(|client| client.to_string());
        request.extensions_mut().insert(Started(Instant::now()));
        tracing::info_span!(
            "request",
            request_id = id,
            client,
            method = %request.method(),
            path = request.path(),
        )
    }

    fn on_request_end<B: MessageBody>(_: Span, outcome: &Result<ServiceResponse<B>, Error>) {
        match outcome {
            Ok(response) => {
                let request = response.request();
                let started = request.extensions().get::<Started>().copied();
                let micros = started.map(|started| started.0.elapsed().as_micros());
                let micros = micros.map(|micros| u64::try_from(micros).unwrap_or(u64::MAX));
                let status = response.status().as_u16();
                let route = request.match_pattern();
                tracing::info!(status, route, micros, "answered");
            }
            // Everything within answers instead of failing, so that this is a fault of ours.
            Err(error) => tracing::error!(%error, "request failed"),
        }
    }
}
