//! Imports of recorded games that players ask for over HTTP.

use std::fs::File;
use std::io::BufReader;
use std::num::NonZero;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;

use domain::Timestamp;
use storage::imports::{self as stored, Import, ImportStatus};
use storage::{Database, ImportId, PlayerId};
use thiserror::Error;

use crate::imports::{self, ImportError, Names, NamesError, Outcome, Totals};
use crate::problem::ApiError;
use crate::recorded::Documents;
use crate::state::AppState;
use crate::wire::import::RejectedGame;

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

/// Notes that an import begins.
///
/// # Errors
/// When the database fails.
pub fn begin(db: &Database, owner: PlayerId, now: Timestamp) -> Result<Import, ApiError> {
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
    db.write(|connection| stored::create(connection, owner, &import))?;
    Ok(import)
}

/// One of a player's imports.
///
/// # Errors
/// `not_found`, also for those of others.
pub fn show(db: &Database, owner: PlayerId, id: ImportId) -> Result<Import, ApiError> {
    db.read(|connection| stored::load(connection, owner, id))
        .map_err(|fault| match fault {
            storage::StorageError::NotFound => ApiError::not_found("import"),
            fault => fault.into(),
        })
}

/// Imports the games of a file, and notes what came of them. What fails is in the log; the import is told of
/// as failed then.
pub fn carry_out(state: &AppState, owner: PlayerId, begun: &Import, upload: Upload) {
    let mut totals = Totals::default();
    let mut told = Vec::new();
    let outcome = import(state, upload, |outcome| {
        totals.count(&outcome);
        if let Outcome::Rejected(rejection) = &outcome
            && told.len() < MOST_TOLD
        {
            told.push(RejectedGame::from(rejection));
        }
    });
    let status = match outcome {
        Ok(()) => ImportStatus::Done,
        Err(fault) => {
            let error = &fault as &dyn std::error::Error;
            tracing::warn!(error, import = %begun.id, "an import failed");
            ImportStatus::Failed
        }
    };
    let ended = Import {
        status,
        imported: totals.imported,
        duplicates: totals.duplicates,
        rejected: totals.rejected,
        report: serde_json::to_string(&told).unwrap_or_else(|_| NOTHING.to_owned()),
        finished_at: Some(state.now()),
        ..*begun
    };
    note(state, owner, &ended);
}

/// Notes that an import came to nothing.
pub fn give_up(state: &AppState, owner: PlayerId, begun: Import) {
    let ended = Import {
        status: ImportStatus::Failed,
        finished_at: Some(state.now()),
        ..begun
    };
    note(state, owner, &ended);
}

fn note(state: &AppState, owner: PlayerId, ended: &Import) {
    let noted = state
        .db
        .write(|connection| stored::update(connection, owner, ended));
    if let Err(fault) = noted {
        // It is taken for lost when it is old.
        let error = &fault as &dyn std::error::Error;
        tracing::warn!(error, import = %ended.id, "cannot note what came of an import");
    }
}

fn import(state: &AppState, upload: Upload, tell: impl FnMut(Outcome)) -> Result<(), Fault> {
    let names = Names::load(&state.db, upload.hides)?;
    let was_cut_off = AtomicBool::new(false);
    let documents = Documents::of_reader(upload.name, BufReader::new(upload.file));
    let documents = documents.take_while(|_| {
        let goes_on = !state.lifecycle.is_stopping();
        was_cut_off.fetch_or(!goes_on, Relaxed);
        goes_on
    });
    // Games that are played need the other half.
    let cores = thread::available_parallelism().map_or(1, NonZero::get) / 2;
    imports::import(&state.db, &*state.clock, &names, cores, documents, tell)?;
    if was_cut_off.into_inner() {
        return Err(Fault::Stopped);
    }
    Ok(())
}
