//! What the end of a game makes of the ratings of its players.

use diesel::prelude::*;
use domain::{ByColor, Color, Rating, Ruleset, Timestamp};

use super::points::{Points, from_millionths, rate};
use crate::either::DatabaseConnection as Connection;
use crate::error::{StorageError, exactly_one};
use crate::games::GameSummary;
use crate::ids::{GameId, PlayerId};
use crate::schema::{games, rating_history, ratings};
use crate::time::micros;

/// A player's row in a pool, locked.
#[derive(Queryable)]
struct PoolRow {
    rating: i64,
    deviation: i64,
    volatility: i64,
    changes: i64,
    changed_at: Option<i64>,
    rated_at: Option<i64>,
}

impl PoolRow {
    const fn points(&self) -> Points {
        Points {
            rating: self.rating,
            deviation: self.deviation,
            volatility: self.volatility,
        }
    }
}

/// Rates both players of a game that ended at `at`, within the write that ends it; gives the points
/// that each of them gained. That the game counts is for the caller to know; its row is locked by then.
///
/// # Errors
/// [`Conflict`](StorageError::Conflict) when it was rated before.
pub(crate) fn settle(
    conn: &mut Connection,
    game: &GameSummary,
    winner: Option<Color>,
    at: Timestamp,
) -> Result<ByColor<f64>, StorageError> {
    let ruleset = game.terms.ruleset;
    let players = game.players.as_ref().map(|player| player.id);
    let rows = lock(conn, players, ruleset)?;
    // The instants of a pool grow from row to row of each player, so that they are one order for all.
    let at = Color::ALL
        .into_iter()
        .filter_map(|side| rows[side].changed_at)
        .map(|changed_at| changed_at.saturating_add(1))
        .fold(micros(at), i64::max);
    let before = rows
        .as_ref()
        .map(|row| row.points().grown(row.rated_at, at));
    let after = rate(game.id, before, winner);
    for side in Color::ALL {
        let change = Change {
            player: players[side],
            ruleset,
            number: rows[side].changes + 1,
            game: game.id,
            before: before[side],
            after: after[side],
            at,
        };
        change.write(conn)?;
    }
    let gained = ByColor::from_fn(|side| after[side].rating - before[side].rating);
    write_gained(conn, game.id, gained.map(Some))?;
    Ok(gained.map(from_millionths))
}

/// The rows of both players, made where there are none, and locked in the order of their identifiers:
/// the next game of either waits here until this one is rated.
fn lock(
    conn: &mut Connection,
    players: ByColor<PlayerId>,
    ruleset: Ruleset,
) -> Result<ByColor<PoolRow>, StorageError> {
    if players.red < players.blue {
        let red = lock_one(conn, players.red, ruleset)?;
        let blue = lock_one(conn, players.blue, ruleset)?;
        Ok(ByColor { red, blue })
    } else {
        let blue = lock_one(conn, players.blue, ruleset)?;
        let red = lock_one(conn, players.red, ruleset)?;
        Ok(ByColor { red, blue })
    }
}

fn lock_one(
    conn: &mut Connection,
    player: PlayerId,
    ruleset: Ruleset,
) -> Result<PoolRow, StorageError> {
    let start = Points::from(Rating::START);
    let newcomer = diesel::insert_into(ratings::table).values((
        ratings::player_id.eq(player),
        ratings::ruleset.eq(ruleset.id()),
        ratings::rating.eq(start.rating),
        ratings::deviation.eq(start.deviation),
        ratings::volatility.eq(start.volatility),
        ratings::games.eq(0),
        ratings::changes.eq(0),
    ));
    let row = ratings::table.find((player, ruleset.id())).select((
        ratings::rating,
        ratings::deviation,
        ratings::volatility,
        ratings::changes,
        ratings::changed_at,
        ratings::rated_at,
    ));
    Ok(match conn {
        Connection::Sqlite(conn) => {
            newcomer.on_conflict_do_nothing().execute(conn)?;
            row.first(conn)?
        }
        Connection::Postgres(conn) => {
            newcomer.on_conflict_do_nothing().execute(conn)?;
            row.for_update().first(conn)?
        }
    })
}

/// A new row of a history, and what it makes of the player's standing.
struct Change {
    player: PlayerId,
    ruleset: Ruleset,
    number: i64,
    game: GameId,
    before: Points,
    after: Points,
    at: i64,
}

impl Change {
    fn write(&self, conn: &mut Connection) -> Result<(), StorageError> {
        diesel::insert_into(rating_history::table)
            .values((
                rating_history::player_id.eq(self.player),
                rating_history::ruleset.eq(self.ruleset.id()),
                rating_history::number.eq(self.number),
                rating_history::game_id.eq(self.game),
                rating_history::rating_before.eq(self.before.rating),
                rating_history::deviation_before.eq(self.before.deviation),
                rating_history::volatility_before.eq(self.before.volatility),
                rating_history::rating.eq(self.after.rating),
                rating_history::deviation.eq(self.after.deviation),
                rating_history::volatility.eq(self.after.volatility),
                rating_history::annulled.eq(false),
                rating_history::at.eq(self.at),
            ))
            .execute(conn)?;
        let rows = diesel::update(ratings::table.find((self.player, self.ruleset.id())))
            .set((
                ratings::rating.eq(self.after.rating),
                ratings::deviation.eq(self.after.deviation),
                ratings::volatility.eq(self.after.volatility),
                ratings::games.eq(ratings::games + 1),
                ratings::changes.eq(self.number),
                ratings::changed_at.eq(Some(self.at)),
                ratings::rated_at.eq(Some(self.at)),
            ))
            .execute(conn)?;
        exactly_one(rows)
    }
}

/// Keeps with a game what its sides gained.
pub(super) fn write_gained(
    conn: &mut Connection,
    game: GameId,
    gained: ByColor<Option<i64>>,
) -> Result<(), StorageError> {
    let rows = diesel::update(games::table.find(game))
        .set((
            games::red_rating_change.eq(gained.red),
            games::blue_rating_change.eq(gained.blue),
        ))
        .execute(conn)?;
    exactly_one(rows)
}
