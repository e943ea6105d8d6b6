//! The facts of one game as they are stored.

use std::time::Duration;

use diesel::prelude::*;
use domain::facts::{Facts, Section, armies};
use domain::{ByColor, Color, Game};

use super::band::Bands;
use super::codec;
use crate::either::DatabaseConnection as Connection;
use crate::error::{Corruption, StorageError};
use crate::games::StoredGame;
use crate::ids::GameId;
use crate::ratings::to_millionths;
use crate::schema::{facts_to_fold, game_courses, game_facts};
use crate::text;
use crate::time::micros;

/// The facts of one game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct StoredFacts {
    pub(super) row: FactsRow,
    course: CourseRow,
}

#[derive(Debug, Clone, PartialEq, Eq, Queryable, Selectable, Insertable)]
#[diesel(table_name = game_facts, treat_none_as_default_value = false)]
pub(super) struct FactsRow {
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
    armies: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Queryable, Selectable, Insertable)]
#[diesel(table_name = game_courses, treat_none_as_default_value = false)]
struct CourseRow {
    game_id: GameId,
    reveals: Vec<u8>,
    information: Vec<u8>,
    think_times: Option<Vec<u8>>,
}

impl StoredFacts {
    /// Those of a game; `None` of one that statistics leave out: it is not finished, or private.
    ///
    /// # Errors
    /// [`Corrupt`](StorageError::Corrupt) of a game that is longer than a column holds.
    pub(super) fn of(stored: &StoredGame) -> Result<Option<Self>, StorageError> {
        let summary = &stored.summary;
        if summary.private {
            return Ok(None);
        }
        let Some(mut facts) = Self::of_recorded(summary.id, &stored.game, &summary.source)? else {
            return Ok(None);
        };
        let rating = |side: Color| {
            let seat = summary.ratings[side].filter(|_| summary.rated);
            seat.map(|seat| to_millionths(seat.rating))
        };
        facts.row.red_rating = rating(Color::Red);
        facts.row.blue_rating = rating(Color::Blue);
        // Those that were made before there were ratings have none, and moved none.
        facts.row.rated = facts.row.red_rating.is_some() && facts.row.blue_rating.is_some();
        Ok(Some(facts))
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
        let row = FactsRow {
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
            armies: armies(game),
        };
        let course = CourseRow {
            game_id: id,
            reveals: counts(Section::Reveals),
            information: counts(Section::Information),
            think_times: times,
        };
        Ok(Some(Self { row, course }))
    }

    /// Those that are stored of some games.
    ///
    /// # Errors
    /// None of its own.
    pub(super) fn load(conn: &mut Connection, ids: &[GameId]) -> Result<Vec<Self>, StorageError> {
        let rows: Vec<(FactsRow, CourseRow)> = game_facts::table
            .inner_join(game_courses::table)
            .filter(game_facts::game_id.eq_any(ids))
            .select((FactsRow::as_select(), CourseRow::as_select()))
            .load(conn)?;
        Ok(rows
            .into_iter()
            .map(|(row, course)| Self { row, course })
            .collect())
    }

    /// How many bytes the greatest of it has.
    pub(crate) fn bytes(&self) -> usize {
        let CourseRow {
            reveals,
            information,
            think_times,
            ..
        } = &self.course;
        reveals.len() + information.len() + think_times.as_ref().map_or(0, Vec::len)
    }

    /// The same of a game that counts no more.
    pub(super) fn unrated(&self) -> Self {
        let mut facts = self.clone();
        facts.row.rated = false;
        facts.row.red_rating = None;
        facts.row.blue_rating = None;
        facts
    }

    /// The bands of its ratings.
    pub(super) fn bands(&self) -> Bands {
        let ratings = ByColor {
            red: self.row.red_rating,
            blue: self.row.blue_rating,
        };
        Bands::of(ratings.both())
    }

    /// Adds its counts to others, so many times.
    ///
    /// # Errors
    /// [`Corrupt`](StorageError::Corrupt).
    pub(super) fn add_to(&self, facts: &mut Facts, times: i64) -> Result<(), StorageError> {
        let (row, course) = (&self.row, &self.course);
        let sections = [
            (Section::Results, &row.results),
            (Section::Lengths, &row.lengths),
            (Section::Openings, &row.openings),
            (Section::Bluffs, &row.bluffs),
            (Section::Battles, &row.battles),
            (Section::Survival, &row.survival),
            (Section::Reveals, &course.reveals),
            (Section::Information, &course.information),
        ];
        for (section, counts) in sections {
            codec::add(counts, times, facts.section_mut(section))?;
        }
        let winner = text::optional_color(row.winner.as_deref())?;
        facts.add_armies(&row.armies, winner, times);
        Ok(())
    }

    pub(super) fn insert(&self, conn: &mut Connection) -> Result<(), StorageError> {
        diesel::insert_into(game_facts::table)
            .values(&self.row)
            .execute(conn)?;
        diesel::insert_into(game_courses::table)
            .values(&self.course)
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
    match StoredFacts::of(ended)? {
        Some(facts) => keep(conn, &facts),
        None => Ok(()),
    }
}

/// Keeps the facts of a game, to be folded in.
///
/// # Errors
/// None of its own.
pub(crate) fn keep(conn: &mut Connection, facts: &StoredFacts) -> Result<(), StorageError> {
    facts.insert(conn)?;
    wait(conn, facts.row.game_id)
}

/// Notes that the facts of a game are to be folded in.
///
/// # Errors
/// None of its own.
pub(super) fn wait(conn: &mut Connection, id: GameId) -> Result<(), StorageError> {
    diesel::insert_into(facts_to_fold::table)
        .values(facts_to_fold::game_id.eq(id))
        .execute(conn)?;
    Ok(())
}
