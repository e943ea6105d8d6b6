use async_graphql::SimpleObject;

use super::list::Item;
use super::names::{Cause, Color, Rank};
use super::scalars::Square;
use crate::wire::bits::Bits;

/// A rank that became known.
#[derive(Debug, SimpleObject)]
pub(super) struct Reveal {
    /// The number of moves after which it was known.
    ply: u32,
    /// The piece.
    piece_id: String,
    /// Whose it is.
    owner: Color,
    /// What it is.
    rank: Rank,
    /// Where it ended its move, or fell.
    square: Square,
    /// How it became known.
    cause: Cause,
    /// To whom; null for both.
    to: Option<Color>,
    /// The fall in its side's hidden bits with that ply, if the piece itself moved or fought on it;
    /// else 0.
    bits: f64,
}

impl Item for Reveal {
    const AT_HAND: bool = true;
}

impl From<domain::WeighedReveal> for Reveal {
    fn from(weighed: domain::WeighedReveal) -> Self {
        let reveal = weighed.reveal;
        Self {
            ply: reveal.ply,
            piece_id: reveal.piece.to_string(),
            owner: reveal.piece.owner().into(),
            rank: reveal.rank.into(),
            square: reveal.square.into(),
            cause: reveal.cause.into(),
            to: match reveal.to {
                domain::RevealedTo::Side(color) => Some(color.into()),
                domain::RevealedTo::Both => None,
            },
            bits: Bits(weighed.bits).rounded(),
        }
    }
}
