use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use actix_web::dev::Payload;
use actix_web::http::header;
use actix_web::{FromRequest, HttpRequest, HttpResponse, post, web};
use serde::{Deserialize, Serialize};
use storage::PlayerId;
use storage::imports::Import;
use tokio::sync::oneshot;
use tokio::time::timeout;
use utoipa::IntoParams;

use super::upload::{self, FileBody};
use crate::auth::{Caller, Scope};
use crate::blocking::Place;
use crate::http::extract::Query;
use crate::http::idempotency::Idempotency;
use crate::problem::{ApiError, Code, Problem};
use crate::state::AppState;
use crate::usecase::imports::{self, Begun, EACH, Running, Upload};
use crate::wire::import::ImportResponse;

/// What a file is called whose sender does not say.
const UPLOAD: &str = "upload";

/// How long the name of a file may be, in characters.
const MAX_NAME: usize = 255;

/// How often it is noted how far an import is. One of which nothing is heard for much longer is taken for lost.
const BEAT: Duration = Duration::from_secs(20);

/// How long a caller is asked to wait for imports of his own, which may be short, and for those of others, which take
/// minutes.
const OWN_RETRY_AFTER: Duration = Duration::from_secs(10);
const RETRY_AFTER: Duration = Duration::from_mins(1);

/// What is sent, and how it is to be kept.
#[derive(Debug, Clone, Serialize, Deserialize, IntoParams)]
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
/// a zip archive or gzip of these; at most 64 MiB and 1,000,000 games. What it is is seen by what is in it. The
/// games are imported while the caller goes on: ask `GET /v1/imports/{import_id}` for what came of them.
///
/// Each game is imported whole or not at all, and one that is rejected keeps no other from being imported. A game that is
/// there already is counted as a duplicate and stays as it is, so that a file may be sent again.
///
/// With an `Idempotency-Key` it is begun once, however often it is sent: another one with that key is answered with
/// the first import as it is now, before its body is read, and whatever is in it. A caller may have two imports
/// under way at once.
#[utoipa::path(
    tag = "imports",
    params(ImportQuery, ("Idempotency-Key" = Option<String>, Header, description = "1 to 255 visible ASCII \
        characters, remembered for 24 hours.")),
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
        (status = 422, description = "`idempotency_key_reused`: the key stands for an import with another query.",
            body = Problem, content_type = "application/problem+json"),
        (status = 429, description = "The caller has two imports under way.", body = Problem,
            content_type = "application/problem+json",
            headers(("Retry-After" = u32, description = "How many seconds to wait."))),
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
    let key = Idempotency::read(&request, &query)?;
    if let Some(key) = key.clone()
        && let Some(import) = recall(&state, owner, key).await?
    {
        return answer(import);
    }
    let turn = state.imports_of.take(owner).ok_or_else(too_many)?;
    let place = state.import_work.place().map_err(|_| full())?;
    let file = upload::receive(body, state.config.data_dir.clone()).await?;
    let upload = Upload {
        name,
        hides: query.pseudonymise.unwrap_or_default(),
        file,
    };
    let (begun, noted) = oneshot::channel();
    // It is begun, and goes on, when the caller is gone.
    actix_web::rt::spawn(async move {
        let _turn = turn;
        let new = match begin(&state, owner, key).await {
            Ok(Begun::New(import)) => import,
            Ok(Begun::Before(import)) => return drop(begun.send(Ok(import))),
            Err(fault) => return drop(begun.send(Err(fault))),
        };
        drop(begun.send(Ok(new.clone())));
        carry_out(&state, Running::new(owner, new), upload, place).await;
    });
    let import = noted.await.map_err(|lost| ApiError::internal(&lost))??;
    answer(import)
}

/// What was begun with the key before.
async fn recall(
    state: &web::Data<AppState>,
    owner: PlayerId,
    key: Idempotency,
) -> Result<Option<Import>, ApiError> {
    let (work, now) = (Arc::clone(state), state.now());
    let recall = move || imports::recall(&work.db, owner, &key, now);
    state.database_work.try_run(recall).await
}

async fn begin(
    state: &web::Data<AppState>,
    owner: PlayerId,
    key: Option<Idempotency>,
) -> Result<Begun, ApiError> {
    let (work, now) = (Arc::clone(state), state.now());
    let begin = move || imports::begin(&work.db, owner, key.as_ref(), now);
    state.database_work.try_run(begin).await
}

/// Imports, and says all the while that somebody does.
async fn carry_out(state: &web::Data<AppState>, running: Running, upload: Upload, place: Place) {
    let running = Arc::new(running);
    let (work, to_do) = (Arc::clone(state), Arc::clone(&running));
    let carry_out = move || to_do.carry_out(&work, upload);
    let mut done = pin!(state.import_work.run_at(place, carry_out));
    loop {
        match timeout(BEAT, &mut done).await {
            Ok(Ok(())) => return,
            Ok(Err(_)) => break,
            Err(_) => note(state, &running, Running::beat).await,
        }
    }
    note(state, &running, Running::give_up).await;
}

async fn note(
    state: &web::Data<AppState>,
    running: &Arc<Running>,
    note: impl FnOnce(&Running, &AppState) + Send + 'static,
) {
    let (work, running) = (Arc::clone(state), Arc::clone(running));
    // What cannot be noted now is noted the next time, or the import is taken for lost.
    let _noted = state.database_work.run(move || note(&running, &work)).await;
}

fn answer(import: Import) -> Result<HttpResponse, ApiError> {
    let answer = ImportResponse::try_from(import)?;
    Ok(HttpResponse::Accepted()
        .insert_header((header::LOCATION, format!("/v1/imports/{}", answer.id)))
        .json(answer))
}

fn too_many() -> ApiError {
    let detail = format!(
        "{EACH} imports of this account are under way, which is as many as it may have; try again when one has \
         come to its end"
    );
    ApiError::new(Code::RateLimited, detail).retry_after(OWN_RETRY_AFTER)
}

fn full() -> ApiError {
    ApiError::unavailable("too many imports are waiting; try again", RETRY_AFTER)
}
