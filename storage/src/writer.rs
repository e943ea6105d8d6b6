//! The one writer of an SQLite file.
//!
//! SQLite lets one connection write at a time, and a commit waits for the disk. So all writes go
//! through one thread: whatever has queued up while the last commit waited for the disk becomes one
//! transaction, with a savepoint for each write, so that a write that is refused harms none beside it.
//! Nobody is answered before the commit that decides his write, not even who was refused: what he was
//! refused for may be in that transaction too.

mod job;
mod worker;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{SyncSender, TrySendError, sync_channel};
use std::thread::{self, JoinHandle};

use diesel::result::Error as QueryError;

use self::job::{Borrowed, Change, Job, Loan, is_within};
use self::worker::Worker;
use crate::either::DatabaseConnection as Connection;
use crate::error::{Outage, StorageError};
use crate::url::DatabaseUrl;

/// How many writes may wait. At thousands a second that is a fraction of one.
const QUEUE: usize = 1_024;

/// The way to the thread that writes. The thread ends with the last way to it.
pub(crate) struct Writer {
    queue: Option<SyncSender<Job>>,
    thread: Option<JoinHandle<()>>,
    figures: Arc<Figures>,
}

/// How much was written since the start.
#[derive(Debug, Default)]
struct Figures {
    writes: AtomicU64,
    commits: AtomicU64,
}

/// How much the writer of an SQLite file has written since the start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WriterFigures {
    /// Writes that were decided.
    pub writes: u64,
    /// Transactions that made them durable, each with a sync of its own: those that changed anything.
    pub commits: u64,
}

/// What became of a group of writes: all are durable, or none was made.
type Decision = Result<(), Lost>;

/// Why a write was not made.
#[derive(Debug, Clone)]
enum Lost {
    /// Too many wait already.
    Full,
    /// The writer is no more.
    Stopped,
    /// It was asked for within another write, which it would wait for for ever.
    Nested,
    /// One of its statements was refused, and it went on all the same.
    Refused,
    /// The database failed.
    Fault(Arc<QueryError>),
}

impl From<Lost> for StorageError {
    fn from(lost: Lost) -> Self {
        Self::Unavailable(match lost {
            Lost::Refused => return Self::Refused(QueryError::RollbackTransaction),
            Lost::Full => Outage::Queue,
            Lost::Nested => Outage::Nested,
            Lost::Stopped => Outage::Stopped,
            Lost::Fault(fault) => Outage::Group(fault),
        })
    }
}

impl From<QueryError> for Lost {
    fn from(fault: QueryError) -> Self {
        Self::Fault(Arc::new(fault))
    }
}

impl Writer {
    /// Opens the file for writing, on a thread of its own.
    ///
    /// # Errors
    /// When the file cannot be opened, or the system gives no thread.
    pub(crate) fn start(url: &DatabaseUrl) -> Result<Self, Outage> {
        let (queue, jobs) = sync_channel(QUEUE);
        let figures = Arc::new(Figures::default());
        let worker = Worker::open(url, jobs, Arc::clone(&figures))?;
        let thread = thread::Builder::new().name("writer".to_owned());
        let thread = thread
            .spawn(move || worker.work())
            .map_err(Outage::Thread)?;
        Ok(Self {
            queue: Some(queue),
            thread: Some(thread),
            figures,
        })
    }

    /// Writes on the thread that calls, and waits for the commit.
    pub(crate) fn write<T, E: From<StorageError>>(
        &self,
        change: impl FnOnce(&mut Connection) -> Result<T, E>,
    ) -> Result<T, E> {
        if is_within() {
            return Err(unmade(Lost::Nested));
        }
        let (connection, lent) = sync_channel(1);
        let (back, returned) = sync_channel(1);
        let (decided, decision) = sync_channel(1);
        let loan = Job::Loan(Loan {
            connection,
            returned,
            decided,
        });
        self.enqueue(loan).map_err(|(_, lost)| unmade(lost))?;
        let decision = || decision.recv().unwrap_or(Err(Lost::Stopped));
        let Ok(connection) = lent.recv() else {
            // It could not begin; the decision says why.
            return Err(unmade(decision().err().unwrap_or(Lost::Stopped)));
        };
        let result = Borrowed::new(connection, back).lend(change);
        match decision() {
            Ok(()) => result,
            Err(lost) => Err(unmade(lost)),
        }
    }

    /// Has the writer's thread write, and `done` called there once that is committed, or refused, or
    /// lost; here and at once when too much waits already.
    pub(crate) fn submit<T, E>(
        &self,
        change: impl FnMut(&mut Connection) -> Result<T, E> + Send + 'static,
        done: impl FnOnce(Result<T, E>) + Send + 'static,
    ) where
        T: Send + 'static,
        E: From<StorageError> + Send + 'static,
    {
        let task = Job::Task(Box::new(Change::new(change, done)));
        if let Err((job, lost)) = self.enqueue(task) {
            job.settle(&Err(lost));
        }
    }

    fn enqueue(&self, job: Job) -> Result<(), (Job, Lost)> {
        let Some(queue) = &self.queue else {
            return Err((job, Lost::Stopped));
        };
        queue.try_send(job).map_err(|refused| match refused {
            TrySendError::Full(job) => (job, Lost::Full),
            TrySendError::Disconnected(job) => (job, Lost::Stopped),
        })
    }

    /// How much was written since the start.
    pub(crate) fn figures(&self) -> WriterFigures {
        WriterFigures {
            writes: self.figures.writes.load(Ordering::Relaxed),
            commits: self.figures.commits.load(Ordering::Relaxed),
        }
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        drop(self.queue.take());
        let Some(thread) = self.thread.take() else {
            return;
        };
        // What the thread did last may have held the last way to it.
        if thread.thread().id() != thread::current().id() && thread.join().is_err() {
            tracing::error!("the writer panicked");
        }
    }
}

fn unmade<E: From<StorageError>>(lost: Lost) -> E {
    StorageError::from(lost).into()
}
