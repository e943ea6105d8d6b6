use diesel::prelude::*;
use diesel::sql_types::{BigInt, Binary};
use domain::Timestamp;

use crate::either::DatabaseConnection as Connection;
use crate::error::StorageError;
use crate::feeds;
use crate::ids::{GameId, PlayerId};
use crate::schema::{conditional_moves, events, games};
use crate::time::micros;

/// How many games one write sweeps, at the most.
const GAMES: i64 = 100;
/// How many events one write takes away; the game with which they become more is swept whole.
const EVENTS: i64 = 2_000;

#[derive(QueryableByName)]
struct Ended {
    #[diesel(sql_type = Binary)]
    id: GameId,
    #[diesel(sql_type = Binary)]
    red_player: PlayerId,
    #[diesel(sql_type = Binary)]
    blue_player: PlayerId,
    #[diesel(sql_type = BigInt)]
    announced: i64,
}

/// Takes away the events of some of the games that ended by then, those that ended first first, and
/// notes with the games that they are gone. Says of how many games: 0 when none is left.
///
/// # Errors
/// None of its own.
pub fn sweep_events(conn: &mut Connection, ended_by: Timestamp) -> Result<usize, StorageError> {
    let ended = next_ended(conn, ended_by)?;
    let mut taken = 0;
    let swept: Vec<&Ended> = ended
        .iter()
        .take_while(|game| {
            let has_room = taken < EVENTS;
            taken += game.announced;
            has_room
        })
        .collect();
    if swept.is_empty() {
        return Ok(0);
    }
    let games: Vec<GameId> = swept.iter().map(|game| game.id).collect();
    let players: Vec<PlayerId> = swept
        .iter()
        .flat_map(|game| [game.red_player, game.blue_player])
        .collect();
    feeds::forget_games(conn, &players, &games)?;
    diesel::delete(events::table.filter(events::game_id.eq_any(&games))).execute(conn)?;
    diesel::delete(conditional_moves::table)
        .filter(conditional_moves::game_id.eq_any(&games))
        .execute(conn)?;
    Ok(
        diesel::update(games::table.filter(games::id.eq_any(&games)))
            .set(games::events_swept.eq(true))
            .execute(conn)?,
    )
}

/// The games whose events are to be taken away next.
fn next_ended(conn: &mut Connection, ended_by: Timestamp) -> Result<Vec<Ended>, StorageError> {
    // In the words of the index, and not as a parameter, or it would not be used.
    let is_swept = match conn {
        Connection::Sqlite(_) => "events_swept = 0",
        Connection::Postgres(_) => "NOT events_swept",
    };
    let query = format!(
        "SELECT id, red_player, blue_player, announced FROM games WHERE finished_at <= $1 AND {is_swept} \
         ORDER BY finished_at LIMIT $2"
    );
    Ok(diesel::sql_query(query)
        .bind::<BigInt, _>(micros(ended_by))
        .bind::<BigInt, _>(GAMES)
        .load(conn)?)
}
