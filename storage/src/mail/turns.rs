//! The turns that players are told of by mail.
//!
//! A turn is a player's when he is to move, or has still to place his army. It began with the move
//! before it, with the start of the game, or with the game itself. The queries of this file alone know
//! that.

use std::collections::BTreeMap;
use std::time::Duration;

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Binary, Integer, Nullable, Text};
use domain::{Ruleset, Timestamp};

use crate::either::DatabaseConnection as Connection;
use crate::error::StorageError;
use crate::ids::{GameId, PlayerId};
use crate::schema::mail_near;
use crate::text;
use crate::time::{instant, micros, span_micros};

/// A game that waits for a player.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Turn {
    /// Which.
    pub game: GameId,
    /// By which rules.
    pub ruleset: Ruleset,
    /// The name of the other player.
    pub opponent: String,
    /// What is to be done.
    pub side: TurnSide,
    /// When the turn began.
    pub began_at: Timestamp,
    /// When the time runs out, if it does.
    pub deadline: Option<Timestamp>,
}

/// What a game waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TurnSide {
    /// The army.
    Setup,
    /// The move after so many.
    Move(u32),
}

impl TurnSide {
    /// The turn as a number: the moves before it, -1 while the armies are placed.
    const fn ply(self) -> i64 {
        match self {
            Self::Setup => -1,
            Self::Move(ply) => ply as i64,
        }
    }
}

impl Turn {
    /// Whether at most a fifth of the turn's time is left, and some.
    pub fn is_near(&self, now: Timestamp) -> bool {
        self.deadline.is_some_and(|deadline| {
            let left = deadline.as_micros().saturating_sub(now.as_micros());
            left > 0 && left.saturating_mul(NEAR_PART) <= micros(deadline) - micros(self.began_at)
        })
    }

    /// How much time the turn has from its beginning, if it is limited.
    pub fn time(&self) -> Option<Duration> {
        let micros = micros(self.deadline?).saturating_sub(micros(self.began_at));
        u64::try_from(micros).ok().map(Duration::from_micros)
    }
}

/// A deadline is near when so many times what is left is no more than the whole.
const NEAR_PART: i64 = 5;
/// The longest time of a turn, and so five times the longest time for which a deadline is near.
const LONGEST_TURN: Duration = Duration::from_hours(28 * 24);

/// Both seats of running games that `condition` holds for: `games` with `player_id`, `other_id` and
/// `color`.
fn seats(condition: &str) -> String {
    let seat = |color: &str, own: &str, other: &str| {
        format!(
            "SELECT id, {own} AS player_id, {other} AS other_id, '{color}' AS color, ruleset, status, turn, \
             ply, deadline, created_at, started_at, updated_at FROM games \
             WHERE finished_at IS NULL AND {condition}"
        )
    };
    format!(
        "{} UNION ALL {}",
        seat("red", "red_player", "blue_player"),
        seat("blue", "blue_player", "red_player")
    )
}

/// Whether the game of a seat waits for its player.
const WAITS: &str = "((seat.status = 'active' AND seat.turn = seat.color) OR (seat.status = 'setup' \
     AND NOT EXISTS (SELECT 1 FROM setups WHERE setups.game_id = seat.id AND setups.color = seat.color)))";

/// When the turn began.
const BEGAN: &str = "(CASE WHEN seat.status = 'setup' THEN seat.created_at \
     WHEN seat.ply = 0 THEN COALESCE(seat.started_at, seat.created_at) \
     ELSE COALESCE((SELECT played_at FROM moves WHERE moves.game_id = seat.id AND moves.ply = seat.ply - 1), \
     seat.updated_at) END)";

#[derive(QueryableByName)]
struct PlayerRow {
    #[diesel(sql_type = Binary)]
    player_id: PlayerId,
}

/// Players with a verified address who have turns of which they were not told, in games where something
/// happened after `since` and by `until`, and to whom the last mail about turns was made by `mailed_by`.
/// Whether they want mail is for the caller to find out.
///
/// # Errors
/// None of its own.
pub fn players_to_move(
    conn: &mut Connection,
    since: Timestamp,
    until: Timestamp,
    mailed_by: Timestamp,
) -> Result<Vec<PlayerId>, StorageError> {
    let query = format!(
        "SELECT DISTINCT seat.player_id FROM ({}) AS seat \
         INNER JOIN mail_state ON mail_state.player_id = seat.player_id \
         INNER JOIN players ON players.id = seat.player_id \
         WHERE players.verified_email IS NOT NULL AND seat.updated_at > mail_state.turns_told \
         AND COALESCE(mail_state.turns_mailed_at, $3) <= $3 AND {WAITS} ORDER BY seat.player_id",
        seats("updated_at > $1 AND updated_at <= $2")
    );
    let rows: Vec<PlayerRow> = diesel::sql_query(query)
        .bind::<BigInt, _>(micros(since))
        .bind::<BigInt, _>(micros(until))
        .bind::<BigInt, _>(micros(mailed_by))
        .load(conn)?;
    Ok(rows.into_iter().map(|row| row.player_id).collect())
}

