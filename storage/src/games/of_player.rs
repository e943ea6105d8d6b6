use diesel::prelude::*;

use crate::either::DatabaseConnection as Connection;
use crate::error::StorageError;
use crate::ids::{GameId, PlayerId};
use crate::schema::games;

/// Whether two players have a game together, of whatever state.
///
/// # Errors
/// None of its own.
pub fn have_met(
    conn: &mut Connection,
    one: PlayerId,
    other: PlayerId,
) -> Result<bool, StorageError> {
    let (red, blue) = (games::red_player, games::blue_player);
    let together = (red.eq(one).and(blue.eq(other))).or(red.eq(other).and(blue.eq(one)));
    let game: Option<GameId> = games::table
        .filter(together)
        .select(games::id)
        .first(conn)
        .optional()?;
    Ok(game.is_some())
}

/// All games that a player plays or has played, the oldest first.
///
/// # Errors
/// None of its own.
pub fn ids_of_player(conn: &mut Connection, player: PlayerId) -> Result<Vec<GameId>, StorageError> {
    let own = games::red_player
        .eq(player)
        .or(games::blue_player.eq(player));
    Ok(games::table
        .filter(own)
        .order(games::id)
        .select(games::id)
        .load(conn)?)
}
