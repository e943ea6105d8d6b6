//! Numbers what waits for a player's stream.
//!
//! That a reply of his was not allowed is written by nobody: it is found here, with the move that it would
//! have answered.

use std::sync::Arc;

use diesel::prelude::*;

use super::{FeedSource, lock};
use crate::either::DatabaseConnection as Connection;
use crate::error::StorageError;
use crate::games::{self, GameEvent, GameEventKind, StoredGame};
use crate::ids::{AnyId, GameId, PlayerId};
use crate::number::read;
use crate::page::PageRequest;
use crate::schema::{
    games as games_table, player_events, player_feeds, player_games, player_outbox,
};
use crate::time::micros;

/// How many events one statement writes.
const ROWS: usize = 500;

/// An event that waits for its number.
#[derive(Queryable)]
struct Waiting {
    source_id: AnyId,
    source_number: i64,
    source: String,
    happened_at: i64,
}

/// What is numbered, with what it comes after of the same source and instant.
type InOrder = ((i64, AnyId, i64, bool), Waiting);

/// A game of which the stream has not told all.
#[derive(Queryable)]
struct WaitingGame {
    id: GameId,
    told: i64,
    announced: i64,
    finished_at: Option<i64>,
}

#[derive(Insertable)]
#[diesel(table_name = player_events)]
struct Numbered {
    player_id: PlayerId,
    number: i64,
    source_id: AnyId,
    source_number: i64,
    source: String,
    happened_at: i64,
}

/// Numbers all that waits for a player's stream; gives the number of its last event. Belongs into a
/// write of its own, which sees one state: what comes later waits for the next.
///
/// # Errors
/// [`Refused`](StorageError::Refused) when there is no such player.
pub fn number(conn: &mut Connection, player: PlayerId) -> Result<u64, StorageError> {
    number_with(conn, player, |conn, game| {
        games::load(conn, game).map(Arc::new)
    })
}

/// As [`number`], with a way to a game that is at hand as it is. It is asked for games in which the
/// player has prepared replies.
///
/// # Errors
/// As [`number`], and those of `load`.
pub fn number_with(
    conn: &mut Connection,
    player: PlayerId,
    load: impl Fn(&mut Connection, GameId) -> Result<Arc<StoredGame>, StorageError>,
) -> Result<u64, StorageError> {
    let last = lock(conn, player)?;
    let mut waiting: Vec<InOrder> = outbox(conn, player)?.into_iter().map(in_order).collect();
    let games = waiting_games(conn, player)?;
    let dropped = dropped_replies(conn, player, &games, load)?;
    for game in &games {
        let dropped = dropped.iter().find(|(id, _)| *id == game.id);
        waiting.extend(events_of(conn, game, dropped.map(|(_, ply)| *ply))?);
    }
    if waiting.is_empty() {
        return read(last);
    }
    waiting.sort_by_key(|(order, _)| *order);
    let numbered: Vec<Numbered> = (last + 1..)
        .zip(waiting)
        .map(|(number, (_, event))| Numbered {
            player_id: player,
            number,
            source_id: event.source_id,
            source_number: event.source_number,
            source: event.source,
            happened_at: event.happened_at,
        })
        .collect();
    for rows in numbered.chunks(ROWS) {
        let insert = diesel::insert_into(player_events::table).values(rows);
        match conn {
            Connection::Sqlite(conn) => insert.execute(conn)?,
            Connection::Postgres(conn) => insert.execute(conn)?,
        };
    }
    diesel::delete(player_outbox::table.filter(player_outbox::player_id.eq(player)))
        .execute(conn)?;
    for game in &games {
        has_told(conn, player, game)?;
    }
    let last = numbered.last().map_or(last, |event| event.number);
    diesel::update(player_feeds::table.find(player))
        .set(player_feeds::announced.eq(last))
        .execute(conn)?;
    read(last)
}

