use std::collections::{HashMap, VecDeque};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use domain::Color;
use uuid::Uuid;

/// Something to be looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Task {
    /// Which games and challenges wait for the bot.
    Everything,
    /// A game.
    Game(Uuid),
    /// A challenge.
    Challenge(Uuid),
}

/// What a bot is to look at, each thing once however often it was heard of. One thread adds, another
/// takes; any may stop both.
#[derive(Debug, Default)]
pub struct Agenda {
    notes: Mutex<Notes>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct Notes {
    tasks: VecDeque<Task>,
    /// The bot's side in games that it has seen: its own moves are no news.
    sides: HashMap<Uuid, Color>,
    stopped: bool,
}

impl Agenda {
    /// From now on nothing more is begun.
    pub fn stop(&self) {
        self.notes().stopped = true;
        self.changed.notify_all();
    }

    /// Whether the bot was told to stop.
    pub(super) fn is_stopped(&self) -> bool {
        self.notes().stopped
    }

    pub(super) fn add(&self, task: Task) {
        let mut notes = self.notes();
        if !notes.tasks.contains(&task) {
            notes.tasks.push_back(task);
            self.changed.notify_all();
        }
    }

    /// The next thing to be looked at; all, when none came for a while. `None` when the bot is to stop.
    pub(super) fn next(&self, a_while: Duration) -> Option<Task> {
        let notes = self.notes();
        let waited = self
            .changed
            .wait_timeout_while(notes, a_while, |notes| {
                notes.tasks.is_empty() && !notes.stopped
            })
            .unwrap_or_else(PoisonError::into_inner);
        let mut notes = waited.0;
        if notes.stopped {
            return None;
        }
        Some(notes.tasks.pop_front().unwrap_or(Task::Everything))
    }

    /// Waits, or until the bot is to stop.
    pub(super) fn pause(&self, wait: Duration) {
        let end = Instant::now() + wait;
        let mut notes = self.notes();
        loop {
            let left = end.saturating_duration_since(Instant::now());
            if notes.stopped || left.is_zero() {
                return;
            }
            let waited = self.changed.wait_timeout(notes, left);
            notes = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Notes which side the bot has in a game.
    pub(super) fn sit(&self, game: Uuid, side: Color) {
        self.notes().sides.insert(game, side);
    }

    /// Forgets a game that is over.
    pub(super) fn leave(&self, game: Uuid) {
        self.notes().sides.remove(&game);
    }

    /// Which side the bot has in a game, if it has seen it.
    pub(super) fn side_in(&self, game: Uuid) -> Option<Color> {
        self.notes().sides.get(&game).copied()
    }

    fn notes(&self) -> MutexGuard<'_, Notes> {
        // The notes are whole between any two operations.
        self.notes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_thing_is_looked_at_once_and_all_when_none_comes() {
        let agenda = Agenda::default();
        let (game, other) = (Uuid::from_u128(1), Uuid::from_u128(2));
        for id in [game, other, game] {
            agenda.add(Task::Game(id));
        }
        let next = || agenda.next(Duration::ZERO);
        assert_eq!(next(), Some(Task::Game(game)));
        assert_eq!(next(), Some(Task::Game(other)));
        assert_eq!(next(), Some(Task::Everything));
        agenda.add(Task::Challenge(game));
        agenda.stop();
        assert_eq!(next(), None);
        // Would hang if it waited.
        agenda.pause(Duration::from_hours(1));
    }

    #[test]
    fn sides_are_known_until_the_game_is_left() {
        let agenda = Agenda::default();
        let game = Uuid::from_u128(1);
        agenda.sit(game, Color::Blue);
        assert_eq!(agenda.side_in(game), Some(Color::Blue));
        agenda.leave(game);
        assert_eq!(agenda.side_in(game), None);
    }
}
