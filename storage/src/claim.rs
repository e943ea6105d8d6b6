use std::fs::{File, OpenOptions, TryLockError};

use crate::error::{Outage, Rival, StorageError};
use crate::url::DatabaseUrl;
use crate::writable::{assert_writable, beside};

/// That this process alone serves a database, for as long as it is held. The system takes it back when
/// the process ends, however that ends.
#[derive(Debug)]
pub struct Claim {
    /// The lock is the open file's; `None` on PostgreSQL.
    _lock: Option<File>,
}

/// Claims a database for one server: an SQLite file has one at a time, which keeps games in memory and
/// tells its own streams alone what happens. PostgreSQL has any number.
///
/// The lock is on a file of its own, `….db-lock`: SQLite's own locks on the database are not to be
/// touched. Commands that read or write beside a server do not ask for it.
///
/// # Errors
/// [`InUse`](StorageError::InUse) while another server has it; as
/// [`assert_writable`](crate::assert_writable); [`Unavailable`](StorageError::Unavailable) when the
/// system gives no lock.
pub fn claim(url: &str) -> Result<Claim, StorageError> {
    let DatabaseUrl::Sqlite(file) = url.parse()? else {
        return Ok(Claim { _lock: None });
    };
    assert_writable(url)?;
    let outage = |fault: std::io::Error| StorageError::Unavailable(Outage::Lock(fault));
    if let Some(folder) = file.parent() {
        crate::create_private_folder(folder)
            .map_err(|fault| StorageError::Unavailable(Outage::Folder(fault)))?;
    }
    let path = beside(&file, "-lock");
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let lock = options.open(&path).map_err(outage)?;
    match lock.try_lock() {
        Ok(()) => Ok(Claim { _lock: Some(lock) }),
        Err(TryLockError::WouldBlock) => Err(StorageError::InUse(Rival {
            path: file.display().to_string(),
        })),
        Err(TryLockError::Error(fault)) => Err(outage(fault)),
    }
}
