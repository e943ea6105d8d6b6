//! Carries what the journal of an SQLite file holds over into the file, beside the writer.
//!
//! A commit would do it by itself now and then, and all writes would wait for it. Here another
//! connection does the work, which neither waits for anyone nor makes anyone wait; the writer itself
//! only carries over the few last pages when the journal has grown long, so that the journal can begin
//! anew.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{self, JoinHandle};

use diesel::prelude::*;
use diesel::sql_types::Integer;

use crate::connection::{Pooled, Role};
use crate::either::DatabaseConnection as Connection;
use crate::error::Outage;
use crate::url::DatabaseUrl;

/// After how many writes, or commits, the journal is carried over. Writes that are committed together
/// share pages, so that lone ones make the journal longer: it is not to fill a small disk.
const WRITES: u64 = 1_000;
const COMMITS: u64 = 150;
/// From how many pages on the writer lets the journal begin anew: 64 MiB.
const LONG: i32 = 16_384;

/// Tells the thread that carries over when there is enough to do. The thread ends with
/// this.
pub(crate) struct Checkpoints {
    wake: Option<SyncSender<()>>,
    thread: Option<JoinHandle<()>>,
    /// How many pages the journal had when it was last looked at.
    pages: Arc<AtomicI32>,
    /// Whether it was asked for and has not been done: it is tried again after the next commit.
    is_due: Arc<AtomicBool>,
    writes: u64,
    commits: u64,
}

#[derive(QueryableByName)]
struct Checkpoint {
    #[diesel(sql_type = Integer)]
    log: i32,
}

impl Checkpoints {
    pub(crate) fn start(url: &DatabaseUrl) -> Result<Self, Outage> {
        let connection = Connection::open(url, Role::Checkpoint)?;
        let (wake, woken) = sync_channel(1);
        let pages = Arc::new(AtomicI32::new(0));
        let is_due = Arc::new(AtomicBool::new(false));
        let (seen, due) = (Arc::clone(&pages), Arc::clone(&is_due));
        let thread = thread::Builder::new()
            .name("checkpoints".to_owned())
            .spawn(move || carry_over(connection, &woken, &seen, &due))
            .map_err(Outage::Thread)?;
        Ok(Self {
            wake: Some(wake),
            thread: Some(thread),
            pages,
            is_due,
            writes: 0,
            commits: 0,
        })
    }

    /// To be told after each commit, with the number of writes in it.
    pub(crate) fn after(&mut self, writes: u64, connection: Option<&mut Pooled>) {
        self.writes += writes;
        self.commits += 1;
        if self.writes >= WRITES || self.commits >= COMMITS {
            (self.writes, self.commits) = (0, 0);
            self.is_due.store(true, Ordering::Relaxed);
        }
        if self.is_due.load(Ordering::Relaxed) {
            self.wake();
        }
        if self.pages.load(Ordering::Relaxed) > LONG
            && let Some(connection) = connection
        {
            self.pages.store(0, Ordering::Relaxed);
            checkpoint(connection.connection());
        }
    }

    /// To be told when a group of writes was lost: the disk may be full of the journal itself.
    pub(crate) fn after_loss(&self) {
        self.is_due.store(true, Ordering::Relaxed);
        self.wake();
    }

    fn wake(&self) {
        // If it is at work still, it will look again.
        let _busy = self.wake.as_ref().map(|wake| wake.try_send(()));
    }
}

impl Drop for Checkpoints {
    fn drop(&mut self) {
        drop(self.wake.take());
        if self
            .thread
            .take()
            .is_some_and(|thread| thread.join().is_err())
        {
            tracing::error!("the thread of the checkpoints panicked");
        }
    }
}

fn carry_over(
    mut connection: Connection,
    woken: &Receiver<()>,
    pages: &AtomicI32,
    is_due: &AtomicBool,
) {
    while woken.recv().is_ok() {
        if let Some(log) = checkpoint(&mut connection) {
            is_due.store(false, Ordering::Relaxed);
            pages.store(log, Ordering::Relaxed);
        }
    }
}

/// Carries over what it can without waiting; gives the length of the journal in pages.
fn checkpoint(connection: &mut Connection) -> Option<i32> {
    let passive = diesel::sql_query("PRAGMA wal_checkpoint(PASSIVE)");
    match passive.get_result::<Checkpoint>(connection) {
        Ok(checkpoint) => Some(checkpoint.log),
        Err(fault) => {
            tracing::warn!(%fault, "the journal was not carried over; trying again later");
            None
        }
    }
}
