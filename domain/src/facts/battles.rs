use super::{Counts, Facts, Section};
use crate::battle::BattleOutcome;
use crate::game::Game;
use crate::rank::Rank;

/// Kinds: a pair of ranks and an outcome; behind them the deaths of scouting, by rank.
const OUTCOMES: usize = 3;
const RANKS: usize = Rank::ALL.len();
const DEATHS: usize = RANKS * RANKS * OUTCOMES;

/// What came of the attacks of one rank on another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BattleCell {
    /// The rank that attacked.
    pub attacker: Rank,
    /// The rank that was attacked.
    pub defender: Rank,
    /// In how many the defender alone was removed, a captured flag too.
    pub attacker_wins: u64,
    /// In how many the attacker alone was removed.
    pub defender_wins: u64,
    /// In how many both were removed.
    pub both_removed: u64,
}

/// What a rank took, and what it cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Exchange {
    /// The rank.
    pub rank: Rank,
    /// How many enemies its pieces removed, those that fell with them too.
    pub captured: u64,
    /// How many of its pieces were removed.
    pub lost: u64,
    /// How many of those were removed when they attacked a piece whose rank they did not know.
    pub scouting_deaths: u64,
}

pub(super) fn count(game: &Game, counts: &mut Counts) {
    for (ply, entry) in (0..).zip(game.log.iter()) {
        let turn = &entry.turn;
        let Some(battle) = turn.battle else {
            continue;
        };
        counts.add(key(turn.rank, battle.rank, battle.outcome), 1);
        let defender = game.knowledge.since(battle.defender);
        let is_known = defender.is_some_and(|since| since <= ply);
        if !is_known && !battle.outcome.attacker_stands() {
            counts.add(DEATHS + turn.rank as usize, 1);
        }
    }
}

const fn key(attacker: Rank, defender: Rank, outcome: BattleOutcome) -> usize {
    let outcome = match outcome {
        BattleOutcome::AttackerWins | BattleOutcome::FlagCaptured => 0,
        BattleOutcome::DefenderWins => 1,
        BattleOutcome::BothRemoved => 2,
    };
    (attacker as usize * RANKS + defender as usize) * OUTCOMES + outcome
}

impl BattleCell {
    /// How many were fought.
    pub const fn fought(&self) -> u64 {
        self.attacker_wins + self.defender_wins + self.both_removed
    }
}

impl Facts {
    /// What came of the attacks of each rank on each, those alone that were made.
    pub fn battle_matrix(&self) -> Vec<BattleCell> {
        let pairs = Rank::ALL.into_iter().flat_map(|attacker| {
            let defenders = Rank::ALL.into_iter();
            defenders.map(move |defender| (attacker, defender))
        });
        let cells = pairs.map(|(attacker, defender)| self.battles_of(attacker, defender));
        cells.filter(|cell| cell.fought() > 0).collect()
    }

    fn battles_of(&self, attacker: Rank, defender: Rank) -> BattleCell {
        let counts = self.section(Section::Battles);
        let number = |outcome| counts.number(key(attacker, defender, outcome));
        BattleCell {
            attacker,
            defender,
            attacker_wins: number(BattleOutcome::AttackerWins),
            defender_wins: number(BattleOutcome::DefenderWins),
            both_removed: number(BattleOutcome::BothRemoved),
        }
    }

    /// What each rank took, and what it cost.
    pub fn exchange(&self) -> [Exchange; RANKS] {
        let counts = self.section(Section::Battles);
        Rank::ALL.map(|rank| {
            let others = || Rank::ALL.into_iter();
            let attacks = others().map(|other| self.battles_of(rank, other));
            let defences = others().map(|other| self.battles_of(other, rank));
            let mut exchange = Exchange {
                rank,
                captured: 0,
                lost: 0,
                scouting_deaths: counts.number(DEATHS + rank as usize),
            };
            for cell in attacks {
                exchange.captured += cell.attacker_wins + cell.both_removed;
                exchange.lost += cell.defender_wins + cell.both_removed;
            }
            for cell in defences {
                exchange.captured += cell.defender_wins + cell.both_removed;
                exchange.lost += cell.attacker_wins + cell.both_removed;
            }
            exchange
        })
    }
}
