use std::path::Path;

use storage::backup::{self, BackupError};

use super::error::ArchiveError;
use super::file::NewFile;
use super::open_existing;
use crate::config::Config;

/// Copies the SQLite file as it is now into a new file, and checks the copy. The server may run, and
/// all that it had acknowledged is in the copy.
///
/// # Errors
/// An [`ArchiveError`]; no file is left then.
pub fn backup(config: &Config, into: &Path) -> Result<(), ArchiveError> {
    if config.uses_postgres() {
        return Err(ArchiveError::NotAFile);
    }
    let database = open_existing(config)?;
    let file = NewFile::create(into)?;
    backup::copy(&database, file.draft()).map_err(|fault| match fault {
        BackupError::NotAFile => ArchiveError::NotAFile,
        fault => ArchiveError::Backup(fault),
    })?;
    file.keep()
}
