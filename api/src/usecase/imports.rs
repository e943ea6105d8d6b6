//! Imports of recorded games that players ask for over HTTP.

use std::fs::File;
use std::io::{self, Read};
use std::num::NonZero;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

use domain::Timestamp;
use storage::imports::{self as stored, Import, ImportStatus};
use storage::{Connection, Database, ImportId, PlayerId};
use thiserror::Error;
use tokio::sync::watch;

use super::accounts::require_active;
use super::once::{Keyed, once};
use crate::http::idempotency::Idempotency;
use crate::imports::{self, Bounds, ImportError, Names, NamesError, Outcome, Totals};
use crate::problem::ApiError;
use crate::recorded::Documents;
use crate::state::AppState;
use crate::wire::import::RejectedGame;

/// How many imports a caller may have under way at once on a node: received, waiting or worked on.
pub const EACH: usize = 2;

/// How many games a file may have: some ten times as many as fit into one that is no trick.
const MOST_GAMES: u64 = 1_000_000;

/// How many games that were not taken are told of one by one.
const MOST_TOLD: usize = 1_000;

/// What stands in a report in which nothing is told.
const NOTHING: &str = "[]";

/// A file that was received.
#[derive(Debug)]
pub struct Upload {
    /// What its sender calls it: an archive's files have their day in their name.
    pub name: String,
    /// Whether pseudonyms are stored in the place of names.
    pub hides: bool,
    /// What is in it, from its beginning.
    pub file: File,
}

/// An import that is asked for.
#[derive(Debug)]
pub enum Begun {
    /// It is to be carried out.
    New(Import),
    /// It was asked for before, with the same key.
    Before(Import),
}

