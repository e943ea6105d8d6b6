//! Makes moves on PostgreSQL, those that come at once together.
//!
//! A move by itself costs a round trip, a transaction and a wait for the disk. So moves queue for a few
//! threads, and whatever has come while all were busy becomes one statement. Each move in it has a
//! guard of its own, so that one that comes too late harms none beside it.

use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};

use diesel::r2d2::Pool;

use crate::connection::Manager;
use crate::database::each_statement_by_itself;
use crate::either::DatabaseConnection as Connection;
use crate::error::{Outage, StorageError};
use crate::games::{Step, StoredGame, make};

/// How many moves may wait. At thousands a second that is a fraction of one.
const QUEUE: usize = 1_024;
/// How many moves are made together at the most, so that the first need not wait for long.
const GROUP: usize = 64;
/// How many statements are under way at once.
const THREADS: usize = 3;

/// The way to the threads that make moves. They end with the last way to them.
pub(crate) struct Mover {
    queue: Option<SyncSender<Job>>,
    threads: Vec<JoinHandle<()>>,
}

/// A move, and who waits for it.
struct Job {
    step: Step,
    done: Box<dyn FnOnce(Outcome) + Send>,
}

/// The game after the move, once that is on disk.
type Outcome = Result<Arc<StoredGame>, StorageError>;

impl Mover {
    /// Starts the threads.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub(crate) fn start(connections: &Pool<Manager>) -> Result<Self, Outage> {
        let (queue, jobs) = sync_channel(QUEUE);
        let jobs = Arc::new(Mutex::new(jobs));
        let spawn = |_| {
            let (connections, jobs) = (connections.clone(), Arc::clone(&jobs));
            thread::Builder::new()
                .name("moves".to_owned())
                .spawn(move || {
                    while let Some(group) = next(&jobs) {
                        settle(&connections, group);
                    }
                })
                .map_err(Outage::Thread)
        };
        Ok(Self {
            threads: (0..THREADS).map(spawn).collect::<Result<_, _>>()?,
            queue: Some(queue),
        })
    }

    /// Has a move made, and `done` called on one of the threads once it is on disk, or refused; here
    /// and at once when too many wait already.
    pub(crate) fn submit(&self, step: Step, done: impl FnOnce(Outcome) + Send + 'static) {
        let job = Job {
            step,
            done: Box::new(done),
        };
        let Some(queue) = &self.queue else { return };
        match queue.try_send(job) {
            Ok(()) => {}
            Err(TrySendError::Full(job)) => job.fail(Outage::Queue),
            Err(TrySendError::Disconnected(job)) => job.fail(Outage::Stopped),
        }
    }
}

impl Drop for Mover {
    fn drop(&mut self) {
        drop(self.queue.take());
        for thread in self.threads.drain(..) {
            // What a thread did last may have held the last way to it.
            if thread.thread().id() != thread::current().id() && thread.join().is_err() {
                tracing::error!("a thread that makes moves panicked");
            }
        }
    }
}

impl Job {
    fn fail(self, outage: Outage) {
        (self.done)(Err(StorageError::Unavailable(outage)));
    }
}

/// A move and all that wait behind it; `None` when there will be no more.
fn next(jobs: &Mutex<Receiver<Job>>) -> Option<Vec<Job>> {
    let jobs = jobs.lock().ok()?;
    let mut group = vec![jobs.recv().ok()?];
    while group.len() < GROUP
        && let Ok(job) = jobs.try_recv()
    {
        group.push(job);
    }
    // Two groups that share games lock them in the same order.
    group.sort_unstable_by_key(|job| job.step.game());
    Some(group)
}

/// Makes a group of moves, and answers whoever waits for them.
fn settle(connections: &Pool<Manager>, mut group: Vec<Job>) {
    match make_together(connections, &group) {
        Ok(made) => {
            for (job, made) in group.into_iter().zip(made) {
                (job.done)(if made {
                    Ok(Arc::new(job.step.into_after()))
                } else {
                    Err(StorageError::Conflict)
                });
            }
        }
        Err(StorageError::Unavailable(outage)) => {
            let outage = Arc::new(outage);
            for job in group {
                job.fail(Outage::Together(Arc::clone(&outage)));
            }
        }
        Err(fault) => match group.pop() {
            Some(job) if group.is_empty() => (job.done)(Err(fault)),
            last => {
                // Which of them it is about shows when each is made by itself.
                for job in group.into_iter().chain(last) {
                    settle(connections, vec![job]);
                }
            }
        },
    }
}

fn make_together(connections: &Pool<Manager>, group: &[Job]) -> Result<Vec<bool>, StorageError> {
    let steps: Vec<&Step> = group.iter().map(|job| &job.step).collect();
    each_statement_by_itself(connections, |connection| match connection {
        Connection::Postgres(connection) => make(connection, &steps),
        Connection::Sqlite(_) => Err(StorageError::Conflict),
    })
}
