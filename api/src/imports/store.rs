use std::sync::Arc;

use storage::games::{self, Import, RecordedGame};
use storage::{Database, StorageError, facts};

use super::outcome::{Outcome, Totals};
use super::prepare::{Prepared, Ready};
use crate::recorded::Rejection;

/// How many games, and rejections between them, are stored at once.
const BATCH: usize = 250;

/// How often a batch is stored anew that another import was in the way of.
const ATTEMPTS: u32 = 4;

/// How many games are folded into the statistics at once.
const FOLD: u32 = 1_000;

/// Stores games, many in one transaction, and tells of them when it is committed.
pub(super) struct Store<'a, F> {
    database: &'a Database,
    tell: F,
    totals: Totals,
    /// What comes next, in order: the place of a game, or why it was not taken.
    places: Vec<Result<(Arc<str>, u32), Rejection>>,
    /// The games of these.
    games: Vec<RecordedGame>,
    /// How many games wait to be folded.
    waiting: u32,
}

impl<'a, F: FnMut(Outcome)> Store<'a, F> {
    pub(super) const fn new(database: &'a Database, tell: F) -> Self {
        Self {
            database,
            tell,
            totals: Totals {
                imported: 0,
                duplicates: 0,
                rejected: 0,
            },
            places: Vec::new(),
            games: Vec::new(),
            waiting: 0,
        }
    }

    /// Takes what comes next.
    pub(super) fn add(&mut self, prepared: Prepared) -> Result<(), StorageError> {
        match prepared {
            Ok(Ready { file, game, stored }) => {
                self.places.push(Ok((file, game)));
                self.games.push(stored);
            }
            Err(rejection) => self.places.push(Err(rejection)),
        }
        if self.places.len() >= BATCH {
            self.flush()?;
        }
        if self.waiting >= FOLD {
            self.fold();
        }
        Ok(())
    }

    /// Stores the rest.
    pub(super) fn finish(mut self) -> Result<Totals, StorageError> {
        self.flush()?;
        self.fold();
        Ok(self.totals)
    }

    fn flush(&mut self) -> Result<(), StorageError> {
        let stored = if self.games.is_empty() {
            Vec::new()
        } else {
            write(self.database, &self.games)?
        };
        self.games.clear();
        let mut stored = stored.into_iter();
        for place in self.places.drain(..) {
            let outcome = match place {
                Err(rejection) => Outcome::Rejected(rejection),
                Ok((file, game)) => match stored.next() {
                    Some(Import::New(id)) => {
                        self.waiting += 1;
                        Outcome::Imported { file, game, id }
                    }
                    Some(Import::Known(id)) => Outcome::Duplicate { file, game, id },
                    None => return Err(StorageError::Conflict),
                },
            };
            self.totals.count(&outcome);
            (self.tell)(outcome);
        }
        Ok(())
    }

    /// Folds the new games into the statistics, which are complete without it too, and slower. So a fault here
    /// is none of the import: a server does the rest within the hour.
    fn fold(&mut self) {
        if self.waiting == 0 {
            return;
        }
        self.waiting = 0;
        loop {
            match facts::fold(self.database, FOLD) {
                Ok(folded) if folded.more => {}
                Ok(_) => return,
                Err(fault) => {
                    let error = &fault as &dyn std::error::Error;
                    tracing::warn!(error, "the statistics of imported games were not folded");
                    return;
                }
            }
        }
    }
}

/// Stores games as one. When another import has stored one of them meanwhile, or a player of one, it is found
/// the next time.
fn write(database: &Database, games: &[RecordedGame]) -> Result<Vec<Import>, StorageError> {
    let mut attempt = 1;
    loop {
        match database.write(|conn| games::import(conn, games)) {
            Err(StorageError::Duplicate(_)) if attempt < ATTEMPTS => attempt += 1,
            outcome => return outcome,
        }
    }
}
