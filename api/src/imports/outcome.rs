use std::sync::Arc;

use storage::GameId;

use crate::recorded::Rejection;

/// What became of a game, or of a file or an archive that could not be read to its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// It is there now.
    Imported {
        /// The file as it was given; within an archive `archive.zip/inner.xml`.
        file: Arc<str>,
        /// Which game of the file, from 1.
        game: u32,
        /// What it is here.
        id: GameId,
    },
    /// It was there before.
    Duplicate {
        /// As above.
        file: Arc<str>,
        /// As above.
        game: u32,
        /// What it is here.
        id: GameId,
    },
    /// It was not taken.
    Rejected(Rejection),
}

impl Outcome {
    /// The file as it was given, and which game of it, from 1.
    pub fn place(&self) -> (&str, u32) {
        match self {
            Self::Imported { file, game, .. } | Self::Duplicate { file, game, .. } => (file, *game),
            Self::Rejected(rejection) => (&rejection.file, rejection.game),
        }
    }
}

/// How many [outcomes](Outcome) of each kind an import had. A file that could not be read is one of them, whatever
/// was in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Totals {
    /// How many are there now that were not before.
    pub imported: u64,
    /// How many were there before.
    pub duplicates: u64,
    /// How many were not taken.
    pub rejected: u64,
}

impl Totals {
    /// Counts one more.
    pub const fn count(&mut self, outcome: &Outcome) {
        match outcome {
            Outcome::Imported { .. } => self.imported += 1,
            Outcome::Duplicate { .. } => self.duplicates += 1,
            Outcome::Rejected(_) => self.rejected += 1,
        }
    }
}
