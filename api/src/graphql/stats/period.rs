use std::collections::BTreeMap;
use std::time::Instant;

use domain::Color;
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use storage::facts::{self, StatisticsFilter};
use storage::{Connection, StorageError};

use crate::graphql::names::PeriodUnit;
use crate::problem::ApiError;

/// The games that ended in a period.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Period {
    /// `2026-11-30`, or `2026-11`.
    pub(super) name: String,
    pub(super) games: u64,
    pub(super) red_wins: u64,
    pub(super) blue_wins: u64,
}

/// A time zone by its name.
///
/// # Errors
/// 400 when there is none.
pub(super) fn zone(name: Option<&str>) -> Result<TimeZone, ApiError> {
    let name = name.unwrap_or("UTC");
    TimeZone::get(name).map_err(|_| {
        let shown: String = name.chars().take(64).collect();
        let detail = format!("expected a time zone such as Europe/Athens, got {shown:?}");
        ApiError::malformed_field("tz", detail)
    })
}

/// The games by the day or month in which they ended.
///
/// # Errors
/// [`TooSlow`](StorageError::TooSlow).
pub(super) fn count(
    conn: &mut Connection,
    filter: &StatisticsFilter,
    unit: PeriodUnit,
    zone: &TimeZone,
    until: Instant,
) -> Result<Vec<Period>, StorageError> {
    let mut periods: BTreeMap<Date, [u64; 3]> = BTreeMap::new();
    facts::ends(conn, filter, until, |ended| {
        let at = Timestamp::from_microsecond(ended.at.as_micros()).unwrap_or_default();
        let day = zone.to_datetime(at).date();
        let first = match unit {
            PeriodUnit::Day => day,
            PeriodUnit::Month => day.first_of_month(),
        };
        let [games, red_wins, blue_wins] = periods.entry(first).or_default();
        *games += 1;
        *red_wins += u64::from(ended.winner == Some(Color::Red));
        *blue_wins += u64::from(ended.winner == Some(Color::Blue));
    })?;
    let named = |(first, [games, red_wins, blue_wins]): (Date, [u64; 3])| Period {
        name: match unit {
            PeriodUnit::Day => first.to_string(),
            PeriodUnit::Month => first.strftime("%Y-%m").to_string(),
        },
        games,
        red_wins,
        blue_wins,
    };
    Ok(periods.into_iter().map(named).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zones_have_the_names_of_iana() {
        for name in [
            None,
            Some("UTC"),
            Some("America/New_York"),
            Some("Europe/Athens"),
        ] {
            assert!(zone(name).is_ok(), "{name:?}");
        }
        for name in ["", "Nowhere/At_All", "../../etc/passwd"] {
            assert!(zone(Some(name)).is_err(), "{name}");
        }
    }
}
