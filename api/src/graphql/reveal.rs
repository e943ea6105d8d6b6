use async_graphql::SimpleObject;

use super::names::{Cause, Color, Rank};
use super::scalars::Square;

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
}

impl From<domain::Reveal> for Reveal {
    fn from(reveal: domain::Reveal) -> Self {
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
        }
    }
}
