//! Queries against games in a database of their own.

mod errors;
mod knowledge;
mod lists;
mod replays;
mod schema;
mod statistics;
mod visibility;
mod world;
