//! Commitments to armies: what is published before the first move, so that nobody can change an
//! army afterwards (`knowledge.md` 6).
//!
//! A salted Merkle tree. A leaf stands for a home square and what was placed there, in the order of
//! square indices, empty squares too; behind them zero-filled nodes make 64.

use std::fmt;

use sha2::{Digest, Sha256};

use crate::color::Color;
use crate::hex::hex_value;
use crate::rank::Rank;
use crate::setup::Setup;
use crate::square::Square;

/// How many home squares a side has, and so how many leaves stand for something.
pub(crate) const HOMES: usize = 40;

/// How many leaves the tree has.
const WIDTH: usize = 64;

/// How many nodes lie on the way from a leaf to the root.
pub(crate) const DEPTH: usize = 6;

/// Tells leaves from nodes, so that none can be passed off as the other.
const LEAF: [u8; 1] = [0];
const NODE: [u8; 1] = [1];

hex_value! {
    /// The root of the tree over a side's army: binds the army and, by the salts, hides it.
    Commitment
}
hex_value! {
    /// A node of the tree: the digest of all that stands below it.
    Node
}
hex_value! {
    /// What hides the piece in a leaf: without it twelve ranks are quickly tried.
    Salt
}

/// A salt for each home square of a side.
#[derive(Clone, PartialEq, Eq)]
pub struct Salts([u8; Salts::BYTES]);

impl fmt::Debug for Commitment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Commitment({self})")
    }
}

impl fmt::Debug for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Node({self})")
    }
}

impl fmt::Debug for Salt {
    /// Without the bytes: a salt may end up in a log.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Salt(..)")
    }
}

impl fmt::Debug for Salts {
    /// Without the bytes: salts may end up in a log.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Salts(..)")
    }
}

impl Salts {
    /// How many bytes they are together.
    pub const BYTES: usize = HOMES * 32;

    /// Of bytes that were drawn by chance, the salt of the square of the lowest index first.
    pub const fn from_bytes(bytes: [u8; Self::BYTES]) -> Self {
        Self(bytes)
    }

    /// The bytes, to be kept where nobody reads them before the game is over.
    pub const fn as_bytes(&self) -> &[u8; Self::BYTES] {
        &self.0
    }

    fn each(&self) -> impl Iterator<Item = Salt> {
        self.0.as_chunks().0.iter().copied().map(Salt::from_bytes)
    }
}

impl Commitment {
    /// The commitment of a side to its army.
    pub fn of(owner: Color, setup: &Setup, salts: &Salts) -> Self {
        Tree::over(&leaves(owner, setup, salts)).root()
    }
}

/// A home square, what was placed there, and the salt.
pub(crate) type LeafContent = (Square, Option<Rank>, Salt);

/// What the leaves of a side's tree hold, in their order.
pub(crate) fn leaves(owner: Color, setup: &Setup, salts: &Salts) -> Vec<LeafContent> {
    let mut placed = [None; HOMES];
    for (square, rank) in setup.pieces(owner) {
        if let Some(home) = home(owner, square) {
            placed[home] = Some(rank);
        }
    }
    let contents = home_squares(owner).zip(placed).zip(salts.each());
    contents
        .map(|((square, rank), salt)| (square, rank, salt))
        .collect()
}

/// The home squares of a side in index order.
pub(crate) fn home_squares(owner: Color) -> impl Iterator<Item = Square> {
    (first_home(owner)..).take(HOMES).map(Square::at)
}

/// The place of a square among the home squares of a side, if it is one.
pub(crate) fn home(owner: Color, square: Square) -> Option<usize> {
    let place = square.index().checked_sub(first_home(owner))?;
    Some(usize::from(place)).filter(|place| *place < HOMES)
}

const fn first_home(owner: Color) -> u8 {
    match owner {
        Color::Red => 0,
        Color::Blue => 60,
    }
}

impl Node {
    const ZERO: Self = Self::from_bytes([0; 32]);

