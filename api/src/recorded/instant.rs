//! Instants and days in files: RFC 3339 in UTC, with microseconds, so that they come back as they were.

use chrono::{DateTime, NaiveDate, SecondsFormat};
use domain::Timestamp;

use crate::time::{from_domain, to_domain};

/// Writes an instant.
pub(super) fn write(at: Timestamp) -> String {
    from_domain(at).to_rfc3339_opts(SecondsFormat::Micros, true)
}

/// Reads an instant, of any offset.
pub(super) fn read(text: &str) -> Option<Timestamp> {
    let instant = DateTime::parse_from_rfc3339(text).ok()?;
    Some(to_domain(instant.to_utc()))
}

/// The day of an instant, `2026-11-29`.
pub(super) fn day(at: Timestamp) -> String {
    from_domain(at).format("%Y-%m-%d").to_string()
}

/// The first instant of a day.
pub(super) fn of_day(text: &str) -> Option<Timestamp> {
    let day = NaiveDate::parse_from_str(text, "%Y-%m-%d").ok()?;
    Some(to_domain(day.and_hms_opt(0, 0, 0)?.and_utc()))
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
        for text in ["", "2026-02-30", "2026-11-29 21:00", "yesterday"] {
            assert_eq!((read(text), of_day(text)), (None, None), "{text}");
        }
    }
}
