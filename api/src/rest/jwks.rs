//! The public keys that verify access tokens.

use actix_web::http::header::{self, HeaderValue};
use actix_web::{HttpResponse, get, web};
use serde::Serialize;
use utoipa::ToSchema;

use crate::auth::Jwk;
use crate::state::AppState;

/// A JSON Web Key Set (RFC 7517).
#[derive(Debug, Serialize, ToSchema)]
pub struct JwksResponse {
    /// The keys, newest first.
    keys: Vec<Jwk>,
}

/// The public keys
///
/// Access tokens are signed by the first; those signed by the others are still valid.
#[utoipa::path(
    tag = "server",
    responses((status = 200, description = "The keys.", body = JwksResponse)),
)]
#[get("/.well-known/jwks.json")]
pub(crate) async fn jwks(state: web::Data<AppState>) -> HttpResponse {
    let cached = HeaderValue::from_static("public, max-age=300");
    HttpResponse::Ok()
        .insert_header((header::CACHE_CONTROL, cached))
        .json(JwksResponse {
            keys: state.tokens.public_keys(),
        })
}
