use diesel::prelude::*;
use domain::{Rating, Ruleset, Timestamp};

use super::points::Points;
use crate::either::DatabaseConnection as Connection;
use crate::error::StorageError;
use crate::ids::{GameId, PlayerId};
use crate::number;
use crate::page::{Page, PageRequest};
use crate::schema::{games, rating_history};
use crate::text;
use crate::time::instant;

/// The place of a row in a player's history. It says neither the game nor the instant, which of a
/// private game are its players' alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HistoryCursor {
    /// In which pool.
    pub ruleset: Ruleset,
    /// The how manieth row in it.
    pub number: u64,
}

/// What a game made of a player's rating.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RatingChange {
    /// The game.
    pub game: GameId,
    /// Whether the game is private, and the viewer does not play it.
    pub is_hidden: bool,
    /// The pool.
    pub ruleset: Ruleset,
    /// The rating after it.
    pub rating: Rating,
    /// Whether the game counts no more: the rating is then that of the row before.
    pub annulled: bool,
    /// When.
    pub at: Timestamp,
    /// The place of the row.
    pub cursor: HistoryCursor,
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = rating_history)]
struct HistoryRow {
    ruleset: String,
    number: i64,
    game_id: GameId,
    rating: i64,
    deviation: i64,
    volatility: i64,
    annulled: bool,
    at: i64,
}

/// The history of a player, in one pool or in all, from its beginning.
///
/// # Errors
/// [`NotFound`](StorageError::NotFound) when there is no row at the place that the page begins with.
pub fn history(
    conn: &mut Connection,
    player: PlayerId,
    ruleset: Option<Ruleset>,
    viewer: Option<PlayerId>,
    page: &PageRequest<HistoryCursor>,
) -> Result<Page<RatingChange>, StorageError> {
    let mut query = rating_history::table
        .inner_join(games::table)
        .filter(rating_history::player_id.eq(player))
        .select((
            HistoryRow::as_select(),
            games::private,
            games::red_player,
            games::blue_player,
        ))
        .limit(page.rows())
        .into_boxed();
    if let Some(ruleset) = ruleset {
        query = query.filter(rating_history::ruleset.eq(ruleset.id()));
    }
    let up = page.reads_up(true);
    if let Some(from) = page.from {
        let (at, game) = place(conn, player, from)?;
        let (key, id) = (rating_history::at, rating_history::game_id);
        query = if up {
            query.filter(key.ge(at)).filter(key.gt(at).or(id.gt(game)))
        } else {
            query.filter(key.le(at)).filter(key.lt(at).or(id.lt(game)))
        };
    }
    query = if up {
        query.order((rating_history::at.asc(), rating_history::game_id.asc()))
    } else {
        query.order((rating_history::at.desc(), rating_history::game_id.desc()))
    };
    let rows: Vec<(HistoryRow, bool, PlayerId, PlayerId)> = query.load(conn)?;
    page.page(rows).try_map(|(row, private, red, blue)| {
        let plays = viewer.is_some_and(|viewer| viewer == red || viewer == blue);
        row.change(private && !plays)
    })
}

fn place(
    conn: &mut Connection,
    player: PlayerId,
    HistoryCursor { ruleset, number }: HistoryCursor,
) -> Result<(i64, GameId), StorageError> {
    Ok(rating_history::table
        .find((player, ruleset.id(), number::at_most(number)))
        .select((rating_history::at, rating_history::game_id))
        .first(conn)?)
}

impl HistoryRow {
    fn change(self, is_hidden: bool) -> Result<RatingChange, StorageError> {
        let points = Points {
            rating: self.rating,
            deviation: self.deviation,
            volatility: self.volatility,
        };
        let ruleset = text::ruleset(&self.ruleset)?;
        Ok(RatingChange {
            game: self.game_id,
            is_hidden,
            ruleset,
            rating: points.into(),
            annulled: self.annulled,
            at: instant(self.at),
            cursor: HistoryCursor {
                ruleset,
                number: number::read(self.number)?,
            },
        })
    }
}
