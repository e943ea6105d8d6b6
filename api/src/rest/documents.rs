//! The description of this API, for programs and for people.

use actix_web::http::header;
use actix_web::{HttpResponse, get, web};

use crate::state::AppState;

/// The OpenAPI document
///
/// OpenAPI 3.1, generated from the handlers: everything that a client may call.
#[utoipa::path(
    tag = "server",
    responses((status = 200, description = "The document.", body = Object, content_type = "application/json")),
)]
#[get("/openapi.json")]
pub(crate) async fn openapi_json(state: web::Data<AppState>) -> HttpResponse {
    HttpResponse::Ok()
        .content_type("application/json")
        .insert_header((header::CACHE_CONTROL, "no-cache"))
        .body(state.document.json().to_owned())
}

/// The document as pages
///
/// Leads to pages that show the document and can try its calls. They are part of this program.
#[utoipa::path(
    tag = "server",
    responses((status = 308, description = "The pages are at `/docs/`.")),
)]
#[get("/docs")]
pub(crate) async fn docs() -> HttpResponse {
    HttpResponse::PermanentRedirect()
        .insert_header((header::LOCATION, "/docs/"))
        .finish()
}
