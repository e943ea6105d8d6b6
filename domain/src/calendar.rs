use std::time::Duration;

use crate::time::Timestamp;

const DAY: i64 = 24 * 60 * 60 * 1_000_000;
const WEEK: i64 = 7 * DAY;
const WORKING_WEEK: i64 = 5 * DAY;
/// The first Monday after the epoch, which was a Thursday.
const FIRST_MONDAY: i64 = 4 * DAY;

/// When clocks run at all: always, or from Monday to Friday in UTC (`http-api.md` 3, `weekends`).
///
/// Instants are spans since the epoch, so neither a time zone nor daylight saving plays a part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Calendar {
    pub(crate) rests_at_weekends: bool,
}

impl Calendar {
    /// When a clock that is started at `from` has run for `span`.
    pub(crate) fn after(self, from: Timestamp, span: Duration) -> Timestamp {
        if !self.rests_at_weekends {
            return from + span;
        }
        let span = i64::try_from(span.as_micros()).unwrap_or(i64::MAX);
        let target = worked(from.as_micros()).saturating_add(span);
        let (week, rest) = (
            target.div_euclid(WORKING_WEEK),
            target.rem_euclid(WORKING_WEEK),
        );
        // What runs out as the weekend begins has run out then, not when it ends.
        let at = if rest == 0 && span > 0 {
            (week - 1).saturating_mul(WEEK).saturating_add(WORKING_WEEK)
        } else {
            week.saturating_mul(WEEK).saturating_add(rest)
        };
        Timestamp::from_micros(at.saturating_add(FIRST_MONDAY)).max(from)
    }

    /// For how long a clock runs between two instants.
    pub(crate) fn between(self, from: Timestamp, to: Timestamp) -> Duration {
        if !self.rests_at_weekends {
            return to.since(from);
        }
        let span = worked(to.as_micros()) - worked(from.as_micros());
        Duration::from_micros(u64::try_from(span).unwrap_or(0))
    }
}

/// The weekend at an instant, in UTC: from when to when; `None` from Monday to Friday.
pub(crate) fn weekend_at(now: Timestamp) -> Option<(Timestamp, Timestamp)> {
    let since_monday = (now.as_micros() - FIRST_MONDAY).rem_euclid(WEEK);
    let monday = now.as_micros() - since_monday;
    (since_monday >= WORKING_WEEK).then(|| {
        (
            Timestamp::from_micros(monday + WORKING_WEEK),
            Timestamp::from_micros(monday + WEEK),
        )
    })
}

/// How long a clock that rests at weekends would have run since the first Monday.
fn worked(at: i64) -> i64 {
    let at = at.saturating_sub(FIRST_MONDAY);
    at.div_euclid(WEEK) * WORKING_WEEK + at.rem_euclid(WEEK).min(WORKING_WEEK)
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR: Duration = Duration::from_hours(1);
    const TWO_DAYS_LESS_A_TICK: Duration = Duration::from_micros(48 * 3_600_000_000 - 1);
    const RESTING: Calendar = Calendar {
        rests_at_weekends: true,
    };
    /// Friday, 27 March 2026, 12:00 UTC.
    const FRIDAY_NOON: Timestamp = Timestamp::from_micros(1_774_612_800_000_000);

    #[test]
    fn a_weekend_is_saturday_and_sunday_in_utc() {
        let saturday = FRIDAY_NOON + 12 * HOUR;
        let monday = saturday + 48 * HOUR;
        assert_eq!(weekend_at(FRIDAY_NOON), None);
        for now in [
            saturday,
            saturday + 30 * HOUR,
            saturday + TWO_DAYS_LESS_A_TICK,
        ] {
            assert_eq!(weekend_at(now), Some((saturday, monday)));
        }
        assert_eq!(weekend_at(monday), None);
    }

    #[test]
    fn a_clock_stands_still_from_friday_night_to_monday() {
        let monday = FRIDAY_NOON + 60 * HOUR;
        for (span, at) in [
            (11 * HOUR, FRIDAY_NOON + 11 * HOUR),
            (12 * HOUR, FRIDAY_NOON + 12 * HOUR),
            (13 * HOUR, monday + HOUR),
            (24 * HOUR, monday + 12 * HOUR),
            (5 * 24 * HOUR + 13 * HOUR, monday + 7 * 24 * HOUR + HOUR),
        ] {
            assert_eq!(RESTING.after(FRIDAY_NOON, span), at, "{span:?}");
            assert_eq!(RESTING.between(FRIDAY_NOON, at), span);
        }
        let sunday = FRIDAY_NOON + 48 * HOUR;
        assert_eq!(RESTING.after(sunday, HOUR), monday + HOUR);
        assert_eq!(RESTING.after(sunday, Duration::ZERO), monday);
        assert_eq!(RESTING.between(FRIDAY_NOON, sunday), 12 * HOUR);
        assert_eq!(RESTING.between(sunday, FRIDAY_NOON), Duration::ZERO);
    }
}
