use std::io;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use super::input::fault;
use super::{MAX_ENTRIES, MAX_UNPACKED};
use crate::recorded::rejection::{Code, Fault};

/// What was unpacked of a file, with all archives in it.
#[derive(Default)]
pub(super) struct Spent {
    entries: AtomicU64,
    bytes: AtomicU64,
    has_given_up: AtomicBool,
}

impl Spent {
    /// Nothing more of it is to be read.
    pub(super) fn give_up(&self) {
        self.has_given_up.store(true, Relaxed);
    }

    pub(super) fn has_given_up(&self) -> bool {
        self.has_given_up.load(Relaxed)
    }

    /// Counts a file of an archive, up to the most that one may have.
    pub(super) fn count_entry(&self) -> Result<(), Fault> {
        if self.entries.fetch_add(1, Relaxed) < u64::from(MAX_ENTRIES) {
            return Ok(());
        }
        let detail = format!("expected an archive of at most {MAX_ENTRIES} files");
        Err(Fault::new(Code::ArchiveTooLarge, detail))
    }

    /// Counts what was unpacked, up to the most that an archive may have.
    pub(super) fn count_bytes(&self, given: usize) -> io::Result<()> {
        let given = u64::try_from(given).unwrap_or(u64::MAX);
        let before = self.bytes.fetch_add(given, Relaxed);
        if before.saturating_add(given) <= MAX_UNPACKED {
            return Ok(());
        }
        let detail = format!("expected an archive of at most {MAX_UNPACKED} bytes, unpacked");
        Err(fault(Code::ArchiveTooLarge, detail))
    }
}
