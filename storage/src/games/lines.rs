//! Conditional moves as they are stored: beside their game and apart from its log. A side's lines are
//! written when their owner stores them, and by nothing that is played.

mod text;

use std::sync::Arc;

use diesel::prelude::*;
use domain::{ByColor, Color, Lines};

use super::StoredGame;
use super::row::{Guard, read_ply, stored_ply};
use crate::either::DatabaseConnection as Connection;
use crate::error::{StorageError, exactly_one};
use crate::ids::GameId;
use crate::number;
use crate::schema::{conditional_moves, games};

/// The lines of both sides, and how often they were changed.
#[derive(Debug, Clone)]
pub struct StoredLines {
    version: u64,
    /// The lines of each side, whatever became of them.
    pub of: ByColor<Option<Arc<Lines>>>,
}

impl StoredLines {
    /// Those of a game that was just made.
    pub(super) fn none() -> Self {
        Self {
            version: 0,
            of: ByColor::default(),
        }
    }

    pub(super) fn version(&self) -> Result<i64, StorageError> {
        number::stored(self.version)
    }

    /// How many there are in all.
    pub fn count(&self) -> usize {
        let count = |lines: &Option<Arc<Lines>>| lines.as_ref().map_or(0, |lines| lines.count());
        count(&self.of.red) + count(&self.of.blue)
    }
}

type Row = (i64, Option<String>, Option<i32>, Option<String>);

/// The lines of a game, by one statement, which is the same where there are none.
///
/// # Errors
/// [`NotFound`](StorageError::NotFound) when there is no such game.
pub fn lines(conn: &mut Connection, game: GameId) -> Result<StoredLines, StorageError> {
    let rows: Vec<Row> = games::table
        .left_join(conditional_moves::table)
        .filter(games::id.eq(game))
        .select((
            games::lines_version,
            conditional_moves::color.nullable(),
            conditional_moves::since_ply.nullable(),
            conditional_moves::lines.nullable(),
        ))
        .load(conn)?;
    let version = rows.first().ok_or(StorageError::NotFound)?.0;
    let mut of = ByColor::default();
    for row in rows {
        if let (_, Some(color), Some(since), Some(lines)) = row {
            let owner = crate::text::color(&color)?;
            let lines = text::read(owner, read_ply(since)?, &lines)?;
            of[owner] = Some(Arc::new(lines));
        }
    }
    Ok(StoredLines {
        version: number::read(version)?,
        of,
    })
}

/// The lines that a player has in those of some games in which there are any.
///
/// # Errors
/// None of its own.
pub fn lines_of_player(
    conn: &mut Connection,
    player: crate::PlayerId,
    of: &[GameId],
) -> Result<Vec<(GameId, Lines)>, StorageError> {
    let rows: Vec<(GameId, crate::PlayerId, String, i32, String)> = conditional_moves::table
        .inner_join(games::table)
        .filter(conditional_moves::game_id.eq_any(of))
        .select((
            games::id,
            games::red_player,
            conditional_moves::color,
            conditional_moves::since_ply,
            conditional_moves::lines,
        ))
        .load(conn)?;
    let mut found = Vec::new();
    for (game, red, color, since, lines) in rows {
        let owner = crate::text::color(&color)?;
        if (owner == Color::Red) == (red == player) {
            found.push((game, text::read(owner, read_ply(since)?, &lines)?));
        }
    }
    Ok(found)
}

/// Puts lines in the place of those that a side has, or takes these away, and gives back the game with
/// them. Guarded, as [`append`](super::append) is: nothing is written when the game or its lines are no
/// longer as they were `before`. Belongs into one transaction.
///
/// # Errors
/// [`Conflict`](StorageError::Conflict) when somebody else was faster.
pub fn store_lines(
    conn: &mut Connection,
    before: &StoredGame,
    owner: Color,
    lines: Option<Arc<Lines>>,
) -> Result<StoredGame, StorageError> {
    let mut stored = before.lines.clone().ok_or(StorageError::Conflict)?;
    let game = before.summary.id;
    let guard = Guard::of(before)?;
    let version = stored.version()?;
    let rows = diesel::update(games::table.find(game))
        .filter(games::status.eq(guard.status))
        .filter(games::version.eq(guard.version))
        .filter(games::lines_version.eq(version))
        .set(games::lines_version.eq(version + 1))
        .execute(conn)?;
    exactly_one(rows)?;
    diesel::delete(conditional_moves::table.find((game, owner.name()))).execute(conn)?;
    if let Some(lines) = &lines {
        diesel::insert_into(conditional_moves::table)
            .values((
                conditional_moves::game_id.eq(game),
                conditional_moves::color.eq(owner.name()),
                conditional_moves::since_ply.eq(stored_ply(lines.since())?),
                conditional_moves::lines.eq(text::written(lines)),
            ))
            .execute(conn)?;
    }
    stored.version += 1;
    stored.of[owner] = lines;
    let mut after = before.clone();
    after.lines = Some(stored);
    Ok(after)
}
