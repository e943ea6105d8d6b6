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
pub use pages::{Pages, finished};
pub use pipe::{Broken, PATIENCE, Part, Pipe, parts};
pub use writer::{WriteError, Writer};

use std::sync::Arc;
use std::time::Duration;

use clap::ValueEnum;
use serde::Deserialize;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use utoipa::ToSchema;

use crate::problem::ApiError;
use crate::tables::Table;

/// How many exports a server writes at once.
pub const AT_ONCE: usize = 2;
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
pub struct Places(Arc<Semaphore>);

impl Default for Places {
    fn default() -> Self {
        Self(Arc::new(Semaphore::new(AT_ONCE)))
    }
}

impl Places {
    /// A place, until it is dropped.
    ///
    /// # Errors
    /// `unavailable` when all are taken.
    pub fn take(&self) -> Result<OwnedSemaphorePermit, ApiError> {
        let place = Arc::clone(&self.0).try_acquire_owned();
        place.map_err(|_| {
            let detail =
                format!("{AT_ONCE} exports are under way, which is all at once; try again");
            ApiError::unavailable(detail, RETRY_AFTER)
        })
    }
}
