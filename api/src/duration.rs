//! ISO 8601 durations (`P3D`, `PT71H59M`, `PT1.234S`), read and written.
//!
//! A day is always 24 hours and a week 7 days: clocks of games run in UTC, which knows no summer
//! time. Years and months have no fixed length and are refused, and so are negative durations.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use jiff::fmt::temporal::SpanParser;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use thiserror::Error;
use utoipa::openapi::{KnownFormat, ObjectBuilder, RefOr, Schema, SchemaFormat, Type};

const MILLIS_PER_SECOND: u128 = 1_000;
const MILLIS_PER_MINUTE: u128 = 60 * MILLIS_PER_SECOND;
const MILLIS_PER_HOUR: u128 = 60 * MILLIS_PER_MINUTE;
const MILLIS_PER_DAY: u128 = 24 * MILLIS_PER_HOUR;

/// A duration on the wire. Written in hours and less (`PT72H`, `PT5H2M`, `PT0S`), to the millisecond.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct IsoDuration(pub Duration);

/// Why a text is not a duration this server takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum DurationError {
    /// Not ISO 8601 at all, or beyond any sensible range.
    #[error("expected an ISO 8601 duration such as P3D, PT72H or PT1M")]
    NotIso8601,
    /// Years or months, which have no fixed length.
    #[error("years and months have no fixed length: give weeks, days, hours, minutes or seconds")]
    YearsOrMonths,
    /// Less than zero.
    #[error("a duration may not be negative")]
    Negative,
}

/// Reads an ISO 8601 duration.
///
/// # Errors
/// See [`DurationError`]; the sentences are fit to be shown to a caller.
pub fn parse(text: &str) -> Result<Duration, DurationError> {
    // The parser also takes other spellings; the contract has ISO 8601 alone.
    if !text.trim_start_matches('-').starts_with('P') {
        return Err(DurationError::NotIso8601);
    }
    let span = SpanParser::new()
        .parse_span(text)
        .map_err(|_| DurationError::NotIso8601)?;
    if span.is_negative() {
        return Err(DurationError::Negative);
    }
    if span.get_years() != 0 || span.get_months() != 0 {
        return Err(DurationError::YearsOrMonths);
    }
    let days = i128::from(span.get_weeks()) * 7 + i128::from(span.get_days());
    let hours = days * 24 + i128::from(span.get_hours());
    let minutes = hours * 60 + i128::from(span.get_minutes());
    let seconds = minutes * 60 + i128::from(span.get_seconds());
    let millis = seconds * 1_000 + i128::from(span.get_milliseconds());
    let micros = millis * 1_000 + i128::from(span.get_microseconds());
    let nanos = micros * 1_000 + i128::from(span.get_nanoseconds());
    let nanos = u64::try_from(nanos).map_err(|_| DurationError::NotIso8601)?;
    Ok(Duration::from_nanos(nanos))
}

/// Writes a duration in hours, minutes and seconds, to the millisecond: `PT71H59M`, `PT1.234S`, `PT0S`.
pub fn format(duration: Duration) -> String {
    let millis = duration.as_millis();
    let hours = millis / MILLIS_PER_HOUR;
    let minutes = millis % MILLIS_PER_HOUR / MILLIS_PER_MINUTE;
    let seconds = millis % MILLIS_PER_MINUTE / MILLIS_PER_SECOND;
    let rest = millis % MILLIS_PER_SECOND;
    let hours = part(hours, "H");
    let minutes = part(minutes, "M");
    let seconds = match rest {
        0 => part(seconds, "S"),
        _ => format!("{seconds}.{}S", format!("{rest:03}").trim_end_matches('0')),
    };
    match format!("{hours}{minutes}{seconds}") {
        parts if parts.is_empty() => "PT0S".to_owned(),
        parts => format!("PT{parts}"),
    }
}

fn part(count: u128, unit: &str) -> String {
    if count == 0 {
        String::new()
    } else {
        format!("{count}{unit}")
    }
}

/// Writes whole days as days (`P3D`) and all else as [`format()`] does: how time controls are shown.
pub fn format_in_days(duration: Duration) -> String {
    let millis = duration.as_millis();
    if millis > 0 && millis.is_multiple_of(MILLIS_PER_DAY) {
        format!("P{}D", millis / MILLIS_PER_DAY)
    } else {
        format(duration)
    }
}

impl fmt::Display for IsoDuration {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&format(self.0))
    }
}

impl FromStr for IsoDuration {
    type Err = DurationError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        parse(text).map(Self)
    }
}

impl Serialize for IsoDuration {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for IsoDuration {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse()
            .map_err(|fault| de::Error::custom(format_args!("{fault}, got {text:?}")))
    }
}

impl utoipa::PartialSchema for IsoDuration {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::String)
            .format(Some(SchemaFormat::KnownFormat(KnownFormat::Duration)))
            .description(Some(
                "An ISO 8601 duration. A day is 24 hours; years and months are refused.",
            ))
            .examples(["PT72H"])
            .into()
    }
}

impl utoipa::ToSchema for IsoDuration {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_and_writes() {
        for (text, millis, written, in_days) in [
            ("P3D", 259_200_000, "PT72H", "P3D"),
            ("PT72H", 259_200_000, "PT72H", "P3D"),
            ("P1W", 604_800_000, "PT168H", "P7D"),
            ("P28D", 2_419_200_000, "PT672H", "P28D"),
            ("P1DT12H", 129_600_000, "PT36H", "PT36H"),
            ("PT71H59M", 259_140_000, "PT71H59M", "PT71H59M"),
            ("PT5H2M", 18_120_000, "PT5H2M", "PT5H2M"),
            ("PT1.234S", 1_234, "PT1.234S", "PT1.234S"),
            ("PT0.5S", 500, "PT0.5S", "PT0.5S"),
            ("PT90S", 90_000, "PT1M30S", "PT1M30S"),
            ("PT1H1S", 3_601_000, "PT1H1S", "PT1H1S"),
            ("PT0S", 0, "PT0S", "PT0S"),
            ("PT0.5H", 1_800_000, "PT30M", "PT30M"),
        ] {
            let duration = parse(text).unwrap();
            assert_eq!(duration, Duration::from_millis(millis), "{text}");
            assert_eq!(format(duration), written, "{text}");
            assert_eq!(format_in_days(duration), in_days, "{text}");
            assert_eq!(parse(&format(duration)), Ok(duration), "{text}");
        }
    }

    #[test]
    fn refuses_what_is_not_a_fixed_length() {
        use DurationError::{Negative, NotIso8601, YearsOrMonths};
        for (text, fault) in [
            ("", NotIso8601),
            ("P", NotIso8601),
            ("PT", NotIso8601),
            ("3 days", NotIso8601),
            ("72h", NotIso8601),
            ("P3", NotIso8601),
            ("PT1M ", NotIso8601),
            ("P99999999999999D", NotIso8601),
            ("P1Y", YearsOrMonths),
            ("P1M", YearsOrMonths),
            ("-P1D", Negative),
            ("-PT1S", Negative),
        ] {
            assert_eq!(parse(text), Err(fault), "{text:?}");
        }
    }

    #[test]
    fn serde_names_what_was_expected_and_what_came() {
        let fault = serde_json::from_str::<IsoDuration>("\"3 days\"")
            .unwrap_err()
            .to_string();
        assert!(
            fault.contains("P3D") && fault.contains("\"3 days\""),
            "{fault}"
        );
    }
}
