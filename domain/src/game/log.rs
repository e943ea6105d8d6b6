use std::sync::Arc;

use super::Entry;

/// How many plies of a log copies share as one.
const CHUNK: usize = 64;

/// The plies of a game. What lies far back is shared between copies, so that the next ply of a long game
/// costs what that of a short one does.
#[derive(Default)]
pub(crate) struct Log {
    full: Vec<Arc<[Entry]>>,
    /// Fewer than [`CHUNK`].
    last: Vec<Entry>,
}

impl Clone for Log {
    /// With room for one ply more: a copy is made to add to it.
    fn clone(&self) -> Self {
        let mut last = Vec::with_capacity(self.last.len() + 1);
        last.extend_from_slice(&self.last);
        Self {
            full: self.full.clone(),
            last,
        }
    }
}

impl Log {
    pub(super) const fn new() -> Self {
        Self {
            full: Vec::new(),
            last: Vec::new(),
        }
    }

    pub(crate) const fn len(&self) -> usize {
        self.full.len() * CHUNK + self.last.len()
    }

    pub(crate) fn get(&self, index: usize) -> Option<&Entry> {
        let chunk = match self.full.get(index / CHUNK) {
            Some(chunk) => chunk,
            None if index / CHUNK == self.full.len() => self.last.as_slice(),
            None => return None,
        };
        chunk.get(index % CHUNK)
    }

    pub(crate) fn iter(&self) -> impl DoubleEndedIterator<Item = &Entry> {
        let full = self.full.iter().flat_map(|chunk| chunk.iter());
        full.chain(&self.last)
    }

    /// The first plies; `None` when there are not so many.
    pub(crate) fn first(&self, count: usize) -> Option<impl Iterator<Item = &Entry>> {
        (count <= self.len()).then(|| self.iter().take(count))
    }

    pub(super) fn push(&mut self, entry: Entry) {
        self.last.push(entry);
        if self.last.len() == CHUNK {
            self.full.push(std::mem::take(&mut self.last).into());
        }
    }
}
