//! Requests that match no route: an unknown path, or a known one with another method.

use actix_web::http::Method;
use actix_web::http::header::{self, HeaderValue};
use actix_web::{HttpRequest, HttpResponse, web};

use crate::problem::{ApiError, Code};
use crate::state::AppState;

/// 405 with `Allow` where the path has other methods, 204 with `Allow` for a plain OPTIONS, else 404.
///
/// # Errors
/// Always, but for OPTIONS.
pub async fn answer_unmatched(
    request: HttpRequest,
    state: web::Data<AppState>,
) -> Result<HttpResponse, ApiError> {
    let methods = state.document.methods(request.path());
    if methods.is_empty() {
        return Err(ApiError::new(
            Code::NotFound,
            "there is nothing at this path",
        ));
    }
    let names: Vec<_> = methods.iter().map(Method::as_str).collect();
    let allow = names.join(", ");
    let value = HeaderValue::from_str(&allow).map_err(|fault| ApiError::internal(&fault))?;
    if request.method() == Method::OPTIONS {
        return Ok(HttpResponse::NoContent()
            .insert_header((header::ALLOW, value))
            .finish());
    }
    let detail = format!("this path has {allow}, not {}", request.method());
    Err(ApiError::new(Code::MethodNotAllowed, detail).header(header::ALLOW, value))
}
