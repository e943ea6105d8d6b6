use async_graphql::SimpleObject;

use super::list::Item;
use crate::wire::bits::Bits;

/// What was hidden after a number of moves: the binary logarithm of the number of ways in which the
/// ranks of a side's unknown pieces can be given out, all of them equally likely. The deployed pieces
/// alone count: one that a rescue under silent defence brought back unseen is left out.
#[derive(Debug, SimpleObject)]
pub(super) struct InformationPoint {
    /// The number of moves.
    ply: u32,
    /// What Blue did not know of Red.
    red_hidden_bits: f64,
    /// What Red did not know of Blue.
    blue_hidden_bits: f64,
}

impl Item for InformationPoint {
    const AT_HAND: bool = true;
}

impl From<&domain::InformationPoint> for InformationPoint {
    fn from(point: &domain::InformationPoint) -> Self {
        Self {
            ply: point.ply,
            red_hidden_bits: Bits(point.hidden_bits.red).rounded(),
            blue_hidden_bits: Bits(point.hidden_bits.blue).rounded(),
        }
    }
}
