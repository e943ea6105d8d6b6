//! Players, as anyone may see them.

use storage::players::{self, Player};
use storage::{Connection, StorageError};

use super::usernames::username_key;
use crate::problem::{ApiError, Code};

/// The player of a name, whatever its case.
///
/// # Errors
/// 404 for a name nobody has, 410 for that of an erased account.
pub fn find(connection: &mut Connection, username: &str) -> Result<Player, ApiError> {
    let player = match players::by_username_key(connection, &username_key(username)) {
        Err(StorageError::NotFound) => Err(ApiError::not_found("player")),
        found => Ok(found?),
    }?;
    match player.erased_at {
        None => Ok(player),
        Some(_) => Err(ApiError::new(Code::Gone, "the account was erased")),
    }
}
