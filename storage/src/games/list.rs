use diesel::dsl::sql;
use diesel::prelude::*;
use diesel::sql_types::BigInt;
use domain::{Color, EndReason, Ruleset, Status, Timestamp};

use super::GameSummary;
use super::load::complete;
use super::row::{GameRow, stored_ply};
use crate::either::{DatabaseConnection as Connection, MultiBackend};
use crate::error::StorageError;
use crate::ids::{GameId, PlayerId};
use crate::number;
use crate::page::{Page, PageRequest};
use crate::ratings::to_millionths;
use crate::schema::{games, player_games};
use crate::time::micros;

/// Which games a list has; what is left out is not asked for. An empty list of values has none.
#[derive(Debug, Clone, Default)]
pub struct GameFilter {
    /// Who looks: private games of others are not there. `None` is anyone.
    pub viewer: Option<PlayerId>,
    /// Played by this player, on either side.
    pub player: Option<PlayerId>,
    /// Played by any of these, on either side.
    pub players: Option<Vec<PlayerId>>,
    /// In which this player is to move.
    pub turn_of: Option<PlayerId>,
    /// Played by any of these rules.
    pub rulesets: Option<Vec<Ruleset>>,
    /// In any of these states.
    pub statuses: Option<Vec<Status>>,
    /// Ended for any of these reasons.
    pub reasons: Option<Vec<EndReason>>,
    /// Won by this side.
    pub winner: Option<Color>,
    /// Whether they count.
    pub rated: Option<bool>,
    /// Ended then or later.
    pub finished_from: Option<Timestamp>,
    /// Ended earlier.
    pub finished_to: Option<Timestamp>,
    /// With so many moves or more.
    pub min_plies: Option<u32>,
    /// With so many moves or fewer.
    pub max_plies: Option<u32>,
    /// From any of these sources.
    pub sources: Option<Vec<String>>,
    /// That count, and in which both sides had this rating or more, in points.
    pub min_rating: Option<f64>,
    /// That count, and in which both sides had this rating or less, in points.
    pub max_rating: Option<f64>,
}

/// The order of a list of games. Games without the value come last in each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum GameOrder {
    /// What happened last comes first.
    UpdatedDescending,
    /// What is due first comes first.
    DeadlineAscending,
    /// What ended last comes first.
    FinishedDescending,
    /// What ended first comes first.
    FinishedAscending,
    /// The longest comes first.
    PliesDescending,
}

/// The place of a game in a list of that order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GameCursor {
    /// The value that the list is sorted by, as [`GameSummary::cursor`] makes it.
    pub key: i64,
    /// Which game.
    pub id: GameId,
}

/// Stands for a missing value, so that it sorts last: greater than all in an ascending list, less
/// than all in a descending one. Both databases index these very expressions.
const LAST_ASCENDING: i64 = i64::MAX;
const LAST_DESCENDING: i64 = -i64::MAX;

impl GameOrder {
    /// The value that the list is sorted by; never NULL.
    const fn key(self) -> &'static str {
        match self {
            Self::UpdatedDescending => "games.updated_at",
            Self::DeadlineAscending => "COALESCE(games.deadline, 9223372036854775807)",
            Self::FinishedAscending => "COALESCE(games.finished_at, 9223372036854775807)",
            Self::FinishedDescending => "COALESCE(games.finished_at, -9223372036854775807)",
            Self::PliesDescending => "games.ply",
        }
    }

    /// The same of games that are over, as their index has it.
    const fn key_when_over(self) -> &'static str {
        match self {
            Self::FinishedAscending | Self::FinishedDescending => "games.finished_at",
            _ => self.key(),
        }
    }

    /// Whether a running game has no value yet that an index could hold.
    const fn is_of_the_finished(self) -> bool {
        matches!(
            self,
            Self::FinishedAscending | Self::FinishedDescending | Self::PliesDescending
        )
    }

    const fn is_ascending(self) -> bool {
        matches!(self, Self::DeadlineAscending | Self::FinishedAscending)
    }
}

