//! Taking a game out of its pool. Glicko-2 cannot be undone, so that all that came of the game is
//! computed anew, in the order in which it was computed first.

use std::collections::HashMap;

use diesel::prelude::*;
use domain::{ByColor, Color, Rating, Status, Timestamp};

use super::points::{Points, rate};
use super::settle::write_gained;
use crate::either::DatabaseConnection as Connection;
use crate::error::{Corruption, StorageError, exactly_one};
use crate::facts;
use crate::ids::{GameId, PlayerId};
use crate::schema::{games, rating_history, ratings};
use crate::text;
use crate::time::micros;

/// How many rows of a history are read at once: two for each game.
const ROWS: i64 = 400;

/// What came of an annulment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Annulled {
    /// The game counts no more, and so many later ones were rated anew.
    Now {
        /// How many.
        rated_anew: u64,
    },
    /// It was annulled before: nothing is changed, the first reason stands.
    Before,
}

/// Annuls a game that is over: it is unrated from now on, for a reason that everyone sees who sees the
/// game (1 to [`MAX_REASON_CHARS`](super::MAX_REASON_CHARS) characters), and all later ratings of its pool are what they would be
/// without it. Its rows in the histories stay, marked, and say what the rows before them say.
///
/// Belongs into a [write](crate::Database::write) as its first statement. While it lasts no other game
/// is rated: those that end meanwhile wait, on PostgreSQL for 5 s at most. What a running or finished
/// game shows as the ratings that it began with stays as it was.
///
/// # Errors
/// [`NotFound`](StorageError::NotFound); [`Conflict`](StorageError::Conflict) when the game is not over.
pub fn annul(
    conn: &mut Connection,
    id: GameId,
    reason: &str,
    now: Timestamp,
) -> Result<Annulled, StorageError> {
    keep_others_out(conn)?;
    let (status, annulled_at): (String, Option<i64>) = games::table
        .find(id)
        .select((games::status, games::annulled_at))
        .first(conn)?;
    if annulled_at.is_some() {
        return Ok(Annulled::Before);
    }
    if !matches!(text::status(&status)?, Status::Finished | Status::Aborted) {
        return Err(StorageError::Conflict);
    }
    let rows = diesel::update(games::table.find(id))
        .filter(games::annulled_at.is_null())
        .set((
            games::rated.eq(false),
            games::red_rating_change.eq(None::<i64>),
            games::blue_rating_change.eq(None::<i64>),
            games::annulled_at.eq(Some(micros(now))),
            games::annulled_because.eq(Some(reason)),
        ))
        .execute(conn)?;
    exactly_one(rows)?;
    facts::unrate(conn, id)?;
    let Some(first) = played(conn, id)? else {
        return Ok(Annulled::Now { rated_anew: 0 });
    };
    let mut pool = Pool {
        ruleset: first.rows.red.ruleset.clone(),
        players: HashMap::new(),
    };
    for side in Color::ALL {
        let row = &first.rows[side];
        let state = before(conn, row)?;
        row.write(conn, state.points, state.points, true)?;
        pool.players.insert(row.player_id, state);
    }
    let rated_anew = pool.rate_after(conn, (first.rows.red.at, id))?;
    for side in Color::ALL {
        let player = first.rows[side].player_id;
        let key = (player, pool.ruleset.as_str());
        let rows = diesel::update(ratings::table.find(key))
            .set(ratings::games.eq(ratings::games - 1))
            .execute(conn)?;
        exactly_one(rows)?;
    }
    pool.write(conn)?;
    Ok(Annulled::Now { rated_anew })
}

/// A game is rated by a write to this table, so that none is from here to the commit. It has to be
/// said before anything is read, or what is read would be what was there before the wait. SQLite has
/// one writer.
fn keep_others_out(conn: &mut Connection) -> Result<(), StorageError> {
    if let Connection::Postgres(conn) = conn {
        diesel::sql_query("LOCK TABLE ratings IN SHARE ROW EXCLUSIVE MODE").execute(conn)?;
    }
    Ok(())
}

/// A player whose ratings come out otherwise, as he stands so far.
#[derive(Debug, Clone, Copy)]
struct State {
    points: Points,
    /// When his last game that counts was rated.
    rated_at: Option<i64>,
}

/// The players of a pool who are touched so far.
struct Pool {
    ruleset: String,
    players: HashMap<PlayerId, State>,
}

/// A row of a history.
#[derive(Queryable, Selectable)]
#[diesel(table_name = rating_history)]
struct ChangeRow {
    player_id: PlayerId,
    ruleset: String,
    number: i64,
    game_id: GameId,
    rating_before: i64,
    deviation_before: i64,
    volatility_before: i64,
    annulled: bool,
    at: i64,
}

/// A game that was rated.
struct Played {
    rows: ByColor<ChangeRow>,
    winner: Option<Color>,
}

/// What is read of it: a row of a history, the player of Red, who won.
type PlayedRow = (ChangeRow, PlayerId, Option<String>);

impl Played {
    fn of(red: PlayedRow, blue: PlayedRow) -> Result<Self, StorageError> {
        let (one, red_player, winner) = red;
        let (other, _, _) = blue;
        let rows = if one.player_id == red_player {
            ByColor {
                red: one,
                blue: other,
            }
        } else {
            ByColor {
                red: other,
                blue: one,
            }
        };
        let is_a_pair = rows.red.game_id == rows.blue.game_id && rows.red.at == rows.blue.at;
        if !is_a_pair || rows.red.player_id != red_player {
            return Err(missing());
        }
        let winner = text::optional_color(winner.as_deref())?;
        Ok(Self { rows, winner })
    }
}

fn missing() -> StorageError {
    Corruption::Missing {
        table: "rating_history",
    }
    .into()
}

