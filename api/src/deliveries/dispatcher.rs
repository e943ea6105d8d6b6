//! Finds receivers that lack something, and has them told.

use std::collections::{HashMap, HashSet};
use std::mem;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use actix_web::web;
use domain::Timestamp;
use storage::subscriptions::{self, Candidate, Claimed, Readiness, Waiting};
use storage::{Connection, LeaseId, PlayerId, SubscriptionId, Topic};
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};
use tokio::time::{MissedTickBehavior, interval, sleep, timeout};

use super::client::Client;
use super::networks::Networks;
use super::push::{Vapid, VapidError};
use super::service;
use crate::config::Config;
use crate::problem::ApiError;
use crate::state::AppState;

/// How long a receiver is this node's before it has answered: longer than a request may take.
pub(super) const LEASE: Duration = Duration::from_secs(30);

/// How many receivers are told at once by a node.
const PLACES: usize = 32;
/// How many of those that failed last are, beside them: one that hangs holds up only its like.
const RETRIES: usize = 8;
/// How much of it works on the database at once, so that players do not wait behind it.
const WORKERS: usize = 2;
/// How often is looked for what is due, without a hint.
const POLL: Duration = Duration::from_secs(1);
/// How long hints are gathered.
const GATHERED: Duration = Duration::from_millis(50);
/// How often is looked for what no hint told of: it was lost with a node.
const LOOK_ANYWAY: Duration = Duration::from_mins(1);
/// How many players are looked at by one statement.
const AT_ONCE: usize = 500;
/// How many receivers that are due are taken up at once.
const DUE: u32 = 64;
/// How many players' hints are kept; when there are more, everybody is looked at.
const MOST_HINTS: usize = 100_000;
/// How long a server that stops waits for answers that it waits for.
const SETTLE: Duration = Duration::from_secs(2);

/// What the server tells by itself.
pub struct Deliveries {
    /// What requests are sent by.
    pub client: Client,
    /// Where they may go.
    pub networks: Networks,
    /// What browsers are told by, where that is possible.
    pub vapid: Option<Vapid>,
    hints: Mutex<Hints>,
    hinted: Notify,
    places: Arc<Semaphore>,
    retries: Arc<Semaphore>,
    workers: Semaphore,
}

#[derive(Default)]
struct Hints {
    players: HashSet<PlayerId>,
    /// Anybody may lack something.
    all: bool,
}

impl Deliveries {
    /// Of a server with these settings.
    ///
    /// # Errors
    /// When the configured key cannot be read.
    pub fn new(config: &Config) -> Result<Self, VapidError> {
        let networks = Networks::new(&config.webhook_networks);
        Ok(Self {
            client: Client::new(networks.clone()),
            networks,
            vapid: Vapid::of(config)?,
            hints: Mutex::default(),
            hinted: Notify::new(),
            places: Arc::new(Semaphore::new(PLACES)),
            retries: Arc::new(Semaphore::new(RETRIES)),
            workers: Semaphore::new(WORKERS),
        })
    }

    /// Hints that something may be new of these topics. To be called once it is committed; from any
    /// thread.
    pub fn hint(&self, topics: &[Topic]) {
        let players = topics.iter().filter_map(|topic| match topic {
            Topic::Player(player) => Some(*player),
            Topic::Game(_) => None,
        });
        self.keep(players);
        self.hinted.notify_one();
    }

    /// As [`hint`](Self::hint), for the next look.
    fn keep(&self, players: impl IntoIterator<Item = PlayerId>) {
        let mut hints = self.hints();
        if !hints.all {
            hints.players.extend(players);
        }
        if hints.players.len() > MOST_HINTS {
            *hints = Hints {
                all: true,
                ..Hints::default()
            };
        }
    }

    fn hints(&self) -> MutexGuard<'_, Hints> {
        // What it guards is whole between any two of its uses.
        self.hints.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn lane(&self, candidate: Candidate) -> &Arc<Semaphore> {
        if candidate.fails {
            &self.retries
        } else {
            &self.places
        }
    }

    /// Waits a moment, and no longer than that, for what is being told, so that it need not be told again.
    pub async fn settle(&self, at_most: Duration) {
        let all = |places: usize| u32::try_from(places).unwrap_or(u32::MAX);
        let told = async {
            tokio::join!(
                self.places.acquire_many(all(PLACES)),
                self.retries.acquire_many(all(RETRIES)),
            )
        };
        // Who does not answer in time is told again after the next start.
        let _in_time = timeout(at_most.min(SETTLE), told).await;
    }
}

/// Reads or writes the database for receivers: few at once.
///
/// # Errors
/// What `work` says; `unavailable` when too much waits.
pub(super) async fn database<T: Send + 'static>(
    state: &web::Data<AppState>,
    work: impl FnOnce(&AppState) -> Result<T, ApiError> + Send + 'static,
) -> Result<T, ApiError> {
    // It is never closed.
    let _worker = state.deliveries.workers.acquire().await;
    let shared = Arc::clone(state);
    state.database_work.try_run(move || work(&shared)).await
}

