//! A player's own time of day.

use jiff::Timestamp as Instant;
use jiff::civil::Date;
use jiff::tz::TimeZone;

use domain::Timestamp;

/// The hour at which a digest is due.
const DIGEST_HOUR: i8 = 8;
/// The longest name of a time zone that is looked up.
const MAX_NAME: usize = 64;
/// How many days ahead the next digest is looked for.
const DAYS: usize = 4;

/// The name of a time zone as the IANA database spells it; none for one that is not in it.
pub fn known_zone(name: &str) -> Option<String> {
    if name.len() > MAX_NAME {
        return None;
    }
    let zone = TimeZone::get(name).ok()?;
    zone.iana_name().map(str::to_owned)
}

/// The time zone of that name, else UTC.
pub(super) fn zone(name: Option<&str>) -> TimeZone {
    name.and_then(|name| TimeZone::get(name).ok())
        .unwrap_or(TimeZone::UTC)
}

/// The day at an instant, in days since 1970.
pub(super) fn day(at: Timestamp, zone: &TimeZone) -> Option<i64> {
    let date = instant(at)?.to_zoned_datetime(zone.clone()).date();
    Some(number(date))
}

/// When the next digest is due: at the next 8:00 of a day after that of the last one, so once on each
/// day, whatever the clocks do.
pub(super) fn next_digest(
    now: Timestamp,
    zone: &TimeZone,
    last_day: Option<i64>,
) -> Option<Timestamp> {
    let now = instant(now)?;
    let mut date = now.to_zoned_datetime(zone.clone()).date();
    for _ in 0..DAYS {
        // A time that the clocks leave out is the one after the gap, and of one that comes twice the
        // first counts.
        let due = date
            .at(DIGEST_HOUR, 0, 0, 0)
            .to_zoned_datetime(zone.clone())
            .ok()?
            .timestamp();
        if due > now && last_day.is_none_or(|last| number(date) > last) {
            return Some(Timestamp::from_micros(due.as_microsecond()));
        }
        date = date.tomorrow().ok()?;
    }
    None
}

/// An instant for people, e.g. `Mon 30 Nov 2026, 14:05 Europe/Berlin`.
pub(super) fn written(at: Timestamp, zone: &TimeZone) -> String {
    let name = zone.iana_name().unwrap_or("UTC");
    instant(at).map_or_else(String::new, |at| {
        let local = at.to_zoned_datetime(zone.clone());
        format!("{} {name}", local.strftime("%a %-d %b %Y, %H:%M"))
    })
}

fn instant(at: Timestamp) -> Option<Instant> {
    Instant::from_microsecond(at.as_micros()).ok()
}

fn number(date: Date) -> i64 {
    date.duration_since(Date::constant(1970, 1, 1)).as_hours() / 24
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        Timestamp::from_micros(text.parse::<Instant>().unwrap().as_microsecond())
    }

    /// The digests of some days, each looked for at the one before.
    fn digests(zone_name: &str, from: &str, count: usize) -> Vec<String> {
        let zone = zone(Some(zone_name));
        let mut now = at(from);
        let mut found = Vec::new();
        for _ in 0..count {
            let last = day(now, &zone).filter(|_| !found.is_empty());
            now = next_digest(now, &zone, last).unwrap();
            found.push(
                Instant::from_microsecond(now.as_micros())
                    .unwrap()
                    .to_string(),
            );
        }
        found
    }

    #[test]
    fn eight_is_eight_when_the_clocks_change() {
        assert_eq!(
            digests("Europe/Berlin", "2026-03-27T12:00:00Z", 3),
            [
                "2026-03-28T07:00:00Z",
                "2026-03-29T06:00:00Z",
                "2026-03-30T06:00:00Z"
            ]
        );
        assert_eq!(
            digests("America/New_York", "2026-10-30T13:00:00Z", 3),
            [
                "2026-10-31T12:00:00Z",
                "2026-11-01T13:00:00Z",
                "2026-11-02T13:00:00Z"
            ]
        );
    }

    #[test]
    fn who_moves_to_another_zone_gets_one_a_day_still() {
        let york = zone(Some("America/New_York"));
        let told = day(at("2026-07-01T06:00:00Z"), &zone(Some("Europe/Berlin")));
        let next = next_digest(at("2026-07-01T07:00:00Z"), &york, told).unwrap();
        assert_eq!(next, at("2026-07-02T12:00:00Z"));
    }

    #[test]
    fn names_are_those_of_the_database() {
        assert_eq!(
            known_zone("europe/berlin").as_deref(),
            Some("Europe/Berlin")
        );
        for unknown in ["", "Berlin/Europe", "../etc/passwd", &"a".repeat(65)] {
            assert_eq!(known_zone(unknown), None, "{unknown}");
        }
        assert_eq!(
            written(at("2026-11-30T13:05:00Z"), &zone(Some("Europe/Berlin"))),
            "Mon 30 Nov 2026, 14:05 Europe/Berlin"
        );
    }
}
