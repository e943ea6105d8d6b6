//! Refuses a request whose answer its caller would not accept, before anything is done.

use actix_web::body::{EitherBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header;
use actix_web::middleware::Next;
use actix_web::{Error, web};

use crate::http::accept::preferred;
use crate::problem::{ApiError, Code};
use crate::state::AppState;

/// Compares `Accept` with the media types that the document gives for the operation.
///
/// # Errors
/// Those of the service within; a refusal is an answer and no error.
pub async fn refuse_unacceptable<B: MessageBody>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<EitherBody<B>>, Error> {
    if let Some(refusal) = refusal(&request) {
        return Ok(request.error_response(refusal).map_into_right_body());
    }
    next.call(request)
        .await
        .map(ServiceResponse::map_into_left_body)
}

fn refusal(request: &ServiceRequest) -> Option<ApiError> {
    if !request.headers().contains_key(header::ACCEPT) {
        return None;
    }
    let state = request.app_data::<web::Data<AppState>>()?;
    let offered = state.document.media_types(request.method(), request.path());
    if offered.is_empty() || preferred(request.headers(), &offered).is_some() {
        return None;
    }
    let detail = format!(
        "the answer is {}; Accept admits none of it",
        offered.join(" or ")
    );
    Some(ApiError::new(Code::NotAcceptable, detail))
}
