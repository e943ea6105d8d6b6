//! Moves, as they are sent and as a viewer may see them.

use domain::{AttackView, MoveView, RescueView};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::bits::Bits;
use super::game::GameResponse;
use super::names::{
    BattleOutcome, Cause, Color, Piece, PieceName, RankChar, RevealedTo, SquareName,
};
use super::object::optional_object;
use crate::duration::IsoDuration;
use crate::time::Timestamp;

/// A move to be made.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct MoveRequest {
    /// The number of moves already made, as the player believes: 0 for Red's first.
    pub ply: u32,
    /// Where the piece stands.
    #[schema(example = "e4")]
    pub from: String,
    /// Where it goes.
    #[schema(example = "e5")]
    pub to: String,
    /// A rescue with it.
    #[serde(default, deserialize_with = "optional_object")]
    pub rescue: Option<RescueRequest>,
}

/// A removed piece to take back.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RescueRequest {
    /// Its rank.
    pub piece: RankChar,
    /// An empty square of the own half.
    #[schema(example = "c2")]
    pub square: String,
}

impl From<&MoveRequest> for domain::MoveRequest {
    fn from(request: &MoveRequest) -> Self {
        Self {
            ply: request.ply,
            from: request.from.parse().ok(),
            to: request.to.parse().ok(),
            rescue: request.rescue.as_ref().map(|rescue| domain::RescueRequest {
                rank: rescue.piece.0,
                square: rescue.square.parse().ok(),
            }),
        }
    }
}

/// A move that was made, and the game after it.
#[derive(Debug, Serialize, ToSchema)]
pub struct PlayedResponse {
    /// The move.
    pub r#move: MoveResponse,
    /// The game as it is now.
    pub game: GameResponse,
}

/// The moves that the side to move may make.
#[derive(Debug, Serialize, ToSchema)]
pub struct LegalMovesResponse {
    /// The number of moves made.
    pub ply: u32,
    /// The moves.
    pub moves: Vec<LegalMoveResponse>,
}

/// A move that may be made.
#[derive(Debug, Serialize, ToSchema)]
pub struct LegalMoveResponse {
    /// Where the piece stands.
    pub from: SquareName,
    /// Where it can go.
    pub to: SquareName,
    /// Whether an enemy stands there.
    pub attack: bool,
}

/// A move as the viewer may see it.
#[derive(Debug, Serialize, ToSchema)]
pub struct MoveResponse {
    /// The number of moves before it.
    pub ply: u32,
    /// Who moved.
    pub side: Color,
    /// Where the piece stood.
    pub from: SquareName,
    /// Where it went; as attempted when the turn was forfeited.
    pub to: SquareName,
    /// The piece.
    pub piece_id: PieceName,
    /// How far it went.
    pub distance: u8,
    /// The attack that it was.
    pub attack: Option<AttackResponse>,
    /// The rescue that was taken up with it.
    pub rescue: Option<RescueResponse>,
    /// What it disclosed, of both sides.
    pub reveals: Vec<RevealResponse>,
    /// Whether it forfeited the turn: the piece stayed.
    pub forfeited: bool,
    /// The repetition rule that it breaches: `two_squares` or `more_squares`, in a game that was played
    /// elsewhere by other rules.
    pub irregular: Option<&'static str>,
    /// When it was made; null where that was not recorded.
    pub played_at: Option<Timestamp>,
    /// How long its side thought; null where that was not recorded.
    pub think_time: Option<IsoDuration>,
}

/// An attack.
#[derive(Debug, Serialize, ToSchema)]
pub struct AttackResponse {
    /// The attacker's rank: always declared.
    pub attacker: Piece,
    /// The defender's rank, or `?`.
    pub defender: Piece,
    /// Who was attacked.
    pub defender_id: PieceName,
    /// How it ended.
    pub outcome: BattleOutcome,
}

/// A rescue that took place.
#[derive(Debug, Serialize, ToSchema)]
pub struct RescueResponse {
    /// The rank that came back, or `?`.
    pub piece: Piece,
    /// Where it was put.
    pub square: SquareName,
    /// Its new identity.
    pub piece_id: PieceName,
}

/// A rank that became known.
#[derive(Debug, Serialize, ToSchema)]
pub struct RevealResponse {
    /// The number of moves after which it was known.
    pub ply: u32,
    /// The piece.
    pub piece_id: PieceName,
    /// Whose it is.
    pub owner: Color,
    /// Its rank.
    pub piece: RankChar,
    /// Where it ended its move, or fell.
    pub square: SquareName,
    /// How it became known.
    pub cause: Cause,
    /// To whom.
    pub to: RevealedTo,
    /// In a replay: the fall in its side's hidden bits with that ply, if the piece itself moved or
    /// fought on it; else 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub bits: Option<Bits>,
}

impl From<MoveView> for MoveResponse {
    fn from(view: MoveView) -> Self {
        Self {
            ply: view.ply,
            side: view.side.into(),
            from: SquareName(view.mv.from),
            to: SquareName(view.mv.to),
            piece_id: PieceName(view.piece),
            distance: view.distance,
            attack: view.attack.map(Into::into),
            rescue: view.rescue.map(Into::into),
            reveals: view.reveals.into_iter().map(Into::into).collect(),
            forfeited: view.forfeited,
            irregular: view.irregular.map(domain::Irregular::name),
            played_at: view.played_at.map(Into::into),
            think_time: view.think_time.map(IsoDuration),
        }
    }
}

impl From<AttackView> for AttackResponse {
    fn from(attack: AttackView) -> Self {
        Self {
            attacker: Piece(Some(attack.attacker)),
            defender: Piece(attack.defender),
            defender_id: PieceName(attack.defender_id),
            outcome: attack.outcome.into(),
        }
    }
}

impl From<RescueView> for RescueResponse {
    fn from(rescue: RescueView) -> Self {
        Self {
            piece: Piece(rescue.rank),
            square: SquareName(rescue.square),
            piece_id: PieceName(rescue.piece),
        }
    }
}

impl From<domain::Reveal> for RevealResponse {
    fn from(reveal: domain::Reveal) -> Self {
        Self {
            ply: reveal.ply,
            piece_id: PieceName(reveal.piece),
            owner: reveal.piece.owner().into(),
            piece: RankChar(reveal.rank),
            square: SquareName(reveal.square),
            cause: reveal.cause.into(),
            to: reveal.to.into(),
            bits: None,
        }
    }
}

impl From<domain::WeighedReveal> for RevealResponse {
    fn from(weighed: domain::WeighedReveal) -> Self {
        Self {
            bits: Some(Bits(weighed.bits)),
            ..weighed.reveal.into()
        }
    }
}
