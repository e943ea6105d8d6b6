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
use crate::recorded::{Document, Rejection};

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

/// Imports the games of all documents, with so many cores, and tells `tell` of each, in their order.
///
/// # Errors
/// An [`ImportError`].
pub fn import(
    database: &Database,
    clock: &dyn Clock,
    names: &Names,
    cores: usize,
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
        for _ in 0..cores.max(1) {
            let results = results.clone();
            let work = move || {
                let _closing = Closing(gate);
                replay(queue, &Preparation { names, clock }, &results);
            };
            thread("import-replay").spawn_scoped(scope, work)?;
        }
        drop(results);
        store(done, gate, Store::new(database, tell))
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

/// Stores what comes, in the order of the documents.
fn store(
    done: Receiver<Done>,
    gate: &Gate,
    mut store: Store<'_, impl FnMut(Outcome)>,
) -> Result<Totals, ImportError> {
    let mut early = BTreeMap::new();
    let mut next = 0;
    for one in done {
        early.insert(one.number, one);
        while let Some(Done { bytes, games, .. }) = early.remove(&next) {
            next += 1;
            gate.leave(bytes);
            for game in games {
                store.add(game)?;
            }
        }
    }
    Ok(store.finish()?)
}
