//! GraphQL for analysts: read only, and every rank through a view.
//!
//! A request comes in through [`http`], is measured against the limits, and is executed by the
//! schema with a context that knows who asks and batches what is loaded.

mod answer;
mod connection;
mod context;
mod counts;
mod cursor;
mod explorer;
mod filter;
mod frame;
mod game;
pub mod http;
mod information;
mod limits;
mod list;
mod moves;
mod names;
mod node;
mod observation;
mod options;
mod outcome;
mod page;
mod player;
mod query;
mod rating;
mod replay;
mod request;
mod retelling;
mod reveal;
mod scalars;
mod seat;
mod service;
pub mod socket;
mod stats;
mod subscription;

pub use limits::{Exceeded, Limit};
pub use service::{GraphqlService, SchemaError, sdl};

#[cfg(test)]
mod tests;
