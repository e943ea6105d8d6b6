//! What is announced of a game: the outbox.
//!
//! A move is announced by its entry in the log alone; the table holds all else, with the numbers
//! that the moves leave.

use diesel::dsl::{count, count_star};
use diesel::prelude::*;
use domain::{Color, OfferId, Timestamp};

use super::row::read_ply;
use crate::either::DatabaseConnection as Connection;
use crate::error::{Corruption, StorageError};
use crate::ids::{GameId, StoredOfferId};
use crate::number;
use crate::page::PageRequest;
use crate::schema::{events, games, moves};
use crate::text;
use crate::time::{instant, micros};

/// Something that both players may know has happened. Refers to the game; repeats nothing of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GameEvent {
    /// Its number among those that the players see: 1, 2, 3, …
    pub number: u64,
    /// Its number among those that everyone sees; `None` for one that is the players' alone.
    pub public_number: Option<u64>,
    /// What.
    pub kind: GameEventKind,
    /// When.
    pub at: Timestamp,
}

/// What happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GameEventKind {
    /// A side placed its army for the first time.
    SetupPlaced(Color),
    /// Both armies stand.
    Started,
    /// The move at a ply.
    Move {
        /// How many moves went before.
        ply: u32,
    },
    /// A side offered a draw.
    Offer(Color, OfferId),
    /// An offer is no longer open.
    OfferClosed(OfferId),
    /// The game ended.
    Finished,
    /// Both agreed to stop the clocks; who proposed it.
    Paused(Color),
    /// A side ended the pause.
    Resumed(Color),
    /// A player went on vacation until then, unless he comes back before.
    Left(Color, Timestamp),
    /// A player's vacation is over.
    Returned(Color),
    /// Time is nearly up: whose, while armies are placed both sides', and when it is.
    Near(Option<Color>, Timestamp),
}

impl GameEventKind {
    /// Whether those learn of it too who do not play.
    pub const fn is_public(self) -> bool {
        !matches!(
            self,
            Self::Offer(..) | Self::OfferClosed(_) | Self::Near(..)
        )
    }
}

/// How many events were announced of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Announced {
    /// To its players.
    pub to_players: u64,
    /// To everyone.
    pub to_all: u64,
}

impl Announced {
    /// Numbers the next event.
    pub(super) fn next(&mut self, kind: GameEventKind, at: Timestamp) -> GameEvent {
        self.to_players += 1;
        self.to_all += u64::from(kind.is_public());
        GameEvent {
            number: self.to_players,
            public_number: kind.is_public().then_some(self.to_all),
            kind,
            at,
        }
    }
}

#[derive(Queryable, Selectable, Insertable)]
#[diesel(table_name = events, treat_none_as_default_value = false)]
pub(super) struct EventRow {
    pub(super) game_id: GameId,
    pub(super) number: i64,
    pub(super) public_number: Option<i64>,
    pub(super) kind: String,
    pub(super) color: Option<String>,
    pub(super) offer_id: Option<StoredOfferId>,
    pub(super) happened_at: i64,
    pub(super) until_at: Option<i64>,
}

impl EventRow {
    /// The row of an event; none for a move.
    pub(super) fn new(game_id: GameId, event: &GameEvent) -> Result<Option<Self>, StorageError> {
        let (kind, color, offer, until) = match event.kind {
            GameEventKind::SetupPlaced(color) => ("setup_placed", Some(color), None, None),
            GameEventKind::Started => ("started", None, None, None),
            GameEventKind::Move { .. } => return Ok(None),
            GameEventKind::Offer(color, offer) => ("offer", Some(color), Some(offer), None),
            GameEventKind::OfferClosed(offer) => ("offer_closed", None, Some(offer), None),
            GameEventKind::Finished => ("finished", None, None, None),
            GameEventKind::Paused(color) => ("paused", Some(color), None, None),
            GameEventKind::Resumed(color) => ("resumed", Some(color), None, None),
            GameEventKind::Left(color, until) => ("left", Some(color), None, Some(until)),
            GameEventKind::Returned(color) => ("returned", Some(color), None, None),
            GameEventKind::Near(color, deadline) => ("near", color, None, Some(deadline)),
        };
        Ok(Some(Self {
            game_id,
            number: number::stored(event.number)?,
            public_number: event.public_number.map(number::stored).transpose()?,
            kind: kind.to_owned(),
            color: color.map(|color| color.name().to_owned()),
            offer_id: offer.map(StoredOfferId::from),
            happened_at: micros(event.at),
            until_at: until.map(micros),
        }))
    }
}

impl TryFrom<EventRow> for GameEvent {
    type Error = StorageError;

