use std::sync::Arc;

use actix_web::{HttpRequest, HttpResponse, get, web};
use serde::Deserialize;
use storage::ImportId;
use uuid::Uuid;

use crate::auth::{Caller, Scope};
use crate::http::etag::{Sharing, Tagged};
use crate::http::extract::PathParams;
use crate::problem::{ApiError, Problem};
use crate::state::AppState;
use crate::usecase::imports;
use crate::wire::import::ImportResponse;

/// The path of an import.
#[derive(Debug, Clone, Copy, Deserialize)]
pub(crate) struct ImportPath {
    import_id: Uuid,
}

/// An import
///
/// One of the caller's own; those of others are as good as not there. It is told of for 30 days.
#[utoipa::path(
    tag = "imports",
    params(("import_id" = uuid::Uuid, Path, description = "The import.")),
    responses(
        (status = 200, description = "The import, and what came of it.", body = ImportResponse,
            headers(("ETag" = String, description = "Of the import."))),
        (status = 304, description = "It is as the `ETag` in `If-None-Match` says."),
        (status = 404, description = "The caller has no such import.", body = Problem,
            content_type = "application/problem+json"),
    ),
    security(("bearer" = [])),
)]
#[get("/v1/imports/{import_id}")]
pub(crate) async fn show_import(
    state: web::Data<AppState>,
    caller: Caller,
    path: PathParams<ImportPath>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let caller = caller.require(Scope::Import)?.player();
    let id = ImportId::from_uuid(path.0.import_id);
    let work = Arc::clone(&state);
    let show = move || imports::show(&work.db, caller, id);
    let import = state.database_work.try_run(show).await?;
    Ok(Tagged::new(&ImportResponse::try_from(import)?)?.answer(&request, Sharing::Private))
}
