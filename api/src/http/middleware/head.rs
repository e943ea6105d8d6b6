//! HEAD is GET without the body.

use actix_web::Error;
use actix_web::body::{self, BodySize, EitherBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::Method;
use actix_web::middleware::Next;

/// Lets handlers see GET where HEAD was asked; the connection, which knows better, sends no body. It
/// would read a stream to its end, though, which an event stream has not.
///
/// # Errors
/// Those of the service within.
pub async fn answer_head_as_get<B: MessageBody>(
    mut request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<EitherBody<B, body::None>>, Error> {
    let is_head = request.method() == Method::HEAD;
    if is_head {
        request.head_mut().method = Method::GET;
    }
    let response = next.call(request).await?;
    let is_stream = response.response().body().size() == BodySize::Stream;
    Ok(response.map_body(|_, body| {
        if is_head && is_stream {
            EitherBody::right(body::None::new())
        } else {
            EitherBody::left(body)
        }
    }))
}
