//! A player's own stream: what was announced of his games and challenges, numbered without gaps.
//!
//! What is announced of a game stands with the game, and a challenge puts its events into the outbox of
//! each player that they concern: without a number in his stream, so that changes of many games do not
//! wait for each other. Who looks at the stream numbers what is there by then: see [`number`].

mod sweep;
mod waiting;

use diesel::prelude::*;
use domain::Timestamp;

use crate::either::DatabaseConnection as Connection;
use crate::error::{Corruption, StorageError};
use crate::ids::{AnyId, ChallengeId, GameId, PlayerId};
use crate::number;
use crate::page::PageRequest;
use crate::schema::{player_events, player_feeds, player_games, player_outbox};
use crate::time::{instant, micros};

pub(crate) use sweep::forget_games;
pub use sweep::{OldEvents, SweepCursor, find_old, forget_old};
pub use waiting::{has_waiting, number, number_with};

/// What an event of a player's stream is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FeedSource {
    /// An event of a game that he plays.
    Game {
        /// The game.
        id: GameId,
        /// Its number among those that the players see.
        number: u64,
    },
    /// A reply that he had prepared in a game was not allowed when it came up.
    ReplyDropped {
        /// The game.
        game: GameId,
        /// At which ply it would have been played.
        ply: u32,
    },
    /// A challenge of his, or to him, was made.
    ChallengeCreated(ChallengeId),
    /// Such a challenge no longer stands.
    ChallengeClosed(ChallengeId),
}

/// An event of a player's stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FeedEvent {
    /// Its number in the stream: 1, 2, 3, …
    pub number: u64,
    /// What it is about.
    pub source: FeedSource,
    /// When it happened.
    pub at: Timestamp,
}

#[derive(Insertable)]
#[diesel(table_name = player_outbox)]
struct OutboxRow {
    player_id: PlayerId,
    source_id: AnyId,
    source_number: i64,
    source: String,
    happened_at: i64,
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = player_events)]
struct FeedRow {
    number: i64,
    source_id: AnyId,
    source_number: i64,
    source: String,
    happened_at: i64,
}

/// The numbers of a challenge's events.
const CREATED: i64 = 1;
const CLOSED: i64 = 2;

impl FeedSource {
    fn columns(self) -> Result<(AnyId, i64, &'static str), StorageError> {
        Ok(match self {
            Self::Game { id, number } => (id.as_uuid().into(), number::stored(number)?, "game"),
            Self::ReplyDropped { game, ply } => (game.as_uuid().into(), ply.into(), "conditional"),
            Self::ChallengeCreated(id) => (id.as_uuid().into(), CREATED, "challenge"),
            Self::ChallengeClosed(id) => (id.as_uuid().into(), CLOSED, "challenge"),
        })
    }

    fn read(id: AnyId, number: i64, source: &str) -> Result<Self, StorageError> {
        match (source, number) {
            ("game", number) => Ok(Self::Game {
                id: GameId::from_uuid(id.into()),
                number: number::read(number)?,
            }),
            ("conditional", ply) => Ok(Self::ReplyDropped {
                game: GameId::from_uuid(id.into()),
                ply: u32::try_from(ply).map_err(|_| Corruption::Value {
                    column: "source_number",
                })?,
            }),
            ("challenge", CREATED) => Ok(Self::ChallengeCreated(ChallengeId::from_uuid(id.into()))),
            ("challenge", CLOSED) => Ok(Self::ChallengeClosed(ChallengeId::from_uuid(id.into()))),
            _ => Err(Corruption::Value { column: "source" }.into()),
        }
    }
}

/// From now on the streams of both players tell of a game, which has just been made.
pub(crate) fn follow(
    conn: &mut Connection,
    players: [PlayerId; 2],
    game: GameId,
) -> Result<(), StorageError> {
    for player in players {
        diesel::insert_into(player_games::table)
            .values((
                player_games::player_id.eq(player),
                player_games::game_id.eq(game),
                player_games::told.eq(0),
            ))
            .execute(conn)?;
    }
    Ok(())
}

/// Puts an event of a challenge into the outbox of a player.
pub(crate) fn announce(
    conn: &mut Connection,
    player: PlayerId,
    source: FeedSource,
    at: Timestamp,
) -> Result<(), StorageError> {
    let (source_id, source_number, source) = source.columns()?;
    let row = OutboxRow {
        player_id: player,
        source_id,
        source_number,
        source: source.to_owned(),
        happened_at: micros(at),
    };
    diesel::insert_into(player_outbox::table)
        .values(row)
        .execute(conn)?;
    Ok(())
}

/// How far a player's stream is numbered, with its row locked for this write.
fn lock(conn: &mut Connection, player: PlayerId) -> Result<i64, StorageError> {
    let columns = (
        player_feeds::player_id.eq(player),
        player_feeds::announced.eq(0),
    );
    let begin = diesel::insert_into(player_feeds::table).values(columns);
    let row = player_feeds::table
        .find(player)
        .select(player_feeds::announced);
    Ok(match conn {
        Connection::Sqlite(conn) => {
            begin.on_conflict_do_nothing().execute(conn)?;
            row.first(conn)?
        }
        Connection::Postgres(conn) => {
            begin.on_conflict_do_nothing().execute(conn)?;
            row.for_update().first(conn)?
        }
    })
}

/// How far a player's stream is numbered.
///
/// # Errors
/// None of its own.
pub fn announced(conn: &mut Connection, player: PlayerId) -> Result<u64, StorageError> {
    let announced: Option<i64> = player_feeds::table
        .find(player)
        .select(player_feeds::announced)
        .first(conn)
        .optional()?;
    announced.map_or(Ok(0), number::read)
}

/// The numbered events of a player's stream after one, in order; at most `limit`, and never more
/// than [`PageRequest::MAX`].
///
/// # Errors
/// None of its own.
pub fn events(
    conn: &mut Connection,
    player: PlayerId,
    after: u64,
    limit: u32,
) -> Result<Vec<FeedEvent>, StorageError> {
    let rows: Vec<FeedRow> = player_events::table
        .filter(player_events::player_id.eq(player))
        .filter(player_events::number.gt(number::at_most(after)))
        .order(player_events::number)
        .limit(i64::from(limit.min(PageRequest::<()>::MAX)))
        .select(FeedRow::as_select())
        .load(conn)?;
    rows.into_iter()
        .map(|row| {
            Ok(FeedEvent {
                number: number::read(row.number)?,
                source: FeedSource::read(row.source_id, row.source_number, &row.source)?,
                at: instant(row.happened_at),
            })
        })
        .collect()
}
