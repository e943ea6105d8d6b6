//! Sums of facts, added to the roll-ups.

use std::collections::BTreeMap;

use diesel::prelude::*;
use domain::facts::{Counts, Facts, Section};

use super::band::Bands;
use super::codec;
use super::row::StoredFacts;
use crate::either::{DatabaseConnection as Connection, MultiBackend};
use crate::error::StorageError;
use crate::schema::rollups;
use crate::time::{ALL_MONTHS, instant, month};

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
    pub(super) fn add(&mut self, facts: &StoredFacts, times: i64) -> Result<(), StorageError> {
        let row = &facts.row;
        for month in [month(instant(row.finished_at)), ALL_MONTHS] {
            let key = Key {
                month,
                ruleset: row.ruleset.clone(),
                source: row.source.clone(),
                bands: facts.bands(),
            };
            facts.add_to(self.0.entry(key).or_default(), times)?;
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
    fn rows(&self) -> rollups::BoxedQuery<'_, MultiBackend> {
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
        sum: &Counts,
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
