use actix_web::http::header::{self, HeaderValue};
use actix_web::{HttpResponse, get, web};

use crate::problem::{ApiError, Problem};
use crate::state::AppState;
use crate::wire::push::VapidKeyResponse;

/// The key of push messages
///
/// What a page gives to `pushManager.subscribe` as `applicationServerKey`.
#[utoipa::path(
    tag = "events",
    responses(
        (status = 200, description = "The key.", body = VapidKeyResponse),
        (status = 404, description = "This server pushes nothing.", body = Problem,
            content_type = "application/problem+json"),
    ),
)]
#[get("/v1/push/vapid-key")]
pub(crate) async fn show_vapid_key(state: web::Data<AppState>) -> Result<HttpResponse, ApiError> {
    let key = super::vapid(&state)?.public_key().to_owned();
    let cached = HeaderValue::from_static("public, max-age=300");
    Ok(HttpResponse::Ok()
        .insert_header((header::CACHE_CONTROL, cached))
        .json(VapidKeyResponse { key }))
}
