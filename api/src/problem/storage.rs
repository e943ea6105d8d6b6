//! Faults of the database, as callers hear of them.

use std::time::Duration;

use storage::StorageError;

use super::{ApiError, Code};

/// How long a caller is asked to wait after a fault that passes.
pub const RETRY_SOON: Duration = Duration::from_secs(1);

/// What a use case does not expect in particular. A fault that passes is a 503, a fault that does
/// not is a 500 whose cause is in the log alone.
impl From<StorageError> for ApiError {
    fn from(error: StorageError) -> Self {
        match error {
            StorageError::NotFound => Self::new(Code::NotFound, "there is no such thing"),
            StorageError::Conflict | StorageError::Duplicate(_) => Self::unavailable(
                "somebody else changed it at the same time; try again",
                RETRY_SOON,
            ),
            StorageError::Unavailable(ref outage) => {
                let error = outage as &dyn std::error::Error;
                if outage.is_contention() {
                    tracing::debug!(error, "a write got into the way of another");
                } else {
                    tracing::warn!(error, "the database is away");
                }
                Self::unavailable("the database does not answer; try again", RETRY_SOON)
            }
            StorageError::TooSlow => Self::new(
                Code::QueryTooSlow,
                "it takes longer than it may; ask for fewer games or fewer figures",
            ),
            error => Self::internal(&error),
        }
    }
}
