//! `reveille export`, `import` and `backup`: a whole server as one file.
//!
//! An archive is lines of JSON (`archive/format.rs`): a header, then each table of
//! [`storage::archive::TABLES`] with its rows in the order of their key, closed by their count and
//! SHA-256, and a last line for the whole. It is written from one state of the database while the
//! server runs, and read into an empty database as one transaction: all of it, checked, or nothing.

mod backup;
mod error;
mod export;
mod file;
mod format;
mod import;
mod lines;
#[cfg(test)]
mod tests;

use secrecy::ExposeSecret;
use storage::{Database, DatabaseUrl, StorageError};

pub use backup::backup;
pub use error::{ArchiveError, LineFault};
pub use export::export;
pub(crate) use file::{NewFile, fault};
pub use import::import;

use crate::config::Config;
use crate::server::open_database;

/// The name that stands for the standard input or output.
pub(crate) const STANDARD: &str = "-";

/// What was carried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Carried {
    /// How many tables.
    pub tables: usize,
    /// How many rows, in all of them.
    pub rows: u64,
}

/// Opens the configured database, which must be there: a mistyped path makes no new one.
pub(crate) fn open_existing(config: &Config) -> Result<Database, ArchiveError> {
    let url = config.database_url.expose_secret().parse();
    if let DatabaseUrl::Sqlite(path) = url.map_err(StorageError::from)?
        && !path.exists()
    {
        return Err(ArchiveError::NoDatabase { path });
    }
    Ok(open_database(config)?)
}
