//! Games by the day or month of their end, in zones that stay so many hours from UTC while they end.

use std::collections::BTreeMap;

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::{Value, json};

use super::{Told, counts};

pub(super) fn count(games: &[&Told], form: &str, hours: i64) -> Value {
    let mut periods: BTreeMap<String, Vec<&Told>> = BTreeMap::new();
    for game in games {
        let end: DateTime<Utc> = game.finished_at.parse().unwrap();
        let there = end + TimeDelta::hours(hours);
        let period = there.format(form).to_string();
        periods.entry(period).or_default().push(game);
    }
    let period = |(name, games): (String, Vec<&Told>)| {
        let mut period = counts(&games);
        period["period"] = json!(name);
        period["games"] = json!(games.len());
        period
    };
    periods.into_iter().map(period).collect()
}
