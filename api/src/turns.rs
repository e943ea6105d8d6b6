//! What one caller may have only so many of at once, on this node.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use storage::PlayerId;

type Taken = Mutex<HashMap<PlayerId, usize>>;

/// How many each caller has, and how many he may have.
#[derive(Debug)]
pub struct Turns {
    most: usize,
    taken: Arc<Taken>,
}

/// One of a caller's, until it is dropped.
#[derive(Debug)]
pub struct Turn {
    caller: PlayerId,
    taken: Arc<Taken>,
}

impl Turns {
    /// So many for each.
    pub fn new(most: usize) -> Self {
        Self {
            most,
            taken: Arc::default(),
        }
    }

    /// One more for a caller; `None` when he has as many as he may.
    pub fn take(&self, caller: PlayerId) -> Option<Turn> {
        let mut taken = lock(&self.taken);
        let count = taken.entry(caller).or_default();
        if *count >= self.most {
            return None;
        }
        *count += 1;
        Some(Turn {
            caller,
            taken: Arc::clone(&self.taken),
        })
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        if let Entry::Occupied(mut count) = lock(&self.taken).entry(self.caller) {
            *count.get_mut() -= 1;
            if *count.get() == 0 {
                count.remove();
            }
        }
    }
}

fn lock(taken: &Taken) -> MutexGuard<'_, HashMap<PlayerId, usize>> {
    taken.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    #[test]
    fn each_caller_has_so_many_and_gets_them_back() {
        let [ann, ben] = [1, 2].map(|id| PlayerId::from_uuid(Uuid::from_u128(id)));
        let turns = Turns::new(2);
        let first = turns.take(ann).unwrap();
        let second = turns.take(ann).unwrap();
        assert!(turns.take(ann).is_none());
        let of_ben = turns.take(ben);
        assert!(of_ben.is_some());
        drop(first);
        let third = turns.take(ann).unwrap();
        assert!(turns.take(ann).is_none());
        drop((second, third, of_ben));
        assert!(lock(&turns.taken).is_empty());
    }
}
