//! The rules of Stratego, from outside the crate.
#![expect(
    clippy::expect_used,
    clippy::panic,
    reason = "the helpers of the tests, which clippy does not take for tests"
)]

mod against_slow;
mod battles;
mod clocks;
mod commands;
mod disclosure;
mod facts;
mod information;
mod knowledge;
mod lines;
mod logs;
mod offers;
mod oracle;
mod pauses;
mod perft;
mod players;
mod proofs;
mod properties;
mod recorded;
mod retries;
mod slow;
mod support;
mod texts;
mod truth;
mod why;
mod worlds;
