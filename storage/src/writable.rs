use std::fs::{self, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use crate::error::{StorageError, WriteProtection};
use crate::url::DatabaseUrl;

/// Refuses a SQLite file that cannot be written, before it is opened: SQLite opens it all the same, and
/// leaves journals beside it that cannot be written either. Whatever is not there yet is none of this.
///
/// # Errors
/// [`ReadOnly`](StorageError::ReadOnly) with the file or folder that cannot be written;
/// [`Url`](StorageError::Url).
pub fn assert_writable(url: &str) -> Result<(), StorageError> {
    let DatabaseUrl::Sqlite(file) = url.parse()? else {
        return Ok(());
    };
    for path in [file.clone(), beside(&file, "-wal"), beside(&file, "-shm")] {
        if let Err(cause) = open_for_writing(&path) {
            return Err(protected(&path, cause));
        }
    }
    let folder = file.parent().filter(|folder| folder.is_dir());
    folder.map_or(Ok(()), |folder| {
        make_and_remove(&beside(&file, "-probe")).map_err(|cause| protected(folder, cause))
    })
}

fn protected(path: &Path, cause: io::Error) -> StorageError {
    let path = path.display().to_string();
    StorageError::ReadOnly(WriteProtection::File { path, cause })
}

/// The file beside another whose name goes on so.
pub(crate) fn beside(file: &Path, suffix: &str) -> PathBuf {
    let mut path = file.as_os_str().to_owned();
    path.push(suffix);
    path.into()
}

fn open_for_writing(path: &Path) -> io::Result<()> {
    match OpenOptions::new().write(true).open(path) {
        Err(fault) if fault.kind() == io::ErrorKind::NotFound => Ok(()),
        outcome => outcome.map(drop),
    }
}

/// Whether a folder takes new files is known only by making one.
fn make_and_remove(path: &Path) -> io::Result<()> {
    // One that a start left behind when it was killed is as good.
    OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(true)
        .open(path)?;
    match fs::remove_file(path) {
        // Another program that starts at this moment has removed it.
        Err(fault) if fault.kind() == io::ErrorKind::NotFound => Ok(()),
        outcome => outcome,
    }
}
