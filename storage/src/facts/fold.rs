//! Folds the facts of games into the roll-ups.

use diesel::prelude::*;

use super::row::StoredFacts;
use super::sums::Sums;
use super::worked_out::WorkedOut;
use crate::database::Database;
use crate::either::DatabaseConnection as Connection;
use crate::error::StorageError;
use crate::ids::GameId;
use crate::schema::{facts_to_fold, game_facts};

/// How many games whose facts are missing are worked out at once.
const WORKED_OUT: i64 = 50;
/// Of how many games the facts are in memory at once.
const LOADED: usize = 100;

/// What one call has done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Folded {
    /// How many games are in the roll-ups now that were not before.
    pub games: usize,
    /// Whether there may be more to do.
    pub more: bool,
}

/// Folds at most so many games into the roll-ups, in one transaction. When none waits with facts, those of
/// some that wait without (after an upgrade) are worked out, beside all writes.
///
/// Several nodes may do this at once; one of them has to begin anew.
///
/// # Errors
/// None of its own.
pub fn fold(database: &Database, most: u32) -> Result<Folded, StorageError> {
    let most = i64::from(most.max(1));
    if !database.read(|conn| Ok::<_, StorageError>(waiting(conn, 1)?.is_empty()))? {
        let games = database.write(|conn| fold_waiting(conn, most))?;
        return Ok(Folded { games, more: true });
    }
    let missing = database.read(missing)?;
    if !missing.is_empty() {
        database.write(|conn| missing.store(conn))?;
    }
    Ok(Folded {
        games: 0,
        more: !missing.is_empty(),
    })
}

fn missing(conn: &mut Connection) -> Result<WorkedOut, StorageError> {
    let ids: Vec<GameId> = facts_to_fold::table
        .left_join(game_facts::table.on(game_facts::game_id.eq(facts_to_fold::game_id)))
        .filter(game_facts::game_id.nullable().is_null())
        .order(facts_to_fold::game_id)
        .limit(WORKED_OUT)
        .select(facts_to_fold::game_id)
        .load(conn)?;
    WorkedOut::of(conn, &ids)
}

fn waiting(conn: &mut Connection, most: i64) -> Result<Vec<GameId>, StorageError> {
    Ok(facts_to_fold::table
        .inner_join(game_facts::table.on(game_facts::game_id.eq(facts_to_fold::game_id)))
        .order(facts_to_fold::game_id)
        .limit(most)
        .select(facts_to_fold::game_id)
        .load(conn)?)
}

fn fold_waiting(conn: &mut Connection, most: i64) -> Result<usize, StorageError> {
    let ids = waiting(conn, most)?;
    let mut sums = Sums::default();
    for ids in ids.chunks(LOADED) {
        for facts in &StoredFacts::load(conn, ids)? {
            sums.add(facts, 1)?;
        }
    }
    sums.write(conn)?;
    diesel::delete(facts_to_fold::table.filter(facts_to_fold::game_id.eq_any(&ids)))
        .execute(conn)?;
    Ok(ids.len())
}
