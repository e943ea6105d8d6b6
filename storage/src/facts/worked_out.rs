//! Facts that are worked out from the logs of games that were over before.

use diesel::prelude::*;

use super::row::{StoredFacts, keep, wait};
use crate::either::DatabaseConnection as Connection;
use crate::error::StorageError;
use crate::games::load_many;
use crate::ids::GameId;
use crate::schema::{facts_to_fold, game_facts, games};

/// The facts of some games.
pub(super) struct WorkedOut {
    pub(super) facts: Vec<StoredFacts>,
    /// Those that have none: private ones, and those whose log does not fold.
    pub(super) without: Vec<GameId>,
}

impl WorkedOut {
    /// Those of these games.
    ///
    /// # Errors
    /// None of its own: a game whose log does not fold is told in the log of the server, and left out.
    pub(super) fn of(conn: &mut Connection, ids: &[GameId]) -> Result<Self, StorageError> {
        let mut worked_out = Self {
            facts: Vec::with_capacity(ids.len()),
            without: Vec::new(),
        };
        match worked_out.add(conn, ids) {
            Err(StorageError::Corrupt(_)) => {}
            done => return done.map(|()| worked_out),
        }
        // One of them is at fault; the others are as good as ever.
        worked_out.facts.clear();
        worked_out.without.clear();
        for id in ids {
            match worked_out.add(conn, &[*id]) {
                Err(StorageError::Corrupt(fault)) => {
                    tracing::error!(game = %id.as_uuid(), %fault, "a game cannot be counted");
                    worked_out.without.push(*id);
                }
                done => done?,
            }
        }
        Ok(worked_out)
    }

    fn add(&mut self, conn: &mut Connection, ids: &[GameId]) -> Result<(), StorageError> {
        for stored in load_many(conn, ids)? {
            match StoredFacts::of(&stored)? {
                Some(facts) => self.facts.push(facts),
                None => self.without.push(stored.summary.id),
            }
        }
        Ok(())
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.facts.is_empty() && self.without.is_empty()
    }

    /// Stores the facts of those that still wait without any.
    ///
    /// # Errors
    /// None of its own.
    pub(super) fn store(&self, conn: &mut Connection) -> Result<(), StorageError> {
        for facts in &self.facts {
            let id = facts.row.game_id;
            // Who annuls it at this moment writes this row as well: one of both begins anew.
            let waits = diesel::delete(facts_to_fold::table.find(id)).execute(conn)? == 1;
            if waits && is_known(conn, id)? {
                wait(conn, id)?;
            } else if waits {
                let facts = facts.as_it_counts(conn)?;
                keep(conn, &facts)?;
            }
        }
        let without = facts_to_fold::game_id.eq_any(&self.without);
        diesel::delete(facts_to_fold::table.filter(without)).execute(conn)?;
        Ok(())
    }
}

fn is_known(conn: &mut Connection, id: GameId) -> Result<bool, StorageError> {
    let known = game_facts::table.filter(game_facts::game_id.eq(id));
    let known: i64 = known.count().get_result(conn)?;
    Ok(known > 0)
}

impl StoredFacts {
    /// The same of a game that may have been annulled since it was read.
    ///
    /// # Errors
    /// None of its own.
    pub(super) fn as_it_counts(&self, conn: &mut Connection) -> Result<Self, StorageError> {
        let game = games::table.find(self.row.game_id).select(games::rated);
        let counts: Option<bool> = game.first(conn).optional()?;
        Ok(if self.row.rated && counts != Some(true) {
            self.unrated()
        } else {
            self.clone()
        })
    }
}
