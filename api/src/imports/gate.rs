use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// How many documents may be on their way from the files to the database.
const MOST_DOCUMENTS: usize = 256;

/// How many bytes these may have. One that is longer goes alone.
const MOST_BYTES: usize = 8 << 20;

/// Bounds what is on its way between the threads of an import.
#[derive(Default)]
pub(super) struct Gate {
    within: Mutex<Within>,
    changed: Condvar,
}

#[derive(Default)]
struct Within {
    documents: usize,
    bytes: usize,
    is_closed: bool,
}

impl Within {
    const fn has_room(&self, bytes: usize) -> bool {
        self.documents == 0
            || (self.documents < MOST_DOCUMENTS && self.bytes.saturating_add(bytes) <= MOST_BYTES)
    }
}

impl Gate {
    /// Waits until there is room for a document of so many bytes; `false` when nothing more is wanted.
    pub(super) fn enter(&self, bytes: usize) -> bool {
        let must_wait = |within: &mut Within| !within.is_closed && !within.has_room(bytes);
        let within = self.changed.wait_while(self.lock(), must_wait);
        let mut within = within.unwrap_or_else(PoisonError::into_inner);
        within.documents += 1;
        within.bytes += bytes;
        !within.is_closed
    }

    /// A document of so many bytes has arrived.
    pub(super) fn leave(&self, bytes: usize) {
        let mut within = self.lock();
        within.documents -= 1;
        within.bytes -= bytes;
        drop(within);
        self.changed.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, Within> {
        self.within.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Closes the gate when it is dropped: a thread that ends early, by a fault or a panic, lets none wait for it.
pub(super) struct Closing<'a>(pub(super) &'a Gate);

impl Drop for Closing<'_> {
    fn drop(&mut self) {
        self.0.lock().is_closed = true;
        self.0.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    #[test]
    fn so_much_is_within_and_no_more() {
        let mut within = Within::default();
        assert!(within.has_room(2 * MOST_BYTES));
        within.documents = 1;
        within.bytes = MOST_BYTES - 1;
        assert!(within.has_room(1));
        assert!(!within.has_room(2));
        within.documents = MOST_DOCUMENTS;
        assert!(!within.has_room(0));
    }

    #[test]
    fn who_waits_goes_on_when_there_is_room_and_when_it_is_closed() {
        let gate = Gate::default();
        assert!(gate.enter(MOST_BYTES));
        thread::scope(|scope| {
            let waiting = scope.spawn(|| gate.enter(1));
            gate.leave(MOST_BYTES);
            assert!(waiting.join().unwrap());
            let waiting = scope.spawn(|| gate.enter(MOST_BYTES));
            drop(Closing(&gate));
            assert!(!waiting.join().unwrap());
        });
    }
}