impl GameSummary {
    /// The place of the game in a list of that order.
    pub fn cursor(&self, order: GameOrder) -> GameCursor {
        let key = match order {
            GameOrder::UpdatedDescending => micros(self.updated_at),
            GameOrder::DeadlineAscending => self.deadline.map_or(LAST_ASCENDING, micros),
            GameOrder::FinishedAscending => self.finished_at.map_or(LAST_ASCENDING, micros),
            GameOrder::FinishedDescending => self.finished_at.map_or(LAST_DESCENDING, micros),
            GameOrder::PliesDescending => i64::from(self.ply),
        };
        GameCursor { key, id: self.id }
    }
}

/// Games by a fixed number of statements. Games that sort equal stand in the order of their
/// identifiers.
///
/// # Errors
/// None of its own.
pub fn list(
    conn: &mut Connection,
    filter: &GameFilter,
    order: GameOrder,
    page: &PageRequest<GameCursor>,
) -> Result<Page<GameSummary>, StorageError> {
    let up = page.reads_up(order.is_ascending());
    let rows = if order.is_of_the_finished() {
        // Neither the end of a running game nor its length is in an index: see `migrations/`.
        let over = select(filter)?.filter(games::finished_at.is_not_null());
        let running = select(filter)?.filter(games::finished_at.is_null());
        let mut rows = rows(conn, over, order, order.key_when_over(), page)?;
        rows.extend(self::rows(conn, running, order, order.key(), page)?);
        rows.sort_unstable_by_key(|row| row.place(order));
        if !up {
            rows.reverse();
        }
        rows.truncate(usize::try_from(page.rows()).unwrap_or(usize::MAX));
        rows
    } else {
        rows(conn, select(filter)?, order, order.key(), page)?
    };
    let Page { items, has_more } = page.page(rows);
    Ok(Page {
        items: complete(conn, items)?,
        has_more,
    })
}

/// The places of the games of a filter that are over, in the order of their end: one statement, which
/// an index answers, however many games run.
///
/// # Errors
/// None of its own.
pub fn over(
    conn: &mut Connection,
    filter: &GameFilter,
    page: &PageRequest<GameCursor>,
) -> Result<Page<GameCursor>, StorageError> {
    let order = GameOrder::FinishedAscending;
    let query = paged(only_over(filter)?, order, order.key_when_over(), page);
    let rows: Vec<(i64, GameId)> = query
        .select((games::finished_at.assume_not_null(), games::id))
        .load(conn)?;
    let places = rows.into_iter().map(|(key, id)| GameCursor { key, id });
    Ok(page.page(places.collect()))
}

/// How many games of a filter are over.
///
/// # Errors
/// None of its own.
pub fn count_over(conn: &mut Connection, filter: &GameFilter) -> Result<u64, StorageError> {
    let count: i64 = only_over(filter)?.count().get_result(conn)?;
    number::read(count)
}

fn only_over(filter: &GameFilter) -> Result<Query<'static>, StorageError> {
    Ok(select(filter)?.filter(games::finished_at.is_not_null()))
}

fn rows(
    conn: &mut Connection,
    query: Query<'static>,
    order: GameOrder,
    sorted_by: &str,
    page: &PageRequest<GameCursor>,
) -> Result<Vec<GameRow>, StorageError> {
    let query = paged(query, order, sorted_by, page);
    Ok(query.select(GameRow::as_select()).load(conn)?)
}

/// The rows of a page, in the order of reading.
fn paged(
    query: Query<'static>,
    order: GameOrder,
    sorted_by: &str,
    page: &PageRequest<GameCursor>,
) -> Query<'static> {
    let sorted = || sql::<BigInt>(sorted_by);
    let mut query = query.limit(page.rows());
    let up = page.reads_up(order.is_ascending());
    if let Some(GameCursor { key, id }) = page.from {
        // The first condition follows from the second; it is what an index can be searched by.
        query = if up {
            query
                .filter(sorted().ge(key))
                .filter(sorted().gt(key).or(games::id.gt(id)))
        } else {
            query
                .filter(sorted().le(key))
                .filter(sorted().lt(key).or(games::id.lt(id)))
        };
    }
    if up {
        query.order((sorted().asc(), games::id.asc()))
    } else {
        query.order((sorted().desc(), games::id.desc()))
    }
}

