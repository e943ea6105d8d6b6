//! Games of others, brought into the database: read, replayed and stored side by side, and told of one by one
//! in the order in which they were found.
//!
//! A thread reads [`Documents`](crate::recorded::Documents), as many threads as cores are given replay what
//! is in them, and the one that called stores the games, many at once. A gate bounds what is on its way, so
//! that memory does not grow with an archive. Each game is stored whole or not at all, and one that is there
//! already stays as it is: so an import that was cut off is begun anew. Simulations store their games in the
//! same way, by `Preparation` and `Store`.

mod gate;
mod names;
mod outcome;
mod prepare;
mod store;

use std::collections::BTreeMap;
use std::io;
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Mutex, PoisonError};
use std::thread;

use storage::{Database, StorageError};
use thiserror::Error;

use self::gate::{Closing, Gate};
use self::prepare::Prepared;
use crate::clock::Clock;
use crate::recorded::{Code, Document, Rejection};

pub use names::{Names, NamesError};
pub use outcome::{Outcome, Totals};
pub(crate) use prepare::Preparation;
pub(crate) use store::Store;

/// Why an import came to its end before that of the documents. What was told of before stands.
#[derive(Debug, Error)]
pub enum ImportError {
    /// The database does not take the games.
    #[error(transparent)]
    Storage(#[from] StorageError),
    /// The system gave no thread.
    #[error("no thread to import with: {0}")]
    Thread(#[from] io::Error),
}

/// What an import may take.
#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    /// How many threads replay.
    pub cores: usize,
    /// How many games it may have, those counted that are not taken.
    pub games: u64,
}

/// A document, or what stands in its place.
type Item = Result<Document, Rejection>;

/// A document, and which one it is.
struct Task {
    number: u64,
    item: Item,
}

/// What came of a document.
struct Done {
    number: u64,
    /// How many bytes it had.
    bytes: usize,
    games: Vec<Prepared>,
}

/// Imports the games of all documents, and tells `tell` of each, in their order; of the first that is too many,
/// that what follows is not read.
///
/// # Errors
/// An [`ImportError`].
pub fn import(
    database: &Database,
    clock: &dyn Clock,
    names: &Names,
    bounds: Bounds,
    documents: impl Iterator<Item = Item> + Send,
    tell: impl FnMut(Outcome),
) -> Result<Totals, ImportError> {
    let gate = Gate::default();
    let gate = &gate;
    let (tasks, queue) = mpsc::channel();
    let (results, done) = mpsc::channel();
    let queue = Mutex::new(queue);
    let queue = &queue;
    thread::scope(|scope| {
        let _closing = Closing(gate);
        let thread = |name: &str| thread::Builder::new().name(name.to_owned());
        thread("import-read").spawn_scoped(scope, move || read(documents, gate, &tasks))?;
        for _ in 0..bounds.cores.max(1) {
            let results = results.clone();
            let work = move || {
                let _closing = Closing(gate);
                replay(queue, &Preparation { names, clock }, &results);
            };
            thread("import-replay").spawn_scoped(scope, work)?;
        }
        drop(results);
        store(done, gate, bounds.games, Store::new(database, tell))
    })
}

/// Hands out documents, as many as may be on their way.
fn read(documents: impl Iterator<Item = Item>, gate: &Gate, tasks: &Sender<Task>) {
    for (number, item) in (0..).zip(documents) {
        let bytes = item.as_ref().map_or(0, |document| document.bytes.len());
        if !gate.enter(bytes) || tasks.send(Task { number, item }).is_err() {
            return;
        }
    }
}

/// Replays documents until there are no more.
fn replay(queue: &Mutex<Receiver<Task>>, preparation: &Preparation<'_>, results: &Sender<Done>) {
    // One waits for the next document, the others for his place.
    let next = || {
        let queue = queue.lock().unwrap_or_else(PoisonError::into_inner);
        queue.recv().ok()
    };
    while let Some(Task { number, item }) = next() {
        let bytes = item.as_ref().map_or(0, |document| document.bytes.len());
        let games = match item {
            Ok(document) => preparation.games(&document),
            Err(rejection) => vec![Err(rejection)],
        };
        let done = Done {
            number,
            bytes,
            games,
        };
        if results.send(done).is_err() {
            return;
        }
    }
}

/// Stores what comes, in the order of the documents, up to so many games.
fn store(
    done: Receiver<Done>,
    gate: &Gate,
    most: u64,
    mut store: Store<'_, impl FnMut(Outcome)>,
) -> Result<Totals, ImportError> {
    let mut early = BTreeMap::new();
    let mut next = 0;
    let mut left = most;
    for one in done {
        early.insert(one.number, one);
        while let Some(Done { bytes, games, .. }) = early.remove(&next) {
            next += 1;
            gate.leave(bytes);
            for game in games {
                if left == 0 {
                    store.add(Err(too_many(game, most)))?;
                    return Ok(store.finish()?);
                }
                left -= 1;
                store.add(game)?;
            }
        }
    }
    Ok(store.finish()?)
}

/// What is told of the first game that is too many.
fn too_many(game: Prepared, most: u64) -> Rejection {
    let (file, game) = match game {
        Ok(ready) => (ready.file, ready.game),
        Err(rejection) => (rejection.file, rejection.game),
    };
    Rejection {
        file,
        game,
        ply: None,
        code: Code::TooLarge,
        detail: format!("an import has at most {most} games: what follows is not read"),
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use storage::PoolOptions;

    use super::*;
    use crate::clock::SystemClock;
    use crate::recorded::Documents;

    /// However the games lie: a line each, or many in a document.
    #[test]
    fn an_import_has_so_many_games() {
        let folder = tempfile::tempdir().unwrap();
        let url = format!("sqlite://{}/reveille.db", folder.path().display());
        let database = Database::open(&url, &PoolOptions::default()).unwrap();
        database.migrate().unwrap();
        let names = Names::load(&database, false).unwrap();
        let lines = "{}\n".repeat(9);
        let one = format!("<stratego>{}</stratego>", "<game/>".repeat(9));
        for text in [lines, one] {
            for (games, rejected) in [(9, 9), (4, 5)] {
                let documents = Documents::of_reader("a", Cursor::new(text.clone()));
                let bounds = Bounds { cores: 2, games };
                let mut last = None;
                let tell = |outcome| last = Some(outcome);
                let totals = import(&database, &SystemClock, &names, bounds, documents, tell);
                assert_eq!(totals.unwrap().rejected, rejected);
                let Some(Outcome::Rejected(last)) = last else {
                    panic!("{last:?}");
                };
                assert_eq!(u64::from(last.game), rejected);
                assert_eq!(last.code == Code::TooLarge, games == 4, "{last:?}");
            }
        }
    }
}
