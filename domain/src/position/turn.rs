use crate::battle::BattleOutcome;
use crate::color::Color;
use crate::moves::{Irregular, Move};
use crate::piece::PieceId;
use crate::rank::Rank;
use crate::square::Square;

/// What one ply did, ranks included; read through a [`View`](crate::View).
#[derive(Clone, Copy)]
pub struct Turn {
    pub(crate) side: Color,
    pub(crate) mv: Move,
    pub(crate) piece: PieceId,
    pub(crate) rank: Rank,
    pub(crate) forfeited: bool,
    /// What of a recorded game only repetition forbids.
    pub(crate) irregular: Option<Irregular>,
    pub(crate) battle: Option<Battle>,
    /// The rescue that was taken up.
    pub(crate) rescue: Option<Rescued>,
}

/// An attack and its outcome; the attacker is the piece that moved.
#[derive(Clone, Copy)]
pub(crate) struct Battle {
    pub(crate) defender: PieceId,
    /// The defender's rank, declared or not.
    pub(crate) rank: Rank,
    pub(crate) outcome: BattleOutcome,
}

/// A rescue that took place.
#[derive(Clone, Copy)]
pub(crate) struct Rescued {
    pub(crate) piece: PieceId,
    /// Its rank, declared or not.
    pub(crate) rank: Rank,
    pub(crate) square: Square,
}

impl Turn {
    /// How far the piece went, or tried to go: 1, or more for a scout.
    pub fn distance(&self) -> u8 {
        self.mv.from.distance(self.mv.to).unwrap_or(0)
    }

    /// Whether the move was an attack.
    pub const fn is_attack(&self) -> bool {
        self.battle.is_some()
    }
}
