//! Folds the facts of games into the roll-ups.

use std::collections::BTreeMap;

use diesel::prelude::*;
use domain::facts::{Facts, Section};

use super::band::Bands;
use super::codec;
use super::row::FactsRow;
use crate::database::Database;
use crate::either::DatabaseConnection as Connection;
use crate::error::StorageError;
use crate::games::load_many;
use crate::ids::GameId;
use crate::schema::{facts_to_fold, game_facts, rollups};
use crate::time::{ALL_MONTHS, instant, month};

/// How many games whose facts are missing are worked out at once.
const WORKED_OUT: i64 = 50;

/// What one call has done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Folded {
    /// How many games are in the roll-ups now that were not before.
    pub games: usize,
    /// Whether there may be more to do.
    pub more: bool,
}

/// Folds at most so many games into the roll-ups, in one transaction. What is missing of their facts
/// (after an upgrade) is worked out before, beside all writes.
///
/// Several nodes may do this at once; one of them has to begin anew.
///
/// # Errors
/// None of its own.
pub fn fold(database: &Database, most: u32) -> Result<Folded, StorageError> {
    let missing = database.read(missing)?;
    if !missing.is_empty() {
        database.write(|conn| store(conn, &missing))?;
    }
    let most = i64::from(most.max(1));
    if !database.read(|conn| Ok::<_, StorageError>(!waiting(conn, 1)?.is_empty()))? {
        return Ok(Folded::default());
    }
    let games = database.write(|conn| fold_waiting(conn, most))?;
    Ok(Folded {
        games,
        more: !missing.is_empty() || i64::try_from(games).is_ok_and(|games| games == most),
    })
}

/// The facts of some games that wait without any, and the games that have none.
struct Missing {
    rows: Vec<FactsRow>,
    without: Vec<GameId>,
}

impl Missing {
    fn is_empty(&self) -> bool {
        self.rows.is_empty() && self.without.is_empty()
    }
}

fn missing(conn: &mut Connection) -> Result<Missing, StorageError> {
    let ids: Vec<GameId> = facts_to_fold::table
        .left_join(game_facts::table.on(game_facts::game_id.eq(facts_to_fold::game_id)))
        .filter(game_facts::game_id.nullable().is_null())
        .order(facts_to_fold::game_id)
        .limit(WORKED_OUT)
        .select(facts_to_fold::game_id)
        .load(conn)?;
    let mut missing = Missing {
        rows: Vec::new(),
        without: Vec::new(),
    };
    if ids.is_empty() {
        return Ok(missing);
    }
    for stored in load_many(conn, &ids)? {
        match FactsRow::of(&stored)? {
            Some(row) => missing.rows.push(row),
            None => missing.without.push(stored.summary.id),
        }
    }
    Ok(missing)
}

/// Stores facts of games that still wait without any.
fn store(conn: &mut Connection, missing: &Missing) -> Result<(), StorageError> {
    for row in &missing.rows {
        let id = row.game_id;
        let waits: i64 = facts_to_fold::table
            .filter(facts_to_fold::game_id.eq(id))
            .count()
            .get_result(conn)?;
        let known: i64 = game_facts::table
            .filter(game_facts::game_id.eq(id))
            .count()
            .get_result(conn)?;
        if waits == 1 && known == 0 {
            row.insert(conn)?;
        }
    }
    let without = facts_to_fold::game_id.eq_any(&missing.without);
    diesel::delete(facts_to_fold::table.filter(without)).execute(conn)?;
    Ok(())
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
    let rows: Vec<FactsRow> = game_facts::table
        .filter(game_facts::game_id.eq_any(&ids))
        .select(FactsRow::as_select())
        .load(conn)?;
    let mut sums = Sums::default();
    for row in &rows {
        sums.add(row, 1)?;
    }
    sums.write(conn)?;
    diesel::delete(facts_to_fold::table.filter(facts_to_fold::game_id.eq_any(&ids)))
        .execute(conn)?;
    Ok(rows.len())
}

/// What games have in common that are in one roll-up.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    month: i32,
    ruleset: String,
    source: String,
    bands: Bands,
}

/// Sums to be added to the roll-ups.
#[derive(Default)]
pub(super) struct Sums(BTreeMap<Key, Facts>);

impl Sums {
    /// Adds the facts of a game, so many times: to its month, and to all months.
    ///
    /// # Errors
    /// [`Corrupt`](StorageError::Corrupt).
    pub(super) fn add(&mut self, row: &FactsRow, times: i64) -> Result<(), StorageError> {
        for month in [month(instant(row.finished_at)), ALL_MONTHS] {
            let key = Key {
                month,
                ruleset: row.ruleset.clone(),
                source: row.source.clone(),
                bands: row.bands(),
            };
            row.add_to(self.0.entry(key).or_default(), times)?;
        }
        Ok(())
    }

    /// Writes them, in the order of keys, in which everybody does.
    ///
    /// # Errors
    /// None of its own.
    pub(super) fn write(self, conn: &mut Connection) -> Result<(), StorageError> {
        for (key, facts) in &self.0 {
            let known: Vec<(String, Vec<u8>)> = key
                .rows()
                .select((rollups::section, rollups::counts))
                .load(conn)?;
            for section in Section::ALL {
                let sum = facts.section(section);
                if sum.iter().next().is_none() {
                    continue;
                }
                let before = known.iter().find(|(name, _)| name == section.name());
                key.write(
                    conn,
                    section,
                    before.map(|(_, counts)| counts.as_slice()),
                    sum,
                )?;
            }
        }
        Ok(())
    }
}

impl Key {
    fn rows(&self) -> rollups::BoxedQuery<'_, crate::either::MultiBackend> {
        rollups::table
            .filter(rollups::month.eq(self.month))
            .filter(rollups::ruleset.eq(&self.ruleset))
            .filter(rollups::source.eq(&self.source))
            .filter(rollups::low_band.eq(self.bands.low))
            .filter(rollups::high_band.eq(self.bands.high))
            .filter(rollups::section.eq_any(Section::ALL.map(Section::name)))
            .into_boxed()
    }

    /// Writes the sum of what is there and of what comes.
    fn write(
        &self,
        conn: &mut Connection,
        section: Section,
        before: Option<&[u8]>,
        sum: &domain::facts::Counts,
    ) -> Result<(), StorageError> {
        let Some(before) = before else {
            let row = (
                rollups::section.eq(section.name()),
                rollups::month.eq(self.month),
                rollups::ruleset.eq(&self.ruleset),
                rollups::source.eq(&self.source),
                rollups::low_band.eq(self.bands.low),
                rollups::high_band.eq(self.bands.high),
                rollups::counts.eq(codec::encode(sum)),
            );
            diesel::insert_into(rollups::table)
                .values(row)
                .execute(conn)?;
            return Ok(());
        };
        let mut counts = sum.clone();
        codec::add(before, 1, &mut counts)?;
        let key = (
            section.name(),
            self.month,
            &self.ruleset,
            &self.source,
            self.bands.low,
            self.bands.high,
        );
        diesel::update(rollups::table.find(key))
            .set(rollups::counts.eq(codec::encode(&counts)))
            .execute(conn)?;
        Ok(())
    }
}
