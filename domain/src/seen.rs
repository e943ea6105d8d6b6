use std::time::Duration;

use crate::battle::BattleOutcome;
use crate::color::{ByColor, Color};
use crate::disclosure::Cause;
use crate::hidden::HiddenArmy;
use crate::moves::{Irregular, Move};
use crate::piece::PieceId;
use crate::rank::Rank;
use crate::rank_set::RankSet;
use crate::square::Square;
use crate::time::Timestamp;

/// A piece on the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct PieceView {
    /// Its identity.
    pub id: PieceId,
    /// Where it stands.
    pub square: Square,
    /// Its rank, if the viewpoint knows it.
    pub rank: Option<Rank>,
    /// Whether it has left the square it appeared on.
    pub moved: bool,
    /// When the other side knew it, counted in moves made.
    pub revealed_ply: Option<u32>,
    /// What it can still be, if the viewpoint does not know it.
    pub possible: Option<Possible>,
}

/// What an unknown piece can still be (`knowledge.md` 2).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Possible {
    /// The ranks.
    pub ranks: RankSet,
    /// Whether each of them really fits all that was seen; once its side rescued a piece under
    /// silent defence, the set may be wider.
    pub exact: bool,
}

/// A piece that was removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct CapturedView {
    /// Its identity.
    pub id: PieceId,
    /// Its rank, if the viewpoint knows it.
    pub rank: Option<Rank>,
    /// The number of moves after which it was gone.
    pub ply: u32,
    /// What it can have been, if the viewpoint does not know it.
    pub possible: Option<Possible>,
}

/// A ply of the log.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct MoveView {
    /// The number of moves before it.
    pub ply: u32,
    /// Who moved.
    pub side: Color,
    /// From where to where; as attempted when the turn was forfeited.
    pub mv: Move,
    /// The piece that moved.
    pub piece: PieceId,
    /// Its rank, if the viewpoint knew it after the move.
    pub rank: Option<Rank>,
    /// How far it went.
    pub distance: u8,
    /// The attack that it was.
    pub attack: Option<AttackView>,
    /// The rescue that was taken up with it.
    pub rescue: Option<RescueView>,
    /// What it disclosed, of both sides.
    pub reveals: Vec<Reveal>,
    /// Whether it forfeited the turn.
    pub forfeited: bool,
    /// The repetition rule that it breaches, in a game that was played elsewhere.
    pub irregular: Option<Irregular>,
    /// When it was made.
    pub played_at: Timestamp,
    /// How long its side thought.
    pub think_time: Duration,
}

impl MoveView {
    /// The attack with its place and time.
    pub fn battle(&self) -> Option<BattleView> {
        self.attack.map(|attack| BattleView {
            ply: self.ply + 1,
            square: self.mv.to,
            attacker_color: self.side,
            attack,
        })
    }
}

/// An attack in the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct AttackView {
    /// Always declared.
    pub attacker: Rank,
    /// If the viewpoint knew it after the battle.
    pub defender: Option<Rank>,
    /// Who was attacked.
    pub defender_id: PieceId,
    /// How it ended.
    pub outcome: BattleOutcome,
    /// Whether the defender's side knew the attacker before.
    pub attacker_known: bool,
    /// Whether the attacker's side knew the defender before.
    pub defender_known: bool,
}

/// A rescue in the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct RescueView {
    /// The rank that came back, if the viewpoint knew it then.
    pub rank: Option<Rank>,
    /// Where it was put.
    pub square: Square,
    /// Its new identity.
    pub piece: PieceId,
}

/// A battle with its place and time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct BattleView {
    /// The number of moves after which it was fought.
    pub ply: u32,
    /// Where.
    pub square: Square,
    /// Who attacked.
    pub attacker_color: Color,
    /// The ranks and the outcome.
    pub attack: AttackView,
}

/// Who learnt a disclosed rank.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RevealedTo {
    /// The owner's opponent.
    Side(Color),
    /// Everyone, with the end of the game.
    Both,
}

/// A rank that became known (`knowledge.md` 4).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Reveal {
    /// The number of moves after which it was known.
    pub ply: u32,
    /// The piece.
    pub piece: PieceId,
    /// Its rank.
    pub rank: Rank,
    /// Where it ended its move, or fell.
    pub square: Square,
    /// How it became known.
    pub cause: Cause,
    /// To whom.
    pub to: RevealedTo,
}

/// The board after a number of moves, as the viewpoint knew it then.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Frame {
    /// The number of moves.
    pub ply: u32,
    /// The pieces on the board, in the order of identities.
    pub pieces: Vec<PieceView>,
    /// What each side hid from the other.
    pub hidden: ByColor<HiddenArmy>,
}

impl Frame {
    /// How likely each rank is for a piece of this frame that the viewpoint does not know; nothing
    /// for one that it knows. The probabilities sum to 1.
    ///
    /// A piece that came back unseen is not counted among the hidden ones: each of its ranks is as
    /// likely as the next.
    pub fn odds(&self, piece: &PieceView) -> Vec<(Rank, f64)> {
        let Some(Possible { ranks, .. }) = piece.possible else {
            return Vec::new();
        };
        if piece.id.home().is_some() {
            return self.hidden[piece.id.owner()].odds(ranks);
        }
        let each = 1.0 / f64::from(ranks.len());
        ranks.iter().map(|rank| (rank, each)).collect()
    }
}
