//! Instants and spans are whole microseconds in a BIGINT on both databases: equal to the last digit,
//! and out of reach of any time zone.

use std::time::Duration;

use chrono::{DateTime, Datelike};
use domain::Timestamp;

/// An instant as it is stored.
pub(crate) const fn micros(at: Timestamp) -> i64 {
    at.as_micros()
}

/// A stored instant.
pub(crate) const fn instant(micros: i64) -> Timestamp {
    Timestamp::from_micros(micros)
}

/// A span as it is stored; a span beyond 292,000 years is cut.
pub(crate) fn span_micros(span: Duration) -> i64 {
    i64::try_from(span.as_micros()).unwrap_or(i64::MAX)
}

/// A stored span; `None` when it is negative.
pub(crate) fn span(micros: i64) -> Option<Duration> {
    u64::try_from(micros).ok().map(Duration::from_micros)
}

/// The instant a span before another.
pub(crate) fn before(at: Timestamp, span: Duration) -> i64 {
    micros(at).saturating_sub(span_micros(span))
}

/// Stands for all months together.
pub(crate) const ALL_MONTHS: i32 = 0;

/// The month of an instant in UTC, counted from the year 0.
pub(crate) fn month(at: Timestamp) -> i32 {
    let date = DateTime::from_timestamp_micros(micros(at)).unwrap_or_default();
    let month = i32::try_from(date.month0()).unwrap_or(0);
    // The first month is not 0, which stands for all.
    (date.year().max(0) * 12 + month).max(ALL_MONTHS + 1)
}

/// The month that begins at an instant.
pub(crate) fn month_beginning(at: Timestamp) -> Option<i32> {
    let before = micros(at).checked_sub(1).map(instant)?;
    let begins = month(at) != month(before);
    begins.then(|| month(at))
}