/// Players with a verified address and a turn of which a fifth of the time is left, or less, and of which
/// they were not told, to whom the last such mail was made by `mailed_by`. Turns shorter than `shortest`
/// do not count.
///
/// # Errors
/// None of its own.
pub fn players_near(
    conn: &mut Connection,
    now: Timestamp,
    shortest: Duration,
    mailed_by: Timestamp,
) -> Result<Vec<PlayerId>, StorageError> {
    const DEADLINE: &str = "COALESCE(games.deadline, 9223372036854775807)";
    let query = format!(
        "SELECT DISTINCT seat.player_id FROM ({}) AS seat \
         INNER JOIN mail_state ON mail_state.player_id = seat.player_id \
         INNER JOIN players ON players.id = seat.player_id \
         WHERE players.verified_email IS NOT NULL \
         AND COALESCE(mail_state.near_mailed_at, $3) <= $3 AND {WAITS} \
         AND seat.deadline - {BEGAN} >= $4 AND (seat.deadline - $1) * {NEAR_PART} <= seat.deadline - {BEGAN} \
         AND NOT EXISTS (SELECT 1 FROM mail_near WHERE mail_near.player_id = seat.player_id \
         AND mail_near.game_id = seat.id \
         AND mail_near.ply >= CASE WHEN seat.status = 'setup' THEN -1 ELSE seat.ply END) \
         ORDER BY seat.player_id",
        seats(&format!("{DEADLINE} > $1 AND {DEADLINE} <= $2"))
    );
    let until = micros(now).saturating_add(span_micros(LONGEST_TURN) / NEAR_PART);
    let rows: Vec<PlayerRow> = diesel::sql_query(query)
        .bind::<BigInt, _>(micros(now))
        .bind::<BigInt, _>(until)
        .bind::<BigInt, _>(micros(mailed_by))
        .bind::<BigInt, _>(span_micros(shortest))
        .load(conn)?;
    Ok(rows.into_iter().map(|row| row.player_id).collect())
}

#[derive(QueryableByName)]
struct TurnRow {
    #[diesel(sql_type = Binary)]
    id: GameId,
    #[diesel(sql_type = Text)]
    ruleset: String,
    #[diesel(sql_type = Text)]
    opponent: String,
    #[diesel(sql_type = Text)]
    status: String,
    #[diesel(sql_type = Integer)]
    ply: i32,
    #[diesel(sql_type = BigInt)]
    began_at: i64,
    #[diesel(sql_type = Nullable<BigInt>)]
    deadline: Option<i64>,
}

impl TurnRow {
    fn turn(self) -> Result<Turn, StorageError> {
        let side = match self.status.as_str() {
            "setup" => TurnSide::Setup,
            _ => TurnSide::Move(u32::try_from(self.ply).unwrap_or(0)),
        };
        Ok(Turn {
            game: self.id,
            ruleset: text::ruleset(&self.ruleset)?,
            opponent: self.opponent,
            side,
            began_at: instant(self.began_at),
            deadline: self.deadline.map(instant),
        })
    }
}

/// The games that wait for a player, what is due first first; at most `limit`.
///
/// # Errors
/// [`Corrupt`](StorageError::Corrupt) for an unknown ruleset.
pub fn turns(
    conn: &mut Connection,
    player: PlayerId,
    limit: u32,
) -> Result<Vec<Turn>, StorageError> {
    let query = format!(
        "SELECT seat.id, seat.ruleset, players.username AS opponent, seat.status, seat.ply, \
         {BEGAN} AS began_at, seat.deadline FROM ({}) AS seat \
         INNER JOIN players ON players.id = seat.other_id \
         WHERE seat.player_id = $1 AND {WAITS} \
         ORDER BY COALESCE(seat.deadline, 9223372036854775807), seat.id LIMIT $2",
        seats("(red_player = $1 OR blue_player = $1)")
    );
    let rows: Vec<TurnRow> = diesel::sql_query(query)
        .bind::<Binary, _>(player)
        .bind::<BigInt, _>(i64::from(limit))
        .load(conn)?;
    rows.into_iter().map(TurnRow::turn).collect()
}

/// Of a player's games the turn whose end was told to be near last.
///
/// # Errors
/// None of its own.
pub fn near_told(
    conn: &mut Connection,
    player: PlayerId,
) -> Result<BTreeMap<GameId, i64>, StorageError> {
    let rows: Vec<(GameId, i64)> = mail_near::table
        .filter(mail_near::player_id.eq(player))
        .select((mail_near::game_id, mail_near::ply))
        .load(conn)?;
    Ok(rows.into_iter().collect())
}

impl Turn {
    /// Whether its end was told to be near, as [`near_told`] has it.
    pub fn was_near(&self, told: &BTreeMap<GameId, i64>) -> bool {
        told.get(&self.game)
            .is_some_and(|ply| *ply >= self.side.ply())
    }
}

/// Notes of which turns a player is told that their end is near.
///
/// # Errors
/// None of its own.
pub fn tell_near(
    conn: &mut Connection,
    player: PlayerId,
    turns: &[Turn],
    now: Timestamp,
) -> Result<(), StorageError> {
    for turn in turns {
        diesel::sql_query(
            "INSERT INTO mail_near (player_id, game_id, ply, told_at) VALUES ($1, $2, $3, $4) \
             ON CONFLICT (player_id, game_id) DO UPDATE SET ply = excluded.ply, told_at = excluded.told_at",
        )
        .bind::<Binary, _>(player)
        .bind::<Binary, _>(turn.game)
        .bind::<BigInt, _>(turn.side.ply())
        .bind::<BigInt, _>(micros(now))
        .execute(conn)?;
    }
    Ok(())
}

/// Forgets what was told to be near by then, at most `limit`; says how many. To be told no more, a turn
/// must have ended by then.
///
/// # Errors
/// None of its own.
pub fn forget_near(
    conn: &mut Connection,
    told_by: Timestamp,
    limit: u32,
) -> Result<usize, StorageError> {
    Ok(diesel::sql_query(FORGET)
        .bind::<BigInt, _>(micros(told_by))
        .bind::<BigInt, _>(i64::from(limit))
        .execute(conn)?)
}

const FORGET: &str = "DELETE FROM mail_near WHERE (player_id, game_id) IN \
     (SELECT player_id, game_id FROM mail_near WHERE told_at <= $1 ORDER BY told_at LIMIT $2)";
