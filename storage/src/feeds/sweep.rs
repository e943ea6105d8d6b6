//! What happened long ago leaves the streams of players, the first events first, so that the numbers
//! of those that stay have no gap. What nobody ever looked at is counted as numbered when it goes.
//! Whoever asks for it later finds that it is not there.
//!
//! The old is looked for in a read, player by player, and taken away in a write that knows each row.

use std::collections::BTreeMap;

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Binary};
use domain::Timestamp;
use uuid::Uuid;

use super::lock;
use crate::either::DatabaseConnection as Connection;
use crate::error::StorageError;
use crate::ids::{AnyId, GameId, PlayerId};
use crate::schema::{
    games as games_table, player_events, player_feeds, player_games, player_outbox, players,
};
use crate::time::micros;

/// How many players one read looks at.
const PLAYERS: i64 = 500;
/// How many events one write takes away, at the most.
const EVENTS: usize = 2_000;

/// How far the players were looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SweepCursor(Option<PlayerId>);

/// Events that are to be taken away.
#[derive(Debug)]
pub struct OldEvents {
    streams: Vec<OldStream>,
    /// From where to look on; `None` when there is nothing more.
    pub next: Option<SweepCursor>,
}

/// What is old of a player's stream.
#[derive(Debug)]
struct OldStream {
    player: PlayerId,
    /// The last of those that are numbered.
    numbered_to: Option<i64>,
    /// Of each game or challenge the last of those that still wait to be numbered. They are numbered
    /// in the order in which they happen.
    waiting: BTreeMap<AnyId, i64>,
}

impl OldEvents {
    /// Whether nothing was found.
    pub const fn is_empty(&self) -> bool {
        self.streams.is_empty()
    }
}

/// Looks for events that happened by then, in the streams of some players.
///
/// # Errors
/// None of its own.
pub fn find_old(
    conn: &mut Connection,
    from: SweepCursor,
    happened_by: Timestamp,
) -> Result<OldEvents, StorageError> {
    let after = from.0.unwrap_or(PlayerId::from_uuid(Uuid::nil()));
    let last: Vec<PlayerId> = players::table
        .filter(players::id.gt(after))
        .order(players::id)
        .limit(PLAYERS)
        .select(players::id)
        .load(conn)?;
    let Some(last) = last.last().copied() else {
        return Ok(OldEvents {
            streams: Vec::new(),
            next: None,
        });
    };
    let found: Vec<Found> = diesel::sql_query(FIND)
        .bind::<Binary, _>(after)
        .bind::<Binary, _>(last)
        .bind::<BigInt, _>(micros(happened_by))
        .load(conn)?;
    let (mut streams, mut room, mut before) = (Vec::new(), EVENTS, from);
    for Found { id: player } in found {
        let (stream, rows) = look(conn, player, happened_by, room)?;
        if rows > 0 {
            streams.push(stream);
        }
        room -= rows.min(room);
        if room == 0 {
            // There may be more of this player.
            let next = Some(before);
            return Ok(OldEvents { streams, next });
        }
        before = SweepCursor(Some(player));
    }
    Ok(OldEvents {
        streams,
        next: Some(SweepCursor(Some(last))),
    })
}

#[derive(QueryableByName)]
struct Found {
    #[diesel(sql_type = Binary)]
    id: PlayerId,
}

/// Each part is looked up by the key of its table, whatever the planner thinks of the others.
const FIND: &str = "SELECT id FROM players WHERE id > $1 AND id <= $2 AND (\
     (SELECT happened_at FROM player_events WHERE player_id = players.id \
     ORDER BY number LIMIT 1) <= $3 \
     OR (SELECT 1 FROM player_outbox WHERE player_id = players.id AND happened_at <= $3 \
     LIMIT 1) IS NOT NULL) ORDER BY id";

