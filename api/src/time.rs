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
    fn microseconds_are_the_finest_kept() {
        let instant: DateTime<Utc> = "2026-11-29T21:00:00.123456789Z".parse().unwrap();
        assert_eq!(
            to_micros_precision(instant).timestamp_subsec_nanos(),
            123_456_000
        );
    }
}
