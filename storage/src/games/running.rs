use diesel::dsl::count_star;
use diesel::prelude::*;
use domain::Color;

use crate::either::DatabaseConnection as Connection;
use crate::error::StorageError;
use crate::ids::PlayerId;
use crate::number;
use crate::schema::{games, player_games};

/// How many games a player has that are not over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Running {
    /// All of them, in setup too.
    pub all: u64,
    /// In which he is to move.
    pub to_move: u64,
}

/// Counts the games of a player that are not over. It reads these, and of those that are over the few
/// that his stream has not told of.
///
/// # Errors
/// None of its own.
pub fn count_running(conn: &mut Connection, player: PlayerId) -> Result<Running, StorageError> {
    let running = player_games::table
        .inner_join(games::table)
        .filter(player_games::player_id.eq(player))
        .filter(games::finished_at.is_null());
    let all: i64 = running.select(count_star()).first(conn)?;
    let red = games::turn
        .eq(Color::Red.name())
        .and(games::red_player.eq(player));
    let blue = games::turn
        .eq(Color::Blue.name())
        .and(games::blue_player.eq(player));
    let to_move: i64 = running
        .filter(red.or(blue))
        .select(count_star())
        .first(conn)?;
    Ok(Running {
        all: number::read(all)?,
        to_move: number::read(to_move)?,
    })
}
