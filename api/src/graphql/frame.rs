use async_graphql::SimpleObject;

use super::names::{Color, Rank};
use super::scalars::Square;

/// The board after a number of moves, as it was known then.
#[derive(Debug, SimpleObject)]
pub(super) struct Frame {
    /// The number of moves: 0 is the deployment.
    pub(super) ply: u32,
    /// The pieces on the board.
    pieces: Vec<PieceView>,
}

/// A piece on the board.
#[derive(Debug, SimpleObject)]
struct PieceView {
    /// Its identity: the owner and the square it was deployed on, or which rescue it was.
    piece_id: String,
    /// Whose it is.
    owner: Color,
    /// Where it stands.
    square: Option<Square>,
    /// What it is, if the viewpoint knows.
    rank: Option<Rank>,
    /// Whether it has left the square it appeared on.
    moved: bool,
    /// Since which ply the other side knows it.
    revealed_ply: Option<u32>,
}

impl From<domain::Frame> for Frame {
    fn from(frame: domain::Frame) -> Self {
        Self {
            ply: frame.ply,
            pieces: frame.pieces.into_iter().map(Into::into).collect(),
        }
    }
}

impl From<domain::PieceView> for PieceView {
    fn from(piece: domain::PieceView) -> Self {
        Self {
            piece_id: piece.id.to_string(),
            owner: piece.id.owner().into(),
            square: Some(piece.square.into()),
            rank: piece.rank.map(Into::into),
            moved: piece.moved,
            revealed_ply: piece.revealed_ply,
        }
    }
}
