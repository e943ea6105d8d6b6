use std::time::Duration;

use crate::calendar::Calendar;
use crate::color::{ByColor, Color};
use crate::countdown::Countdown;
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

    /// What a side has for its next move when it had `left` as it made this one. What an outage gave
    /// back may stand above the bound of a bank, and is kept.
    fn after_move(self, left: Option<Duration>) -> Option<Duration> {
        match self {
            Self::PerMove(span) => Some(span),
            Self::Fischer { increment, max, .. } => {
                left.map(|left| left.saturating_add(increment).min(max).max(left))
            }
            Self::Unlimited => None,
        }
    }
}

/// The clocks of a game: first the time to place the armies, which both sides share, then the time of
/// the side to move.
///
/// What a side has left is what it had when its time last began to run; the deadline says when that runs
/// out, so a game that nobody touches reads the same every time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Clock {
    banks: ByColor<Option<Duration>>,
    /// The side to move; `None` until both armies stand, and after the end.
    side: Option<Color>,
    turn_began: Timestamp,
    countdown: Countdown,
    /// Whether it was said of this turn that time is nearly up.
    warned: bool,
}

impl Clock {
    /// Starts the time to place the armies.
    pub(crate) const fn new(control: TimeControl, calendar: Calendar, now: Timestamp) -> Self {
        let bank = control.at_start();
        Self {
            banks: ByColor {
                red: bank,
                blue: bank,
            },
            side: None,
            turn_began: now,
            countdown: Countdown::start(calendar, Some(control.setup_time()), now),
            warned: false,
        }
    }

    /// Starts Red's time.
    pub(crate) fn start(&mut self, now: Timestamp) {
        self.begin_turn(Color::Red, now);
    }

    /// The time of `side` stops and the other's runs; says how long the turn took.
    pub(crate) fn press(&mut self, control: TimeControl, side: Color, now: Timestamp) -> Duration {
        self.banks[side] = control.after_move(self.countdown.left_at(now));
        let took = now.since(self.turn_began);
        self.begin_turn(!side, now);
        took
    }

    fn begin_turn(&mut self, side: Color, now: Timestamp) {
        self.side = Some(side);
        self.turn_began = now;
        self.countdown.restart(self.banks[side], now);
        self.warned = false;
    }

    /// Runs on, or stands still where it is.
    pub(crate) fn set_running(&mut self, runs: bool, now: Timestamp) {
        self.countdown.set_running(runs, now);
    }

    /// Gives the time back that an outage took.
    pub(crate) fn credit(&mut self, span: Duration) {
        self.countdown.add(span);
    }

    /// It was said that time is nearly up.
    pub(crate) fn warn(&mut self) {
        self.warned = true;
    }

    /// Both sides keep what they have left.
    pub(crate) fn stop(&mut self, now: Timestamp) {
        self.countdown.set_running(false, now);
        if let Some(side) = self.side.take() {
            self.banks[side] = self.countdown.left();
        }
    }

    /// When the turn began, or the time to place the armies.
    pub(crate) const fn turn_began(&self) -> Timestamp {
        self.turn_began
    }

    pub(crate) const fn is_running(&self) -> bool {
        self.countdown.is_running()
    }

    /// What a side had left when its time last began to run, or stopped; `None` without a limit.
    pub(crate) fn time_left(&self, side: Color) -> Option<Duration> {
        if self.side == Some(side) {
            self.countdown.left()
        } else {
            self.banks[side]
        }
    }

    /// When time runs out; `None` while it stands still.
    pub(crate) fn deadline(&self) -> Option<Timestamp> {
        self.countdown.deadline()
    }

    /// When only a fifth of the turn's time is left, until that was said.
    pub(crate) fn near(&self) -> Option<Timestamp> {
        self.countdown.near().filter(|_| !self.warned)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const T0: Timestamp = Timestamp::from_micros(1_774_605_600_000_000);
    const HOUR: Duration = Duration::from_hours(1);

    const DAILY: TimeControl = TimeControl::PerMove(DAY);
    const BANK: TimeControl = TimeControl::Fischer {
        initial: Duration::from_hours(2),
        increment: HOUR,
        max: Duration::from_hours(3),
    };

    fn started(control: TimeControl) -> Clock {
        let calendar = Calendar {
            rests_at_weekends: false,
        };
        let mut clock = Clock::new(control, calendar, T0);
        clock.start(T0);
        clock
    }

    #[test]
    fn a_per_move_clock_returns_to_the_full_time() {
        let mut clock = started(DAILY);
        let now = T0 + Duration::from_mins(23 * 60 + 55);
        assert_eq!(clock.press(DAILY, Color::Red, now), now - T0);
        assert_eq!(clock.time_left(Color::Red), Some(DAY));
        assert_eq!(clock.deadline(), Some(now + DAY));
    }

    #[test]
    fn a_fischer_bank_grows_up_to_its_bound() {
        let mut clock = started(BANK);
        clock.press(BANK, Color::Red, T0 + HOUR / 2);
        assert_eq!(clock.time_left(Color::Red), Some(5 * HOUR / 2));
        clock.press(BANK, Color::Blue, T0 + HOUR / 2);
        clock.press(BANK, Color::Red, T0 + HOUR / 2);
        assert_eq!(clock.time_left(Color::Red), Some(3 * HOUR));
        assert_eq!(clock.deadline(), Some(T0 + HOUR / 2 + 3 * HOUR));
        // What an outage gave back is not taken away again by the bound.
        clock.press(BANK, Color::Blue, T0 + HOUR / 2);
        clock.credit(2 * HOUR);
        clock.press(BANK, Color::Red, T0 + HOUR);
        assert_eq!(clock.time_left(Color::Red), Some(9 * HOUR / 2));
    }

    #[test]
    fn a_stopped_clock_stands_still_and_runs_on_from_there() {
        let mut clock = started(DAILY);
        clock.set_running(false, T0 + HOUR);
        clock.set_running(false, T0 + 2 * HOUR);
        assert_eq!(clock.time_left(Color::Red), Some(23 * HOUR));
        assert_eq!((clock.deadline(), clock.near()), (None, None));
        clock.set_running(true, T0 + 50 * HOUR);
        clock.set_running(true, T0 + 51 * HOUR);
        assert_eq!(clock.deadline(), Some(T0 + 73 * HOUR));
        let fifth = DAY / 5;
        assert_eq!(
            clock.near(),
            Some(T0 + 50 * HOUR + (23 * HOUR).saturating_sub(fifth))
        );
        clock.stop(T0 + 60 * HOUR);
        assert_eq!(clock.time_left(Color::Red), Some(13 * HOUR));
        assert_eq!(clock.time_left(Color::Blue), Some(DAY));
        assert_eq!(clock.deadline(), None);
    }
}
