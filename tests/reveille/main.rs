//! The real program over HTTP, on both databases.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test reports a fault by a panic"
)]

mod accounts;
mod admin;
mod alike;
mod archives;
mod blocks;
mod bots;
mod challenges;
mod clock;
mod conditional;
mod cors_and_limits;
mod credentials;
mod databases;
mod deploy;
mod endings;
mod errors;
mod events;
mod exports;
mod faults;
mod games;
mod graphql;
mod harness;
mod imports;
mod knowledge;
mod lines;
mod listing;
mod mail;
mod moves;
mod noninterference;
mod notes;
mod numbers;
mod offers;
mod openapi;
mod own_data;
mod pauses;
mod pictures;
mod proofs;
mod push;
mod races;
mod ratings;
mod recorded;
mod rematches;
mod repetition;
mod replays;
mod secrets;
mod setups;
mod simulations;
mod statistics;
mod stats;
mod sweeps;
mod tokens;
mod verify;
mod viewers;
mod walkthrough;
mod webhooks;
mod year;
