//! Recorded games that are sent over HTTP.

use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::client::{Client, text};
use crate::response::Response;

/// How long anything may take.
pub const PATIENCE: Duration = Duration::from_mins(1);

/// Sends a file; `query` may be empty or `?filename=…`.
pub fn send(client: &Client, query: &str, body: impl Into<Vec<u8>>) -> Response {
    client
        .request("POST", &format!("/v1/imports{query}"))
        .header("content-type", "application/octet-stream")
        .bytes(body)
        .send()
}

/// Sends a file and waits for what comes of it.
#[track_caller]
pub fn import(client: &Client, query: &str, body: impl Into<Vec<u8>>) -> Value {
    let answer = send(client, query, body);
    let begun = answer.ok(202);
    assert_eq!(begun["status"], "running");
    let path = format!("/v1/imports/{}", text(&begun["id"]));
    assert_eq!(answer.header("location"), Some(path.as_str()));
    until(|| Some(client.get(&path).ok(200)).filter(|seen| seen["status"] != "running"))
}

/// Asks until it is so: of the end of an import nobody is told.
#[track_caller]
pub fn until<T>(mut ask: impl FnMut() -> Option<T>) -> T {
    let end = Instant::now() + PATIENCE;
    loop {
        if let Some(found) = ask() {
            return found;
        }
        assert!(Instant::now() < end, "it does not come to be");
        thread::yield_now();
    }
}
