//! Whether the server lives, and whether it can take requests.

use std::time::Duration;

use actix_web::{HttpResponse, get, web};
use serde::Serialize;
use storage::Database;
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

/// A server that takes requests.
#[derive(Debug, Serialize, ToSchema)]
pub struct ReadyResponse {
    /// Always `ok`.
    #[schema(example = "ok")]
    status: &'static str,
    /// Where statistics have a database of their own: whether that one answers. Games are played
    /// without it.
    #[serde(skip_serializing_if = "Option::is_none")]
    statistics: Option<Answering>,
}

/// Whether something answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Answering {
    /// It does.
    Ok,
    /// It does not, or lacks migrations.
    Unavailable,
}

/// How long the database of statistics has to answer.
const PATIENCE: Duration = Duration::from_secs(1);

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
/// 503 while the database is away or lacks migrations. A server that shuts down takes no new connection.
#[utoipa::path(
    tag = "server",
    responses((status = 200, description = "Requests can be taken.", body = ReadyResponse)),
)]
#[get("/readyz")]
pub(crate) async fn readyz(state: web::Data<AppState>) -> Result<HttpResponse, ApiError> {
    if state.lifecycle.is_stopping() {
        return Err(ApiError::unavailable(
            "the server is shutting down",
            RETRY_SOON,
        ));
    }
    if !is_ready(&state, &state.db).await? {
        return Err(ApiError::unavailable(
            "the schema of the database is not up to date",
            RETRY_SOON,
        ));
    }
    Ok(HttpResponse::Ok().json(ReadyResponse {
        status: OK.status,
        statistics: statistics(&state).await,
    }))
}

async fn is_ready(state: &AppState, database: &Database) -> Result<bool, ApiError> {
    let database = database.clone();
    let ready = state.database_work.run(move || database.is_ready()).await?;
    Ok(ready?)
}

async fn statistics(state: &AppState) -> Option<Answering> {
    state.config.database_read_url.as_ref()?;
    let answer = tokio::time::timeout(PATIENCE, is_ready(state, &state.statistics)).await;
    Some(match answer {
        Ok(Ok(true)) => Answering::Ok,
        _ => Answering::Unavailable,
    })
}
