//! A copy of an SQLite file, taken while others read and write it.

use std::path::Path;

use diesel::connection::Connection as _;
use diesel::prelude::*;
use diesel::sql_types::Text;
use diesel::sqlite::SqliteConnection;

use crate::connection::Role;
use crate::database::Database;
use crate::either::DatabaseConnection as Connection;
use crate::error::{Outage, StorageError};

/// Why there is no copy.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// The database is no file.
    #[error("only an SQLite file can be copied")]
    NotAFile,
    /// The path of the copy cannot be told to SQLite.
    #[error("the path is not UTF-8")]
    Path,
    /// The database could not be read, or the copy not written.
    #[error(transparent)]
    Storage(#[from] StorageError),
    /// The copy is not sound.
    #[error("the copy is damaged: {0}")]
    Damaged(String),
}

/// Copies the whole database as it is at one instant into an empty file that is there already, and
/// checks the copy. Everything that was committed before the call is in it; those who write meanwhile
/// do not wait. That the copy is on disk is for the caller to see to.
///
/// # Errors
/// A [`BackupError`].
pub fn copy(database: &Database, into: &Path) -> Result<(), BackupError> {
    let into = into.to_str().ok_or(BackupError::Path)?;
    let mut own = database.connect_apart(Role::Write)?;
    let Connection::Sqlite(source) = own.connection() else {
        return Err(BackupError::NotAFile);
    };
    diesel::sql_query("VACUUM INTO ?")
        .bind::<Text, _>(into)
        .execute(source)
        .map_err(StorageError::from)?;
    check(into)
}

#[derive(QueryableByName)]
struct Finding {
    #[diesel(sql_type = Text)]
    integrity_check: String,
}

/// On a plain connection, which leaves the file as it is.
fn check(file: &str) -> Result<(), BackupError> {
    let mut copy = SqliteConnection::establish(file)
        .map_err(|error| StorageError::Unavailable(Outage::from(error)))?;
    let findings: Vec<Finding> = diesel::sql_query("PRAGMA integrity_check(1)")
        .load(&mut copy)
        .map_err(StorageError::from)?;
    match findings.into_iter().next() {
        Some(finding) if finding.integrity_check == "ok" => Ok(()),
        finding => Err(BackupError::Damaged(finding.map_or_else(
            || "SQLite says nothing of it".to_owned(),
            |finding| finding.integrity_check,
        ))),
    }
}
