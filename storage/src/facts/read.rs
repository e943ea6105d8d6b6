//! Reads statistics: from roll-ups where they know, else from the facts of each game.

use std::time::Instant;

use diesel::connection::DefaultLoadingMode;
use diesel::dsl::sql;
use diesel::prelude::*;
use diesel::sql_types::{Binary, Nullable, Text};
use domain::facts::{Facts, Section};
use domain::{Color, Status, Timestamp};

use super::codec;
use super::filter::StatisticsFilter;
use super::walk::Walk;
use crate::either::DatabaseConnection as Connection;
use crate::error::{Corruption, StorageError};
use crate::games;
use crate::ids::PlayerId;
use crate::number;
use crate::schema::{game_courses, game_facts, games as games_table, rollups};
use crate::text;
use crate::time::instant;

/// What is selected in the place of what is not asked for.
const NOTHING: &str = "CAST(NULL AS bytea)";
const NO_TEXT: &str = "CAST(NULL AS text)";

/// The sections that are stored as counts: all but deployments, which are read from the armies.
const COUNTED: [Section; Section::COUNT - 1] = [
    Section::Results,
    Section::Lengths,
    Section::Openings,
    Section::Bluffs,
    Section::Battles,
    Section::Survival,
    Section::Reveals,
    Section::Information,
];

/// A section of a game, if it was asked for.
type Counted = Option<Vec<u8>>;
/// The sections of a game, its armies, and who won.
type SectionsRow = (
    (
        Counted,
        Counted,
        Counted,
        Counted,
        Counted,
        Counted,
        Counted,
        Counted,
    ),
    Option<String>,
    Option<String>,
);

/// The sums of some sections over the games; the others are empty.
///
/// # Errors
/// [`TooSlow`](StorageError::TooSlow) when it is not done by then.
pub fn read(
    conn: &mut Connection,
    filter: &StatisticsFilter,
    sections: &[Section],
    until: Instant,
) -> Result<Facts, StorageError> {
    let mut facts = Facts::default();
    if filter.is_empty() || sections.is_empty() {
        return Ok(facts);
    }
    let Some(rollups) = filter.rollups() else {
        add_each(conn, Walk::all(filter, until), sections, &mut facts)?;
        return Ok(facts);
    };
    let names = sections.iter().map(|section| section.name());
    let sums: Vec<(String, Vec<u8>)> = rollups
        .filter(rollups::section.eq_any(names))
        .select((rollups::section, rollups::counts))
        .load(conn)?;
    for (name, sum) in &sums {
        let section = sections.iter().find(|section| section.name() == name);
        let section = section.ok_or(Corruption::Value { column: "section" })?;
        codec::add(sum, 1, facts.section_mut(*section))?;
    }
    add_each(conn, Walk::waiting(filter, until), sections, &mut facts)?;
    Ok(facts)
}

/// Adds some sections of the facts of each game.
fn add_each(
    conn: &mut Connection,
    games: Walk<'_>,
    sections: &[Section],
    facts: &mut Facts,
) -> Result<(), StorageError> {
    let column = |section: Section| {
        let is_wanted = sections.contains(&section);
        sql::<Nullable<Binary>>(if is_wanted { section.name() } else { NOTHING })
    };
    let wants_armies = sections.contains(&Section::Deployment);
    let armies = if wants_armies { "armies" } else { NO_TEXT };
    games.parts(conn, |conn, query| {
        let [one, two, three, four, five, six, seven, eight] = COUNTED.map(column);
        let counted = (one, two, three, four, five, six, seven, eight);
        let rows = query
            .select((counted, sql::<Nullable<Text>>(armies), game_facts::winner))
            .load_iter::<SectionsRow, DefaultLoadingMode>(conn)?;
        for row in rows {
            let ((one, two, three, four, five, six, seven, eight), armies, winner) = row?;
            let counted = [one, two, three, four, five, six, seven, eight];
            for (section, counts) in COUNTED.into_iter().zip(&counted) {
                if let Some(counts) = counts {
                    codec::add(counts, 1, facts.section_mut(section))?;
                }
            }
            if let Some(armies) = armies {
                facts.add_armies(&armies, text::optional_color(winner.as_deref())?, 1);
            }
        }
        Ok(())
    })
}

