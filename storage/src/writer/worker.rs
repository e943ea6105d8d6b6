//! The thread that writes.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::Receiver;

use diesel::ConnectionResult;
use diesel::result::{DatabaseErrorKind, Error as QueryError};

use super::job::Job;
use super::{Decision, Figures, Lost};
use crate::checkpoint::Checkpoints;
use crate::connection::{Pooled, Role};
use crate::either::DatabaseConnection as Connection;
use crate::error::Outage;
use crate::url::DatabaseUrl;

/// How many writes are committed together at the most, so that the first need not wait for long.
const GROUP: usize = 256;

/// The thread that writes.
pub(super) struct Worker {
    url: DatabaseUrl,
    /// `None` after it was lost, until it can be opened again.
    connection: Option<Box<Pooled>>,
    jobs: Receiver<Job>,
    /// How many rows the connection has changed.
    changes: i64,
    checkpoints: Checkpoints,
    figures: Arc<Figures>,
}

/// Writes that are decided together, each with a fault of its own if it has one.
type Group = Vec<(Job, Decision)>;

impl Worker {
    /// Opens the file, and what carries its journal over.
    ///
    /// # Errors
    /// When the file cannot be opened, or the system gives no thread.
    pub(super) fn open(
        url: &DatabaseUrl,
        jobs: Receiver<Job>,
        figures: Arc<Figures>,
    ) -> Result<Self, Outage> {
        // The writer comes first: it makes the journal.
        let connection = Some(open(url)?);
        Ok(Self {
            url: url.clone(),
            connection,
            jobs,
            changes: 0,
            checkpoints: Checkpoints::start(url)?,
            figures,
        })
    }

    pub(super) fn work(mut self) {
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
        if decision.is_err() {
            // Whatever state it is in, the next group begins on a fresh one.
            self.connection = None;
            self.changes = 0;
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
        self.commit()
    }

    /// Commits. Where nothing was changed there is nothing to sync, and nothing is counted.
    fn commit(&mut self) -> Decision {
        let connection = self.connection.as_mut().ok_or(Lost::Stopped)?;
        let changes = connection.changes()?;
        connection.commit()?;
        if changes != self.changes {
            self.changes = changes;
            self.figures.commits.fetch_add(1, Ordering::Relaxed);
        }
        Ok(())
    }

    fn begin(&mut self) -> Decision {
        let mut connection = match self.connection.take() {
            Some(connection) => connection,
            None => open(&self.url).map_err(|error| {
                Lost::from(QueryError::DatabaseError(
                    DatabaseErrorKind::UnableToSendCommand,
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

fn open(url: &DatabaseUrl) -> ConnectionResult<Box<Pooled>> {
    Connection::open(url, Role::Write).map(|connection| Box::new(Pooled::new(connection)))
}