/// A game that was rated, if it was.
fn played(conn: &mut Connection, id: GameId) -> Result<Option<Played>, StorageError> {
    let rows: Vec<PlayedRow> = rating_history::table
        .inner_join(games::table)
        .filter(rating_history::game_id.eq(id))
        .select((ChangeRow::as_select(), games::red_player, games::winner))
        .load(conn)?;
    let mut rows = rows.into_iter();
    match (rows.next(), rows.next()) {
        (None, _) => Ok(None),
        (Some(one), Some(other)) => Played::of(one, other).map(Some),
        (Some(_), None) => Err(missing()),
    }
}

/// How a player stood before a row of his history.
fn before(conn: &mut Connection, row: &ChangeRow) -> Result<State, StorageError> {
    let earlier = rating_history::table
        .filter(rating_history::player_id.eq(row.player_id))
        .filter(rating_history::ruleset.eq(&row.ruleset))
        .filter(rating_history::number.lt(row.number));
    let last: Option<(i64, i64, i64)> = earlier
        .order(rating_history::number.desc())
        .select((
            rating_history::rating,
            rating_history::deviation,
            rating_history::volatility,
        ))
        .first(conn)
        .optional()?;
    let rated_at: Option<i64> = earlier
        .filter(rating_history::annulled.eq(false))
        .order(rating_history::number.desc())
        .select(rating_history::at)
        .first(conn)
        .optional()?;
    let points = last.map_or(Rating::START.into(), |(rating, deviation, volatility)| {
        Points {
            rating,
            deviation,
            volatility,
        }
    });
    Ok(State { points, rated_at })
}

impl Pool {
    /// Rates anew what came after a place of the pool and is touched; gives how many games.
    fn rate_after(
        &mut self,
        conn: &mut Connection,
        mut place: (i64, GameId),
    ) -> Result<u64, StorageError> {
        let mut rated = 0;
        loop {
            let (at, id) = place;
            let mut rows: Vec<PlayedRow> = rating_history::table
                .inner_join(games::table)
                .filter(rating_history::ruleset.eq(&self.ruleset))
                .filter(rating_history::at.ge(at))
                .filter(rating_history::at.gt(at).or(rating_history::game_id.gt(id)))
                .order((rating_history::at, rating_history::game_id))
                .limit(ROWS)
                .select((ChangeRow::as_select(), games::red_player, games::winner))
                .load(conn)?;
            let Some((last, _, _)) = rows.last() else {
                return Ok(rated);
            };
            place = (last.at, last.game_id);
            let mut rows = rows.drain(..);
            while let Some(one) = rows.next() {
                let other = rows.next().ok_or_else(missing)?;
                let game = Played::of(one, other)?;
                rated += u64::from(self.rate(conn, &game)?);
            }
        }
    }

    /// Rates a game anew if a player of it is touched; both are then.
    fn rate(&mut self, conn: &mut Connection, game: &Played) -> Result<bool, StorageError> {
        let rows = &game.rows;
        let states = rows.as_ref().map(|row| self.players.get(&row.player_id));
        if states.red.is_none() && states.blue.is_none() {
            return Ok(false);
        }
        let states = states.map(Option::<&State>::copied);
        if rows.red.annulled {
            for side in Color::ALL {
                if let Some(State { points, .. }) = states[side] {
                    rows[side].write(conn, points, points, true)?;
                }
            }
            return Ok(false);
        }
        let at = rows.red.at;
        let before = ByColor::from_fn(|side| match states[side] {
            Some(State { points, rated_at }) => points.grown(rated_at, at),
            None => rows[side].before(),
        });
        let after = rate(rows.red.game_id, before, game.winner);
        for side in Color::ALL {
            rows[side].write(conn, before[side], after[side], false)?;
            let state = State {
                points: after[side],
                rated_at: Some(at),
            };
            self.players.insert(rows[side].player_id, state);
        }
        let gained = ByColor::from_fn(|side| Some(after[side].rating - before[side].rating));
        write_gained(conn, rows.red.game_id, gained)?;
        Ok(true)
    }

    /// Writes how all who are touched stand now.
    fn write(&self, conn: &mut Connection) -> Result<(), StorageError> {
        // In the order in which everybody locks them.
        let mut players: Vec<_> = self.players.iter().collect();
        players.sort_unstable_by_key(|(player, _)| **player);
        for (player, State { points, rated_at }) in players {
            let rows = diesel::update(ratings::table.find((player, self.ruleset.as_str())))
                .set((
                    ratings::rating.eq(points.rating),
                    ratings::deviation.eq(points.deviation),
                    ratings::volatility.eq(points.volatility),
                    ratings::rated_at.eq(*rated_at),
                ))
                .execute(conn)?;
            exactly_one(rows)?;
        }
        Ok(())
    }
}

impl ChangeRow {
    const fn before(&self) -> Points {
        Points {
            rating: self.rating_before,
            deviation: self.deviation_before,
            volatility: self.volatility_before,
        }
    }

    fn write(
        &self,
        conn: &mut Connection,
        before: Points,
        after: Points,
        annulled: bool,
    ) -> Result<(), StorageError> {
        let key = (self.player_id, self.ruleset.as_str(), self.number);
        let rows = diesel::update(rating_history::table.find(key))
            .set((
                rating_history::rating_before.eq(before.rating),
                rating_history::deviation_before.eq(before.deviation),
                rating_history::volatility_before.eq(before.volatility),
                rating_history::rating.eq(after.rating),
                rating_history::deviation.eq(after.deviation),
                rating_history::volatility.eq(after.volatility),
                rating_history::annulled.eq(annulled),
            ))
            .execute(conn)?;
        exactly_one(rows)
    }
}
