use std::time::Duration;

use crate::time::Timestamp;

const DAY: Duration = Duration::from_hours(24);
/// A year, in which as many days are earned as can be held.
const YEAR_DAYS: u64 = 365;

/// What a player has of vacation: days are earned evenly up to a bound, and used while he is away
/// (`http-api.md` 6).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Vacation {
    /// What was left at `held_at`.
    pub held: Duration,
    /// When that was. While he is away: when that began.
    pub held_at: Timestamp,
    /// The vacation that is planned, or runs: from when, and when it ends by itself.
    pub span: Option<(Timestamp, Timestamp)>,
    /// Whether it runs.
    pub active: bool,
}

/// Why a vacation cannot be taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum VacationError {
    /// It would end before it begins, or is over already.
    #[error("a vacation ends after it begins, and not in the past")]
    EndsTooEarly,
    /// Nothing would be left to take.
    #[error("no vacation is left: it grows again with time")]
    NothingLeft,
    /// It lies too far ahead.
    #[error("a vacation begins within the next 365 days")]
    TooFarAhead,
}

impl Vacation {
    /// What a new account has.
    pub const AT_FIRST: Duration = DAY.saturating_mul(7);
    /// The most that can be held, and what a year earns.
    pub const MOST: Duration = DAY.saturating_mul(30);
    /// How far ahead one can be planned.
    pub const AHEAD: Duration = DAY.saturating_mul(365);

    /// The vacation of an account that was made then and has never taken any.
    pub const fn of_new_account(created_at: Timestamp) -> Self {
        Self {
            held: Self::AT_FIRST,
            held_at: created_at,
            span: None,
            active: false,
        }
    }

    /// What is left at an instant. While it runs nothing is earned.
    pub fn left_at(&self, now: Timestamp) -> Duration {
        let passed = now.since(self.held_at);
        if self.active {
            return self.held.saturating_sub(passed);
        }
        let earned = u128::from(Self::MOST.as_secs()) * passed.as_micros()
            / u128::from(YEAR_DAYS * DAY.as_secs());
        let earned = Duration::from_micros(u64::try_from(earned).unwrap_or(u64::MAX));
        self.held.saturating_add(earned).min(Self::MOST)
    }

    /// Plans a vacation, or moves the end of the one that runs, whose beginning stays. It ends when it
    /// is used up, if not before.
    ///
    /// # Errors
    /// Why it cannot be taken; nothing has changed then.
    pub fn plan(
        &mut self,
        from: Timestamp,
        until: Timestamp,
        now: Timestamp,
    ) -> Result<(), VacationError> {
        let from = match self.span {
            Some((from, _)) if self.active => from,
            _ => from.max(now),
        };
        if until <= from.max(now) {
            return Err(VacationError::EndsTooEarly);
        }
        if from.since(now) > Self::AHEAD {
            return Err(VacationError::TooFarAhead);
        }
        let left = self.left_at(from);
        if left.is_zero() {
            return Err(VacationError::NothingLeft);
        }
        self.span = Some((from, until.min(from + left)));
        Ok(())
    }

    /// Begins the vacation whose time has come; says whether there was one.
    pub fn begin(&mut self, now: Timestamp) -> bool {
        let Some((from, _)) = self.span.filter(|(from, _)| *from <= now && !self.active) else {
            return false;
        };
        self.held = self.left_at(from);
        self.held_at = from;
        self.active = true;
        true
    }

    /// Ends the vacation that is over at an instant; says whether there was one. When that is seen so
    /// late that nobody could have played meanwhile, the clocks go on only `resumed`, and nothing is
    /// charged for that.
    pub fn end(&mut self, over: Timestamp, resumed: Timestamp) -> bool {
        let Some((from, until)) = self.span.filter(|_| self.active) else {
            return false;
        };
        self.held = self.held.saturating_sub(over.min(until).since(from));
        self.held_at = resumed;
        self.span = None;
        self.active = false;
        true
    }

    /// Gives up what is planned; says whether there was anything.
    pub fn cancel(&mut self) -> bool {
        !self.active && self.span.take().is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const T0: Timestamp = Timestamp::from_micros(1_774_605_600_000_000);

    fn days(days: u32) -> Duration {
        DAY * days
    }

    #[test]
    fn days_grow_evenly_up_to_a_bound() {
        let vacation = Vacation::of_new_account(T0);
        assert_eq!(vacation.left_at(T0), days(7));
        assert_eq!(vacation.left_at(T0 + days(73)), days(13));
        assert_eq!(vacation.left_at(T0 + days(365)), days(30));
        assert_eq!(vacation.left_at(T0 + days(3650)), days(30));
    }

    #[test]
    fn a_vacation_is_planned_begins_and_is_used_up() {
        let mut vacation = Vacation::of_new_account(T0);
        vacation
            .plan(T0 + days(73), T0 + days(100), T0)
            .expect("it is fine");
        assert_eq!(
            vacation.span,
            Some((T0 + days(73), T0 + days(86))),
            "13 days"
        );
        assert!(!vacation.begin(T0 + days(72)));
        assert!(vacation.begin(T0 + days(74)));
        assert!(!vacation.begin(T0 + days(74)));
        assert_eq!(vacation.left_at(T0 + days(75)), days(11));
        assert!(vacation.end(T0 + days(86), T0 + days(87)));
        assert_eq!(
            (vacation.held, vacation.held_at),
            (Duration::ZERO, T0 + days(87))
        );
        assert!(!vacation.end(T0 + days(88), T0 + days(88)));
        let again = vacation.plan(T0 + days(87), T0 + days(88), T0 + days(87));
        assert_eq!(again, Err(VacationError::NothingLeft));
    }

    #[test]
    fn the_end_of_one_that_runs_can_be_moved() {
        let mut vacation = Vacation::of_new_account(T0);
        vacation.plan(T0, T0 + days(2), T0).expect("it is fine");
        assert!(vacation.begin(T0));
        vacation
            .plan(T0 + days(1), T0 + days(30), T0 + days(1))
            .expect("longer");
        assert_eq!(vacation.span, Some((T0, T0 + days(7))));
        let over = vacation.plan(T0, T0 + days(1), T0 + days(1));
        assert_eq!(over, Err(VacationError::EndsTooEarly));
        assert!(vacation.end(T0 + days(3), T0 + days(3)));
        assert_eq!(vacation.left_at(T0 + days(3)), days(4));
    }

    #[test]
    fn what_is_planned_can_be_given_up() {
        let mut vacation = Vacation::of_new_account(T0);
        assert!(!vacation.cancel());
        let far = vacation.plan(T0 + days(366), T0 + days(367), T0);
        assert_eq!(far, Err(VacationError::TooFarAhead));
        vacation
            .plan(T0 + days(5), T0 + days(6), T0)
            .expect("it is fine");
        assert!(vacation.cancel());
        assert_eq!(vacation.span, None);
    }
}
