//! Where the time comes from. The release build has one source, the system; tests put in their own.

use std::fmt;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use chrono::{DateTime, Utc};

use crate::time::to_micros_precision;

/// A source of instants. Every rule that depends on time asks this and nothing else.
pub trait Clock: fmt::Debug + Send + Sync {
    /// The present instant, to the microsecond.
    fn now(&self) -> DateTime<Utc>;
}

/// The system's clock.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> DateTime<Utc> {
        to_micros_precision(Utc::now())
    }
}

/// A clock that stands still until it is moved. For tests that start the server in their own process:
/// no setting and no route of the program reaches it.
#[derive(Debug)]
pub struct TestClock {
    micros: AtomicI64,
}

impl TestClock {
    /// A clock that stands at `start`.
    pub fn at(start: DateTime<Utc>) -> Self {
        Self {
            micros: AtomicI64::new(start.timestamp_micros()),
        }
    }

    /// Puts the clock to `instant`, forwards or back.
    pub fn set(&self, instant: DateTime<Utc>) {
        self.micros
            .store(instant.timestamp_micros(), Ordering::SeqCst);
    }

    /// Moves the clock forward.
    pub fn advance(&self, by: Duration) {
        let micros = i64::try_from(by.as_micros()).unwrap_or(i64::MAX);
        self.micros.fetch_add(micros, Ordering::SeqCst);
    }
}

impl Clock for TestClock {
    fn now(&self) -> DateTime<Utc> {
        DateTime::from_timestamp_micros(self.micros.load(Ordering::SeqCst))
            .unwrap_or(DateTime::<Utc>::MAX_UTC)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_system_clock_gives_whole_microseconds() {
        assert_eq!(SystemClock.now().timestamp_subsec_nanos() % 1_000, 0);
    }

    #[test]
    fn a_test_clock_stands_still_until_moved() {
        let start: DateTime<Utc> = "2026-11-29T21:00:00Z".parse().unwrap();
        let clock = TestClock::at(start);
        assert_eq!(clock.now(), start);
        clock.advance(Duration::from_millis(1_500));
        assert_eq!(clock.now() - start, chrono::TimeDelta::milliseconds(1_500));
        clock.set(start);
        assert_eq!(clock.now(), start);
    }
}
