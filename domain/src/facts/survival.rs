use super::{Counts, Facts, Section};
use crate::color::Color;
use crate::game::Game;
use crate::rank::Rank;

/// Kinds: the pieces of a rank; behind them how many of a rank went with a ply, less those that came back.
const RANKS: usize = Rank::ALL.len();

/// How many pieces of a rank were on the board after a ply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Alive {
    /// The ply.
    pub ply: u32,
    /// How many were deployed.
    pub pieces: u64,
    /// How many were on the board, or were when their game ended before.
    pub alive: u64,
}

pub(super) fn count(game: &Game, counts: &mut Counts) {
    for side in Color::ALL {
        let army = game.setups[side].into_iter();
        for (_, rank) in army.flat_map(|setup| setup.pieces(side)) {
            counts.add(rank as usize, 1);
        }
    }
    for (ply, entry) in (1..).zip(game.log.iter()) {
        let turn = &entry.turn;
        if let Some(battle) = turn.battle {
            if !battle.outcome.attacker_stands() {
                counts.add(gone(ply, turn.rank), 1);
            }
            if battle.outcome.defender_falls() {
                counts.add(gone(ply, battle.rank), 1);
            }
        }
        if let Some(rescued) = turn.rescue {
            counts.add(gone(ply, rescued.rank), -1);
        }
    }
}

const fn gone(ply: usize, rank: Rank) -> usize {
    ply * RANKS + rank as usize
}

impl Facts {
    /// How many pieces of a rank were on the board after each of some plies, which come in order.
    pub fn survival(&self, rank: Rank, after: &[u32]) -> Vec<Alive> {
        let counts = self.section(Section::Survival);
        let pieces = counts.number(rank as usize);
        let mut alive = counts.at(rank as usize);
        let mut last = 0;
        let point = |ply: &u32| {
            // No game is longer than what was counted.
            let until = (*ply as usize).min(counts.len() / RANKS + 1);
            for ply in last + 1..=until {
                alive -= counts.at(gone(ply, rank));
            }
            last = last.max(until);
            Alive {
                ply: *ply,
                pieces,
                alive: u64::try_from(alive).unwrap_or(0),
            }
        };
        after.iter().map(point).collect()
    }
}
