use std::time::Duration;

use crate::calendar::Calendar;
use crate::time::Timestamp;

/// A span that runs down, and can be stopped and run on from where it stood.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Countdown {
    calendar: Calendar,
    /// What there was to begin with; `None` without a limit.
    whole: Option<Duration>,
    /// What was left when it last began to run, or stopped.
    left: Option<Duration>,
    /// Since when it runs; `None` while it is stopped.
    running_since: Option<Timestamp>,
}

impl Countdown {
    pub(crate) const fn start(calendar: Calendar, whole: Option<Duration>, now: Timestamp) -> Self {
        Self {
            calendar,
            whole,
            left: whole,
            running_since: Some(now),
        }
    }

    /// Begins anew.
    pub(crate) const fn restart(&mut self, whole: Option<Duration>, now: Timestamp) {
        *self = Self::start(self.calendar, whole, now);
    }

    /// Runs on, or stops: nothing when it does already.
    pub(crate) fn set_running(&mut self, runs: bool, now: Timestamp) {
        if runs {
            self.running_since.get_or_insert(now);
        } else {
            self.left = self.left_at(now);
            self.running_since = None;
        }
    }

    pub(crate) const fn is_running(&self) -> bool {
        self.running_since.is_some()
    }

    /// What was left when it last began to run, or stopped.
    pub(crate) const fn left(&self) -> Option<Duration> {
        self.left
    }

    /// What is left at an instant.
    pub(crate) fn left_at(&self, now: Timestamp) -> Option<Duration> {
        let used = self
            .running_since
            .map_or(Duration::ZERO, |since| self.calendar.between(since, now));
        self.left.map(|left| left.saturating_sub(used))
    }

    /// Gives time back.
    pub(crate) fn add(&mut self, span: Duration) {
        self.left = self.left.map(|left| left.saturating_add(span));
    }

    /// When it runs out; `None` without a limit and while it is stopped.
    pub(crate) fn deadline(&self) -> Option<Timestamp> {
        Some(self.calendar.after(self.running_since?, self.left?))
    }

    /// When only a fifth is left of what there was to begin with.
    pub(crate) fn near(&self) -> Option<Timestamp> {
        let until_then = self.left?.saturating_sub(self.whole? / 5);
        Some(self.calendar.after(self.running_since?, until_then))
    }
}
