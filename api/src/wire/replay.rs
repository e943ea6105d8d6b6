//! Replays: a game as a viewpoint knew it, ply by ply.

use domain::{Frame, InformationPoint, View};
use serde::Serialize;
use storage::games::StoredGame;
use utoipa::openapi::{OneOfBuilder, Ref, RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use super::bits::Bits;
use super::game::{GameSummaryResponse, PieceResponse};
use super::moves::{MoveResponse, RevealResponse};
use super::names::Viewpoint;

/// A whole game.
#[derive(Debug, Serialize, ToSchema)]
pub struct ReplayResponse {
    /// The game.
    pub game: GameSummaryResponse,
    /// Whose eyes it is seen with.
    pub viewpoint: Viewpoint,
    /// The deployment.
    pub initial: Vec<PieceResponse>,
    /// Every move.
    pub moves: Vec<MoveResponse>,
    /// Every rank that became known, of both sides, in the order of plies; what was still hidden at
    /// the end comes last.
    pub reveals: Vec<RevealResponse>,
    /// What each side hid from the other after every ply, 0 included; the last is what was hidden
    /// before the end disclosed it.
    pub information: Vec<InformationResponse>,
}

/// What was hidden after a number of moves: the binary logarithm of the number of ways in which the
/// ranks of a side's unknown pieces can be given out, all of them equally likely. The deployed pieces
/// alone count: one that a rescue under silent defence brought back unseen is left out.
#[derive(Debug, Serialize, ToSchema)]
pub struct InformationResponse {
    /// The number of moves.
    pub ply: u32,
    /// What Blue did not know of Red.
    pub red_hidden_bits: Bits,
    /// What Red did not know of Blue.
    pub blue_hidden_bits: Bits,
}

/// The board after a number of moves, as it was known then.
#[derive(Debug, Serialize, ToSchema)]
pub struct FrameResponse {
    /// The number of moves.
    pub ply: u32,
    /// The pieces on the board.
    pub pieces: Vec<PieceResponse>,
}

/// What the replay route answers, as the document describes it: a whole game or one board.
#[derive(Debug)]
pub struct ReplayOrFrameResponse;

impl PartialSchema for ReplayOrFrameResponse {
    fn schema() -> RefOr<Schema> {
        OneOfBuilder::new()
            .item(Ref::from_schema_name(ReplayResponse::name()))
            .item(Ref::from_schema_name(FrameResponse::name()))
            .into()
    }
}

impl ToSchema for ReplayOrFrameResponse {
    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        schemas.push((ReplayResponse::name().into(), ReplayResponse::schema()));
        schemas.push((FrameResponse::name().into(), FrameResponse::schema()));
        ReplayResponse::schemas(schemas);
        FrameResponse::schemas(schemas);
    }
}

impl ReplayResponse {
    /// The game through a view of it, at an instant.
    pub fn of(stored: &StoredGame, view: &View<'_>, now: domain::Timestamp) -> Self {
        let initial = view.frame(0).map(|frame| frame.pieces).unwrap_or_default();
        let timeline = view.timeline();
        Self {
            game: GameSummaryResponse::of(&stored.summary, now),
            viewpoint: view.viewpoint().into(),
            initial: initial.into_iter().map(Into::into).collect(),
            moves: view.moves_from(0).map(Into::into).collect(),
            reveals: timeline.reveals.into_iter().map(Into::into).collect(),
            information: timeline.information.into_iter().map(Into::into).collect(),
        }
    }
}

impl From<Frame> for FrameResponse {
    fn from(frame: Frame) -> Self {
        let pieces = frame.pieces.into_iter().map(Into::into).collect();
        Self {
            ply: frame.ply,
            pieces,
        }
    }
}

impl From<InformationPoint> for InformationResponse {
    fn from(point: InformationPoint) -> Self {
        Self {
            ply: point.ply,
            red_hidden_bits: Bits(point.hidden_bits.red),
            blue_hidden_bits: Bits(point.hidden_bits.blue),
        }
    }
}