pub(crate) type Query<'a> = games::BoxedQuery<'a, MultiBackend>;

pub(crate) fn select(filter: &GameFilter) -> Result<Query<'static>, StorageError> {
    let query = by_players(games::table.into_boxed(), filter);
    by_result(query, filter)
}

fn by_players<'a>(mut query: Query<'a>, filter: &GameFilter) -> Query<'a> {
    query = match filter.viewer {
        None => query.filter(games::private.eq(false)),
        Some(viewer) => query.filter(
            games::private
                .eq(false)
                .or(games::red_player.eq(viewer))
                .or(games::blue_player.eq(viewer)),
        ),
    };
    if let Some(player) = filter.player {
        query = query.filter(
            games::red_player
                .eq(player)
                .or(games::blue_player.eq(player)),
        );
    }
    if let Some(players) = &filter.players {
        query = query.filter(
            games::red_player
                .eq_any(players.clone())
                .or(games::blue_player.eq_any(players.clone())),
        );
    }
    if let Some(player) = filter.turn_of {
        let red = games::turn
            .eq(Color::Red.name())
            .and(games::red_player.eq(player));
        let blue = games::turn
            .eq(Color::Blue.name())
            .and(games::blue_player.eq(player));
        // By his running games, which are few: else the whole list is walked in its order for them.
        let running = player_games::table
            .filter(player_games::player_id.eq(player))
            .select(player_games::game_id);
        query = query.filter(red.or(blue)).filter(games::id.eq_any(running));
    }
    query
}

fn by_result<'a>(mut query: Query<'a>, filter: &GameFilter) -> Result<Query<'a>, StorageError> {
    if let Some(rulesets) = &filter.rulesets {
        let ids: Vec<_> = rulesets.iter().map(|ruleset| ruleset.id()).collect();
        query = query.filter(games::ruleset.eq_any(ids));
    }
    if let Some(statuses) = &filter.statuses {
        let names: Vec<_> = statuses.iter().map(|status| status.name()).collect();
        query = query.filter(games::status.eq_any(names));
    }
    if let Some(reasons) = &filter.reasons {
        let names: Vec<_> = reasons.iter().map(|reason| reason.name()).collect();
        query = query.filter(games::reason.eq_any(names));
    }
    if let Some(winner) = filter.winner {
        query = query.filter(games::winner.eq(winner.name()));
    }
    if let Some(rated) = filter.rated {
        query = query.filter(games::rated.eq(rated));
    }
    if let Some(from) = filter.finished_from {
        query = query.filter(games::finished_at.ge(micros(from)));
    }
    if let Some(to) = filter.finished_to {
        query = query.filter(games::finished_at.lt(micros(to)));
    }
    if let Some(plies) = filter.min_plies {
        query = query.filter(games::ply.ge(stored_ply(plies.min(MOST_PLIES))?));
    }
    if let Some(plies) = filter.max_plies {
        query = query.filter(games::ply.le(stored_ply(plies.min(MOST_PLIES))?));
    }
    if let Some(sources) = &filter.sources {
        // By equality an index gives them in order.
        query = match sources.as_slice() {
            [source] => query.filter(games::source.eq(source.clone())),
            _ => query.filter(games::source.eq_any(sources.clone())),
        };
    }
    if let Some(rating) = filter.min_rating.map(to_millionths) {
        query = query
            .filter(games::rated.eq(true))
            .filter(games::red_rating.ge(rating))
            .filter(games::blue_rating.ge(rating));
    }
    if let Some(rating) = filter.max_rating.map(to_millionths) {
        query = query
            .filter(games::rated.eq(true))
            .filter(games::red_rating.le(rating))
            .filter(games::blue_rating.le(rating));
    }
    Ok(query)
}

/// More than any game has, and what the column holds.
const MOST_PLIES: u32 = i32::MAX as u32;
