//! Who follows something on this node, so that an account that is erased hears nothing more, nor a login or
//! personal token that has ended.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use actix_web::web;
use domain::Timestamp;
use storage::{Connection, CredentialId, PlayerId, credentials, players};
use tokio::sync::watch;

use crate::auth::Ended;
use crate::problem::ApiError;
use crate::state::AppState;

/// How often it is looked up what another node, or the command line, has ended.
const LOOK: Duration = Duration::from_secs(5);
/// How many are looked up by one statement.
const AT_ONCE: usize = 500;

/// Who follows, and until when.
#[derive(Debug, Clone, Copy)]
pub struct Listener {
    /// The account, if any, and its token may read what only the account itself may see.
    pub player: Option<PlayerId>,
    /// When the token runs out, if it does.
    pub until: Option<Timestamp>,
    /// The login or personal token that he shows, or that his ticket came of.
    pub credential: Option<CredentialId>,
}

impl Listener {
    /// How long the token still holds; `None` where there is none, or it does not run out.
    pub fn time_left(self, state: &AppState) -> Option<Duration> {
        let left = self.until?.as_micros() - state.now().as_micros();
        Some(Duration::from_micros(left.try_into().unwrap_or_default()))
    }

    /// Whether the access token has run out.
    pub fn has_run_out(self, state: &AppState) -> bool {
        self.time_left(state).is_some_and(|left| left.is_zero())
    }

    /// Whether the login or personal token has ended.
    pub fn has_ended(self, state: &AppState) -> bool {
        self.credential
            .is_some_and(|credential| state.ended.contains(credential))
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

    /// Has all that an account follows look whether it still may.
    pub fn look(&self, player: PlayerId) {
        if let Some(present) = self.lock().get(&player) {
            present.erased.send_modify(|_| ());
        }
    }

    /// Ends all that an account follows, for it was erased.
    pub fn end(&self, player: PlayerId) {
        if let Some(present) = self.lock().get(&player) {
            present.erased.send_replace(true);
        }
    }

    /// Those of some players who follow something here.
    fn present_of(&self, players: impl Iterator<Item = PlayerId>) -> Vec<PlayerId> {
        let present = self.lock();
        let mut found: Vec<_> = players.filter(|id| present.contains_key(id)).collect();
        found.sort_unstable();
        found.dedup();
        found
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

    /// Waits until it is to be looked whether the account may still follow; for ever where there is none.
    pub async fn told(presence: Option<&mut Self>) {
        let Some(presence) = presence else {
            return std::future::pending().await;
        };
        // The sender is kept as long as this is.
        let _told = presence.erased.changed().await;
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

/// Looks now and then which logins and personal tokens have ended, on whatever node, and has those told
/// who follow something by them. An account that is erased has none left.
pub async fn look_for_ended(state: web::Data<AppState>) {
    let mut look = tokio::time::interval(LOOK);
    let mut last = None;
    loop {
        look.tick().await;
        let now = state.now();
        let since = last.map_or_else(|| Ended::since(now), Ended::since_look);
        match take_in(&state, since).await {
            Ok(()) => last = Some(now),
            Err(fault) => {
                tracing::debug!(%fault, "cannot look for what has ended; looking again later");
            }
        }
        state.ended.forget_old(now);
    }
}

async fn take_in(state: &web::Data<AppState>, since: Timestamp) -> Result<(), ApiError> {
    let ended = move |connection: &mut Connection| Ok(credentials::ended_since(connection, since)?);
    let ended = state.read(ended).await?;
    let new = ended
        .into_iter()
        .filter(|ended| state.ended.note(ended.credential, ended.at));
    let concerned = state.listeners.present_of(new.map(|ended| ended.player));
    for some in concerned.chunks(AT_ONCE) {
        let ids = some.to_vec();
        let find = move |connection: &mut Connection| Ok(players::by_ids(connection, &ids)?);
        match state.read(find).await {
            Ok(found) => found
                .iter()
                .filter(|player| player.erased_at.is_some())
                .for_each(|player| state.listeners.end(player.id)),
            Err(fault) => tracing::debug!(%fault, "cannot look whose accounts were erased"),
        }
        for player in some {
            state.listeners.look(*player);
        }
    }
    Ok(())
}
