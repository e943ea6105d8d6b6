//! Whether the server lives, and whether it can take requests.

use std::sync::Arc;

use actix_web::{HttpResponse, get, web};
use serde::Serialize;
use utoipa::ToSchema;

use crate::problem::{ApiError, RETRY_SOON};
use crate::state::AppState;

/// A server that is well.
#[derive(Debug, Serialize, ToSchema)]
pub struct HealthResponse {
    /// Always `ok`.
    #[schema(example = "ok")]
    status: &'static str,
}

const OK: HealthResponse = HealthResponse { status: "ok" };

/// Whether the process lives
///
/// Asks nothing of the database.
#[utoipa::path(
    tag = "server",
    responses((status = 200, description = "It lives.", body = HealthResponse)),
)]
#[get("/healthz")]
pub(crate) async fn healthz() -> HttpResponse {
    HttpResponse::Ok().json(OK)
}

/// Whether requests can be taken
///
/// 503 while the database is away or lacks migrations, and while the server shuts down.
#[utoipa::path(
    tag = "server",
    responses((status = 200, description = "Requests can be taken.", body = HealthResponse)),
)]
#[get("/readyz")]
pub(crate) async fn readyz(state: web::Data<AppState>) -> Result<HttpResponse, ApiError> {
    if state.lifecycle.is_stopping() {
        return Err(ApiError::unavailable(
            "the server is shutting down",
            RETRY_SOON,
        ));
    }
    let work = Arc::clone(&state);
    if state
        .database_work
        .run(move || work.db.is_ready())
        .await??
    {
        Ok(HttpResponse::Ok().json(OK))
    } else {
        Err(ApiError::unavailable(
            "the schema of the database is not up to date",
            RETRY_SOON,
        ))
    }
}