    pub(crate) fn leaf(square: Square, rank: Option<Rank>, salt: Salt) -> Self {
        let piece = rank.map_or('.', Rank::to_char);
        let digest = Sha256::new()
            .chain_update(LEAF)
            .chain_update(salt.to_bytes())
            .chain_update([square.index()])
            .chain_update(piece.encode_utf8(&mut [0; 4]));
        Self::from_bytes(digest.finalize().into())
    }

    fn join(left: Self, right: Self) -> Self {
        let digest = Sha256::new()
            .chain_update(NODE)
            .chain_update(left.to_bytes())
            .chain_update(right.to_bytes());
        Self::from_bytes(digest.finalize().into())
    }

    /// The root that a leaf at a place leads to along its path.
    pub(crate) fn climb(self, place: usize, path: &[Self; DEPTH]) -> Commitment {
        let climbed = (0..).zip(path).fold(self, |node, (level, sibling)| {
            if place >> level & 1 == 0 {
                Self::join(node, *sibling)
            } else {
                Self::join(*sibling, node)
            }
        });
        Commitment::from_bytes(climbed.to_bytes())
    }
}

/// All nodes: the root at 1, and below the node at `n` those at `2n` and `2n + 1`.
pub(crate) struct Tree([Node; 2 * WIDTH]);

impl Tree {
    pub(crate) fn over(leaves: &[LeafContent]) -> Self {
        let mut nodes = [Node::ZERO; 2 * WIDTH];
        for (node, (square, rank, salt)) in nodes[WIDTH..].iter_mut().zip(leaves) {
            *node = Node::leaf(*square, *rank, *salt);
        }
        for at in (1..WIDTH).rev() {
            nodes[at] = Node::join(nodes[2 * at], nodes[2 * at + 1]);
        }
        Self(nodes)
    }

    fn root(&self) -> Commitment {
        Commitment::from_bytes(self.0[1].to_bytes())
    }

    /// The siblings on the way from the leaf at a place up to the root, the leaf's own first.
    pub(crate) fn path(&self, place: usize) -> [Node; DEPTH] {
        std::array::from_fn(|level| self.0[((WIDTH + place) >> level) ^ 1])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ruleset::Ruleset;

    #[test]
    fn the_tree_is_the_published_one() {
        // Computed apart from this program, with salts whose bytes count from 0 to 250 and again.
        let original = "6527M3538B36228B74462B245622795FB43S3B2B";
        let barrage = "29...M..3....................F...B2.S...";
        let salts = Salts::from_bytes(counting());
        for (ruleset, owner, text, root) in [
            (
                Ruleset::Original,
                Color::Red,
                original,
                "bd707537ace2035e4dd2503517f3b2e18d349c29f5d2c5d5396cd6466761823a",
            ),
            (
                Ruleset::Original,
                Color::Blue,
                original,
                "b5dc5fffa2605b6cd0b7535f95696e75f491e4afdc452211941ed6b6b311f4e9",
            ),
            (
                Ruleset::Barrage,
                Color::Blue,
                barrage,
                "f20a2cbe849d144399473992d9548fe5d53ab33ff7745dad4a79a2d439a39f9c",
            ),
        ] {
            let setup = Setup::parse(ruleset, text).expect("valid");
            let commitment = Commitment::of(owner, &setup, &salts);
            assert_eq!(commitment.to_string(), root, "{owner} {ruleset}");
        }
    }

    #[test]
    fn nothing_that_may_be_logged_shows_a_salt() {
        let salts = Salts::from_bytes(counting());
        assert_eq!(format!("{salts:?}"), "Salts(..)");
        assert_eq!(format!("{:?}", salts.each().next()), "Some(Salt(..))");
    }

    fn counting() -> [u8; Salts::BYTES] {
        let mut next = (0..=250).cycle();
        std::array::from_fn(|_| next.next().unwrap_or_default())
    }
}
