use crate::game::Game;
use crate::knowledge::clues;
use crate::piece::PieceId;
use crate::square::Square;

/// How the other side came to know a piece (`knowledge.md` 2 and 4).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Cause {
    /// It attacked.
    Attacked,
    /// It was attacked.
    WasAttacked,
    /// It moved, or tried to move, more than one square.
    ScoutMove,
    /// Nothing else was left for it to be.
    Deduced,
    /// It was rescued in open play.
    Rescue,
    /// The game ended.
    GameOver,
}

impl Cause {
    /// Every cause.
    pub const ALL: [Self; 6] = [
        Self::Attacked,
        Self::WasAttacked,
        Self::ScoutMove,
        Self::Deduced,
        Self::Rescue,
        Self::GameOver,
    ];

    /// The `snake_case` name on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Attacked => "attacked",
            Self::WasAttacked => "was_attacked",
            Self::ScoutMove => "scout_move",
            Self::Deduced => "deduced",
            Self::Rescue => "rescue",
            Self::GameOver => "game_over",
        }
    }
}

/// That a piece became known to the other side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Disclosure {
    /// The number of moves after which it holds.
    pub(crate) ply: u32,
    /// How.
    pub(crate) cause: Cause,
    /// Where the piece ended its move, or fell.
    pub(crate) square: Square,
}

impl Game {
    /// When and how a piece became known to the other side, if it did: by what the log tells of it
    /// on that ply, else by deduction.
    pub(crate) fn disclosure(&self, piece: PieceId) -> Option<Disclosure> {
        let ply = self.knowledge.since(piece)?;
        let square = self.place_of(piece, ply)?;
        let mut cause = Cause::Deduced;
        let entry = usize::try_from(ply).ok()?.checked_sub(1);
        if let Some(entry) = entry.and_then(|entry| self.log.get(entry)) {
            clues(&entry.turn, &self.terms().options, |told, clue| {
                if let (true, Some((_, how))) = (told == piece, clue.disclosed()) {
                    cause = how;
                }
            });
        }
        Some(Disclosure { ply, cause, square })
    }

    /// Where a piece stood after `ply` plies, or had fallen.
    pub(crate) fn place_of(&self, piece: PieceId, ply: u32) -> Option<Square> {
        let later = self.log.len().checked_sub(usize::try_from(ply).ok()?)?;
        let mut past = self.log.iter().rev().skip(later);
        let came = past.find_map(|entry| {
            let turn = &entry.turn;
            let attacked = turn.battle.is_some_and(|battle| battle.defender == piece);
            if attacked || turn.piece == piece && !turn.forfeited {
                return Some(turn.mv.to);
            }
            let rescued = turn.rescue.filter(|rescued| rescued.piece == piece);
            rescued.map(|rescued| rescued.square)
        });
        came.or_else(|| piece.home())
    }
}
