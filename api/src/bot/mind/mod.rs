//! How a bot thinks: from what its side may know of a position to a move. Pure: no input or output, no
//! clock, chance comes in as a function, so that a simulator calls it as the client does.
//!
//! [`Sight`] is what it goes by: made from a [`domain::View`] here, and from the answers of the API by the
//! client. [`choose`] is the whole of it; [`simple`] is the first level by itself, which needs no
//! [`Sight`] and costs less than a microsecond.

mod choose;
mod distance;
mod draw;
mod imagined;
mod judge;
mod odds;
mod rescue;
mod rollout;
mod sight;
mod simple;
#[cfg(test)]
mod tests;
mod worlds;
mod worth;

pub use choose::{Choice, Level, ParseLevelError, choose};
pub use draw::draw_is_welcome;
pub(super) use sight::ranks;
pub use sight::{Fallen, Seen, Sight};
pub use simple::simple;
