//! Proofs that an army is the one that was committed to.

use std::fmt;

use crate::color::Color;
use crate::commitment::{
    Commitment, DEPTH, HOMES, LeafContent, Node, Salt, Salts, Tree, home, home_squares, leaves,
};
use crate::rank::Rank;
use crate::ruleset::Ruleset;
use crate::setup::{Setup, SetupErrors, SetupFault};
use crate::square::Square;
use crate::view::View;
use crate::viewpoint::Viewpoint;

/// One leaf of a side's tree, opened.
#[derive(Clone, PartialEq, Eq)]
pub struct Leaf {
    /// Which home square it stands for.
    pub square: Square,
    /// What was placed there; `None` for nothing.
    pub rank: Option<Rank>,
    /// What hid it.
    pub salt: Salt,
    /// The siblings on the way up to the root, the leaf's own first.
    pub path: [Node; Leaf::PATH],
}

/// A side's tree, opened whole: what was placed where, and that it was committed to.
#[derive(Clone, PartialEq, Eq)]
pub struct SetupProof {
    /// Whose army it is.
    pub owner: Color,
    /// Which army it should be.
    pub ruleset: Ruleset,
    /// The leaves, in the order of square indices.
    pub leaves: Vec<Leaf>,
}

/// One thing that is wrong with a proof.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ProofFault {
    /// A home square has no leaf.
    #[error("{square}: the leaf is missing")]
    Missing {
        /// Which square.
        square: Square,
    },
    /// A home square has more than one leaf.
    #[error("{square}: there is more than one leaf")]
    Repeated {
        /// Which square.
        square: Square,
    },
    /// A leaf is for no home square of that side.
    #[error("{square}: a leaf for a square on which this side places nothing")]
    Foreign {
        /// Which square.
        square: Square,
    },
    /// A leaf stands where another should.
    #[error("{square}: the leaf is not in its place, for leaves stand in the order of squares")]
    Misplaced {
        /// Which square.
        square: Square,
    },
    /// A leaf does not lead to the root.
    #[error("{square}: the leaf does not open the commitment")]
    Unopened {
        /// Which square.
        square: Square,
    },
    /// The pieces are no army of the ruleset.
    #[error("setup: {0}")]
    Army(SetupFault),
}

/// Every fault of a proof; never empty.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.0.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))]
pub struct ProofErrors(Vec<ProofFault>);

impl ProofErrors {
    /// The faults.
    pub fn faults(&self) -> &[ProofFault] {
        &self.0
    }
}

impl Leaf {
    /// How many siblings lie on the way up to the root.
    pub const PATH: usize = DEPTH;
}

impl fmt::Debug for Leaf {
    /// Without the rank and the salt.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Leaf({})", self.square)
    }
}

impl fmt::Debug for SetupProof {
    /// Without any rank or salt.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SetupProof({})", self.owner)
    }
}

impl View<'_> {
    /// A side's army opened to all, once the whole game is; `None` before that. The salts are those
    /// that its commitment was made with.
    pub fn setup_proof(&self, owner: Color, salts: &Salts) -> Option<SetupProof> {
        if self.viewpoint() != Viewpoint::Omniscient {
            return None;
        }
        let setup = self.game().setups[owner]?;
        let ruleset = self.game().terms().ruleset;
        Some(SetupProof::of(ruleset, owner, &setup, salts))
    }
}

impl SetupProof {
    fn of(ruleset: Ruleset, owner: Color, setup: &Setup, salts: &Salts) -> Self {
        let contents = leaves(owner, setup, salts);
        let tree = Tree::over(&contents);
        let open = |(place, (square, rank, salt)): (usize, LeafContent)| Leaf {
            square,
            rank,
            salt,
            path: tree.path(place),
        };
        Self {
            owner,
            ruleset,
            leaves: contents.into_iter().enumerate().map(open).collect(),
        }
    }

    /// Checks that every leaf opens the commitment along its own path, and that together they are
    /// an army that may be placed; gives the army.
    ///
    /// # Errors
    /// Every fault at once, each with its square.
    pub fn verify(&self, commitment: Commitment) -> Result<Setup, ProofErrors> {
        let mut faults = self.faults_of_places();
        let whole = faults
            .iter()
            .all(|fault| matches!(fault, ProofFault::Misplaced { .. }));
        faults.extend(self.unopened(commitment));
        let army = self.army();
        // An army with holes would be found wanting for each of them once more.
        if let (true, Err(errors)) = (whole, &army) {
            faults.extend(errors.faults().iter().copied().map(ProofFault::Army));
        }
        match army {
            Ok(setup) if faults.is_empty() => Ok(setup),
            _ => Err(ProofErrors(faults)),
        }
    }

    /// Whether there is one leaf for each home square, in order.
    fn faults_of_places(&self) -> Vec<ProofFault> {
        let mut faults = Vec::new();
        let mut count = [0_usize; HOMES];
        for leaf in &self.leaves {
            match home(self.owner, leaf.square) {
                Some(place) => count[place] += 1,
                None => faults.push(ProofFault::Foreign {
                    square: leaf.square,
                }),
            }
        }
        for (square, count) in home_squares(self.owner).zip(count) {
            match count {
                0 => faults.push(ProofFault::Missing { square }),
                1 => {}
                _ => faults.push(ProofFault::Repeated { square }),
            }
        }
        let single = |square: &Square| home(self.owner, *square).is_some_and(|at| count[at] == 1);
        let squares = self.leaves.iter().map(|leaf| leaf.square);
        let given: Vec<Square> = squares.filter(single).collect();
        let mut ordered = given.clone();
        ordered.sort_unstable();
        let pairs = given.into_iter().zip(ordered);
        let misplaced = pairs.filter(|(given, ordered)| given != ordered);
        faults.extend(misplaced.map(|(square, _)| ProofFault::Misplaced { square }));
        faults
    }

    fn unopened(&self, commitment: Commitment) -> impl Iterator<Item = ProofFault> {
        let opens = move |leaf: &Leaf| {
            home(self.owner, leaf.square).is_none_or(|place| {
                let node = Node::leaf(leaf.square, leaf.rank, leaf.salt);
                node.climb(place, &leaf.path) == commitment
            })
        };
        let unopened = self.leaves.iter().filter(move |leaf| !opens(leaf));
        unopened.map(|leaf| ProofFault::Unopened {
            square: leaf.square,
        })
    }

    fn army(&self) -> Result<Setup, SetupErrors> {
        let pieces = self.leaves.iter().map(|leaf| (leaf.square, leaf.rank));
        let text = Setup::text(self.owner, pieces);
        Setup::parse(self.ruleset, &text)
    }
}

#[cfg(test)]
mod tests;
