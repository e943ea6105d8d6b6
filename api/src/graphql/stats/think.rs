use std::time::Instant;

use domain::facts::{Histogram, histogram};
use storage::facts::{self, StatisticsFilter};
use storage::{Connection, StorageError};

use crate::problem::{ApiError, Code};

/// More think times than are put in order for one answer.
const MOST_TIMES: usize = 5_000_000;

/// The think times in microseconds, in so many ranges.
///
/// # Errors
/// `query_too_slow` when there are too many, or it is not done by then.
pub(super) fn times(
    conn: &mut Connection,
    filter: &StatisticsFilter,
    until: Instant,
    buckets: usize,
) -> Result<Histogram, ApiError> {
    let mut times: Vec<u64> = Vec::new();
    let read = facts::think_times(conn, filter, until, |of_game| {
        times.extend_from_slice(of_game);
        if times.len() > MOST_TIMES {
            return Err(StorageError::TooSlow);
        }
        Ok(())
    });
    if times.len() > MOST_TIMES {
        let detail = format!("expected at most {MOST_TIMES} moves with times; ask for fewer games");
        return Err(ApiError::new(Code::QueryTooSlow, detail));
    }
    read?;
    times.sort_unstable();
    Ok(histogram(times.iter().map(|time| (*time, 1)), buckets))
}
