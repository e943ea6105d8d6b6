use crate::battle::{BattleOutcome, resolve};
use crate::disclosure::Cause;
use crate::piece::PieceId;
use crate::position::Turn;
use crate::rank::Rank;
use crate::rank_set::RankSet;
use crate::ruleset::Options;

/// What a ply tells the other side of one piece (`knowledge.md` 2).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Clue {
    /// It moved.
    Moved,
    /// It moved, or tried to move, more than one square.
    ScoutMove,
    /// It attacked, and declared itself.
    Attacked(Rank),
    /// It was attacked, and declared itself or was found to be equal.
    WasAttacked(Rank),
    /// Under silent defence, it stayed when this rank attacked it.
    Withstood(Rank),
    /// Under silent defence, this rank removed it.
    FellTo(Rank),
    /// It rescued a piece.
    Rescuer,
    /// It came back in open play, known.
    Rescued(Rank),
}

/// Tells every clue of a ply; what comes back unseen under silent defence is none.
pub(crate) fn clues(turn: &Turn, options: &Options, mut tell: impl FnMut(PieceId, Clue)) {
    if let Some(battle) = turn.battle {
        tell(turn.piece, Clue::Attacked(turn.rank));
        let declared = !options.silent_defense
            || turn.rank == Rank::Scout
            || matches!(
                battle.outcome,
                BattleOutcome::BothRemoved | BattleOutcome::FlagCaptured
            );
        let clue = match battle.outcome {
            _ if declared => Clue::WasAttacked(battle.rank),
            BattleOutcome::DefenderWins => Clue::Withstood(turn.rank),
            _ => Clue::FellTo(turn.rank),
        };
        tell(battle.defender, clue);
    } else if turn.distance() > 1 {
        tell(turn.piece, Clue::ScoutMove);
    } else if !turn.forfeited {
        tell(turn.piece, Clue::Moved);
    }
    if let Some(rescued) = turn.rescue {
        tell(turn.piece, Clue::Rescuer);
        if !options.silent_defense {
            tell(rescued.piece, Clue::Rescued(rescued.rank));
        }
    }
}

impl Clue {
    /// The rank that it tells outright, and how.
    pub(crate) const fn disclosed(self) -> Option<(Rank, Cause)> {
        match self {
            Self::ScoutMove => Some((Rank::Scout, Cause::ScoutMove)),
            Self::Attacked(rank) => Some((rank, Cause::Attacked)),
            Self::WasAttacked(rank) => Some((rank, Cause::WasAttacked)),
            Self::Rescued(rank) => Some((rank, Cause::Rescue)),
            Self::Moved | Self::Withstood(_) | Self::FellTo(_) | Self::Rescuer => None,
        }
    }

    /// The ranks that a piece may have of which this is told.
    pub(crate) fn leaves(self, options: &Options) -> RankSet {
        let ends = |attacker, outcome| {
            let ended = |rank| resolve(attacker, rank, options.aggressor_advantage);
            let ranks = Rank::ALL.into_iter();
            ranks.filter(|rank| ended(*rank) == outcome).collect()
        };
        match self {
            Self::Moved => RankSet::MOVABLE,
            Self::ScoutMove => RankSet::of(Rank::Scout),
            Self::Attacked(rank) | Self::WasAttacked(rank) | Self::Rescued(rank) => {
                RankSet::of(rank)
            }
            Self::Withstood(attacker) => ends(attacker, BattleOutcome::DefenderWins),
            Self::FellTo(attacker) => ends(attacker, BattleOutcome::AttackerWins),
            Self::Rescuer => RankSet::ALL.without(RankSet::of(Rank::Scout)),
        }
    }
}
