//! What is counted of hidden armies: off the async threads, and once for all that a request asks.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use domain::{HiddenArmy, Rank, RankSet};

use crate::blocking::Blocking;
use crate::problem::ApiError;

/// How likely each rank is for a piece.
pub(super) type Odds = Arc<Vec<(Rank, f64)>>;

/// The counts of one request, by what was hidden: other games, viewpoints and aliases share them.
pub(super) struct Counts {
    work: Blocking,
    bits: Known<HiddenArmy, f64>,
    odds: Known<(HiddenArmy, RankSet), Odds>,
}

type Known<K, V> = Mutex<HashMap<K, V>>;

impl Counts {
    pub(super) fn new(work: Blocking) -> Self {
        Self {
            work,
            bits: Mutex::default(),
            odds: Mutex::default(),
        }
    }

    /// The hidden bits of an army.
    ///
    /// # Errors
    /// `unavailable` when too much waits.
    pub(super) async fn bits(&self, army: &HiddenArmy) -> Result<f64, ApiError> {
        if let Some(bits) = recall(&self.bits, army) {
            return Ok(bits);
        }
        let counted = army.clone();
        let bits = self.work.run(move || counted.bits()).await?;
        remember(&self.bits, army.clone(), bits);
        Ok(bits)
    }

    /// How likely each rank is for a piece of an army that can be any of a set.
    ///
    /// # Errors
    /// `unavailable` when too much waits.
    pub(super) async fn odds(&self, army: &HiddenArmy, set: RankSet) -> Result<Odds, ApiError> {
        let key = (army.clone(), set);
        if let Some(odds) = recall(&self.odds, &key) {
            return Ok(odds);
        }
        let counted = army.clone();
        let odds = self.work.run(move || Arc::new(counted.odds(set))).await?;
        remember(&self.odds, key, Arc::clone(&odds));
        Ok(odds)
    }

    /// Works something else out off the async threads.
    ///
    /// # Errors
    /// What the work says; `unavailable` when too much waits.
    pub(super) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        self.work.try_run(work).await
    }
}

fn recall<K: std::hash::Hash + Eq, V: Clone>(known: &Known<K, V>, key: &K) -> Option<V> {
    let known = known.lock().unwrap_or_else(PoisonError::into_inner);
    known.get(key).cloned()
}

fn remember<K: std::hash::Hash + Eq, V>(known: &Known<K, V>, key: K, value: V) {
    let mut known = known.lock().unwrap_or_else(PoisonError::into_inner);
    known.insert(key, value);
}
