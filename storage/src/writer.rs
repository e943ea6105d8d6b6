//! The one writer of an SQLite file.
//!
//! SQLite lets one connection write at a time, and a commit waits for the disk. So all writes go
//! through one thread: whatever has queued up while the last commit waited for the disk becomes one
//! transaction, with a savepoint for each write, so that a write that is refused harms none beside it.
//! Nobody is answered before the commit that decides his write, not even who was refused: what he was
//! refused for may be in that transaction too.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::thread::{self, JoinHandle};

use diesel::ConnectionResult;
use diesel::result::Error as QueryError;

use crate::checkpoint::Checkpoints;
use crate::connection::{Pooled, Role};
use crate::either::DatabaseConnection as Connection;
use crate::error::{Outage, StorageError};
use crate::url::DatabaseUrl;

/// How many writes may wait. At thousands a second that is a fraction of one.
const QUEUE: usize = 1_024;
/// How many writes are committed together at the most, so that the first need not wait for long.
const GROUP: usize = 256;

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
    /// Transactions that made them durable, each with a sync of its own.
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

thread_local! {
    /// Whether this thread is within a write.
    static WRITES: Cell<bool> = const { Cell::new(false) };
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

enum Job {
    /// Done by the writer's own thread.
    Task(Box<dyn Task>),
    /// Done by the thread that asked, which gets the connection for so long.
    Loan(Loan),
}

/// A write that the writer's thread does.
trait Task: Send {
    /// Does it; says whether it is to be kept.
    fn run(&mut self, connection: &mut Connection) -> bool;
    /// Answers whoever waits.
    fn settle(self: Box<Self>, decision: &Decision);
}

struct Change<F, D, T, E> {
    work: F,
    done: D,
    result: Option<Result<T, E>>,
}

impl<F, D, T, E> Task for Change<F, D, T, E>
where
    F: FnMut(&mut Connection) -> Result<T, E> + Send,
    D: FnOnce(Result<T, E>) + Send,
    T: Send,
    E: From<StorageError> + Send,
{
    fn run(&mut self, connection: &mut Connection) -> bool {
        // Whoever waits for a write that panicked sees that nobody answers.
        let work = AssertUnwindSafe(|| within(|| (self.work)(connection)));
        self.result = catch_unwind(work).ok();
        matches!(self.result, Some(Ok(_)))
    }

    fn settle(self: Box<Self>, decision: &Decision) {
        match (decision, self.result) {
            (Err(lost), _) => (self.done)(Err(StorageError::from(lost.clone()).into())),
            (Ok(()), Some(result)) => (self.done)(result),
            (Ok(()), None) => {}
        }
    }
}

struct Loan {
    connection: SyncSender<Box<Pooled>>,
    returned: Receiver<Returned>,
    decided: SyncSender<Decision>,
}

/// A connection that comes back, and whether what was done with it is to be kept.
struct Returned {
    connection: Box<Pooled>,
    keep: bool,
}

/// A connection on loan. It goes back whatever happens to the borrower.
struct Borrowed {
    connection: Option<Box<Pooled>>,
    keep: bool,
    back: SyncSender<Returned>,
}

impl Drop for Borrowed {
    fn drop(&mut self) {
        if let Some(connection) = self.connection.take() {
            let keep = self.keep;
            // The writer waits for it; were it gone, there would be nothing to give back to.
            let _gone = self.back.send(Returned { connection, keep });
        }
    }
}

impl Job {
    fn settle(self, decision: &Decision) {
        match self {
            Self::Task(task) => task.settle(decision),
            // Whoever asked waits; were he gone, there would be nobody to tell.
            Self::Loan(loan) => drop(loan.decided.send(decision.clone())),
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

/// The thread that writes.
struct Worker {
    url: DatabaseUrl,
    /// `None` after it was lost, until it can be opened again.
    connection: Option<Box<Pooled>>,
    jobs: Receiver<Job>,
    checkpoints: Checkpoints,
    figures: Arc<Figures>,
}

/// Writes that are decided together, each with a fault of its own if it has one.
type Group = Vec<(Job, Decision)>;

impl Worker {
    fn work(mut self) {
        while let Ok(job) = self.jobs.recv() {
            self.group(job);
        }
    }

    /// Does a write and all that wait behind it as one transaction, and answers them.
    fn group(&mut self, first: Job) {
        let mut group = Vec::new();
        let decision = self.decide(first, &mut group);
        let writes = group.len() as u64;
        self.figures.writes.fetch_add(writes, Ordering::Relaxed);
        if decision.is_ok() {
            self.figures.commits.fetch_add(1, Ordering::Relaxed);
        } else {
            // Whatever state it is in, the next group begins on a fresh one.
            self.connection = None;
            self.checkpoints.after_loss();
        }
        if let Err(Lost::Fault(fault)) = &decision {
            tracing::warn!(%fault, writes, "a group of writes was lost");
        }
        for (job, own) in group {
            job.settle(if own.is_ok() { &decision } else { &own });
        }
        if decision.is_ok() {
            self.checkpoints
                .after(writes, self.connection.as_deref_mut());
        }
    }

    fn decide(&mut self, first: Job, group: &mut Group) -> Decision {
        if let Err(lost) = self.begin() {
            group.push((first, Ok(())));
            return Err(lost);
        }
        let mut next = Some(first);
        while let Some(mut job) = next {
            let outcome = self.run(&mut job);
            group.push((job, outcome.clone().unwrap_or(Ok(()))));
            // A fault of its own is no fault of the group.
            let _own = outcome?;
            next = if group.len() < GROUP {
                self.jobs.try_recv().ok()
            } else {
                None
            };
        }
        let connection = self.connection.as_mut().ok_or(Lost::Stopped)?;
        Ok(connection.commit()?)
    }

    fn begin(&mut self) -> Decision {
        let mut connection = match self.connection.take() {
            Some(connection) => connection,
            None => open(&self.url).map_err(|error| {
                Lost::from(QueryError::DatabaseError(
                    diesel::result::DatabaseErrorKind::UnableToSendCommand,
                    Box::new(error.to_string()),
                ))
            })?,
        };
        connection.begin(Role::Write)?;
        self.connection = Some(connection);
        Ok(())
    }

    /// Does one write within a savepoint, and undoes it if it is not to be kept. Gives its own fault
    /// where it has one; fails when the whole group is lost.
    fn run(&mut self, job: &mut Job) -> Result<Decision, Lost> {
        let mut connection = self.connection.take().ok_or(Lost::Stopped)?;
        connection.savepoint()?;
        let (mut connection, keep) = match job {
            Job::Task(task) => {
                let keep = task.run(connection.connection());
                (connection, keep)
            }
            Job::Loan(loan) => match loan.connection.send(connection) {
                Ok(()) => {
                    let returned = loan.returned.recv().map_err(|_| Lost::Stopped)?;
                    (returned.connection, returned.keep)
                }
                Err(unclaimed) => (unclaimed.0, false),
            },
        };
        let refused = keep && connection.has_refused();
        if keep && !refused {
            connection.release()?;
        } else {
            connection.undo()?;
        }
        self.connection = Some(connection);
        Ok(if refused { Err(Lost::Refused) } else { Ok(()) })
    }
}

/// Does `change` while this thread is known to be within a write.
fn within<T>(change: impl FnOnce() -> T) -> T {
    struct Left;
    impl Drop for Left {
        fn drop(&mut self) {
            WRITES.set(false);
        }
    }
    let _left = Left;
    WRITES.set(true);
    change()
}

fn open(url: &DatabaseUrl) -> ConnectionResult<Box<Pooled>> {
    Connection::open(url, Role::Write).map(|connection| Box::new(Pooled::new(connection)))
}

fn unmade<E: From<StorageError>>(lost: Lost) -> E {
    StorageError::from(lost).into()
}

impl Writer {
    /// Opens the file for writing, on a thread of its own.
    ///
    /// # Errors
    /// When the file cannot be opened, or the system gives no thread.
    pub(crate) fn start(url: &DatabaseUrl) -> Result<Self, Outage> {
        let connection = open(url)?;
        let checkpoints = Checkpoints::start(url)?;
        let (queue, jobs) = sync_channel(QUEUE);
        let figures = Arc::new(Figures::default());
        let worker = Worker {
            url: url.clone(),
            connection: Some(connection),
            jobs,
            checkpoints,
            figures: Arc::clone(&figures),
        };
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
        if WRITES.get() {
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
        let mut borrowed = Borrowed {
            connection: Some(connection),
            keep: false,
            back,
        };
        let Some(connection) = &mut borrowed.connection else {
            return Err(unmade(Lost::Stopped));
        };
        let result = within(|| change(connection.connection()));
        borrowed.keep = result.is_ok();
        drop(borrowed);
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
        let task = Job::Task(Box::new(Change {
            work: change,
            done,
            result: None,
        }));
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
