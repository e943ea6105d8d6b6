use crate::battle::BattleOutcome;
use crate::piece::PieceId;
use crate::position::Turn;
use crate::rank::Rank;
use crate::ruleset::Options;
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
    /// It was rescued in open play.
    Rescue,
    /// The game ended.
    GameOver,
}

impl Cause {
    /// The `snake_case` name on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Attacked => "attacked",
            Self::WasAttacked => "was_attacked",
            Self::ScoutMove => "scout_move",
            Self::Rescue => "rescue",
            Self::GameOver => "game_over",
        }
    }
}

/// That a piece became known to the other side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Disclosure {
    /// The number of moves after which it holds.
    pub ply: u32,
    /// How.
    pub cause: Cause,
    /// Where the piece ended its move, or fell.
    pub square: Square,
}

/// What each side has learnt of the other's pieces: a piece that is disclosed stays known.
///
/// Every opponent's knowledge is public as well: whatever an opponent learns is announced.
#[derive(Debug, Clone)]
pub(crate) struct Knowledge {
    disclosed: [Option<Disclosure>; PieceId::COUNT],
}

impl Knowledge {
    pub(crate) const fn new() -> Self {
        Self {
            disclosed: [None; PieceId::COUNT],
        }
    }

    /// When and how a piece became known, if it did.
    pub(crate) const fn of(&self, piece: PieceId) -> Option<Disclosure> {
        self.disclosed[piece.index()]
    }

    /// The pieces that became known with the ply after which `ply` moves were made.
    pub(crate) fn disclosed_at(&self, ply: u32) -> impl Iterator<Item = (PieceId, Disclosure)> {
        PieceId::all().filter_map(move |piece| {
            self.of(piece)
                .filter(|known| known.ply == ply)
                .map(|known| (piece, known))
        })
    }

    /// Takes in what a ply discloses (`knowledge.md` 2).
    pub(crate) fn observe(&mut self, ply: u32, turn: &Turn, options: &Options) {
        let Turn { mv, piece, .. } = *turn;
        if let Some(battle) = turn.battle {
            self.disclose(piece, ply, Cause::Attacked, mv.to);
            let declared = !options.silent_defense
                || turn.rank == Rank::Scout
                || matches!(
                    battle.outcome,
                    BattleOutcome::BothRemoved | BattleOutcome::FlagCaptured
                );
            if declared {
                self.disclose(battle.defender, ply, Cause::WasAttacked, mv.to);
            }
        } else if turn.distance() > 1 {
            let square = if turn.forfeited { mv.from } else { mv.to };
            self.disclose(piece, ply, Cause::ScoutMove, square);
        }
        if let Some(rescued) = turn.rescue
            && !options.silent_defense
        {
            self.disclose(rescued.piece, ply, Cause::Rescue, rescued.square);
        }
    }

    fn disclose(&mut self, piece: PieceId, ply: u32, cause: Cause, square: Square) {
        self.disclosed[piece.index()].get_or_insert(Disclosure { ply, cause, square });
    }
}
