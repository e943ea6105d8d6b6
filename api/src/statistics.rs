//! What statistics may take, and what they are made of, worked out anew.

use std::time::Duration;

use storage::{Database, StorageError, facts};

use crate::progress::Progress;

/// How long it may take to answer with statistics, the waiting included.
pub const PATIENCE: Duration = Duration::from_secs(10);

/// Works the facts of all finished games out from their logs, and gives the number of games.
///
/// # Errors
/// What the database says.
pub fn rebuild(database: &Database) -> Result<u64, StorageError> {
    let total = database.read(facts::count_finished)?;
    let progress = Progress::games("working out", total);
    facts::rebuild(database, |games| progress.set(games))
}