/// Why an import failed.
#[derive(Debug, Error)]
enum Fault {
    #[error(transparent)]
    Names(#[from] NamesError),
    #[error(transparent)]
    Import(#[from] ImportError),
    #[error("the server went down")]
    Stopped,
}

/// The import that was begun with a key, if one was: it is asked for before the file is received, and the file
/// is not compared.
///
/// # Errors
/// 422 when the key stands for an import of another name, or by other names of players.
pub fn recall(
    db: &Database,
    owner: PlayerId,
    key: &Idempotency,
    now: Timestamp,
) -> Result<Option<Import>, ApiError> {
    let keyed = Keyed {
        request: key.clone(),
        caller: owner,
        now,
    };
    db.read(|connection| match keyed.made(connection)? {
        Some(id) => Ok(Some(load(connection, owner, ImportId::from_uuid(id))?)),
        None => Ok(None),
    })
}

/// Notes that an import begins, once for a key.
///
/// # Errors
/// As [`recall`]; 401 for an account that was erased meanwhile.
pub fn begin(
    db: &Database,
    owner: PlayerId,
    key: Option<&Idempotency>,
    now: Timestamp,
) -> Result<Begun, ApiError> {
    let import = Import {
        id: ImportId::generate(now),
        status: ImportStatus::Running,
        imported: 0,
        duplicates: 0,
        rejected: 0,
        report: NOTHING.to_owned(),
        created_at: now,
        finished_at: None,
    };
    let create = |connection: &mut Connection| {
        require_active(connection, owner)?;
        stored::create(connection, owner, &import)?;
        Ok((import.id.as_uuid(), Begun::New(import.clone())))
    };
    let recall = |connection: &mut Connection, id| {
        load(connection, owner, ImportId::from_uuid(id)).map(Begun::Before)
    };
    once(db, owner, key, now, create, recall)
}

/// One of a player's imports.
///
/// # Errors
/// `not_found`, also for those of others.
pub fn show(db: &Database, owner: PlayerId, id: ImportId) -> Result<Import, ApiError> {
    db.read(|connection| load(connection, owner, id))
}

fn load(connection: &mut Connection, owner: PlayerId, id: ImportId) -> Result<Import, ApiError> {
    stored::load(connection, owner, id).map_err(|fault| match fault {
        storage::StorageError::NotFound => ApiError::not_found("import"),
        fault => fault.into(),
    })
}

/// An import that waits or is worked on.
pub struct Running {
    owner: PlayerId,
    begun: Import,
    progress: Mutex<Progress>,
}

/// How far it is.
#[derive(Default)]
struct Progress {
    totals: Totals,
    told: Vec<RejectedGame>,
}

impl Running {
    /// One that was begun.
    pub fn new(owner: PlayerId, begun: Import) -> Self {
        Self {
            owner,
            begun,
            progress: Mutex::default(),
        }
    }

    /// Imports the games of a file, and notes what came of them. What fails is in the log; the import is told of
    /// as failed then.
    pub fn carry_out(&self, state: &AppState, upload: Upload) {
        let status = match import(state, self.owner, upload, |outcome| {
            self.progress().count(&outcome);
        }) {
            Ok(()) => ImportStatus::Done,
            Err(fault) => {
                let error = &fault as &dyn std::error::Error;
                tracing::warn!(error, import = %self.begun.id, "an import failed");
                ImportStatus::Failed
            }
        };
        self.end(state, status);
    }

    /// Notes that it came to its end before that of the file.
    pub fn give_up(&self, state: &AppState) {
        self.end(state, ImportStatus::Failed);
    }

    /// Notes how far it is, and that somebody works on it.
    pub fn beat(&self, state: &AppState) {
        let (import, now) = (self.so_far(), state.now());
        let noted = state
            .db
            .write(|connection| stored::advance(connection, self.owner, &import, now));
        self.log(noted);
    }

    fn end(&self, state: &AppState, status: ImportStatus) {
        let ended = Import {
            status,
            finished_at: Some(state.now()),
            ..self.so_far()
        };
        let noted = state
            .db
            .write(|connection| stored::update(connection, self.owner, &ended));
        self.log(noted);
    }

    fn so_far(&self) -> Import {
        let progress = self.progress();
        let Totals {
            imported,
            duplicates,
            rejected,
        } = progress.totals;
        Import {
            imported,
            duplicates,
            rejected,
            report: serde_json::to_string(&progress.told).unwrap_or_else(|_| NOTHING.to_owned()),
            ..self.begun.clone()
        }
    }

    fn progress(&self) -> MutexGuard<'_, Progress> {
        self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What cannot be noted now is noted the next time, or the import is taken for lost.
    fn log(&self, noted: Result<(), storage::StorageError>) {
        if let Err(fault) = noted {
            let error = &fault as &dyn std::error::Error;
            tracing::warn!(error, import = %self.begun.id, "cannot note how far an import is");
        }
    }
}

impl Progress {
    fn count(&mut self, outcome: &Outcome) {
        self.totals.count(outcome);
        if let Outcome::Rejected(rejection) = outcome
            && self.told.len() < MOST_TOLD
        {
            self.told.push(RejectedGame::from(rejection));
        }
    }
}

fn import(
    state: &AppState,
    owner: PlayerId,
    upload: Upload,
    tell: impl FnMut(Outcome),
) -> Result<(), Fault> {
    let names = Names::load(&state.db, upload.hides)?.of_importer(owner);
    let was_cut_off = AtomicBool::new(false);
    let file = UntilStop {
        source: upload.file,
        is_stopping: state.lifecycle.watch(),
    };
    let documents = Documents::of_reader(upload.name, file);
    let documents = documents.take_while(|_| {
        let goes_on = !state.lifecycle.is_stopping();
        was_cut_off.fetch_or(!goes_on, Relaxed);
        goes_on
    });
    let bounds = Bounds {
        // Games that are played need the other half.
        cores: thread::available_parallelism().map_or(1, NonZero::get) / 2,
        games: MOST_GAMES,
    };
    imports::import(&state.db, &*state.clock, &names, bounds, documents, tell)?;
    if was_cut_off.into_inner() {
        return Err(Fault::Stopped);
    }
    Ok(())
}

/// What is read until the server goes down: then nothing more of it is looked at, nor passed over.
struct UntilStop<R> {
    source: R,
    is_stopping: watch::Receiver<bool>,
}

impl<R: Read> Read for UntilStop<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if *self.is_stopping.borrow() {
            return Err(io::Error::other("the server goes down"));
        }
        self.source.read(into)
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Cursor, Write};
    use std::sync::Arc;
    use std::sync::atomic::AtomicUsize;

    use zip::ZipWriter;
    use zip::write::SimpleFileOptions;

    use super::*;
    use crate::recorded::Code;
    use crate::state::Lifecycle;

    /// Of which so much was read, and while which the server begins to go down.
    struct Archive {
        bytes: Cursor<Vec<u8>>,
        lifecycle: Lifecycle,
        read: Arc<AtomicUsize>,
    }

    impl Read for Archive {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            self.lifecycle.stop();
            let count = self.bytes.read(into)?;
            self.read.fetch_add(count, Relaxed);
            Ok(count)
        }
    }

    /// Also where there is nothing in it that is an import's.
    #[test]
    fn an_archive_is_not_passed_over_by_a_server_that_goes_down() {
        let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
        for number in 0..2_000 {
            let name = format!("{number}.png");
            zip.start_file(name, SimpleFileOptions::default()).unwrap();
            zip.write_all(&[0; 500]).unwrap();
        }
        let bytes = zip.finish().unwrap().into_inner();
        let (length, read) = (bytes.len(), Arc::new(AtomicUsize::new(0)));
        let lifecycle = Lifecycle::default();
        let file = UntilStop {
            is_stopping: lifecycle.watch(),
            source: Archive {
                bytes: Cursor::new(bytes),
                lifecycle,
                read: Arc::clone(&read),
            },
        };
        let found: Vec<_> = Documents::of_reader("a.zip", file).collect();
        let [Err(rejection)] = &found[..] else {
            panic!("{found:?}");
        };
        assert_eq!(rejection.code, Code::Unreadable);
        assert!(read.load(Relaxed) < length);
    }
}
