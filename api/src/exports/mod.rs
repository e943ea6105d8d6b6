//! Finished games that leave the server: one, or those that a filter finds, as files for other programs.
//!
//! [`Pages`] reads them some at a time, each page in a transaction of its own; [`Writer`] writes them as
//! lines of JSON or as the tables of [`crate::tables`]; [`Output`] is a file and [`Pipe`] an answer over
//! HTTP. So memory does not grow with what is exported. Private games are in no page.

mod game;
mod output;
mod pages;
mod pipe;
#[cfg(test)]
mod tests;
mod writer;

pub use game::exported;
pub use output::Output;
pub use pages::Pages;
pub use pipe::{Broken, PATIENCE, Part, Pipe, parts};
pub use writer::{WriteError, Writer};

use std::sync::Arc;
use std::time::Duration;

use clap::ValueEnum;
use serde::Deserialize;
use storage::PlayerId;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use utoipa::ToSchema;

use crate::problem::{ApiError, Code};
use crate::tables::Table;
use crate::turns::{Turn, Turns};

/// How many exports a server writes at once.
pub const AT_ONCE: usize = 2;
/// How many of them may be of one caller.
const EACH: usize = 1;
/// When to ask again while there are so many.
const RETRY_AFTER: Duration = Duration::from_secs(10);

/// What an export is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema, ValueEnum)]
#[serde(rename_all = "snake_case")]
pub enum ExportFormat {
    /// A game a line, as JSON.
    Ndjson,
    /// A table.
    Parquet,
}

/// One file that is exported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// Games as lines.
    Lines,
    /// A table of them.
    Table(Table),
}

impl Form {
    /// What an answer over HTTP says of it.
    pub const fn media_type(self) -> &'static str {
        match self {
            Self::Lines => "application/x-ndjson",
            Self::Table(_) => "application/vnd.apache.parquet",
        }
    }

    /// What its file is called.
    pub fn file_name(self) -> String {
        match self {
            Self::Lines => "games.ndjson".to_owned(),
            Self::Table(table) => format!("{table}.parquet"),
        }
    }
}

/// The places of a server for exports: they take long, and are not to take all that it has.
#[derive(Debug)]
pub struct Places {
    all: Arc<Semaphore>,
    of_callers: Turns,
}

/// A place, until it is dropped.
#[derive(Debug)]
pub struct Place(
    #[expect(dead_code, reason = "held until it is dropped")] (Turn, OwnedSemaphorePermit),
);

impl Default for Places {
    fn default() -> Self {
        Self {
            all: Arc::new(Semaphore::new(AT_ONCE)),
            of_callers: Turns::new(EACH),
        }
    }
}

impl Places {
    /// A place for a caller.
    ///
    /// # Errors
    /// `rate_limited` when he has one; `unavailable` when all are taken.
    pub fn take(&self, caller: PlayerId) -> Result<Place, ApiError> {
        let turn = self.of_callers.take(caller).ok_or_else(|| {
            let detail =
                "an export of this account is under way; try again when it has come to its end";
            ApiError::new(Code::RateLimited, detail).retry_after(RETRY_AFTER)
        })?;
        let place = Arc::clone(&self.all).try_acquire_owned().map_err(|_| {
            let detail =
                format!("{AT_ONCE} exports are under way, which is all at once; try again");
            ApiError::unavailable(detail, RETRY_AFTER)
        })?;
        Ok(Place((turn, place)))
    }
}
