use std::time::Duration;

use crate::color::{ByColor, Color};
use crate::time::Timestamp;

const DAY: Duration = Duration::from_hours(24);

/// How much time the players have (`http-api.md` 3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TimeControl {
    /// So much for each move.
    PerMove(Duration),
    /// A bank that grows by `increment` with each move, never above `max`.
    Fischer {
        /// The bank at the start.
        initial: Duration,
        /// What a move adds.
        increment: Duration,
        /// The bank's bound.
        max: Duration,
    },
    /// No deadline for a move.
    Unlimited,
}

impl TimeControl {
    /// The longest span that a control may name, and the time to set up an unlimited game.
    pub const LONGEST: Duration = DAY.saturating_mul(28);

    /// How long the players have to place their armies.
    pub const fn setup_time(self) -> Duration {
        match self {
            Self::PerMove(span) | Self::Fischer { initial: span, .. } => span,
            Self::Unlimited => Self::LONGEST,
        }
    }

    const fn at_start(self) -> Option<Duration> {
        match self {
            Self::PerMove(span) | Self::Fischer { initial: span, .. } => Some(span),
            Self::Unlimited => None,
        }
    }

    /// What a side has for its next move after it used `used` of `left` for this one.
    fn after_move(self, left: Option<Duration>, used: Duration) -> Option<Duration> {
        match self {
            Self::PerMove(span) => Some(span),
            Self::Fischer { increment, max, .. } => {
                left.map(|left| left.saturating_sub(used).saturating_add(increment).min(max))
            }
            Self::Unlimited => None,
        }
    }
}

/// The clocks of a game that has started.
///
/// What a side has left is what it had when its turn began; the deadline says when that runs out,
/// so a game that nobody touches reads the same every time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Clock {
    control: TimeControl,
    left: ByColor<Option<Duration>>,
    running: Option<Color>,
    since: Timestamp,
}

impl Clock {
    /// Starts Red's clock.
    pub(crate) fn start(control: TimeControl, now: Timestamp) -> Self {
        let left = control.at_start();
        Self {
            control,
            left: ByColor {
                red: left,
                blue: left,
            },
            running: Some(Color::Red),
            since: now,
        }
    }

    /// The clock of `side` stops and the other's runs; says how long the side thought.
    pub(crate) fn press(&mut self, side: Color, now: Timestamp) -> Duration {
        let used = now.since(self.since);
        self.left[side] = self.control.after_move(self.left[side], used);
        self.running = Some(!side);
        self.since = now;
        used
    }

    /// Both clocks stop; the side to move keeps what is left of its time.
    pub(crate) fn stop(&mut self, now: Timestamp) {
        if let Some(side) = self.running.take() {
            let used = now.since(self.since);
            self.left[side] = self.left[side].map(|left| left.saturating_sub(used));
            self.since = now;
        }
    }

    /// When the turn began.
    pub const fn since(&self) -> Timestamp {
        self.since
    }

    /// What a side had left when the running turn began, or when the game ended; `None` without a
    /// limit.
    pub fn time_left(&self, side: Color) -> Option<Duration> {
        self.left[side]
    }

    /// When the side to move loses on time.
    pub fn deadline(&self) -> Option<Timestamp> {
        let side = self.running?;
        Some(self.since + self.left[side]?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const T0: Timestamp = Timestamp::from_micros(1_774_605_600_000_000);
    const HOUR: Duration = Duration::from_hours(1);

    #[test]
    fn a_per_move_clock_returns_to_the_full_time() {
        let mut clock = Clock::start(TimeControl::PerMove(DAY), T0);
        let now = T0 + Duration::from_mins(23 * 60 + 55);
        assert_eq!(clock.press(Color::Red, now), now - T0);
        assert_eq!(clock.time_left(Color::Red), Some(DAY));
        assert_eq!(clock.deadline(), Some(now + DAY));
    }

    #[test]
    fn a_fischer_bank_grows_up_to_its_bound() {
        let control = TimeControl::Fischer {
            initial: 2 * HOUR,
            increment: HOUR,
            max: 3 * HOUR,
        };
        let mut clock = Clock::start(control, T0);
        clock.press(Color::Red, T0 + HOUR / 2);
        assert_eq!(clock.time_left(Color::Red), Some(5 * HOUR / 2));
        clock.press(Color::Blue, T0 + HOUR / 2);
        clock.press(Color::Red, T0 + HOUR / 2);
        assert_eq!(clock.time_left(Color::Red), Some(3 * HOUR));
        assert_eq!(clock.deadline(), Some(T0 + HOUR / 2 + 3 * HOUR));
    }

    #[test]
    fn a_stopped_clock_stands_still() {
        let mut clock = Clock::start(TimeControl::PerMove(DAY), T0);
        clock.stop(T0 + HOUR);
        assert_eq!(clock.time_left(Color::Red), Some(23 * HOUR));
        assert_eq!(clock.time_left(Color::Blue), Some(DAY));
        assert_eq!(clock.deadline(), None);
    }
}
