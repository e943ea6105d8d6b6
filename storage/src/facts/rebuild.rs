//! Works all facts out anew from the logs.

use diesel::prelude::*;
use domain::Status;

use super::fold::fold;
use super::row::{StoredFacts, keep};
use super::worked_out::WorkedOut;
use crate::database::Database;
use crate::either::DatabaseConnection as Connection;
use crate::error::StorageError;
use crate::ids::GameId;
use crate::number;
use crate::schema::{facts_to_fold, game_facts, games, rollups};

/// How many games are worked out at once.
const GAMES: i64 = 100;
/// How many games one write folds in.
const FOLDED: u32 = 1_000;
/// How often it is tried when nodes are in the way.
const ATTEMPTS: u32 = 100;

/// Works the facts of all finished games out from their logs, and the roll-ups from the facts. Servers may
/// run: statistics are right at every moment, if they were, and slower until it is done. Calls `done` with the
/// number of games now and then, and gives it at the end.
///
/// # Errors
/// None of its own: a game whose log does not fold is told in the log, and left out.
pub fn rebuild(database: &Database, mut done: impl FnMut(u64)) -> Result<u64, StorageError> {
    let mut games = 0;
    let mut last = None;
    loop {
        let (ids, worked_out) = database.read(|conn| work_out(conn, last))?;
        let Some(end) = ids.last() else {
            break;
        };
        last = Some(*end);
        insist(|| database.write(|conn| replace(conn, &ids, &worked_out.facts)))?;
        games += ids.len() as u64;
        done(games);
    }
    insist(|| database.write(begin_anew))?;
    while insist(|| fold(database, FOLDED))?.more {}
    Ok(games)
}

/// Has all facts folded in anew.
fn begin_anew(conn: &mut Connection) -> Result<(), StorageError> {
    diesel::delete(rollups::table).execute(conn)?;
    diesel::delete(facts_to_fold::table).execute(conn)?;
    diesel::insert_into(facts_to_fold::table)
        .values(game_facts::table.select(game_facts::game_id))
        .into_columns(facts_to_fold::game_id)
        .execute(conn)?;
    Ok(())
}

/// Does what nodes that fold and annul may be in the way of more often than a write begins anew by itself.
fn insist<T>(mut write: impl FnMut() -> Result<T, StorageError>) -> Result<T, StorageError> {
    for _ in 1..ATTEMPTS {
        match write() {
            Err(StorageError::Unavailable(outage)) if outage.is_contention() => {}
            done => return done,
        }
    }
    write()
}

/// How many games are finished.
///
/// # Errors
/// None of its own.
pub fn count_finished(conn: &mut Connection) -> Result<u64, StorageError> {
    let finished = games::table.filter(games::status.eq(Status::Finished.name()));
    number::read(finished.count().get_result(conn)?)
}

/// The games that are over and come next, and their facts.
fn work_out(
    conn: &mut Connection,
    last: Option<GameId>,
) -> Result<(Vec<GameId>, WorkedOut), StorageError> {
    let mut over = games::table
        .filter(games::status.eq(Status::Finished.name()))
        .order(games::id)
        .limit(GAMES)
        .select(games::id)
        .into_boxed();
    if let Some(last) = last {
        over = over.filter(games::id.gt(last));
    }
    let ids: Vec<GameId> = over.load(conn)?;
    let worked_out = WorkedOut::of(conn, &ids)?;
    Ok((ids, worked_out))
}

/// Puts facts in the place of those that are there. One that was annulled meanwhile keeps that.
fn replace(
    conn: &mut Connection,
    ids: &[GameId],
    worked_out: &[StoredFacts],
) -> Result<(), StorageError> {
    let known = StoredFacts::load(conn, ids)?;
    for facts in worked_out {
        let id = facts.row.game_id;
        let before = known.iter().find(|before| before.row.game_id == id);
        if before == Some(facts) {
            continue;
        }
        if before.is_some() {
            diesel::delete(game_facts::table.find(id)).execute(conn)?;
            facts.as_it_counts(conn)?.insert(conn)?;
        } else {
            // Who annuls it at this moment writes this row as well: one of both begins anew.
            diesel::delete(facts_to_fold::table.find(id)).execute(conn)?;
            let facts = facts.as_it_counts(conn)?;
            keep(conn, &facts)?;
        }
    }
    let stale = known.iter().map(|before| before.row.game_id);
    let stale: Vec<GameId> = stale
        .filter(|id| worked_out.iter().all(|facts| facts.row.game_id != *id))
        .collect();
    diesel::delete(game_facts::table.filter(game_facts::game_id.eq_any(stale))).execute(conn)?;
    Ok(())
}
