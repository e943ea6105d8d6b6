use domain::Timestamp;
use storage::{Connection, PlayerId, StorageError, sessions};

/// Ends all that lets somebody act as a player, whoever holds it: every login and all its tokens. What is
/// added of that kind is ended here as well. The access tokens of those logins run out by themselves,
/// within their 15 minutes.
///
/// # Errors
/// None of its own.
pub fn end_all_credentials(
    connection: &mut Connection,
    player: PlayerId,
    now: Timestamp,
) -> Result<(), StorageError> {
    sessions::end_all(connection, player, None, now)?;
    Ok(())
}
