//! Ratings: a pool for each rule sheet, the history of each player, and who leads.
//!
//! A game is rated in the very write that ends it, by [`games::append`](crate::games::append) and
//! nothing else; one that should not have counted is taken out by [`annul`].

mod annul;
mod history;
mod points;
mod settle;

use diesel::prelude::*;
use domain::{Rating, Ruleset};

use crate::either::DatabaseConnection as Connection;
use crate::error::StorageError;
use crate::ids::PlayerId;
use crate::number;
use crate::page::{Page, PageRequest};
use crate::players::{Player, PlayerRow};
use crate::schema::{players, ratings};
use crate::text;
use points::Points;

pub use annul::{Annulled, annul};
pub use history::{HistoryCursor, RatingChange, history};
pub(crate) use points::{from_millionths, to_millionths};
pub(crate) use settle::settle;

/// The longest reason of an annulment, in characters.
pub const MAX_REASON_CHARS: usize = 200;

/// How a player stands in a pool, as his last rated game left him.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Standing {
    /// By which rules.
    pub ruleset: Ruleset,
    /// The rating.
    pub rating: Rating,
    /// How many games count for it.
    pub games: u64,
}

/// A place on a leaderboard: what its items are sorted by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RankCursor {
    /// The rating, in millionths of a point.
    pub rating: i64,
    /// Whose.
    pub player: PlayerId,
}

/// A player on a leaderboard.
#[derive(Debug, Clone, PartialEq)]
pub struct Leader {
    /// Who.
    pub player: Player,
    /// How he stands.
    pub standing: Standing,
    /// His place.
    pub cursor: RankCursor,
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = ratings)]
struct StandingRow {
    player_id: PlayerId,
    ruleset: String,
    rating: i64,
    deviation: i64,
    volatility: i64,
    games: i64,
}

impl StandingRow {
    fn standing(&self) -> Result<Standing, StorageError> {
        let points = Points {
            rating: self.rating,
            deviation: self.deviation,
            volatility: self.volatility,
        };
        Ok(Standing {
            ruleset: text::ruleset(&self.ruleset)?,
            rating: points.into(),
            games: number::read(self.games)?,
        })
    }
}

/// How players stand, in every pool that they have a game in, by one statement; the pools of one in the
/// order of the rule sheets.
///
/// # Errors
/// None of its own.
pub fn of_players(
    conn: &mut Connection,
    players: &[PlayerId],
) -> Result<Vec<(PlayerId, Standing)>, StorageError> {
    let rows: Vec<StandingRow> = ratings::table
        .filter(ratings::player_id.eq_any(players))
        .select(StandingRow::as_select())
        .load(conn)?;
    let mut standings = Vec::with_capacity(rows.len());
    for row in rows {
        standings.push((row.player_id, row.standing()?));
    }
    let place = |ruleset| Ruleset::ALL.iter().position(|one| *one == ruleset);
    standings.sort_by_key(|(player, standing)| (*player, place(standing.ruleset)));
    Ok(standings)
}

/// The rating of each of these in a pool, of a newcomer where there is none, by one statement.
///
/// # Errors
/// None of its own.
pub(crate) fn in_pool<const N: usize>(
    conn: &mut Connection,
    players: [PlayerId; N],
    ruleset: Ruleset,
) -> Result<[Rating; N], StorageError> {
    let rows: Vec<StandingRow> = ratings::table
        .filter(ratings::player_id.eq_any(players))
        .filter(ratings::ruleset.eq(ruleset.id()))
        .select(StandingRow::as_select())
        .load(conn)?;
    let mut found = [Rating::START; N];
    for row in &rows {
        for (player, rating) in players.iter().zip(&mut found) {
            if *player == row.player_id {
                *rating = row.standing()?.rating;
            }
        }
    }
    Ok(found)
}

/// The established players of a pool, the highest rating first; of equal ones the older account. Erased
/// accounts are left out.
///
/// # Errors
/// None of its own.
pub fn leaderboard(
    conn: &mut Connection,
    ruleset: Ruleset,
    page: &PageRequest<RankCursor>,
) -> Result<Page<Leader>, StorageError> {
    // The figure stands in the text of the statement, as in the condition of the index.
    let established = diesel::dsl::sql::<diesel::sql_types::Bool>("ratings.deviation < 110000000");
    let mut query = ratings::table
        .inner_join(players::table)
        .filter(ratings::ruleset.eq(ruleset.id()))
        .filter(established)
        .filter(players::erased_at.is_null())
        .select((StandingRow::as_select(), PlayerRow::as_select()))
        .limit(page.rows())
        .into_boxed();
    let up = page.reads_up(false);
    if let Some(RankCursor { rating, player }) = page.from {
        // The first condition follows from the second; it is what the index is searched by.
        query = if up {
            query
                .filter(ratings::rating.ge(rating))
                .filter(ratings::rating.gt(rating).or(ratings::player_id.lt(player)))
        } else {
            query
                .filter(ratings::rating.le(rating))
                .filter(ratings::rating.lt(rating).or(ratings::player_id.gt(player)))
        };
    }
    query = if up {
        query.order((ratings::rating.asc(), ratings::player_id.desc()))
    } else {
        query.order((ratings::rating.desc(), ratings::player_id.asc()))
    };
    let rows: Vec<(StandingRow, PlayerRow)> = query.load(conn)?;
    page.page(rows).try_map(|(row, player)| {
        Ok(Leader {
            player: player.into(),
            standing: row.standing()?,
            cursor: RankCursor {
                rating: row.rating,
                player: row.player_id,
            },
        })
    })
}
