//! The harness of the black-box tests: the real program on a throw-away database, and a thin client.
//!
//! A test is written once and runs on both databases:
//!
//! ```text
//! fn unknown_path_is_not_found(server: &TestServer) { … }
//!
//! on_both! { unknown_path_is_not_found }
//! ```
//!
//! gives the tests `unknown_path_is_not_found::sqlite` and `unknown_path_is_not_found::postgres`.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::missing_panics_doc,
    reason = "test support: a fault is reported by a panic in the test that met it"
)]

pub mod backend;
pub mod client;
pub mod cluster;
pub mod database;
pub mod dice;
pub mod disk;
pub mod duration;
pub mod fixtures;
pub mod game;
pub mod gravon;
pub mod imports;
pub mod integrity;
pub mod leak;
pub mod load;
pub mod log;
pub mod mailbox;
pub mod metrics;
pub mod nodes;
pub mod pressure;
pub mod problem;
pub mod raw;
pub mod receiver;
pub mod response;
pub mod rounds;
pub mod schema;
pub mod script;
pub mod server;
pub mod setup;
pub mod small_disk;
pub mod socket;
pub mod sse;
pub mod table;
pub mod tables;
pub mod timed;
pub mod walkthrough;
pub mod worlds;

pub use backend::Backend;
pub use client::Client;
pub use game::{Game, new_game};
pub use mailbox::{Mail, Mailbox};
pub use problem::assert_problem;
pub use receiver::{Received, Receiver, Reply};
pub use response::Response;
pub use server::TestServer;
pub use setup::{Side, army};
pub use socket::Socket;
pub use sse::EventStream;
pub use timed::Timed;
