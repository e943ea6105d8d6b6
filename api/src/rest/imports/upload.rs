//! A file that a caller sends, kept on disk as it comes.

use std::fs::File;
use std::io::{self, Seek, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use actix_web::http::header::{self, HeaderMap};
use actix_web::web;
use async_graphql::futures_util::StreamExt;
use tokio::task::spawn_blocking;
use tokio::time::{Instant, timeout, timeout_at};
use utoipa::ToSchema;

use crate::problem::{ApiError, Code};

/// The largest file taken, in bytes.
const MAX_BYTES: u64 = 64 << 20;

/// How much is held in memory before it is written.
const BUFFER: usize = 256 << 10;

/// How long each part of a file may take to come, and all of it.
const PART_TIMEOUT: Duration = Duration::from_secs(30);
const FILE_TIMEOUT: Duration = Duration::from_mins(10);

/// How long a caller is asked to wait when the disk takes no more.
const RETRY_AFTER: Duration = Duration::from_mins(1);

/// What files of games are declared as; also whatever is text or XML.
const TYPES: [&str; 8] = [
    "application/octet-stream",
    "application/xml",
    "application/json",
    "application/x-ndjson",
    "application/ndjson",
    "application/zip",
    "application/gzip",
    "application/x-gzip",
];

/// The bytes of a file.
#[derive(Debug, ToSchema)]
#[schema(value_type = String, format = Binary)]
#[expect(dead_code, reason = "the document's alone: the body is never held")]
pub(crate) struct FileBody(Vec<u8>);

/// Refuses what can be told by its head to be no file, or one that is too long.
pub(super) fn check(headers: &HeaderMap) -> Result<(), ApiError> {
    if let Some(declared) = headers.get(header::CONTENT_TYPE) {
        let declared = String::from_utf8_lossy(declared.as_bytes());
        let kind = declared.split(';').next().unwrap_or_default().trim();
        let kind = kind.to_ascii_lowercase();
        if !kind.starts_with("text/") && !TYPES.contains(&kind.as_str()) {
            let detail = format!("expected a file, as application/octet-stream say, got `{kind}`");
            return Err(ApiError::new(Code::UnsupportedMediaType, detail));
        }
    }
    let length = headers.get(header::CONTENT_LENGTH);
    let length = length.and_then(|length| length.to_str().ok()?.parse().ok());
    if length.is_some_and(|length: u64| length > MAX_BYTES) {
        return Err(too_large());
    }
    Ok(())
}

/// Writes a body into a file that has no name and goes when it is closed.
pub(super) async fn receive(mut body: web::Payload, folder: PathBuf) -> Result<File, ApiError> {
    let end = Instant::now() + FILE_TIMEOUT;
    let mut file = on_disk(move || make(&folder)).await?;
    let (mut buffer, mut length) = (Vec::new(), 0_u64);
    loop {
        let part = timeout_at(end, timeout(PART_TIMEOUT, body.next())).await;
        let part = part
            .map_err(|_| late())
            .and_then(|part| part.map_err(|_| late()))?;
        let Some(part) = part.transpose().map_err(|_| cut_short())? else {
            break;
        };
        length += u64::try_from(part.len()).unwrap_or(u64::MAX);
        if length > MAX_BYTES {
            return Err(too_large());
        }
        buffer.extend_from_slice(&part);
        if buffer.len() >= BUFFER {
            file = write(file, std::mem::take(&mut buffer)).await?;
        }
    }
    if length == 0 {
        return Err(ApiError::malformed("expected a file, got an empty body"));
    }
    let mut file = write(file, buffer).await?;
    on_disk(move || file.rewind().map(|()| file)).await
}

fn make(folder: &Path) -> io::Result<File> {
    storage::create_private_folder(folder)?;
    tempfile::tempfile_in(folder)
}

async fn write(mut file: File, bytes: Vec<u8>) -> Result<File, ApiError> {
    on_disk(move || file.write_all(&bytes).map(|()| file)).await
}

/// Does what may wait for the disk.
async fn on_disk<T: Send + 'static>(
    work: impl FnOnce() -> io::Result<T> + Send + 'static,
) -> Result<T, ApiError> {
    let done = spawn_blocking(work).await;
    let done = done.map_err(|lost| ApiError::internal(&lost))?;
    done.map_err(|fault| {
        let error = &fault as &dyn std::error::Error;
        tracing::warn!(error, "a file that is uploaded cannot be kept");
        ApiError::unavailable("the file cannot be kept at the moment", RETRY_AFTER)
    })
}

fn too_large() -> ApiError {
    let detail = format!("expected a file of at most {MAX_BYTES} bytes, got more");
    ApiError::new(Code::PayloadTooLarge, detail)
}

fn cut_short() -> ApiError {
    ApiError::malformed("the body ended early or could not be read")
}

fn late() -> ApiError {
    let (part, all) = (PART_TIMEOUT.as_secs(), FILE_TIMEOUT.as_secs());
    ApiError::malformed(format!(
        "the body did not arrive: {part} seconds went by without any of it, or {all} in all"
    ))
}
