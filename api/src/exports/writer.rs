use std::io::{self, Write};

use storage::games::StoredGame;
use thiserror::Error;

use super::Form;
use super::game::{about, exported};
use crate::recorded::{ExportFault, GameFormat};
use crate::tables::{Finished, NotOver, TableError, TableWriter};

/// Writes games, in one form or as several tables at once.
pub enum Writer<W: Write + Send> {
    /// As lines.
    Lines(W),
    /// As tables.
    Tables(Vec<TableWriter<W>>),
}

/// Why games cannot be written.
#[derive(Debug, Error)]
pub enum WriteError {
    /// What they are written to does not take them.
    #[error("cannot write: {0}")]
    Write(#[from] io::Error),
    /// A table does not take a game.
    #[error(transparent)]
    Table(TableError),
    /// A line does not take a game.
    #[error(transparent)]
    Line(#[from] ExportFault),
    /// A game is not over.
    #[error(transparent)]
    NotOver(#[from] NotOver),
}

impl From<TableError> for WriteError {
    fn from(fault: TableError) -> Self {
        match fault {
            TableError::Write(cause) => Self::Write(cause),
            fault => Self::Table(fault),
        }
    }
}

impl<W: Write + Send> Writer<W> {
    /// Begins one form.
    ///
    /// # Errors
    /// What it is written to does not take it.
    pub fn new(form: Form, to: W) -> Result<Self, WriteError> {
        Ok(match form {
            Form::Lines => Self::Lines(to),
            Form::Table(table) => Self::Tables(vec![TableWriter::new(table, to)?]),
        })
    }

    /// Adds a game.
    ///
    /// # Errors
    /// A [`WriteError`]; what was written is of no use then.
    pub fn push(&mut self, stored: &StoredGame) -> Result<(), WriteError> {
        match self {
            Self::Lines(to) => {
                let id = stored.summary.id.to_string();
                let exported = exported(stored, &id).ok_or(NotOver)?;
                let mut line = GameFormat::Json.write(&exported)?;
                line.push('\n');
                to.write_all(line.as_bytes())?;
            }
            Self::Tables(tables) => {
                // What all of them need of it is worked out once.
                let finished = Finished::new(about(&stored.summary), &stored.game)?;
                for table in tables {
                    table.push(&finished)?;
                }
            }
        }
        Ok(())
    }

    /// Ends what was begun, and gives back what it was written to.
    ///
    /// # Errors
    /// As [`push`](Self::push).
    pub fn finish(self) -> Result<Vec<W>, WriteError> {
        match self {
            Self::Lines(mut to) => {
                to.flush()?;
                Ok(vec![to])
            }
            Self::Tables(tables) => {
                let ended = tables.into_iter().map(TableWriter::finish);
                Ok(ended.collect::<Result<_, _>>()?)
            }
        }
    }
}
