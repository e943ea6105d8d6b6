//! Counts and times requests by route pattern.

use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::middleware::Next;
use actix_web::{Error, web};

use crate::state::AppState;

/// Records one request. A request whose caller goes away is counted as under way no more.
///
/// # Errors
/// Those of the service within.
pub async fn record_metrics<B: MessageBody>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<B>, Error> {
    let Some(state) = request.app_data::<web::Data<AppState>>().cloned() else {
        return next.call(request).await;
    };
    let measured = state.metrics.begin(request.method());
    let response = next.call(request).await?;
    let pattern = response.request().match_pattern();
    measured.end(pattern.as_deref(), response.status());
    Ok(response)
}
