//! Finished games, as many as a filter finds.

use std::io;

use actix_web::http::header;
use actix_web::{FromRequest, HttpRequest, HttpResponse, get, web};
use storage::StorageError;
use thiserror::Error;
use tokio::sync::oneshot;
use tokio::task::spawn_blocking;

use super::wanted::{Wanted, wanted_query};
use crate::auth::{Caller, Scope};
use crate::exports::{ExportFormat, Form, PATIENCE, Pages, Pipe, Place, WriteError, Writer, parts};
use crate::http::etag::Sharing;
use crate::http::extract::Query;
use crate::problem::{ApiError, Problem};
use crate::state::AppState;
use crate::usecase::selection::Selection;
use crate::wire::names::Table;

wanted_query! {
    /// Which games are wanted, and as what.
    pub struct ExportQuery {
        /// Lines of JSON, a game each, or a table.
        #[param(inline)]
        format: ExportFormat,
        /// Which table; needed for `parquet`, and for nothing else.
        #[param(inline)]
        table: Option<Table>,
    }
}

/// Export finished games
///
/// All that the filter finds, in the order of their end: as lines of JSON that `reveille import` reads, or as
/// one of five tables for programs that read Parquet. Private games are not in it. The answer comes while
/// it is read: one that breaks off was not whole. What ends or is imported meanwhile may be in it or not. Two
/// exports go on at once, one of a caller, and whoever reads less than 32 KiB a second loses his place.
#[utoipa::path(
    tag = "exports",
    params(ExportQuery),
    responses(
        (status = 200, description = "The games.", content(
            (String = "application/x-ndjson"),
            (Vec<u8> = "application/vnd.apache.parquet"),
        )),
        (status = 403, description = "`insufficient_scope`: it needs `analysis`.", body = Problem,
            content_type = "application/problem+json"),
        (status = 429, description = "An export of the caller is under way.", body = Problem,
            content_type = "application/problem+json",
            headers(("Retry-After" = u32, description = "How many seconds to wait."))),
        (status = 503, description = "Two exports are under way.", body = Problem,
            content_type = "application/problem+json",
            headers(("Retry-After" = u32, description = "How many seconds to wait."))),
    ),
    security(("bearer" = [])),
)]
#[get("/v1/exports")]
pub(crate) async fn export_games(
    caller: Caller,
    state: web::Data<AppState>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let caller = caller.require(Scope::Analysis)?.player();
    let Query(query) = Query::<ExportQuery>::extract(&request).await?;
    let form = query.form()?;
    let pages = Pages::new(state.statistics.clone(), query.selection()?);
    let place = state.exports.take(caller)?;
    let (pipe, taken) = Pipe::new(PATIENCE, state.lifecycle.watch());
    let (start, started) = oneshot::channel();
    let span = tracing::Span::current();
    spawn_blocking(move || {
        span.in_scope(|| match write(pages, form, pipe, start, place) {
            Ok(()) => {}
            Err(StreamError::Write(WriteError::Write(cause))) => {
                tracing::info!(%cause, "an export was not read to its end");
            }
            Err(fault) => {
                tracing::error!(
                    error = &fault as &dyn std::error::Error,
                    "an export broke off"
                );
            }
        });
    });
    started
        .await
        .unwrap_or_else(|lost| Err(ApiError::internal(&lost)))?;
    let mut answer = HttpResponse::Ok();
    for header in Sharing::Private.headers() {
        answer.insert_header(header);
    }
    Ok(answer
        .content_type(form.media_type())
        .insert_header((
            header::CONTENT_DISPOSITION,
            format!("attachment; filename=\"{}\"", form.file_name()),
        ))
        .streaming(parts(taken)))
}

/// Why an answer that was begun has no end.
#[derive(Debug, Error)]
enum StreamError {
    #[error(transparent)]
    Storage(#[from] StorageError),
    #[error(transparent)]
    Write(#[from] WriteError),
}

impl From<io::Error> for StreamError {
    fn from(cause: io::Error) -> Self {
        Self::Write(cause.into())
    }
}

/// Writes all games; says when the first are read, from which on an answer can be given. The place is held until
/// all is written, or nobody reads any more.
fn write(
    mut pages: Pages,
    form: Form,
    pipe: Pipe,
    start: oneshot::Sender<Result<(), ApiError>>,
    place: Place,
) -> Result<(), StreamError> {
    let first = pages.next().transpose();
    let (first, told) = match first {
        Ok(first) => (first, Ok(())),
        Err(fault) => (None, Err(fault.into())),
    };
    let goes_on = told.is_ok();
    // Nobody waits any more when the client is gone.
    if start.send(told).is_err() || !goes_on {
        return Ok(());
    }
    let mut writer = Writer::new(form, pipe)?;
    // Given back before the pipe is, so that whoever sees the end may ask for the next one.
    let place = place;
    for page in first.map(Ok).into_iter().chain(pages) {
        for stored in page? {
            writer.push(&stored)?;
        }
    }
    let ended = writer.finish()?;
    drop(place);
    for pipe in ended {
        pipe.end()?;
    }
    Ok(())
}

impl ExportQuery {
    fn form(&self) -> Result<Form, ApiError> {
        match (self.format, self.table) {
            (ExportFormat::Ndjson, None) => Ok(Form::Lines),
            (ExportFormat::Parquet, Some(table)) => Ok(Form::Table(table.into())),
            (ExportFormat::Ndjson, Some(_)) => Err(ApiError::malformed_field(
                "table",
                "expected none with format=ndjson, which has whole games",
            )),
            (ExportFormat::Parquet, None) => Err(ApiError::malformed_field(
                "table",
                "expected games, plies, pieces, battles or reveals with format=parquet, got none",
            )),
        }
    }

    fn selection(&self) -> Result<Selection, ApiError> {
        Wanted::from(self).selection()
    }
}
