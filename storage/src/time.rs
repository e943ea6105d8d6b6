//! Instants and spans are whole microseconds in a BIGINT on both databases: equal to the last digit,
//! and out of reach of any time zone.

use std::time::Duration;

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
