//! Games: found, listed, played.

mod act;
mod find;

pub use act::{Acted, act, instant, resign_all, unfinished};
pub use find::{Seen, find, find_for_player};
