//! The figures of a server, as its own listener gives them.

use std::collections::BTreeMap;

use crate::client::Client;

/// Every series with its value.
pub type Figures = BTreeMap<String, f64>;

/// Reads all figures from the listener at `url`.
pub fn scrape(url: &str) -> Figures {
    let answer = Client::new(url).get("/metrics");
    assert_eq!(answer.status, 200, "{answer:?}");
    let series = answer.text().lines().filter(|line| !line.starts_with('#'));
    series
        .map(|line| {
            let (name, value) = line.rsplit_once(' ').expect("a series and its value");
            (name.to_owned(), value.parse().expect("a number"))
        })
        .collect()
}

/// What was counted between two readings, by series: durations, the state of the process, and how writes
/// fell together left out.
pub fn counted(before: &Figures, after: &Figures) -> Figures {
    let timed = |name: &str| {
        let plain = name.split('{').next().unwrap_or_default();
        plain.starts_with("process_")
            || plain.starts_with("reveille_database_")
            || plain.ends_with("_bucket")
            || plain.ends_with("_sum")
    };
    let grown = after.iter().map(|(name, value)| {
        let since = value - before.get(name).copied().unwrap_or_default();
        (name.clone(), since)
    });
    grown
        .filter(|(name, since)| *since != 0.0 && !timed(name))
        .collect()
}
