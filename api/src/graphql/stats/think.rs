use std::time::Instant;

use storage::facts::{self, StatisticsFilter};
use storage::{Connection, StorageError};

/// More think times than are put in order for one answer.
const MOST_TIMES: usize = 10_000_000;

/// All think times in microseconds, in order, each with how often it came.
///
/// # Errors
/// [`TooSlow`](StorageError::TooSlow) when there are too many.
pub(super) fn times(
    conn: &mut Connection,
    filter: &StatisticsFilter,
    until: Instant,
) -> Result<Vec<(u64, u64)>, StorageError> {
    let mut times: Vec<u64> = Vec::new();
    facts::think_times(conn, filter, until, |of_game| {
        times.extend_from_slice(of_game);
        if times.len() > MOST_TIMES {
            return Err(StorageError::TooSlow);
        }
        Ok(())
    })?;
    times.sort_unstable();
    let equal = times.chunk_by(|one, other| one == other);
    Ok(equal.map(|equal| (equal[0], equal.len() as u64)).collect())
}