/// Whether anything waits to be numbered for a player's stream.
///
/// # Errors
/// None of its own.
pub fn has_waiting(conn: &mut Connection, player: PlayerId) -> Result<bool, StorageError> {
    let of_challenges: Option<i64> = player_outbox::table
        .filter(player_outbox::player_id.eq(player))
        .select(player_outbox::source_number)
        .first(conn)
        .optional()?;
    if of_challenges.is_some() {
        return Ok(true);
    }
    let of_games: Option<i64> = player_games::table
        .inner_join(games_table::table)
        .filter(player_games::player_id.eq(player))
        .filter(games_table::announced.gt(player_games::told))
        .select(player_games::told)
        .first(conn)
        .optional()?;
    Ok(of_games.is_some())
}

fn outbox(conn: &mut Connection, player: PlayerId) -> Result<Vec<Waiting>, StorageError> {
    Ok(player_outbox::table
        .filter(player_outbox::player_id.eq(player))
        .select((
            player_outbox::source_id,
            player_outbox::source_number,
            player_outbox::source,
            player_outbox::happened_at,
        ))
        .load(conn)?)
}

fn waiting_games(
    conn: &mut Connection,
    player: PlayerId,
) -> Result<Vec<WaitingGame>, StorageError> {
    Ok(player_games::table
        .inner_join(games_table::table)
        .filter(player_games::player_id.eq(player))
        .filter(games_table::announced.gt(player_games::told))
        .select((
            games_table::id,
            player_games::told,
            games_table::announced,
            games_table::finished_at,
        ))
        .load(conn)?)
}

/// The games in which a reply of the player's was not allowed when it came up, and at which ply.
fn dropped_replies(
    conn: &mut Connection,
    player: PlayerId,
    games: &[WaitingGame],
    load: impl Fn(&mut Connection, GameId) -> Result<Arc<StoredGame>, StorageError>,
) -> Result<Vec<(GameId, u32)>, StorageError> {
    let ids: Vec<GameId> = games.iter().map(|game| game.id).collect();
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let mut dropped = Vec::new();
    for (id, lines) in games::lines_of_player(conn, player, &ids)? {
        let stored = load(conn, id)?;
        dropped.extend(lines.dropped(&stored.game).map(|reply| (id, reply.ply)));
    }
    Ok(dropped)
}

fn in_order(event: Waiting) -> InOrder {
    let order = (
        event.happened_at,
        event.source_id,
        event.source_number,
        false,
    );
    (order, event)
}

/// What was announced of a game and not told. In its order, also where a clock was set back. After the
/// move before the ply of a dropped reply it says that this was dropped.
fn events_of(
    conn: &mut Connection,
    game: &WaitingGame,
    dropped: Option<u32>,
) -> Result<Vec<InOrder>, StorageError> {
    let (mut waiting, mut told, mut at) = (Vec::new(), read(game.told)?, i64::MIN);
    loop {
        let page: Vec<GameEvent> = games::events(conn, game.id, told, PageRequest::<()>::MAX)?;
        let Some(last) = page.last() else {
            return Ok(waiting);
        };
        told = last.number;
        for event in page {
            at = at.max(micros(event.at));
            let (id, number) = (game.id, event.number);
            let told = in_order(event_of(FeedSource::Game { id, number }, at)?);
            let (_, source_id, place, _) = told.0;
            waiting.push(told);
            if let GameEventKind::Move { ply } = event.kind
                && dropped == Some(ply + 1)
            {
                let source = FeedSource::ReplyDropped {
                    game: id,
                    ply: ply + 1,
                };
                waiting.push(((at, source_id, place, true), event_of(source, at)?));
            }
        }
    }
}

fn event_of(source: FeedSource, happened_at: i64) -> Result<Waiting, StorageError> {
    let (source_id, source_number, source) = source.columns()?;
    Ok(Waiting {
        source_id,
        source_number,
        source: source.to_owned(),
        happened_at,
    })
}

/// Notes that the stream has told all of a game. One that has ended has nothing more to tell.
fn has_told(
    conn: &mut Connection,
    player: PlayerId,
    game: &WaitingGame,
) -> Result<(), StorageError> {
    let row = player_games::table.find((player, game.id));
    if game.finished_at.is_some() {
        diesel::delete(row).execute(conn)?;
    } else {
        diesel::update(row)
            .set(player_games::told.eq(game.announced))
            .execute(conn)?;
    }
    Ok(())
}
