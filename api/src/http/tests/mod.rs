//! The HTTP side as callers meet it: a bound server, and plain bytes over TCP.

mod accounts;
mod bodies;
mod client;
mod cors;
mod errors;
mod graphql;
mod limits;
mod rules;
mod server;
mod setups;
mod tokens;
