//! Who follows something on this node, so that an account that is erased hears nothing more.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use actix_web::web;
use domain::Timestamp;
use storage::{PlayerId, players};
use tokio::sync::watch;

use crate::state::AppState;

/// How often those who follow are looked up, for what another node has erased.
const LOOK: Duration = Duration::from_secs(10);
/// How many are looked up by one statement.
const AT_ONCE: usize = 500;

/// Who follows, and until when.
#[derive(Debug, Clone, Copy)]
pub struct Listener {
    /// The account, if any.
    pub player: Option<PlayerId>,
    /// When the access token runs out.
    pub until: Option<Timestamp>,
}

impl Listener {
    /// How long the access token still holds; `None` where there is none.
    pub fn time_left(self, state: &AppState) -> Option<Duration> {
        let left = self.until?.as_micros() - state.now().as_micros();
        Some(Duration::from_micros(left.try_into().unwrap_or_default()))
    }

    /// Whether the access token has run out.
    pub fn has_run_out(self, state: &AppState) -> bool {
        self.time_left(state).is_some_and(|left| left.is_zero())
    }
}

/// The accounts that follow something on this node.
#[derive(Default)]
pub struct Listeners {
    present: Mutex<HashMap<PlayerId, Present>>,
}

/// An account that follows something.
struct Present {
    /// By how many ways.
    ways: usize,
    erased: watch::Sender<bool>,
}

/// A place among those who follow; it is given up when dropped.
pub struct Presence {
    listeners: Arc<Listeners>,
    player: PlayerId,
    erased: watch::Receiver<bool>,
}

impl Listeners {
    /// Takes a place for an account.
    pub fn enter(self: &Arc<Self>, player: PlayerId) -> Presence {
        let mut present = self.lock();
        let entry = present.entry(player).or_insert_with(|| Present {
            ways: 0,
            erased: watch::Sender::new(false),
        });
        entry.ways += 1;
        Presence {
            listeners: Arc::clone(self),
            player,
            erased: entry.erased.subscribe(),
        }
    }

    /// Ends all that an account follows, for it was erased.
    pub fn end(&self, player: PlayerId) {
        if let Some(present) = self.lock().get(&player) {
            present.erased.send_replace(true);
        }
    }

    fn players(&self) -> Vec<PlayerId> {
        self.lock().keys().copied().collect()
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<PlayerId, Present>> {
        // What it guards is whole between any two of its uses.
        self.present.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Presence {
    /// Whether the account was erased.
    pub fn is_over(&self) -> bool {
        *self.erased.borrow()
    }

    /// Waits until the account is erased; for ever where there is none.
    pub async fn over_of(presence: Option<&mut Self>) {
        let Some(presence) = presence else {
            return std::future::pending().await;
        };
        // The sender is kept as long as this is.
        let _over = presence.erased.wait_for(|erased| *erased).await;
    }
}

impl Drop for Presence {
    fn drop(&mut self) {
        if let Entry::Occupied(mut entry) = self.listeners.lock().entry(self.player) {
            entry.get_mut().ways -= 1;
            if entry.get().ways == 0 {
                entry.remove();
            }
        }
    }
}

/// Looks now and then who of those that follow was erased, on whatever node.
pub async fn look_for_erased(state: web::Data<AppState>) {
    let mut look = tokio::time::interval(LOOK);
    loop {
        look.tick().await;
        for some in state.listeners.players().chunks(AT_ONCE) {
            let ids = some.to_vec();
            let found = state.read(move |connection| Ok(players::by_ids(connection, &ids)?));
            match found.await {
                Ok(found) => found
                    .iter()
                    .filter(|player| player.erased_at.is_some())
                    .for_each(|player| state.listeners.end(player.id)),
                Err(fault) => {
                    tracing::debug!(%fault, "cannot look for erased accounts; looking again later");
                }
            }
        }
    }
}