/// The end of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ended {
    /// When.
    pub at: Timestamp,
    /// Who won.
    pub winner: Option<Color>,
}

/// Hands over the end of each game.
///
/// # Errors
/// As [`read`].
pub fn ends(
    conn: &mut Connection,
    filter: &StatisticsFilter,
    until: Instant,
    mut take: impl FnMut(Ended),
) -> Result<(), StorageError> {
    if filter.is_empty() {
        return Ok(());
    }
    Walk::all(filter, until).parts(conn, |conn, query| {
        let rows: Vec<(i64, Option<String>)> = query
            .select((game_facts::finished_at, game_facts::winner))
            .load(conn)?;
        for (at, winner) in &rows {
            take(Ended {
                at: instant(*at),
                winner: text::optional_color(winner.as_deref())?,
            });
        }
        Ok(())
    })
}

/// Hands over the think times of each game in which they were recorded, in microseconds.
///
/// # Errors
/// As [`read`].
pub fn think_times(
    conn: &mut Connection,
    filter: &StatisticsFilter,
    until: Instant,
    mut take: impl FnMut(&[u64]) -> Result<(), StorageError>,
) -> Result<(), StorageError> {
    if filter.is_empty() {
        return Ok(());
    }
    Walk::all(filter, until).parts(conn, |conn, query| {
        let rows = query
            .filter(game_courses::think_times.is_not_null())
            .select(game_courses::think_times.nullable())
            .load_iter::<Option<Vec<u8>>, DefaultLoadingMode>(conn)?;
        for times in rows {
            take(&codec::decode_spans(&times?.unwrap_or_default())?)?;
        }
        Ok(())
    })
}

/// Games that match but for that they are not finished.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Excluded {
    /// How many were aborted.
    pub aborted: u64,
    /// How many have not ended.
    pub unfinished: u64,
}

/// How many games statistics leave out.
///
/// # Errors
/// None of its own.
pub fn excluded(
    conn: &mut Connection,
    filter: &StatisticsFilter,
) -> Result<Excluded, StorageError> {
    let mut count = |statuses: &[Status]| {
        let names: Vec<_> = statuses.iter().map(|status| status.name()).collect();
        let matching = games::select(filter.games())?
            .filter(games_table::status.ne(Status::Finished.name()))
            .filter(games_table::status.eq_any(names));
        let number: i64 = matching.count().get_result(conn)?;
        number::read(number)
    };
    Ok(Excluded {
        aborted: count(&[Status::Aborted])?,
        unfinished: count(&[Status::Setup, Status::Active])?,
    })
}

/// How a player did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PlayerResults {
    /// In how many games.
    pub games: u64,
    /// How many he won.
    pub wins: u64,
    /// How many nobody won.
    pub draws: u64,
}

/// How a player did in the games that he played.
///
/// # Errors
/// None of its own.
pub fn results_of(
    conn: &mut Connection,
    filter: &StatisticsFilter,
    player: PlayerId,
) -> Result<PlayerResults, StorageError> {
    let mut results = PlayerResults::default();
    if filter.is_empty() {
        return Ok(results);
    }
    for side in Color::ALL {
        let of_side = || {
            let query = games::select(filter.games())?;
            let query = query.filter(games_table::status.eq(Status::Finished.name()));
            Ok::<_, StorageError>(match side {
                Color::Red => query.filter(games_table::red_player.eq(player)),
                Color::Blue => query.filter(games_table::blue_player.eq(player)),
            })
        };
        let games: i64 = of_side()?.count().get_result(conn)?;
        let won = of_side()?.filter(games_table::winner.eq(side.name()));
        let wins: i64 = won.count().get_result(conn)?;
        let without = of_side()?.filter(games_table::winner.is_null());
        let draws: i64 = without.count().get_result(conn)?;
        results.games += number::read(games)?;
        results.wins += number::read(wins)?;
        results.draws += number::read(draws)?;
    }
    Ok(results)
}
