//! Finds receivers that lack something, and has them told.

use std::collections::{HashMap, HashSet};
use std::mem;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use actix_web::web;
use domain::Timestamp;
use storage::subscriptions::{self, Candidate, Claimed, Readiness, Waiting};
use storage::{Connection, LeaseId, PlayerId, SubscriptionId, Topic};
use tokio::sync::{Notify, Semaphore};
use tokio::time::{MissedTickBehavior, interval, sleep, timeout};

use super::client::Client;
use super::networks::Networks;
use super::places::{Place, Places};
use super::push::{Vapid, VapidError};
use super::service;
use crate::config::Config;
use crate::problem::ApiError;
use crate::state::AppState;

/// How long a receiver is this node's before it has answered: longer than a request may take.
pub(super) const LEASE: Duration = Duration::from_secs(30);

/// How much of the telling works on the database at once, so that players do not wait behind it.
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
const DUE: u32 = 1_000;
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
    pub(super) places: Arc<Places>,
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
            places: Places::new(),
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

    /// Waits a moment, and no longer than that, for what is being told, so that it need not be told again.
    pub async fn settle(&self, at_most: Duration) {
        // Who does not answer in time is told again after the next start.
        let _in_time = timeout(at_most.min(SETTLE), self.places.all_free()).await;
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
            () = state.deliveries.places.freed() => {
                if !state.deliveries.places.anybody_waits() {
                    continue;
                }
                sleep(GATHERED).await;
            }
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
            sleep(POLL).await;
        }
    }
}

/// Has those told who lack something, as many as there are places for. The others wait in the line.
async fn dispatch(state: &web::Data<AppState>, hints: Hints) -> Result<(), ApiError> {
    let places = &state.deliveries.places;
    let mut hinted = hints.players;
    if hints.all {
        hinted.extend(find_all(state).await?);
    }
    let (mut chosen, mut back, mut ready) = (HashMap::new(), Vec::new(), Vec::new());
    for candidate in find(state, hinted).await? {
        match candidate.readiness {
            Readiness::Ready => ready.push(candidate),
            // Whoever tells it may have looked for the last time before this came.
            Readiness::Busy => back.push(candidate),
            // It is due by itself.
            Readiness::Resting => {}
        }
    }
    for candidate in places.in_turn(ready) {
        match places.take(candidate) {
            Some(place) => drop(chosen.insert(candidate.id, (candidate, place))),
            None => back.push(candidate),
        }
    }
    places.wait(back);
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

/// Those in the line, those that are due, and the receivers of some players, each once. The line is
/// empty then.
async fn find(
    state: &web::Data<AppState>,
    hinted: HashSet<PlayerId>,
) -> Result<Vec<Candidate>, ApiError> {
    let places = &state.deliveries.places;
    let (now, full, retries) = (
        state.now(),
        places.full_players(),
        places.retries_are_free(),
    );
    let mut asked = hinted.clone();
    asked.extend(places.next_in_line(AT_ONCE).iter().map(|one| one.player_id));
    let players: Vec<PlayerId> = asked.iter().copied().collect();
    let look = move |connection: &mut Connection| -> Result<_, ApiError> {
        let due = subscriptions::due(connection, now, &full, retries, DUE)?;
        let mut of_players = Vec::new();
        for some in players.chunks(AT_ONCE) {
            of_players.extend(subscriptions::candidates(connection, some, now)?);
        }
        Ok((due, of_players))
    };
    let (due, of_players) = database(state, move |state| state.db.read(look)).await?;
    let read = due.iter().chain(&of_players);
    let read: HashMap<SubscriptionId, Candidate> = read.map(|one| (one.id, *one)).collect();
    // Of those that were not asked for again nothing is known but what was.
    let line = places.leave_line().into_iter().filter_map(|one| {
        let unasked = Some(one).filter(|one| !asked.contains(&one.player_id));
        read.get(&one.id).copied().or(unasked)
    });
    let of_hinted = of_players.into_iter();
    let of_hinted = of_hinted.filter(|one| hinted.contains(&one.player_id));
    let mut seen = HashSet::new();
    let all = line.chain(due).chain(of_hinted);
    Ok(all.filter(|one| seen.insert(one.id)).collect())
}

type Chosen = HashMap<SubscriptionId, (Candidate, Place)>;

/// Takes those that no other node has.
async fn claim(
    state: &web::Data<AppState>,
    mut chosen: Chosen,
) -> Result<Vec<(Claimed, Place)>, ApiError> {
    let now = state.now();
    let wanted: Vec<Candidate> = chosen.values().map(|(candidate, _)| *candidate).collect();
    let claim = move |state: &AppState| {
        let (until, lease) = (after(now, LEASE), LeaseId::generate(now));
        let claimed = state
            .db
            .write(|connection| subscriptions::claim(connection, &wanted, now, until, lease))?;
        Ok(claimed)
    };
    let claimed = match database(state, claim).await {
        Ok(claimed) => claimed,
        Err(fault) => {
            let none = chosen.values().map(|(candidate, _)| *candidate);
            state.deliveries.places.wait(none);
            return Err(fault);
        }
    };
    let with_place = claimed.into_iter().filter_map(|claimed| {
        let (_, place) = chosen.remove(&claimed.subscription.id)?;
        Some((claimed, place))
    });
    let taken: Vec<_> = with_place.collect();
    // Another node was faster. It may be about to end.
    let others = chosen.values().map(|(candidate, _)| *candidate);
    state.deliveries.places.wait(others);
    Ok(taken)
}

/// The instant so much later.
pub(super) fn after(instant: Timestamp, span: Duration) -> Timestamp {
    let micros = i64::try_from(span.as_micros()).unwrap_or(i64::MAX);
    Timestamp::from_micros(instant.as_micros().saturating_add(micros))
}
