mod count;
#[cfg(test)]
mod tests;

use std::sync::LazyLock;

use crate::rank::{ByRank, Rank};
use crate::rank_set::RankSet;

/// What the other side does not know of an army: so many pieces of which each has one of a set of
/// ranks, and the ranks that they have between them.
///
/// An *assignment* gives each piece one rank of its set and uses up the ranks; pieces are distinct,
/// equal ranks are not. All assignments count as equally likely: the *uniform* prior
/// (`knowledge.md` 3).
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct HiddenArmy {
    /// Pieces of one set together, the smallest sets first.
    groups: Vec<Group>,
    ranks: ByRank<u8>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Group {
    set: RankSet,
    pieces: u8,
}

impl HiddenArmy {
    /// From the set of each unknown piece, and the ranks that they have between them.
    pub(crate) fn new(sets: impl Iterator<Item = RankSet>, ranks: ByRank<u8>) -> Self {
        let mut groups: Vec<Group> = Vec::with_capacity(4);
        for set in sets {
            match groups.iter_mut().find(|group| group.set == set) {
                Some(group) => group.pieces += 1,
                None => groups.push(Group { set, pieces: 1 }),
            }
        }
        groups.sort_unstable_by_key(|group| (group.set.len(), group.set));
        Self { groups, ranks }
    }

    /// How many pieces are unknown.
    pub fn pieces(&self) -> u32 {
        self.groups
            .iter()
            .map(|group| u32::from(group.pieces))
            .sum()
    }

    /// The binary logarithm of the number of assignments: 0 when all is known.
    pub fn bits(&self) -> f64 {
        let matchings = count::matchings(&self.groups, &self.ranks).log2();
        let ranks: f64 = self
            .ranks
            .iter()
            .map(|(_, count)| log2_factorial(*count))
            .sum();
        matchings - ranks
    }

    /// How likely each rank is for an unknown piece that can be any of a set; the probabilities sum
    /// to 1. Nothing when there is no such piece.
    pub fn odds(&self, set: RankSet) -> Vec<(Rank, f64)> {
        let Some(place) = self.groups.iter().position(|group| group.set == set) else {
            return Vec::new();
        };
        let all = count::matchings(&self.groups, &self.ranks);
        let likelihood = |rank| {
            let mut rest = self.clone();
            rest.groups[place].pieces -= 1;
            rest.ranks[rank] -= 1;
            let others = count::matchings(&rest.groups, &rest.ranks);
            others / all * f64::from(self.ranks[rank])
        };
        set.iter().map(|rank| (rank, likelihood(rank))).collect()
    }

    /// The sets of ranks that are used up by the pieces which can have no others.
    pub(crate) fn closed_sets(&self) -> ClosedSets {
        let left = self.ranks.iter().filter(|(_, count)| **count > 0);
        let left: RankSet = left.map(|(rank, _)| rank).collect();
        let closed = self
            .unions(left)
            .into_iter()
            .filter(|union| self.confined(*union, left) == self.room(*union))
            .collect();
        ClosedSets { left, closed }
    }

    /// Every union of the groups' sets that leaves out some rank.
    fn unions(&self, left: RankSet) -> Vec<RankSet> {
        let mut seen = [0_u64; 64];
        let mut unions: Vec<RankSet> = Vec::with_capacity(8);
        for group in &self.groups {
            let set = group.set & left;
            for place in 0..=unions.len() {
                let before = place.checked_sub(1).map_or(RankSet::EMPTY, |at| unions[at]);
                let union = before | set;
                let (word, bit) = (union.index() / 64, union.index() % 64);
                if union != left && seen[word] >> bit & 1 == 0 {
                    seen[word] |= 1 << bit;
                    unions.push(union);
                }
            }
        }
        unions
    }

    /// How many pieces can have no rank outside the set.
    fn confined(&self, set: RankSet, left: RankSet) -> u32 {
        let inside = self.groups.iter();
        inside
            .filter(|group| (group.set & left).is_subset(set))
            .map(|group| u32::from(group.pieces))
            .sum()
    }

    /// How many pieces have a rank of the set.
    fn room(&self, set: RankSet) -> u32 {
        set.iter().map(|rank| u32::from(self.ranks[rank])).sum()
    }
}

/// What the ranks that are used up leave to other pieces (Hall's condition).
pub(crate) struct ClosedSets {
    left: RankSet,
    closed: Vec<RankSet>,
}

impl ClosedSets {
    /// The ranks of a piece's set for which there is an assignment.
    ///
    /// A rank is barred if and only if it lies in a set of ranks that other pieces use up among
    /// themselves, while this piece can also be something else.
    pub(crate) fn possible(&self, set: RankSet) -> RankSet {
        let set = set & self.left;
        let others = self.closed.iter().filter(|closed| !set.is_subset(**closed));
        others.fold(set, |ranks, closed| ranks.without(*closed))
    }
}

/// Enough for the largest army.
const MOST_PIECES: usize = 40;

fn log2_factorial(n: u8) -> f64 {
    static TABLE: LazyLock<[f64; MOST_PIECES + 1]> = LazyLock::new(|| {
        let mut table = [0.0; MOST_PIECES + 1];
        let mut sum = 0.0;
        for (n, entry) in (0_u8..).zip(&mut table).skip(1) {
            sum += f64::from(n).log2();
            *entry = sum;
        }
        table
    });
    TABLE[usize::from(n)]
}
