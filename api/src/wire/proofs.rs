//! Proofs of both armies of a game that is over.

use std::fmt;

use domain::{ByColor, Commitment, Leaf, Node, Rank, Salt, SetupProof};
use serde::{Serialize, Serializer};
use storage::games::StoredGame;
use utoipa::openapi::{ObjectBuilder, RefOr, Schema, Type};
use utoipa::{PartialSchema, ToSchema};
use uuid::Uuid;

use super::names::{Ruleset, SquareName};

/// Both armies of a game, opened: that they are what was committed to before the first move.
#[derive(Serialize, ToSchema)]
pub struct ProofsResponse {
    /// The game.
    pub game_id: Uuid,
    /// The rule sheet, which says what an army is.
    pub ruleset: Ruleset,
    /// Red's army.
    pub red: SetupProofResponse,
    /// Blue's army.
    pub blue: SetupProofResponse,
}

/// One side's army, opened.
#[derive(Serialize, ToSchema)]
pub struct SetupProofResponse {
    /// The root of the tree: the side's `setup_commitment` since before the first move.
    pub commitment: HexValue,
    /// The forty home squares in the order a1, b1 … j10, empty ones too.
    pub leaves: Vec<LeafResponse>,
}

/// One home square, opened.
#[derive(Serialize, ToSchema)]
pub struct LeafResponse {
    /// Which.
    pub square: SquareName,
    /// What was placed there.
    pub piece: PlacedPiece,
    /// What hid it.
    pub salt: HexValue,
    /// The siblings on the way up to the root, the leaf's own first.
    pub path: Vec<HexValue>,
}

/// A rank as one character, `.` for an empty square.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct PlacedPiece(pub Option<Rank>);

/// 32 bytes as 64 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct HexValue([u8; 32]);

impl fmt::Debug for HexValue {
    /// Without the bytes: they may be a salt.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("HexValue(..)")
    }
}

impl ProofsResponse {
    /// The proofs of a game under its commitments.
    pub fn of(
        stored: &StoredGame,
        commitments: ByColor<Commitment>,
        proofs: ByColor<SetupProof>,
    ) -> Self {
        Self {
            game_id: stored.summary.id.as_uuid(),
            ruleset: stored.summary.terms.ruleset.into(),
            red: SetupProofResponse::of(commitments.red, proofs.red),
            blue: SetupProofResponse::of(commitments.blue, proofs.blue),
        }
    }
}

impl SetupProofResponse {
    fn of(commitment: Commitment, proof: SetupProof) -> Self {
        Self {
            commitment: commitment.into(),
            leaves: proof.leaves.into_iter().map(Into::into).collect(),
        }
    }
}

impl From<Leaf> for LeafResponse {
    fn from(leaf: Leaf) -> Self {
        Self {
            square: SquareName(leaf.square),
            piece: PlacedPiece(leaf.rank),
            salt: leaf.salt.into(),
            path: leaf.path.map(Into::into).to_vec(),
        }
    }
}

impl From<Commitment> for HexValue {
    fn from(commitment: Commitment) -> Self {
        Self(commitment.to_bytes())
    }
}

impl From<Node> for HexValue {
    fn from(node: Node) -> Self {
        Self(node.to_bytes())
    }
}

impl From<Salt> for HexValue {
    fn from(salt: Salt) -> Self {
        Self(salt.to_bytes())
    }
}

impl Serialize for HexValue {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&Node::from_bytes(self.0))
    }
}

impl PartialSchema for HexValue {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::String)
            .pattern(Some("^[0-9a-f]{64}$"))
            .description(Some("32 bytes as 64 hexadecimal digits."))
            .into()
    }
}

impl ToSchema for HexValue {}

impl Serialize for PlacedPiece {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_char(self.0.map_or('.', Rank::to_char))
    }
}

impl PartialSchema for PlacedPiece {
    fn schema() -> RefOr<Schema> {
        let ranks = Rank::ALL.iter().map(|rank| rank.to_char().to_string());
        ObjectBuilder::new()
            .schema_type(Type::String)
            .enum_values(Some(ranks.chain([".".to_owned()]).collect::<Vec<_>>()))
            .description(Some("A rank; `.` where nothing was placed."))
            .into()
    }
}

impl ToSchema for PlacedPiece {}
