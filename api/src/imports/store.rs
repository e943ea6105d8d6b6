use std::sync::Arc;

use storage::games::{self, Import, RecordedGame};
use storage::{Database, StorageError, facts};

use super::outcome::{Outcome, Totals};
use super::prepare::{Prepared, Ready};
use crate::recorded::{Code, Rejection};

/// How many games, and rejections between them, are stored at once.
const BATCH: usize = 250;

/// How many bytes of games are stored at once, when it comes to that before: one write is not to stand in the way
/// of moves for long.
const BATCH_BYTES: usize = 4 << 20;

/// A database that takes none of so many games is at fault, and not they.
const MANY: usize = 10;

/// How often a batch is stored anew that another import was in the way of.
const ATTEMPTS: u32 = 4;

/// How many games are folded into the statistics at once.
const FOLD: u32 = 1_000;

/// Stores games, many in one transaction, and tells of them when it is committed.
pub(crate) struct Store<'a, F> {
    database: &'a Database,
    tell: F,
    totals: Totals,
    /// What comes next, in order: the place of a game, or why it was not taken.
    places: Vec<Result<(Arc<str>, u32), Rejection>>,
    /// The games of these.
    games: Vec<RecordedGame>,
    /// How many bytes they have.
    bytes: usize,
    /// How many games wait to be folded.
    waiting: u32,
}

impl<'a, F: FnMut(Outcome)> Store<'a, F> {
    /// A store that has taken nothing yet; `tell` hears what becomes of each game, in order.
    pub(crate) const fn new(database: &'a Database, tell: F) -> Self {
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
            bytes: 0,
            waiting: 0,
        }
    }

    /// Takes what comes next.
    ///
    /// # Errors
    /// When the database fails.
    pub(crate) fn add(&mut self, prepared: Prepared) -> Result<(), StorageError> {
        match prepared {
            Ok(Ready { file, game, stored }) => {
                self.places.push(Ok((file, game)));
                self.bytes += stored.bytes();
                self.games.push(stored);
            }
            Err(rejection) => self.places.push(Err(rejection)),
        }
        if self.places.len() >= BATCH || self.bytes >= BATCH_BYTES {
            self.flush()?;
        }
        if self.waiting >= FOLD {
            self.fold();
        }
        Ok(())
    }

    /// Stores the rest.
    ///
    /// # Errors
    /// When the database fails.
    pub(crate) fn finish(mut self) -> Result<Totals, StorageError> {
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
        self.bytes = 0;
        let mut stored = stored.into_iter();
        for place in self.places.drain(..) {
            let outcome = match place {
                Err(rejection) => Outcome::Rejected(rejection),
                Ok((file, game)) => match stored.next() {
                    Some(Ok(Import::New(id))) => {
                        self.waiting += 1;
                        Outcome::Imported { file, game, id }
                    }
                    Some(Ok(Import::Known(id))) => Outcome::Duplicate { file, game, id },
                    Some(Err(fault)) => Outcome::Rejected(not_taken(file, game, &fault)),
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
        let rounds = self.waiting.div_ceil(FOLD);
        self.waiting = 0;
        // As many as came, whoever else waits: a server folds the rest.
        for _ in 0..rounds {
            if let Err(fault) = facts::fold(self.database, FOLD) {
                let error = &fault as &dyn std::error::Error;
                tracing::warn!(error, "the statistics of imported games were not folded");
                return;
            }
        }
    }
}

/// What became of a game that was written, or why the database does not take it.
type Written = Result<Import, StorageError>;

/// Stores games as one; where the database does not take one of them, each by itself.
fn write(database: &Database, games: &[RecordedGame]) -> Result<Vec<Written>, StorageError> {
    match write_as_one(database, games) {
        Ok(imports) => Ok(imports.into_iter().map(Ok).collect()),
        Err(fault) if !is_of_a_game(&fault) => Err(fault),
        Err(fault) if games.len() == 1 => Ok(vec![Err(fault)]),
        Err(_) => {
            let mut written = Vec::with_capacity(games.len());
            for game in games.chunks(1) {
                written.append(&mut write(database, game)?);
            }
            if games.len() >= MANY && written.iter().all(Result::is_err) {
                written.pop().unwrap_or(Err(StorageError::Conflict))?;
            }
            Ok(written)
        }
    }
}

/// Whether it is what a game says that the database does not take.
const fn is_of_a_game(fault: &StorageError) -> bool {
    matches!(fault, StorageError::Refused(_) | StorageError::Corrupt(_))
}

fn not_taken(file: Arc<str>, game: u32, fault: &StorageError) -> Rejection {
    let error = fault as &dyn std::error::Error;
    tracing::warn!(
        error,
        file = &*file,
        game,
        "the database does not take a game"
    );
    Rejection {
        file,
        game,
        ply: None,
        code: Code::NotStorable,
        detail: "the game has a value that the database does not take".to_owned(),
    }
}

/// Stores games as one. When another import has stored one of them meanwhile, or a player of one, it is found
/// the next time.
fn write_as_one(database: &Database, games: &[RecordedGame]) -> Result<Vec<Import>, StorageError> {
    let mut attempt = 1;
    loop {
        match database.write(|conn| games::import(conn, games)) {
            Err(StorageError::Duplicate(_)) if attempt < ATTEMPTS => attempt += 1,
            outcome => return outcome,
        }
    }
}
