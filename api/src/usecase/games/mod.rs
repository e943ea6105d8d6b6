//! Games: found, listed, played.

mod act;
mod cache;
mod find;
mod lines;
mod proofs;
mod refusal;
mod salts;

pub use act::{Acted, Made, act, instant, resign_all, unfinished};
pub use cache::GameCache;
pub use find::{Seen, find, find_for_player};
pub use lines::{Prepared, keep_lines, prepared};
pub use proofs::{Proofs, proofs};
