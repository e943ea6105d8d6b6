//! The places in which receivers are told: who holds one, and who waits for one.

use std::collections::{HashMap, HashSet};
use std::mem;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use storage::subscriptions::Candidate;
use storage::{PlayerId, SubscriptionId};
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};

/// An answer that takes longer is slow, and after so much waiting a place is given back.
pub(super) const LONG: Duration = Duration::from_secs(2);

/// How many receivers are told at once by a node.
const PLACES: usize = 32;
/// How many of those that failed last or were slow are, beside them: one that hangs holds up only its
/// like.
const RETRIES: usize = 8;
/// How many of all these places the receivers of one player may hold.
const OF_A_PLAYER: usize = 4;
/// How many slow receivers are remembered. One that is forgotten has a common place once more.
const MOST_SLOW: usize = 10_000;
/// How many wait in the line. The others are found by the look for what no hint told of.
const MOST_WAITING: usize = 10_000;

/// The places of a node.
pub(super) struct Places {
    common: Arc<Semaphore>,
    retries: Arc<Semaphore>,
    known: Mutex<Known>,
    freed: Notify,
}

#[derive(Default)]
struct Known {
    /// How many places the receivers of those players hold who hold any.
    held: HashMap<PlayerId, usize>,
    /// Whose last answer was slow.
    slow: HashSet<SubscriptionId>,
    /// Who found no place, or was being told: the longest waiting first.
    line: Vec<Candidate>,
}

/// A place that is held, until it is dropped.
pub(super) struct Place {
    permit: Option<OwnedSemaphorePermit>,
    places: Arc<Places>,
    player: PlayerId,
}

impl Places {
    /// All of them free.
    pub(super) fn new() -> Arc<Self> {
        Arc::new(Self {
            common: Arc::new(Semaphore::new(PLACES)),
            retries: Arc::new(Semaphore::new(RETRIES)),
            known: Mutex::default(),
            freed: Notify::new(),
        })
    }

    /// A place for a receiver, if one is free for it.
    pub(super) fn take(self: &Arc<Self>, candidate: Candidate) -> Option<Place> {
        let mut known = self.known();
        if !self.has_room(&known, candidate) {
            return None;
        }
        let lane = Arc::clone(self.lane(&known, candidate));
        let permit = lane.try_acquire_owned().ok()?;
        *known.held.entry(candidate.player_id).or_default() += 1;
        Some(Place {
            permit: Some(permit),
            places: Arc::clone(self),
            player: candidate.player_id,
        })
    }

    /// Notes how long a receiver took to answer.
    pub(super) fn answered(&self, id: SubscriptionId, took: Duration) {
        let slow = &mut self.known().slow;
        if took < LONG {
            slow.remove(&id);
            return;
        }
        if slow.len() >= MOST_SLOW
            && let Some(any) = slow.iter().next().copied()
        {
            slow.remove(&any);
        }
        slow.insert(id);
    }

    /// Receivers in an order that is fair to players: first one of each who holds no place, then one more
    /// of each, and so on. What is of the same rank stays in order.
    pub(super) fn in_turn(&self, candidates: Vec<Candidate>) -> Vec<Candidate> {
        self.known().in_turn(candidates)
    }

    /// Puts receivers at the end of the line.
    pub(super) fn wait(&self, candidates: impl IntoIterator<Item = Candidate>) {
        let line = &mut self.known().line;
        line.extend(candidates);
        line.truncate(MOST_WAITING);
    }

    /// Whether anybody is in the line.
    pub(super) fn anybody_waits(&self) -> bool {
        !self.known().line.is_empty()
    }

    /// Those in the line for whom there is a place, in turn, and no more than so many.
    pub(super) fn next_in_line(&self, at_most: usize) -> Vec<Candidate> {
        let known = self.known();
        let room = |one: &Candidate| self.has_room(&known, *one);
        let line = known.line.iter().copied().filter(room).collect();
        let mut turn = known.in_turn(line);
        turn.truncate(at_most);
        turn
    }

    /// Empties the line. It may have a receiver twice.
    pub(super) fn leave_line(&self) -> Vec<Candidate> {
        mem::take(&mut self.known().line)
    }

    /// The players who hold as many places as a player may: few, since there are few places.
    pub(super) fn full_players(&self) -> Vec<PlayerId> {
        let known = self.known();
        let full = known.held.iter().filter(|(_, held)| **held >= OF_A_PLAYER);
        full.map(|(player, _)| *player).collect()
    }

    /// Whether one that failed last would find a place.
    pub(super) fn retries_are_free(&self) -> bool {
        self.retries.available_permits() > 0
    }

    /// Waits until a place was given back since this was last waited for.
    pub(super) async fn freed(&self) {
        self.freed.notified().await;
    }

    /// Waits until all places are free.
    pub(super) async fn all_free(&self) {
        let all = |places: usize| u32::try_from(places).unwrap_or(u32::MAX);
        // They are never closed.
        let _free = tokio::join!(
            self.common.acquire_many(all(PLACES)),
            self.retries.acquire_many(all(RETRIES)),
        );
    }

    fn has_room(&self, known: &Known, candidate: Candidate) -> bool {
        known.held(candidate.player_id) < OF_A_PLAYER
            && self.lane(known, candidate).available_permits() > 0
    }

