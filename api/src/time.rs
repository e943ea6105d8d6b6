//! Instants as the contract writes them: RFC 3339, UTC, always three digits of milliseconds.

use chrono::{DateTime, SecondsFormat, SubsecRound, Utc};
use serde::{Serialize, Serializer};
use utoipa::openapi::{KnownFormat, ObjectBuilder, RefOr, Schema, SchemaFormat, Type};

/// An instant on the wire, e.g. `2026-11-29T21:00:00.000Z`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Timestamp(pub DateTime<Utc>);

/// Writes an instant as RFC 3339 in UTC with exactly three digits of milliseconds.
/// What is finer than a millisecond is cut off, not rounded, so that no instant appears to lie ahead.
pub fn format(instant: DateTime<Utc>) -> String {
    instant.to_rfc3339_opts(SecondsFormat::Millis, true)
}

/// The instant with all that is finer than a microsecond cut off, the precision both databases keep.
pub fn to_micros_precision(instant: DateTime<Utc>) -> DateTime<Utc> {
    instant.trunc_subsecs(6)
}

impl From<DateTime<Utc>> for Timestamp {
    fn from(instant: DateTime<Utc>) -> Self {
        Self(instant)
    }
}

impl From<domain::Timestamp> for Timestamp {
    fn from(instant: domain::Timestamp) -> Self {
        Self(from_domain(instant))
    }
}

/// The instant as the domain and the database have it.
pub fn to_domain(instant: DateTime<Utc>) -> domain::Timestamp {
    domain::Timestamp::from_micros(instant.timestamp_micros())
}

/// An instant of the domain. One beyond the calendar is shown as its end.
pub fn from_domain(instant: domain::Timestamp) -> DateTime<Utc> {
    DateTime::from_timestamp_micros(instant.as_micros()).unwrap_or(DateTime::<Utc>::MAX_UTC)
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&format(self.0))
    }
}

impl utoipa::PartialSchema for Timestamp {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::String)
            .format(Some(SchemaFormat::KnownFormat(KnownFormat::DateTime)))
            .description(Some("An instant in UTC with milliseconds (RFC 3339)."))
            .examples(["2026-11-29T21:00:00.000Z"])
            .into()
    }
}

impl utoipa::ToSchema for Timestamp {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn always_utc_with_three_digits_cut_off() {
        for (given, expected) in [
            ("2026-11-29T21:00:00Z", "2026-11-29T21:00:00.000Z"),
            ("2026-11-29T23:00:00+02:00", "2026-11-29T21:00:00.000Z"),
            ("2026-11-29T21:00:00.9999999Z", "2026-11-29T21:00:00.999Z"),
            ("1969-12-31T23:59:59.5Z", "1969-12-31T23:59:59.500Z"),
        ] {
            let instant: DateTime<Utc> = given.parse().unwrap();
            assert_eq!(format(instant), expected);
        }
    }

    #[test]
    fn the_domain_has_the_same_instants() {
        let instant: DateTime<Utc> = "2026-11-29T21:00:00.123456Z".parse().unwrap();
        assert_eq!(from_domain(to_domain(instant)), instant);
        assert_eq!(to_domain(instant).as_micros(), 1_795_986_000_123_456);
        assert_eq!(
            from_domain(domain::Timestamp::from_micros(i64::MAX)),
            DateTime::<Utc>::MAX_UTC
        );
    }

    #[test]
    fn microseconds_are_the_finest_kept() {
        let instant: DateTime<Utc> = "2026-11-29T21:00:00.123456789Z".parse().unwrap();
        assert_eq!(
            to_micros_precision(instant).timestamp_subsec_nanos(),
            123_456_000
        );
    }
}