    fn try_from(row: EventRow) -> Result<Self, StorageError> {
        let color = text::optional_color(row.color.as_deref())?;
        let offer = row.offer_id.map(OfferId::from);
        let until = row.until_at.map(instant);
        let kind = match (row.kind.as_str(), color, offer, until) {
            ("setup_placed", Some(color), None, None) => GameEventKind::SetupPlaced(color),
            ("started", None, None, None) => GameEventKind::Started,
            ("offer", Some(color), Some(offer), None) => GameEventKind::Offer(color, offer),
            ("offer_closed", None, Some(offer), None) => GameEventKind::OfferClosed(offer),
            ("finished", None, None, None) => GameEventKind::Finished,
            ("paused", Some(color), None, None) => GameEventKind::Paused(color),
            ("resumed", Some(color), None, None) => GameEventKind::Resumed(color),
            ("left", Some(color), None, Some(until)) => GameEventKind::Left(color, until),
            ("returned", Some(color), None, None) => GameEventKind::Returned(color),
            ("near", color, None, Some(deadline)) => GameEventKind::Near(color, deadline),
            _ => return Err(Corruption::Value { column: "kind" }.into()),
        };
        Ok(Self {
            number: number::read(row.number)?,
            public_number: row.public_number.map(number::read).transpose()?,
            kind,
            at: instant(row.happened_at),
        })
    }
}

/// What was announced of a game after the event of a number, in order; at most `limit` events, and
/// never more than [`PageRequest::MAX`]. Belongs into one [`read`](crate::Database::read).
///
/// # Errors
/// None of its own: an unknown game has no events, nor has one whose events were swept.
pub fn events(
    conn: &mut Connection,
    game: GameId,
    after: u64,
    limit: u32,
) -> Result<Vec<GameEvent>, StorageError> {
    let limit = limit.min(PageRequest::<()>::MAX);
    let last = after.saturating_add(limit.into());
    let (passed, public) = others_up_to(conn, game, after)?;
    let mut private = passed - public;
    let mut others = others(conn, game, after, last)?.into_iter().peekable();
    // Numbers have no gaps: one that no other event has is a move's.
    let mut moves = moves_from(conn, game, after.saturating_sub(passed), limit)?.into_iter();
    let mut events = Vec::new();
    for number in after.saturating_add(1)..=last {
        if let Some(other) = others.next_if(|other| other.number == number) {
            private += u64::from(other.public_number.is_none());
            events.push(other);
        } else if let Some((ply, at)) = moves.next() {
            events.push(GameEvent {
                number,
                public_number: Some(number - private),
                kind: GameEventKind::Move { ply },
                at,
            });
        } else {
            break;
        }
    }
    Ok(events)
}

/// The number among those that the players see of the event with a number among those that everyone
/// sees; `None` when there is none of that number. Belongs into one [`read`](crate::Database::read).
///
/// # Errors
/// None of its own.
pub fn number_of_public(
    conn: &mut Connection,
    game: GameId,
    public_number: u64,
) -> Result<Option<u64>, StorageError> {
    let mut number = public_number;
    for other in others(conn, game, 0, u64::MAX)? {
        match other.public_number {
            Some(public) if public == public_number => return Ok(Some(other.number)),
            None if other.number <= number => number += 1,
            _ => {}
        }
    }
    let Some(before) = number.checked_sub(1) else {
        return Ok(None);
    };
    let event = events(conn, game, before, 1)?;
    Ok(event.first().map(|event| event.number))
}

/// How many events of a game up to a number are no moves, and how many of these everyone sees.
fn others_up_to(
    conn: &mut Connection,
    game: GameId,
    last: u64,
) -> Result<(u64, u64), StorageError> {
    let (all, public): (i64, i64) = events::table
        .filter(events::game_id.eq(game))
        .filter(events::number.le(number::at_most(last)))
        .select((count_star(), count(events::public_number)))
        .first(conn)?;
    Ok((number::read(all)?, number::read(public)?))
}

/// The events of a game that are no moves, after one number and up to another, in order.
fn others(
    conn: &mut Connection,
    game: GameId,
    after: u64,
    last: u64,
) -> Result<Vec<GameEvent>, StorageError> {
    let rows: Vec<EventRow> = events::table
        .filter(events::game_id.eq(game))
        .filter(events::number.gt(number::at_most(after)))
        .filter(events::number.le(number::at_most(last)))
        .order(events::number)
        .select(EventRow::as_select())
        .load(conn)?;
    rows.into_iter().map(GameEvent::try_from).collect()
}

/// The moves of a game from a ply on, and when they were made; none when its events were swept.
fn moves_from(
    conn: &mut Connection,
    game: GameId,
    ply: u64,
    limit: u32,
) -> Result<Vec<(u32, Timestamp)>, StorageError> {
    let Ok(ply) = i32::try_from(ply) else {
        return Ok(Vec::new());
    };
    let rows: Vec<(i32, i64)> = moves::table
        .inner_join(games::table)
        .filter(moves::game_id.eq(game))
        .filter(games::events_swept.eq(false))
        .filter(moves::ply.ge(ply))
        .order(moves::ply)
        .limit(limit.into())
        .select((moves::ply, moves::played_at))
        .load(conn)?;
    rows.into_iter()
        .map(|(ply, at)| Ok((read_ply(ply)?, instant(at))))
        .collect()
}
