//! What the writer is asked to do.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, SyncSender};

use super::{Decision, Lost};
use crate::connection::Pooled;
use crate::either::DatabaseConnection as Connection;
use crate::error::StorageError;

pub(super) enum Job {
    /// Done by the writer's own thread.
    Task(Box<dyn Task>),
    /// Done by the thread that asked, which gets the connection for so long.
    Loan(Loan),
}

/// A write that the writer's thread does.
pub(super) trait Task: Send {
    /// Does it; says whether it is to be kept.
    fn run(&mut self, connection: &mut Connection) -> bool;
    /// Answers whoever waits.
    fn settle(self: Box<Self>, decision: &Decision);
}

pub(super) struct Change<F, D, T, E> {
    work: F,
    done: D,
    result: Option<Result<T, E>>,
}

impl<F, D, T, E> Change<F, D, T, E> {
    pub(super) const fn new(work: F, done: D) -> Self {
        Self {
            work,
            done,
            result: None,
        }
    }
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

pub(super) struct Loan {
    pub(super) connection: SyncSender<Box<Pooled>>,
    pub(super) returned: Receiver<Returned>,
    pub(super) decided: SyncSender<Decision>,
}

/// A connection that comes back, and whether what was done with it is to be kept.
pub(super) struct Returned {
    pub(super) connection: Box<Pooled>,
    pub(super) keep: bool,
}

/// A connection on loan. It goes back whatever happens to the borrower.
pub(super) struct Borrowed {
    connection: Option<Box<Pooled>>,
    keep: bool,
    back: SyncSender<Returned>,
}

impl Borrowed {
    pub(super) const fn new(connection: Box<Pooled>, back: SyncSender<Returned>) -> Self {
        Self {
            connection: Some(connection),
            keep: false,
            back,
        }
    }

    /// Does `change` with it and gives it back.
    pub(super) fn lend<T, E: From<StorageError>>(
        mut self,
        change: impl FnOnce(&mut Connection) -> Result<T, E>,
    ) -> Result<T, E> {
        let Some(connection) = &mut self.connection else {
            return Err(StorageError::from(Lost::Stopped).into());
        };
        let result = within(|| change(connection.connection()));
        self.keep = result.is_ok();
        result
    }
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
    /// Answers whoever waits.
    pub(super) fn settle(self, decision: &Decision) {
        match self {
            Self::Task(task) => task.settle(decision),
            // Whoever asked waits; were he gone, there would be nobody to tell.
            Self::Loan(loan) => drop(loan.decided.send(decision.clone())),
        }
    }
}

thread_local! {
    /// Whether this thread is within a write.
    static WRITES: Cell<bool> = const { Cell::new(false) };
}

/// Whether this thread is within a write.
pub(super) fn is_within() -> bool {
    WRITES.get()
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
