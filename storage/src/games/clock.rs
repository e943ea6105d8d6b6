//! Entries of the log that are about the clocks alone.

use diesel::prelude::*;
use domain::{Color, Event, Timestamp};

use crate::either::DatabaseConnection as Connection;
use crate::error::{Corruption, StorageError};
use crate::ids::GameId;
use crate::number;
use crate::schema::clock_entries;
use crate::text;
use crate::time::{instant, micros, span, span_micros};

#[derive(Queryable, Selectable, Insertable)]
#[diesel(table_name = clock_entries, treat_none_as_default_value = false)]
pub(super) struct ClockRow {
    pub(super) game_id: GameId,
    pub(super) seq: i64,
    kind: String,
    color: Option<String>,
    until_at: Option<i64>,
    span: Option<i64>,
    happened_at: i64,
}

impl ClockRow {
    /// Writes an event of the clocks into the log; nothing for any other.
    pub(super) fn write(
        conn: &mut Connection,
        game_id: GameId,
        seq: u64,
        event: &Event,
    ) -> Result<(), StorageError> {
        type Shape = (&'static str, Option<Color>, Option<Timestamp>, Option<i64>);
        let (kind, color, until, span): Shape = match *event {
            Event::Paused { by, .. } => ("paused", Some(by), None, None),
            Event::Resumed { by, .. } => ("resumed", Some(by), None, None),
            Event::Left { by, until, .. } => ("left", Some(by), Some(until), None),
            Event::Returned { by, .. } => ("returned", Some(by), None, None),
            Event::Credited { span, .. } => ("credited", None, None, Some(span_micros(span))),
            Event::Warned { .. } => ("warned", None, None, None),
            _ => return Ok(()),
        };
        let row = Self {
            game_id,
            seq: number::stored(seq)?,
            kind: kind.to_owned(),
            color: color.map(|color| color.name().to_owned()),
            until_at: until.map(micros),
            span,
            happened_at: micros(event.at()),
        };
        diesel::insert_into(clock_entries::table)
            .values(row)
            .execute(conn)?;
        Ok(())
    }

    /// The event that it is.
    pub(super) fn event(&self) -> Result<Event, StorageError> {
        let at = instant(self.happened_at);
        let color = text::optional_color(self.color.as_deref())?;
        let until = self.until_at.map(instant);
        Ok(
            match (self.kind.as_str(), color, until, self.span.and_then(span)) {
                ("paused", Some(by), None, None) => Event::Paused { by, at },
                ("resumed", Some(by), None, None) => Event::Resumed { by, at },
                ("left", Some(by), Some(until), None) => Event::Left { by, until, at },
                ("returned", Some(by), None, None) => Event::Returned { by, at },
                ("credited", None, None, Some(span)) => Event::Credited { span, at },
                ("warned", None, None, None) => Event::Warned { at },
                _ => return Err(Corruption::Value { column: "kind" }.into()),
            },
        )
    }
}
