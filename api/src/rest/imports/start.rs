use std::sync::Arc;

use actix_web::dev::Payload;
use actix_web::http::header;
use actix_web::{FromRequest, HttpRequest, HttpResponse, post, web};
use serde::Deserialize;
use utoipa::IntoParams;

use super::upload::{self, FileBody};
use crate::auth::{Caller, Scope};
use crate::http::extract::Query;
use crate::problem::{ApiError, Problem};
use crate::state::AppState;
use crate::usecase::imports::{self, Upload};
use crate::wire::import::ImportResponse;

/// What a file is called whose sender does not say.
const UPLOAD: &str = "upload";

/// How long the name of a file may be, in characters.
const MAX_NAME: usize = 255;

/// What is sent, and how it is to be kept.
#[derive(Debug, Clone, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct ImportQuery {
    /// What the file is called, up to 255 characters: files of the Gravon archive have their day in their name.
    filename: Option<String>,
    /// Whether pseudonyms are kept in the place of the players' names.
    pseudonymise: Option<bool>,
}

impl ImportQuery {
    fn name(&self) -> Result<String, ApiError> {
        let name = self.filename.as_deref().unwrap_or(UPLOAD);
        let length = name.chars().count();
        if !(1..=MAX_NAME).contains(&length) || name.contains(char::is_control) {
            let detail = "expected 1 to 255 characters without control characters";
            return Err(ApiError::malformed_field("filename", detail));
        }
        Ok(name.to_owned())
    }
}

/// Import recorded games
///
/// The body is one file, as it is: Gravon XML or GSN, a game as this server writes it, as text, JSON or NDJSON, or
/// a zip archive or gzip of these; at most 64 MiB. What it is is seen by what is in it. The games are imported
/// while the caller goes on: ask `GET /v1/imports/{import_id}` for what came of them.
///
/// Each game is imported whole or not at all, and one that is rejected keeps no other from being imported. A game that is
/// there already is counted as a duplicate and stays as it is, so that a file may be sent again.
#[utoipa::path(
    tag = "imports",
    params(ImportQuery),
    request_body(content = FileBody, content_type = "application/octet-stream",
        description = "The file. `application/xml`, `text/xml`, `text/plain`, `application/json`, `application/x-ndjson`, \
            `application/zip` and `application/gzip` are taken as well."),
    responses(
        (status = 202, description = "The import, which has begun.", body = ImportResponse,
            headers(("Location" = String, description = "Where it is."))),
        (status = 413, description = "The file is too long.", body = Problem,
            content_type = "application/problem+json"),
        (status = 415, description = "It is no file of a kind that can have games in it.", body = Problem,
            content_type = "application/problem+json"),
        (status = 503, description = "Too many imports are waiting.", body = Problem,
            content_type = "application/problem+json",
            headers(("Retry-After" = u32, description = "How many seconds to wait."))),
    ),
    security(("bearer" = [])),
)]
#[post("/v1/imports")]
pub(crate) async fn start_import(
    state: web::Data<AppState>,
    caller: Caller,
    request: HttpRequest,
    body: web::Payload,
) -> Result<HttpResponse, ApiError> {
    let owner = caller.require(Scope::Import)?.player();
    let Query(query) = Query::<ImportQuery>::from_request(&request, &mut Payload::None).await?;
    let name = query.name()?;
    upload::check(request.headers())?;
    let place = state.import_work.place()?;
    let file = upload::receive(body, state.config.data_dir.clone()).await?;
    let upload = Upload {
        name,
        hides: query.pseudonymise.unwrap_or_default(),
        file,
    };
    let (work, now) = (Arc::clone(&state), state.now());
    let note = move || imports::begin(&work.db, owner, now);
    let begun = state.database_work.try_run(note).await?;
    let answer = ImportResponse::try_from(begun.clone())?;
    // It goes on when the caller is gone.
    actix_web::rt::spawn(async move {
        let (work, lost) = (Arc::clone(&state), begun.clone());
        let carry_out = move || imports::carry_out(&work, owner, &begun, upload);
        if state.import_work.run_at(place, carry_out).await.is_err() {
            let work = Arc::clone(&state);
            let give_up = move || imports::give_up(&work, owner, lost);
            // What cannot be noted now is taken for lost when it is old.
            let _noted = state.database_work.run(give_up).await;
        }
    });
    Ok(HttpResponse::Accepted()
        .insert_header((header::LOCATION, format!("/v1/imports/{}", answer.id)))
        .json(answer))
}
