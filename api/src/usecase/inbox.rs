//! What waits for a player.

use domain::Timestamp;
use storage::games::{self, Running};
use storage::{Connection, PlayerId, challenges};

use crate::problem::ApiError;

/// How much waits for a player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Waiting {
    /// His games that are not over.
    pub games: Running,
    /// How many challenges to him stand.
    pub challenges: u64,
}

/// Counts what waits for a player; nothing that he could not list.
///
/// # Errors
/// When the database fails.
pub fn waiting(
    connection: &mut Connection,
    player: PlayerId,
    now: Timestamp,
) -> Result<Waiting, ApiError> {
    Ok(Waiting {
        games: games::count_running(connection, player)?,
        challenges: challenges::count_incoming(connection, player, now)?,
    })
}