/// What is old of a player's stream, and how many rows that is: at most `room`.
fn look(
    conn: &mut Connection,
    player: PlayerId,
    happened_by: Timestamp,
    room: usize,
) -> Result<(OldStream, usize), StorageError> {
    let limit = |rows: usize| i64::try_from(rows).unwrap_or(i64::MAX);
    let first: Vec<(i64, i64)> = player_events::table
        .filter(player_events::player_id.eq(player))
        .order(player_events::number)
        .limit(limit(room))
        .select((player_events::number, player_events::happened_at))
        .load(conn)?;
    let is_old = |(_, at): &&(i64, i64)| *at <= micros(happened_by);
    let numbered = first.iter().take_while(is_old).count();
    // What waits comes after all that is numbered, so it stays for as long as any of that does.
    let room = if numbered == first.len() {
        room - numbered
    } else {
        0
    };
    let waiting: Vec<(AnyId, i64)> = player_outbox::table
        .filter(player_outbox::player_id.eq(player))
        .filter(player_outbox::happened_at.le(micros(happened_by)))
        .order((player_outbox::source_id, player_outbox::source_number))
        .limit(limit(room))
        .select((player_outbox::source_id, player_outbox::source_number))
        .load(conn)?;
    let rows = numbered + waiting.len();
    let stream = OldStream {
        player,
        numbered_to: first.iter().take_while(is_old).last().map(|event| event.0),
        // In order, so that of each the last stays.
        waiting: waiting.into_iter().collect(),
    };
    Ok((stream, rows))
}

/// Takes away what was found; says how many events.
///
/// # Errors
/// None of its own: what somebody else has taken away is gone.
pub fn forget_old(conn: &mut Connection, old: &OldEvents) -> Result<usize, StorageError> {
    let mut forgotten = 0;
    for stream in &old.streams {
        forgotten += forget(conn, stream)?;
    }
    Ok(forgotten)
}

fn forget(conn: &mut Connection, old: &OldStream) -> Result<usize, StorageError> {
    let announced = lock(conn, old.player)?;
    let of_player = player_events::table.filter(player_events::player_id.eq(old.player));
    let mut forgotten = 0;
    if let Some(last) = old.numbered_to {
        forgotten +=
            diesel::delete(of_player.filter(player_events::number.le(last))).execute(conn)?;
    }
    if old.waiting.is_empty() {
        return Ok(forgotten);
    }
    let left: Option<i64> = of_player
        .select(player_events::number)
        .first(conn)
        .optional()?;
    if left.is_some() {
        // Numbered in the meantime.
        return Ok(forgotten);
    }
    let mut unseen = 0;
    for (source, last) in &old.waiting {
        let of_source = player_outbox::table
            .filter(player_outbox::player_id.eq(old.player))
            .filter(player_outbox::source_id.eq(*source))
            .filter(player_outbox::source_number.le(*last));
        unseen += diesel::delete(of_source).execute(conn)?;
    }
    let announced = announced.saturating_add(i64::try_from(unseen).unwrap_or(i64::MAX));
    diesel::update(player_feeds::table.find(old.player))
        .set(player_feeds::announced.eq(announced))
        .execute(conn)?;
    Ok(forgotten + unseen)
}

/// Notes that the streams of these players tell no more of these games. What they had not told of them
/// is counted as numbered, so that whoever asks for it finds that it is not there.
pub(crate) fn forget_games(
    conn: &mut Connection,
    players: &[PlayerId],
    games: &[GameId],
) -> Result<(), StorageError> {
    let told: Vec<(PlayerId, i64, i64)> = player_games::table
        .inner_join(games_table::table)
        .filter(player_games::player_id.eq_any(players))
        .filter(player_games::game_id.eq_any(games))
        .order(player_games::player_id)
        .select((
            player_games::player_id,
            player_games::told,
            games_table::announced,
        ))
        .load(conn)?;
    for (player, told, announced) in told {
        let unseen = announced - told;
        if unseen > 0 {
            let announced = lock(conn, player)?.saturating_add(unseen);
            diesel::update(player_feeds::table.find(player))
                .set(player_feeds::announced.eq(announced))
                .execute(conn)?;
        }
    }
    diesel::delete(player_games::table)
        .filter(player_games::player_id.eq_any(players))
        .filter(player_games::game_id.eq_any(games))
        .execute(conn)?;
    Ok(())
}
