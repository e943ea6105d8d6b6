//! The HTTP side as callers meet it: a bound server, and plain bytes over TCP.

mod client;
mod cors;
mod errors;
mod limits;
mod server;
