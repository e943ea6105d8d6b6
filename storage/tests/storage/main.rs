//! What the storage promises, on both databases: each test runs on a SQLite file of its own and on
//! a PostgreSQL database of its own.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

mod append;
mod archive;
mod audit;
mod blocks;
mod challenges;
mod clocks;
mod commitments;
mod constraints;
mod contention;
mod credentials;
mod facts;
mod feeds;
mod idempotency;
mod inbox;
mod listing;
mod mail;
mod notes;
mod play;
mod players;
mod ratings;
mod recorded;
mod saved_setups;
mod schema;
mod sessions;
mod subscriptions;
mod support;
mod sweeps;
mod tickets;
mod times;
mod together;
