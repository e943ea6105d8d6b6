//! What is announced of a game: the outbox.

use diesel::prelude::*;
use domain::{Color, OfferId, Timestamp};

use super::row::{read_ply, stored_ply};
use crate::either::DatabaseConnection as Connection;
use crate::error::{Corruption, StorageError};
use crate::ids::{GameId, StoredOfferId};
use crate::number;
use crate::page::PageRequest;
use crate::schema::events;
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
}

impl GameEventKind {
    /// Whether those learn of it too who do not play.
    pub const fn is_public(self) -> bool {
        !matches!(self, Self::Offer(..) | Self::OfferClosed(_))
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
    pub(super) ply: Option<i32>,
    pub(super) color: Option<String>,
    pub(super) offer_id: Option<StoredOfferId>,
    pub(super) happened_at: i64,
}

impl EventRow {
    pub(super) fn new(game_id: GameId, event: &GameEvent) -> Result<Self, StorageError> {
        let (kind, ply, color, offer) = match event.kind {
            GameEventKind::SetupPlaced(color) => ("setup_placed", None, Some(color), None),
            GameEventKind::Started => ("started", None, None, None),
            GameEventKind::Move { ply } => ("move", Some(stored_ply(ply)?), None, None),
            GameEventKind::Offer(color, offer) => ("offer", None, Some(color), Some(offer)),
            GameEventKind::OfferClosed(offer) => ("offer_closed", None, None, Some(offer)),
            GameEventKind::Finished => ("finished", None, None, None),
        };
        Ok(Self {
            game_id,
            number: number::stored(event.number)?,
            public_number: event.public_number.map(number::stored).transpose()?,
            kind: kind.to_owned(),
            ply,
            color: color.map(|color| color.name().to_owned()),
            offer_id: offer.map(StoredOfferId::from),
            happened_at: micros(event.at),
        })
    }
}

impl TryFrom<EventRow> for GameEvent {
    type Error = StorageError;

    fn try_from(row: EventRow) -> Result<Self, StorageError> {
        let color = text::optional_color(row.color.as_deref())?;
        let offer = row.offer_id.map(OfferId::from);
        let kind = match (row.kind.as_str(), row.ply, color, offer) {
            ("setup_placed", None, Some(color), None) => GameEventKind::SetupPlaced(color),
            ("started", None, None, None) => GameEventKind::Started,
            ("move", Some(ply), None, None) => GameEventKind::Move {
                ply: read_ply(ply)?,
            },
            ("offer", None, Some(color), Some(offer)) => GameEventKind::Offer(color, offer),
            ("offer_closed", None, None, Some(offer)) => GameEventKind::OfferClosed(offer),
            ("finished", None, None, None) => GameEventKind::Finished,
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
/// never more than [`PageRequest::MAX`].
///
/// # Errors
/// None of its own: an unknown game has no events, nor has one whose events were swept.
pub fn events(
    conn: &mut Connection,
    game: GameId,
    after: u64,
    limit: u32,
) -> Result<Vec<GameEvent>, StorageError> {
    let rows: Vec<EventRow> = events::table
        .filter(events::game_id.eq(game))
        .filter(events::number.gt(number::stored(after)?))
        .order(events::number)
        .limit(i64::from(limit.min(PageRequest::<()>::MAX)))
        .select(EventRow::as_select())
        .load(conn)?;
    rows.into_iter().map(GameEvent::try_from).collect()
}

/// The number among those that the players see of the event with a number among those that everyone
/// sees; `None` when there is none of that number.
///
/// # Errors
/// None of its own.
pub fn number_of_public(
    conn: &mut Connection,
    game: GameId,
    public_number: u64,
) -> Result<Option<u64>, StorageError> {
    let number: Option<i64> = events::table
        .filter(events::game_id.eq(game))
        .filter(events::public_number.eq(Some(number::stored(public_number)?)))
        .select(events::number)
        .first(conn)
        .optional()?;
    number.map(number::read).transpose()
}
