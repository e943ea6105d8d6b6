//! Pictures of a game, drawn from a [`View`](domain::View): what the view does not tell is in none of
//! them; and of statistics. They stand alone: no script, no font, nothing from elsewhere.

mod board;
mod caption;
mod scale;
mod sheet;
pub mod statistics;
mod timeline;
mod words;

pub use board::board;
pub use caption::Caption;
pub use sheet::Picture;
pub use timeline::timeline;

#[cfg(test)]
mod tests;
