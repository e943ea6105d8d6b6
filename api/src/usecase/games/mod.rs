//! Games: found, listed, played.

mod act;
mod find;
mod proofs;
mod refusal;
mod salts;

pub use act::{Acted, act, act_once, instant, resign_all, unfinished};
pub use find::{Seen, find, find_for_player};
pub use proofs::{Proofs, proofs};
