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
        let arrangements = self.labelled().log2();
        let pieces: f64 = self
            .groups
            .iter()
            .map(|group| log2_factorial(group.pieces))
            .sum();
        let ranks: f64 = self
            .ranks
            .iter()
            .map(|(_, count)| log2_factorial(*count))
            .sum();
        arrangements + pieces - ranks
    }

    /// How likely each rank is for an unknown piece that can be any of a set; the probabilities sum
    /// to 1. Nothing when there is no such piece.
    pub fn odds(&self, set: RankSet) -> Vec<(Rank, f64)> {
        let Some(place) = self.groups.iter().position(|group| group.set == set) else {
            return Vec::new();
        };
        let all = self.labelled();
        let likelihood = |rank| {
            let pieces = f64::from(self.groups[place].pieces);
            let mut rest = self.clone();
            rest.groups[place].pieces -= 1;
            rest.ranks[rank] -= 1;
            rest.labelled() / all * f64::from(self.ranks[rank]) / pieces
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

    /// The number of assignments as if equal ranks were distinct and the pieces of a group were
    /// not; to 15 digits, for all terms are positive.
    ///
    /// Group by group, with what is left of the ranks as the state. Ranks that no group to come
    /// tells apart are one *class*. In open play, where only "moved" and "never moved" are told
    /// apart, there is one state throughout, and this is the closed form.
    fn labelled(&self) -> f64 {
        let mut classes: Vec<RankSet> = Rank::ALL.map(RankSet::of).to_vec();
        let mut states = vec![State {
            left: Rank::ALL.map(|rank| self.ranks[rank]),
            ways: 1.0,
        }];
        for (at, group) in self.groups.iter().enumerate() {
            states = merge(&mut classes, states, &self.groups[at..]);
            let open: Vec<usize> = (0..classes.len())
                .filter(|class| classes[*class].is_subset(group.set))
                .collect();
            let mut drawn = Vec::with_capacity(states.len());
            for state in states {
                state.draw(&open, group.pieces, &mut drawn);
            }
            states = drawn;
        }
        states.iter().map(|state| state.ways).sum()
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

/// How many ranks of each class are left, and in how many ways it came to that.
#[derive(Clone, Copy)]
struct State {
    left: [u8; 12],
    ways: f64,
}

impl State {
    /// Every way in which so many pieces take their ranks from the open classes.
    fn draw(self, open: &[usize], pieces: u8, into: &mut Vec<Self>) {
        let Some((&class, rest)) = open.split_first() else {
            if pieces == 0 {
                into.push(self);
            }
            return;
        };
        let elsewhere: u8 = rest.iter().map(|class| self.left[*class]).sum();
        let here = self.left[class];
        for taken in pieces.saturating_sub(elsewhere)..=here.min(pieces) {
            let mut next = self;
            next.left[class] -= taken;
            next.ways *= choose(here, taken);
            next.draw(rest, pieces - taken, into);
        }
    }
}

/// Makes one class of those that none of the groups tells apart. A state in which a rank is left
/// that no group can take leads nowhere and is dropped.
fn merge(classes: &mut Vec<RankSet>, states: Vec<State>, groups: &[Group]) -> Vec<State> {
    let takers = |class: RankSet| {
        groups.iter().fold(0_u64, |takers, group| {
            takers << 1 | u64::from(class.is_subset(group.set))
        })
    };
    let mut merged: Vec<(u64, RankSet)> = Vec::with_capacity(classes.len());
    let place_of: Vec<usize> = classes
        .iter()
        .map(|class| {
            let taken_by = takers(*class);
            let known = merged.iter().position(|(takers, _)| *takers == taken_by);
            let place = known.unwrap_or(merged.len());
            match merged.get_mut(place) {
                Some((_, ranks)) => *ranks = *ranks | *class,
                None => merged.push((taken_by, *class)),
            }
            place
        })
        .collect();
    let dead_end = merged.iter().position(|(takers, _)| *takers == 0);
    let mut states: Vec<State> = states
        .into_iter()
        .map(|state| {
            let mut left = [0; 12];
            for (place, count) in place_of.iter().zip(state.left) {
                left[*place] += count;
            }
            State { left, ..state }
        })
        .filter(|state| dead_end.is_none_or(|class| state.left[class] == 0))
        .collect();
    *classes = merged.into_iter().map(|(_, ranks)| ranks).collect();
    states.sort_unstable_by_key(|state| state.left);
    states.dedup_by(|next, first| {
        let same = next.left == first.left;
        if same {
            first.ways += next.ways;
        }
        same
    });
    states
}

/// Enough for the largest army.
const MOST_PIECES: usize = 40;

/// Pascal's triangle.
const CHOICES: [[u64; MOST_PIECES + 1]; MOST_PIECES + 1] = {
    let mut choices = [[0; MOST_PIECES + 1]; MOST_PIECES + 1];
    let mut n = 0;
    while n <= MOST_PIECES {
        choices[n][0] = 1;
        let mut k = 1;
        while k <= n {
            choices[n][k] = choices[n - 1][k - 1] + choices[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    choices
};

#[expect(
    clippy::cast_precision_loss,
    reason = "the largest, of 20 in 40, is below 2^53"
)]
fn choose(n: u8, k: u8) -> f64 {
    CHOICES[usize::from(n)][usize::from(k)] as f64
}

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
