//! What is announced of a game: the outbox.

use diesel::prelude::*;
use domain::{Color, OfferId, Timestamp};

use super::row::{read_ply, read_version, stored_version};
use crate::either::DatabaseConnection as Connection;
use crate::error::{Corruption, StorageError};
use crate::ids::{GameId, StoredOfferId};
use crate::page::PageRequest;
use crate::schema::events;
use crate::text;
use crate::time::{instant, micros};

/// Something that both players may know has happened. Refers to the game; repeats nothing of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LogEntry {
    /// Its place in the game's log. There are gaps, and they tell: it is not to be shown.
    pub seq: u64,
    /// What.
    pub kind: LogEntryKind,
    /// When.
    pub at: Timestamp,
}

/// What happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogEntryKind {
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

#[derive(Queryable, Selectable, Insertable)]
#[diesel(table_name = events, treat_none_as_default_value = false)]
pub(super) struct EventRow {
    game_id: GameId,
    seq: i64,
    kind: String,
    ply: Option<i32>,
    color: Option<String>,
    offer_id: Option<StoredOfferId>,
    happened_at: i64,
}

impl EventRow {
    pub(super) fn new(game_id: GameId, entry: &LogEntry) -> Result<Self, StorageError> {
        let (kind, ply, color, offer) = match entry.kind {
            LogEntryKind::SetupPlaced(color) => ("setup_placed", None, Some(color), None),
            LogEntryKind::Started => ("started", None, None, None),
            LogEntryKind::Move { ply } => ("move", Some(super::row::stored_ply(ply)?), None, None),
            LogEntryKind::Offer(color, offer) => ("offer", None, Some(color), Some(offer)),
            LogEntryKind::OfferClosed(offer) => ("offer_closed", None, None, Some(offer)),
            LogEntryKind::Finished => ("finished", None, None, None),
        };
        Ok(Self {
            game_id,
            seq: stored_version(entry.seq)?,
            kind: kind.to_owned(),
            ply,
            color: color.map(|color| color.name().to_owned()),
            offer_id: offer.map(StoredOfferId::from),
            happened_at: micros(entry.at),
        })
    }
}

impl TryFrom<EventRow> for LogEntry {
    type Error = StorageError;

    fn try_from(row: EventRow) -> Result<Self, StorageError> {
        let color = text::optional_color(row.color.as_deref())?;
        let offer = row.offer_id.map(OfferId::from);
        let kind = match (row.kind.as_str(), row.ply, color, offer) {
            ("setup_placed", None, Some(color), None) => LogEntryKind::SetupPlaced(color),
            ("started", None, None, None) => LogEntryKind::Started,
            ("move", Some(ply), None, None) => LogEntryKind::Move {
                ply: read_ply(ply)?,
            },
            ("offer", None, Some(color), Some(offer)) => LogEntryKind::Offer(color, offer),
            ("offer_closed", None, None, Some(offer)) => LogEntryKind::OfferClosed(offer),
            ("finished", None, None, None) => LogEntryKind::Finished,
            _ => return Err(Corruption::Value { column: "kind" }.into()),
        };
        Ok(Self {
            seq: read_version(row.seq)?,
            kind,
            at: instant(row.happened_at),
        })
    }
}

/// What is announced of a game after a place in its log, in order; at most `limit` entries, and
/// never more than [`PageRequest::MAX`].
///
/// # Errors
/// None of its own: an unknown game has no entries.
pub fn entries(
    conn: &mut Connection,
    game: GameId,
    after: Option<u64>,
    limit: u32,
) -> Result<Vec<LogEntry>, StorageError> {
    let after = after.map_or(Ok(-1), stored_version)?;
    let rows: Vec<EventRow> = events::table
        .filter(events::game_id.eq(game))
        .filter(events::seq.gt(after))
        .order(events::seq)
        .limit(i64::from(limit.min(PageRequest::<()>::MAX)))
        .select(EventRow::as_select())
        .load(conn)?;
    rows.into_iter().map(LogEntry::try_from).collect()
}
