//! What finished games add to statistics: [`domain::facts`] of each game, and their sums.
//!
//! A game that ends writes its own facts and notes that they are to be folded into the roll-ups, in the
//! transaction of its end; no two games write the same row. Whoever reads takes the roll-ups and what is
//! not folded in yet, so that statistics are complete at every moment; after an upgrade, once the facts of
//! the games that ended before are worked out.

mod band;
mod codec;
mod filter;
mod fold;
mod read;
mod rebuild;
mod row;
mod sums;
mod unrate;
mod walk;
mod worked_out;

pub use filter::StatisticsFilter;
pub use fold::{Folded, fold};
pub use read::{Ended, Excluded, PlayerResults, ends, excluded, read, results_of, think_times};
pub use rebuild::{count_finished, rebuild};
pub(crate) use row::{StoredFacts, keep, write};
pub(crate) use unrate::unrate;
