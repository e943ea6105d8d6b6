//! Finished games as columns, for whoever asks them with `DuckDB`, Polars or Spark: five tables in
//! Parquet, joined by `game_id`, and by `ply` and `piece_id` within a game.
//!
//! A table is a list of columns, each with its name, its type, what it means and how it is read from a row
//! ([`column`]): it is the schema and the documentation at once. [`Finished`] is a game to be written,
//! [`TableWriter`] writes one table of many games to a file or a pipe, some thousand rows at a time.

mod battles;
mod buffer;
mod column;
mod finished;
mod games;
mod names;
mod pieces;
mod plies;
mod reveals;
#[cfg(test)]
mod tests;
mod writer;

use std::fmt;
use std::str::FromStr;

pub use column::{Column, ColumnType};
pub use finished::{About, Finished, NotOver};
pub use writer::{TableError, TableWriter};

/// One of the tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Table {
    /// A row for each game.
    Games,
    /// A row for each move.
    Plies,
    /// A row for each piece, those that a rescue brought back too.
    Pieces,
    /// A row for each attack.
    Battles,
    /// A row for each rank that became known, at the end of a game too.
    Reveals,
}

impl Table {
    /// Every table.
    pub const ALL: [Self; 5] = [
        Self::Games,
        Self::Plies,
        Self::Pieces,
        Self::Battles,
        Self::Reveals,
    ];

    /// The lower-case name, also that of its file.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Games => "games",
            Self::Plies => "plies",
            Self::Pieces => "pieces",
            Self::Battles => "battles",
            Self::Reveals => "reveals",
        }
    }

    /// Its columns, in order.
    pub fn columns(self) -> Vec<Column> {
        match self {
            Self::Games => columns(games::FIELDS),
            Self::Plies => columns(plies::FIELDS),
            Self::Pieces => columns(pieces::FIELDS),
            Self::Battles => columns(battles::FIELDS),
            Self::Reveals => columns(reveals::FIELDS),
        }
    }
}

fn columns<R>(fields: &[column::Field<R>]) -> Vec<Column> {
    fields.iter().map(column::Field::column).collect()
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The text names no table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a table is one of games, plies, pieces, battles, reveals")]
pub struct ParseTableError;

impl FromStr for Table {
    type Err = ParseTableError;

    fn from_str(text: &str) -> Result<Self, ParseTableError> {
        Self::ALL
            .into_iter()
            .find(|table| table.name() == text)
            .ok_or(ParseTableError)
    }
}
