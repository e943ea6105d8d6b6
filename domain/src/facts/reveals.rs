use super::{Counts, Facts, Section, Spread, spread};
use crate::color::Color;
use crate::disclosure::Cause;
use crate::game::Game;
use crate::rank::Rank;
use crate::timeline::Timeline;

/// Kinds, each by side and rank: pieces; causes; millionths of a bit; and plies, which have no end.
const GROUPS: usize = 2 * Rank::ALL.len();
const CAUSES: usize = GROUPS;
const BITS: usize = CAUSES + GROUPS * Cause::ALL.len();
const PLIES: usize = BITS + GROUPS;

/// How the pieces of a rank became known.
#[derive(Debug, Clone, PartialEq)]
pub struct RevealCounts {
    /// The rank.
    pub rank: Rank,
    /// How many there were, those that came back by a rescue counted again.
    pub pieces: u64,
    /// How many became known before the end.
    pub revealed: u64,
    /// How many by each cause, the end of the game included.
    pub by_cause: [(Cause, u64); Cause::ALL.len()],
    /// After how many plies they did that became known before the end.
    pub plies: Spread,
    /// How many bits that took away from what was hidden, on average; `None` when none became known.
    pub bits: Option<f64>,
}

pub(super) fn count(game: &Game, timeline: &Timeline, counts: &mut Counts) {
    for told in &timeline.reveals {
        let reveal = &told.reveal;
        let group = group(reveal.piece.owner(), reveal.rank);
        // Whatever was not known before is told when the game ends: each piece once.
        counts.add(group, 1);
        counts.add(CAUSES + group * Cause::ALL.len() + reveal.cause as usize, 1);
        if reveal.cause != Cause::GameOver {
            counts.add(BITS + group, super::information::millionths(told.bits));
            counts.add(PLIES + reveal.ply as usize * GROUPS + group, 1);
        }
    }
    debug_assert!(game.is_open());
}

const fn group(owner: Color, rank: Rank) -> usize {
    owner as usize * Rank::ALL.len() + rank as usize
}

impl Facts {
    /// How the pieces of each rank became known, those of one side or of both.
    pub fn reveals(&self, by: Option<Color>) -> Vec<RevealCounts> {
        let sides: Vec<Color> = by.map_or(Color::ALL.to_vec(), |side| vec![side]);
        let of_rank = |rank| self.reveals_of(&sides, rank);
        Rank::ALL.into_iter().map(of_rank).collect()
    }

    fn reveals_of(&self, sides: &[Color], rank: Rank) -> RevealCounts {
        let counts = self.section(Section::Reveals);
        let sum = |key: &dyn Fn(usize) -> usize| {
            let groups = sides.iter().map(|side| group(*side, rank));
            groups.map(|group| counts.number(key(group))).sum::<u64>()
        };
        let by_cause = Cause::ALL.map(|cause| {
            let key = |group| CAUSES + group * Cause::ALL.len() + cause as usize;
            (cause, sum(&key))
        });
        let told = by_cause
            .iter()
            .filter(|(cause, _)| *cause != Cause::GameOver);
        let revealed = told.map(|(_, number)| number).sum();
        let last = counts.len().saturating_sub(PLIES) / GROUPS;
        let plies = (0..=last).map(|ply| {
            let key = |group| PLIES + ply * GROUPS + group;
            (ply as u64, sum(&key))
        });
        // Under silent defence a reveal may weigh less than nothing.
        let bits: i64 = sides
            .iter()
            .map(|side| counts.at(BITS + group(*side, rank)))
            .sum();
        RevealCounts {
            rank,
            pieces: sum(&|group| group),
            revealed,
            by_cause,
            plies: spread(plies),
            bits: super::information::mean(bits, revealed),
        }
    }
}
