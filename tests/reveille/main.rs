//! The real program over HTTP, on both databases.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test reports a fault by a panic"
)]

mod harness;
