//! The figures of a server, as its own listener gives them.

use std::collections::BTreeMap;
use std::time::Instant;

use crate::client::Client;
use crate::server::TestServer;
use crate::sse::PATIENCE;

/// How many requests the server has taken in and not answered.
pub const IN_FLIGHT: &str = "reveille_http_requests_in_flight";

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

/// Looks at the figures until one of them is so high.
pub fn wait_for(server: &TestServer, name: &str, least: f64) {
    let end = Instant::now() + PATIENCE;
    while server.figure(name) < least {
        assert!(Instant::now() < end, "{name} did not come to {least}");
    }
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
