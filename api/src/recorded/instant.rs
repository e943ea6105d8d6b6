//! Instants and days in files: RFC 3339 in UTC, with microseconds, so that they come back as they were.

use std::ops::RangeInclusive;

use chrono::{DateTime, Datelike, NaiveDate, SecondsFormat, Utc};
use domain::Timestamp;

use crate::time::{from_domain, to_domain};

/// The years that are read, and have four digits.
const YEARS: RangeInclusive<i32> = 1_000..=9_999;

/// Writes an instant.
pub(super) fn write(at: Timestamp) -> String {
    from_domain(at).to_rfc3339_opts(SecondsFormat::Micros, true)
}

/// Reads an instant, of any offset.
pub(super) fn read(text: &str) -> Option<Timestamp> {
    let instant = DateTime::parse_from_rfc3339(text).ok()?;
    known(instant.to_utc())
}

/// The day of an instant, `2026-11-29`.
pub(super) fn day(at: Timestamp) -> String {
    from_domain(at).format("%Y-%m-%d").to_string()
}

/// The first instant of a day.
pub(super) fn of_day(text: &str) -> Option<Timestamp> {
    let is_digit = |(place, byte): (usize, u8)| matches!(place, 4 | 7) || byte.is_ascii_digit();
    if text.len() != 10 || !(0..).zip(text.bytes()).all(is_digit) {
        return None;
    }
    let day = NaiveDate::parse_from_str(text, "%Y-%m-%d").ok()?;
    known(day.and_hms_opt(0, 0, 0)?.and_utc())
}

fn known(instant: DateTime<Utc>) -> Option<Timestamp> {
    YEARS.contains(&instant.year()).then(|| to_domain(instant))
}

/// Reads an instant, or the first one of a day.
pub(crate) fn read_or_day(text: &str) -> Option<Timestamp> {
    read(text).or_else(|| of_day(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instants_and_days_read_back() {
        for micros in [0, 1, -1, 1_795_986_000_123_456] {
            let at = Timestamp::from_micros(micros);
            assert_eq!(read(&write(at)), Some(at));
        }
        let at = read("2026-11-29T23:30:00+01:00").unwrap();
        assert_eq!(write(at), "2026-11-29T22:30:00.000000Z");
        assert_eq!(day(at), "2026-11-29");
        assert_eq!(
            of_day("2026-11-29").map(write).as_deref(),
            Some("2026-11-29T00:00:00.000000Z")
        );
        for text in [
            "",
            "2026-02-30",
            "2026-11-29 21:00",
            "yesterday",
            "+262142-12-31",
            "+12026-1-1",
            "2026- 1-01",
            "2026-1-1",
            "0999-12-31",
            "0999-12-31T00:00:00Z",
            "9999-12-31T23:00:00-02:00",
        ] {
            assert_eq!((read(text), of_day(text)), (None, None), "{text}");
        }
    }
}