/// Has receivers told for as long as the server runs.
pub async fn run(state: web::Data<AppState>) {
    let (mut poll, mut anyway) = (interval(POLL), interval(LOOK_ANYWAY));
    poll.set_missed_tick_behavior(MissedTickBehavior::Delay);
    anyway.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            () = state.deliveries.hinted.notified() => sleep(GATHERED).await,
            _ = poll.tick() => {}
            _ = anyway.tick() => state.deliveries.hints().all = true,
        }
        if state.lifecycle.is_stopping() {
            return;
        }
        let hints = mem::take(&mut *state.deliveries.hints());
        let all = hints.all;
        let players: Vec<PlayerId> = hints.players.iter().copied().collect();
        if let Err(fault) = dispatch(&state, hints).await {
            tracing::debug!(%fault, "cannot look for receivers; looking again later");
            state.deliveries.keep(players);
            state.deliveries.hints().all |= all;
        }
    }
}

/// Has those told who lack something, as many as there are places for.
async fn dispatch(state: &web::Data<AppState>, hints: Hints) -> Result<(), ApiError> {
    let mut players: Vec<PlayerId> = hints.players.into_iter().collect();
    if hints.all {
        players.extend(find_all(state).await?);
    }
    let found = find(state, players).await?;
    let mut chosen = HashMap::new();
    for candidate in found {
        match candidate.readiness {
            Readiness::Ready => {
                match Arc::clone(state.deliveries.lane(candidate)).try_acquire_owned() {
                    Ok(place) => {
                        chosen.insert(candidate.id, (candidate, place));
                    }
                    Err(_full) => state.deliveries.keep([candidate.player_id]),
                }
            }
            // Whoever tells it may have looked for the last time before this came.
            Readiness::Busy => state.deliveries.keep([candidate.player_id]),
            // It is due by itself.
            Readiness::Resting => {}
        }
    }
    if chosen.is_empty() {
        return Ok(());
    }
    for (claimed, place) in claim(state, chosen).await? {
        actix_web::rt::spawn(service::tell(state.clone(), claimed, place));
    }
    Ok(())
}

/// Players who lack something, whatever was hinted at.
async fn find_all(state: &web::Data<AppState>) -> Result<Vec<PlayerId>, ApiError> {
    let (mut players, mut from) = (Vec::new(), None);
    loop {
        let limit = u32::try_from(AT_ONCE).unwrap_or(u32::MAX);
        let look =
            move |connection: &mut Connection| subscriptions::find_waiting(connection, from, limit);
        let found = database(state, move |state| Ok(state.db.read(look)?)).await?;
        let Waiting {
            players: waiting,
            next,
        } = found;
        players.extend(waiting);
        if next.is_none() {
            return Ok(players);
        }
        from = next;
    }
}

/// The receivers of some players, and those that are due, each once.
async fn find(
    state: &web::Data<AppState>,
    players: Vec<PlayerId>,
) -> Result<Vec<Candidate>, ApiError> {
    let now = state.now();
    let look = move |connection: &mut Connection| -> Result<_, ApiError> {
        let mut found = subscriptions::due(connection, now, DUE)?;
        let mut seen: HashSet<SubscriptionId> = found.iter().map(|one| one.id).collect();
        for some in players.chunks(AT_ONCE) {
            let of_players = subscriptions::candidates(connection, some, now)?;
            found.extend(of_players.into_iter().filter(|one| seen.insert(one.id)));
        }
        Ok(found)
    };
    database(state, move |state| state.db.read(look)).await
}

type Chosen = HashMap<SubscriptionId, (Candidate, OwnedSemaphorePermit)>;

/// Takes those that no other node has.
async fn claim(
    state: &web::Data<AppState>,
    mut chosen: Chosen,
) -> Result<Vec<(Claimed, OwnedSemaphorePermit)>, ApiError> {
    let now = state.now();
    let wanted: Vec<Candidate> = chosen.values().map(|(candidate, _)| *candidate).collect();
    let claim = move |state: &AppState| {
        let (until, lease) = (after(now, LEASE), LeaseId::generate(now));
        let claimed = state
            .db
            .write(|connection| subscriptions::claim(connection, &wanted, now, until, lease))?;
        Ok(claimed)
    };
    let claimed = database(state, claim).await?;
    let with_place = claimed.into_iter().filter_map(|claimed| {
        let (_, place) = chosen.remove(&claimed.subscription.id)?;
        Some((claimed, place))
    });
    let taken: Vec<_> = with_place.collect();
    // Another node was faster. It may be about to end.
    let others = chosen.values().map(|(candidate, _)| candidate.player_id);
    state.deliveries.keep(others);
    Ok(taken)
}

/// The instant so much later.
pub(super) fn after(instant: Timestamp, span: Duration) -> Timestamp {
    let micros = i64::try_from(span.as_micros()).unwrap_or(i64::MAX);
    Timestamp::from_micros(instant.as_micros().saturating_add(micros))
}
