//! Counts, as they are stored.

use crate::error::{Corruption, StorageError};

/// A count for the database.
///
/// # Errors
/// [`Corrupt`](StorageError::Corrupt) when it is more than a column holds.
pub(crate) fn stored(number: u64) -> Result<i64, StorageError> {
    i64::try_from(number).map_err(|_| Corruption::Value { column: "number" }.into())
}

/// A count from the database.
///
/// # Errors
/// [`Corrupt`](StorageError::Corrupt) when it is below zero.
pub(crate) fn read(number: i64) -> Result<u64, StorageError> {
    u64::try_from(number).map_err(|_| Corruption::Value { column: "number" }.into())
}

/// A count to compare with: as far as a column goes.
pub(crate) fn at_most(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
