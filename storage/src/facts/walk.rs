//! Walks over the facts of many games, some at a time, so that neither memory nor a statement grows with
//! their number, and no statement takes long where few match.

use std::time::Instant;

use diesel::prelude::*;
use uuid::Uuid;

use super::filter::{FactsQuery, StatisticsFilter};
use crate::either::DatabaseConnection as Connection;
use crate::error::StorageError;
use crate::ids::GameId;
use crate::schema::{facts_to_fold, game_facts};

/// How many games are looked at by one statement.
const GAMES: i64 = 2_000;

/// The games of a filter.
#[derive(Clone, Copy)]
pub(super) struct Walk<'a> {
    filter: &'a StatisticsFilter,
    until: Instant,
    /// Those alone that are not folded into the roll-ups yet.
    waiting: bool,
}

impl<'a> Walk<'a> {
    /// All games of a filter.
    pub(super) const fn all(filter: &'a StatisticsFilter, until: Instant) -> Self {
        Self {
            filter,
            until,
            waiting: false,
        }
    }

    /// Those that the roll-ups do not have yet.
    pub(super) const fn waiting(filter: &'a StatisticsFilter, until: Instant) -> Self {
        Self {
            filter,
            until,
            waiting: true,
        }
    }

    /// Hands over some games after another.
    ///
    /// # Errors
    /// [`TooSlow`](StorageError::TooSlow) when it is not done by then; what `part` says.
    pub(super) fn parts(
        self,
        conn: &mut Connection,
        mut part: impl FnMut(&mut Connection, FactsQuery<'static>) -> Result<(), StorageError>,
    ) -> Result<(), StorageError> {
        let mut last = GameId::from_uuid(Uuid::nil());
        loop {
            if Instant::now() > self.until {
                return Err(StorageError::TooSlow);
            }
            let end = self.end_of_part(conn, last)?;
            part(
                conn,
                self.between(last, end.unwrap_or(GameId::from_uuid(Uuid::max()))),
            )?;
            let Some(end) = end else { return Ok(()) };
            last = end;
        }
    }

    /// The last game of the part behind a game, whether it matches or not; `None` of the last part.
    fn end_of_part(
        self,
        conn: &mut Connection,
        last: GameId,
    ) -> Result<Option<GameId>, StorageError> {
        let skipped = GAMES - 1;
        let end = if self.waiting {
            let ids = facts_to_fold::table.select(facts_to_fold::game_id);
            let ids = ids.filter(facts_to_fold::game_id.gt(last));
            let ids = ids.order(facts_to_fold::game_id).offset(skipped);
            ids.first(conn).optional()
        } else {
            let ids = game_facts::table.select(game_facts::game_id);
            let ids = ids.filter(game_facts::game_id.gt(last));
            let ids = ids.order(game_facts::game_id).offset(skipped);
            ids.first(conn).optional()
        };
        Ok(end?)
    }

    /// The games behind one, up to another.
    fn between(self, last: GameId, end: GameId) -> FactsQuery<'static> {
        let query = self.filter.facts(last, end);
        if !self.waiting {
            return query;
        }
        // Bounded as well, or each part would go through all that wait.
        let ids = facts_to_fold::table
            .filter(
                facts_to_fold::game_id
                    .gt(last)
                    .and(facts_to_fold::game_id.le(end)),
            )
            .select(facts_to_fold::game_id);
        query.filter(game_facts::game_id.eq_any(ids))
    }
}
