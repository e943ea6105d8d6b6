//! REST, GraphQL and the command line of Reveille, an open server for correspondence Stratego.
//!
//! [`cli`] is the program; [`server::Server`] is a whole server that tests start in their own process.

pub mod admin;
pub mod archive;
pub mod auth;
pub mod blocking;
pub mod bot;
pub mod cli;
pub mod clock;
pub mod config;
pub mod deliveries;
pub mod duration;
pub mod events;
pub mod exports;
pub mod graphql;
pub mod heart;
pub mod http;
pub mod imports;
pub mod mail;
pub mod metrics;
pub mod pictures;
pub mod problem;
pub mod progress;
pub mod recorded;
pub mod rest;
pub mod rules;
pub mod server;
pub mod simulation;
pub mod state;
pub mod statistics;
pub mod sweep;
pub mod tables;
pub mod time;
pub mod timekeeper;
pub mod turns;
pub mod usecase;
pub mod verify;
pub mod wire;
