//! Reads statistics: from roll-ups where they know, else from the facts of each game.

use std::time::Instant;

use diesel::dsl::sql;
use diesel::prelude::*;
use diesel::sql_types::Binary;
use domain::facts::{Facts, Section};
use domain::{Color, Status, Timestamp};

use super::filter::{FactsQuery, StatisticsFilter};
use super::{GAMES, codec};
use crate::either::DatabaseConnection as Connection;
use crate::error::StorageError;
use crate::games;
use crate::ids::{GameId, PlayerId};
use crate::number;
use crate::schema::{facts_to_fold, game_facts, games as games_table, rollups};
use crate::text;
use crate::time::instant;

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
    if filter.is_empty() {
        return Ok(facts);
    }
    for section in sections {
        let counts = facts.section_mut(*section);
        let mut add = |bytes: &[u8]| codec::add(bytes, 1, counts);
        let Some(rollups) = filter.rollups() else {
            each(conn, &|| filter.facts(), *section, until, &mut add)?;
            continue;
        };
        let sums: Vec<Vec<u8>> = rollups
            .filter(rollups::section.eq(section.name()))
            .select(rollups::counts)
            .load(conn)?;
        sums.iter().try_for_each(|sum| add(sum))?;
        let waiting = || {
            let ids = facts_to_fold::table.select(facts_to_fold::game_id);
            filter.facts().filter(game_facts::game_id.eq_any(ids))
        };
        each(conn, &waiting, *section, until, &mut add)?;
    }
    Ok(facts)
}

/// Hands over a section of the facts of each game.
fn each(
    conn: &mut Connection,
    facts: &dyn Fn() -> FactsQuery<'static>,
    section: Section,
    until: Instant,
    add: &mut dyn FnMut(&[u8]) -> Result<(), StorageError>,
) -> Result<(), StorageError> {
    in_parts(facts, until, |query| {
        let rows: Vec<(GameId, Vec<u8>)> = query
            .select((game_facts::game_id, sql::<Binary>(section.name())))
            .load(conn)?;
        rows.iter().try_for_each(|(_, counts)| add(counts))?;
        Ok(rows.last().map(|(id, _)| (*id, rows.len())))
    })
}

/// Reads games in the order of identifiers, some at a time, so that neither memory nor a statement grows
/// with them. `part` says which was the last, and how many there were.
fn in_parts(
    facts: &dyn Fn() -> FactsQuery<'static>,
    until: Instant,
    mut part: impl FnMut(FactsQuery<'static>) -> Result<Option<(GameId, usize)>, StorageError>,
) -> Result<(), StorageError> {
    let mut last = None;
    loop {
        if Instant::now() > until {
            return Err(StorageError::TooSlow);
        }
        let mut query = facts().order(game_facts::game_id).limit(GAMES);
        if let Some(last) = last {
            query = query.filter(game_facts::game_id.gt(last));
        }
        match part(query)? {
            Some((id, read)) if i64::try_from(read).is_ok_and(|read| read == GAMES) => {
                last = Some(id);
            }
            _ => return Ok(()),
        }
    }
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
    in_parts(&|| filter.facts(), until, |query| {
        let rows: Vec<(GameId, i64, Option<String>)> = query
            .select((
                game_facts::game_id,
                game_facts::finished_at,
                game_facts::winner,
            ))
            .load(conn)?;
        for (_, at, winner) in &rows {
            take(Ended {
                at: instant(*at),
                winner: text::optional_color(winner.as_deref())?,
            });
        }
        Ok(rows.last().map(|(id, ..)| (*id, rows.len())))
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
    let facts = || filter.facts().filter(game_facts::think_times.is_not_null());
    in_parts(&facts, until, |query| {
        let rows: Vec<(GameId, Option<Vec<u8>>)> = query
            .select((game_facts::game_id, game_facts::think_times))
            .load(conn)?;
        for (_, times) in &rows {
            take(&codec::decode_spans(times.as_deref().unwrap_or_default())?)?;
        }
        Ok(rows.last().map(|(id, _)| (*id, rows.len())))
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
