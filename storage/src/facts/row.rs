//! The facts of one game as they are stored.

use std::time::Duration;

use diesel::prelude::*;
use domain::facts::{Facts, Section};
use domain::{ByColor, Color, Game};

use super::band::Bands;
use super::codec;
use crate::either::DatabaseConnection as Connection;
use crate::error::{Corruption, StorageError};
use crate::games::StoredGame;
use crate::ids::GameId;
use crate::ratings::to_millionths;
use crate::schema::{facts_to_fold, game_facts};
use crate::time::micros;

#[derive(Debug, Clone, PartialEq, Eq, Queryable, Selectable, Insertable)]
#[diesel(table_name = game_facts, treat_none_as_default_value = false)]
pub(crate) struct FactsRow {
    pub(super) game_id: GameId,
    pub(super) ruleset: String,
    pub(super) source: String,
    winner: Option<String>,
    reason: String,
    pub(super) rated: bool,
    pub(super) red_rating: Option<i64>,
    pub(super) blue_rating: Option<i64>,
    plies: i32,
    pub(super) finished_at: i64,
    results: Vec<u8>,
    lengths: Vec<u8>,
    openings: Vec<u8>,
    bluffs: Vec<u8>,
    battles: Vec<u8>,
    survival: Vec<u8>,
    reveals: Vec<u8>,
    information: Vec<u8>,
    deployment: Vec<u8>,
    think_times: Option<Vec<u8>>,
}

impl FactsRow {
    /// Those of a game; `None` of one that statistics leave out: it is not finished, or private.
    ///
    /// # Errors
    /// [`Corrupt`](StorageError::Corrupt) of a game that is longer than a column holds.
    pub(super) fn of(stored: &StoredGame) -> Result<Option<Self>, StorageError> {
        let summary = &stored.summary;
        if summary.private {
            return Ok(None);
        }
        let Some(row) = Self::of_recorded(summary.id, &stored.game, &summary.source)? else {
            return Ok(None);
        };
        let rating = |side: Color| {
            let seat = summary.ratings[side].filter(|_| summary.rated);
            seat.map(|seat| to_millionths(seat.rating))
        };
        Ok(Some(Self {
            rated: summary.rated,
            red_rating: rating(Color::Red),
            blue_rating: rating(Color::Blue),
            ..row
        }))
    }

    /// Those of a game that does not count; `None` of one that is not finished.
    ///
    /// # Errors
    /// As [`of`](Self::of).
    pub(crate) fn of_recorded(
        id: GameId,
        game: &Game,
        source: &str,
    ) -> Result<Option<Self>, StorageError> {
        let told = (Facts::of(game), game.outcome(), game.finished_at());
        let (Some(facts), Some(outcome), Some(finished_at)) = told else {
            return Ok(None);
        };
        let counts = |section| codec::encode(facts.section(section));
        let micros_of = |span: Duration| u64::try_from(span.as_micros()).unwrap_or(u64::MAX);
        let times = game.think_times();
        let times = times.map(|times| codec::encode_spans(times.into_iter().map(micros_of)));
        Ok(Some(Self {
            game_id: id,
            ruleset: game.terms().ruleset.id().to_owned(),
            source: source.to_owned(),
            winner: outcome.winner.map(|winner| winner.name().to_owned()),
            reason: outcome.reason.name().to_owned(),
            rated: false,
            red_rating: None,
            blue_rating: None,
            plies: i32::try_from(game.ply()).map_err(|_| Corruption::Value { column: "plies" })?,
            finished_at: micros(finished_at),
            results: counts(Section::Results),
            lengths: counts(Section::Lengths),
            openings: counts(Section::Openings),
            bluffs: counts(Section::Bluffs),
            battles: counts(Section::Battles),
            survival: counts(Section::Survival),
            reveals: counts(Section::Reveals),
            information: counts(Section::Information),
            deployment: counts(Section::Deployment),
            think_times: times,
        }))
    }

    /// The same of a game that counts no more.
    pub(super) fn unrated(&self) -> Self {
        Self {
            rated: false,
            red_rating: None,
            blue_rating: None,
            ..self.clone()
        }
    }

    /// The bands of its ratings.
    pub(super) fn bands(&self) -> Bands {
        let ratings = ByColor {
            red: self.red_rating,
            blue: self.blue_rating,
        };
        Bands::of(ratings.both())
    }

    /// Adds its counts to others, so many times.
    ///
    /// # Errors
    /// [`Corrupt`](StorageError::Corrupt).
    pub(super) fn add_to(&self, facts: &mut Facts, times: i64) -> Result<(), StorageError> {
        for section in Section::ALL {
            codec::add(self.counts(section), times, facts.section_mut(section))?;
        }
        Ok(())
    }

    fn counts(&self, section: Section) -> &[u8] {
        match section {
            Section::Results => &self.results,
            Section::Lengths => &self.lengths,
            Section::Openings => &self.openings,
            Section::Bluffs => &self.bluffs,
            Section::Battles => &self.battles,
            Section::Survival => &self.survival,
            Section::Reveals => &self.reveals,
            Section::Information => &self.information,
            Section::Deployment => &self.deployment,
        }
    }

    pub(super) fn insert(&self, conn: &mut Connection) -> Result<(), StorageError> {
        diesel::insert_into(game_facts::table)
            .values(self)
            .execute(conn)?;
        Ok(())
    }
}

/// Keeps the facts of a game that has just ended, to be folded in; of one that statistics leave out,
/// nothing.
///
/// # Errors
/// None of its own.
pub(crate) fn write(conn: &mut Connection, ended: &StoredGame) -> Result<(), StorageError> {
    match FactsRow::of(ended)? {
        Some(row) => keep(conn, &row),
        None => Ok(()),
    }
}

/// Keeps the facts of a game, to be folded in.
///
/// # Errors
/// None of its own.
pub(crate) fn keep(conn: &mut Connection, row: &FactsRow) -> Result<(), StorageError> {
    row.insert(conn)?;
    diesel::insert_into(facts_to_fold::table)
        .values(facts_to_fold::game_id.eq(row.game_id))
        .execute(conn)?;
    Ok(())
}