    fn lane(&self, known: &Known, candidate: Candidate) -> &Arc<Semaphore> {
        if candidate.fails || known.slow.contains(&candidate.id) {
            &self.retries
        } else {
            &self.common
        }
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        // What it guards is whole between any two of its uses.
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Known {
    fn held(&self, player: PlayerId) -> usize {
        self.held.get(&player).copied().unwrap_or_default()
    }

    fn in_turn(&self, candidates: Vec<Candidate>) -> Vec<Candidate> {
        let mut next = HashMap::new();
        let rank = |one: Candidate| {
            let player = one.player_id;
            let next = next.entry(player).or_insert_with(|| self.held(player));
            *next += 1;
            (*next, one)
        };
        let mut ranked: Vec<_> = candidates.into_iter().map(rank).collect();
        ranked.sort_by_key(|(rank, _)| *rank);
        ranked.into_iter().map(|(_, one)| one).collect()
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.permit = None;
        let mut known = self.places.known();
        if let Some(held) = known.held.get_mut(&self.player) {
            *held -= 1;
            if *held == 0 {
                known.held.remove(&self.player);
            }
        }
        drop(known);
        self.places.freed.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use storage::subscriptions::Readiness;
    use uuid::Uuid;

    use super::*;

    const FAST: Duration = Duration::from_millis(1_999);

    /// A receiver of a player.
    fn receiver(player: u128, number: u128) -> Candidate {
        Candidate {
            player_id: PlayerId::from_uuid(Uuid::from_u128(player)),
            id: SubscriptionId::from_uuid(Uuid::from_u128(player * 1_000 + number)),
            readiness: Readiness::Ready,
            fails: false,
        }
    }

    fn failing(player: u128, number: u128) -> Candidate {
        Candidate {
            fails: true,
            ..receiver(player, number)
        }
    }

    fn take_all(places: &Arc<Places>, all: impl Iterator<Item = Candidate>) -> Vec<Place> {
        all.filter_map(|one| places.take(one)).collect()
    }

    #[test]
    fn a_player_holds_few_places_and_gets_them_back() {
        let places = Places::new();
        let mut held = take_all(&places, (0..3).map(|number| receiver(1, number)));
        held.extend(places.take(failing(1, 3)));
        assert_eq!(held.len(), OF_A_PLAYER);
        assert!(places.take(receiver(1, 4)).is_none());
        assert!(places.take(failing(1, 5)).is_none());
        assert_eq!(places.full_players(), [receiver(1, 0).player_id]);
        assert!(places.take(receiver(2, 0)).is_some());
        held.pop();
        assert_eq!(places.full_players(), []);
        held.extend(places.take(receiver(1, 4)));
        assert_eq!(held.len(), OF_A_PLAYER);
        drop(held);
        assert!(places.known().held.is_empty());
        assert_eq!(places.common.available_permits(), PLACES);
        assert_eq!(places.retries.available_permits(), RETRIES);
    }

    #[test]
    fn those_that_fail_or_are_slow_have_places_of_their_own() {
        let places = Places::new();
        let slow = |number: u128| receiver(100 + number, 0);
        for number in 0..40 {
            places.answered(slow(number).id, LONG);
        }
        let held = take_all(&places, (0..40).map(slow));
        assert_eq!(held.len(), RETRIES);
        assert!(!places.retries_are_free());
        assert!(places.take(failing(1, 0)).is_none());
        let common = take_all(&places, (0..40).map(|player| receiver(player, 0)));
        assert_eq!(common.len(), PLACES);
        drop(common);
        // Fast again.
        places.answered(slow(39).id, FAST);
        assert!(places.take(slow(39)).is_some());
        drop(held);
        assert!(places.retries_are_free());
    }

    #[test]
    fn only_so_many_slow_ones_are_remembered() {
        let places = Places::new();
        for number in 0..MOST_SLOW as u128 + 5 {
            places.answered(receiver(number, 0).id, LONG);
        }
        let last = receiver(MOST_SLOW as u128 + 4, 0).id;
        let known = places.known();
        assert_eq!(known.slow.len(), MOST_SLOW);
        assert!(known.slow.contains(&last));
    }

    #[test]
    fn players_take_turns() {
        let places = Places::new();
        let _held = take_all(&places, (10..12).map(|number| receiver(1, number)));
        let of = |player, numbers: std::ops::Range<u128>| {
            numbers.map(move |number| receiver(player, number))
        };
        let all: Vec<_> = of(1, 0..2).chain(of(2, 0..3)).chain(of(3, 0..1)).collect();
        let turn = [
            receiver(2, 0),
            receiver(3, 0),
            receiver(2, 1),
            receiver(1, 0),
            receiver(2, 2),
            receiver(1, 1),
        ];
        assert_eq!(places.in_turn(all), turn);
    }

    #[test]
    fn who_waits_is_next_when_there_is_a_place() {
        let places = Places::new();
        let mut held = take_all(&places, (0..4).map(|number| receiver(1, number)));
        assert!(!places.anybody_waits());
        places.wait([receiver(1, 4), receiver(1, 5), receiver(2, 0)]);
        assert!(places.anybody_waits());
        assert_eq!(places.next_in_line(9), [receiver(2, 0)]);
        held.pop();
        let next = [receiver(2, 0), receiver(1, 4), receiver(1, 5)];
        assert_eq!(places.next_in_line(9), next);
        assert_eq!(places.next_in_line(1), next[..1]);
        assert_eq!(places.leave_line().len(), 3);
        assert!(!places.anybody_waits());
    }
}
