use super::{Group, MOST_PIECES};
use crate::rank::{ByRank, Rank};
use crate::rank_set::RankSet;

/// In how many ways the pieces can be matched with the ranks, equal ranks told apart; to 15 digits,
/// for all terms are positive.
pub(super) fn matchings(groups: &[Group], ranks: &ByRank<u8>) -> f64 {
    nested(groups, ranks).unwrap_or_else(|| any(groups, ranks))
}

/// The closed form of `knowledge.md` 3, for sets of which each lies within the next, as in open play,
/// where only "moved" and "never moved" are told apart; `None` of others.
fn nested(groups: &[Group], ranks: &ByRank<u8>) -> Option<f64> {
    let present = present(ranks);
    let mut inner = RankSet::EMPTY;
    let mut taken = 0;
    let mut ways = 1.0;
    for group in groups.iter().filter(|group| group.pieces > 0) {
        let set = group.set & present;
        if !inner.is_subset(set) {
            return None;
        }
        let room: u8 = set.iter().map(|rank| ranks[rank]).sum();
        ways *= arrangements(room.saturating_sub(taken), group.pieces);
        taken += group.pieces;
        inner = set;
    }
    let all: u8 = present.iter().map(|rank| ranks[rank]).sum();
    Some(if taken == all { ways } else { 0.0 })
}

/// For any sets: groups of pieces and ranks are taken one after the other. What is taken is matched with
/// what waits from before, and the rest of it waits for what comes later. All that waits for the same is
/// one *class*, and how many wait in each class is the state; the order is chosen so that there are few.
/// Sets that are cut off at one end, as a silent defence makes them, need little more than nested ones.
fn any(groups: &[Group], ranks: &ByRank<u8>) -> f64 {
    let mut nodes = nodes(groups, ranks);
    let mut waiting: Vec<Class> = Vec::new();
    let mut states = vec![State {
        waiting: [0; MOST_CLASSES],
        ways: 1.0,
    }];
    while let Some(next) = cheapest(&nodes, &waiting) {
        let node = nodes.swap_remove(next);
        states = node.take(&nodes, &mut waiting, &states);
    }
    states.iter().map(|state| state.ways).sum()
}

/// A node is one of twelve ranks or of at most forty groups, and each may wait by itself.
const MOST_CLASSES: usize = 12 + MOST_PIECES;

/// The bit of a rank; those of groups come after.
const fn bit_of(rank: Rank) -> u64 {
    1 << rank as u64
}

/// A group of pieces, or the pieces of one rank.
#[derive(Clone, Copy)]
struct Node {
    bit: u64,
    /// The nodes that it can be matched with.
    partners: u64,
    size: u8,
}

/// What waits for the same partners; from several nodes.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Class {
    partners: u64,
    /// How many wait at most.
    most: u8,
}

/// How many wait in each class, and in how many ways it came to that.
#[derive(Clone, Copy)]
struct State {
    waiting: [u8; MOST_CLASSES],
    ways: f64,
}

/// The ranks of which there are any.
fn present(ranks: &ByRank<u8>) -> RankSet {
    let present = ranks.iter().filter(|(_, count)| **count > 0);
    present.map(|(rank, _)| rank).collect()
}

fn nodes(groups: &[Group], ranks: &ByRank<u8>) -> Vec<Node> {
    let present = present(ranks);
    let bits = (12..).map(|place| 1_u64 << place);
    let groups = bits.zip(groups).filter(|(_, group)| group.pieces > 0);
    let groups: Vec<(u64, &Group)> = groups.collect();
    let of_rank = |rank: Rank| Node {
        bit: bit_of(rank),
        partners: groups
            .iter()
            .filter(|(_, group)| group.set.contains(rank))
            .fold(0, |partners, (bit, _)| partners | bit),
        size: ranks[rank],
    };
    let of_group = |(bit, group): &(u64, &Group)| Node {
        bit: *bit,
        partners: (group.set & present)
            .iter()
            .fold(0, |partners, rank| partners | bit_of(rank)),
        size: group.pieces,
    };
    let ranks = present.iter().map(of_rank);
    ranks.chain(groups.iter().map(of_group)).collect()
}

/// The place of the node after which the fewest states are possible.
fn cheapest(nodes: &[Node], waiting: &[Class]) -> Option<usize> {
    let states_after = |node: &Node| {
        let mut after = Vec::with_capacity(waiting.len() + 1);
        node.classes_after(nodes, waiting, &mut after);
        let room = |class: &Class| {
            let partners = nodes.iter().filter(|node| class.partners & node.bit != 0);
            let partners: u8 = partners.map(|node| node.size).sum();
            f64::from(class.most.min(partners)) + 1.0
        };
        after.iter().map(room).product::<f64>()
    };
    let costs = nodes.iter().map(states_after);
    let cheapest = costs
        .enumerate()
        .min_by(|(_, one), (_, other)| one.total_cmp(other));
    cheapest.map(|(place, _)| place)
}

impl Node {
    /// The classes that are left when this node is taken, and the place in them of each class before
    /// and, last, of what of this node waits. `None` for what has nothing to wait for.
    fn classes_after(
        &self,
        to_come: &[Self],
        waiting: &[Class],
        after: &mut Vec<Class>,
    ) -> [Option<u8>; MOST_CLASSES + 1] {
        let ahead = to_come.iter().filter(|node| node.bit != self.bit);
        let ahead = ahead.fold(0, |ahead, node| ahead | node.bit);
        let mut places = [None; MOST_CLASSES + 1];
        let own = Class {
            partners: self.partners & ahead,
            most: self.size,
        };
        let rest = waiting.iter().map(|class| Class {
            partners: class.partners & ahead,
            ..*class
        });
        for (place, class) in places.iter_mut().zip(rest.chain([own])) {
            if class.partners == 0 {
                continue;
            }
            let same = after
                .iter()
                .position(|known| known.partners == class.partners);
            let at = same.unwrap_or(after.len());
            match after.get_mut(at) {
                Some(known) => known.most += class.most,
                None => after.push(class),
            }
            *place = u8::try_from(at).ok();
        }
        places
    }

    /// Matches this node with what waits, in every way, and brings the classes up to date.
    fn take(&self, to_come: &[Self], waiting: &mut Vec<Class>, states: &[State]) -> Vec<State> {
        let mut after = Vec::with_capacity(waiting.len() + 1);
        let places = self.classes_after(to_come, waiting, &mut after);
        let step = Step {
            node: self,
            waiting,
            places,
        };
        let mut taken = Vec::with_capacity(states.len());
        for state in states {
            let start = State {
                waiting: [0; MOST_CLASSES],
                ways: state.ways,
            };
            step.draw(state, 0, self.size, start, &mut taken);
        }
        *waiting = after;
        join(taken)
    }
}

/// One node being matched.
struct Step<'a> {
    node: &'a Node,
    waiting: &'a [Class],
    places: [Option<u8>; MOST_CLASSES + 1],
}

impl Step<'_> {
    /// Goes on with the class at a place, when so many of the node are still free.
    fn draw(&self, before: &State, place: usize, free: u8, mut next: State, into: &mut Vec<State>) {
        let Some(class) = self.waiting.get(place) else {
            next.ways *= arrangements(self.node.size, self.node.size - free);
            if next.wait(self.places[place], free) {
                into.push(next);
            }
            return;
        };
        let here = before.waiting[place];
        let most = if class.partners & self.node.bit == 0 {
            0
        } else {
            here.min(free)
        };
        // What has nothing else to wait for is matched now.
        let least = if self.places[place].is_none() {
            here
        } else {
            0
        };
        for matched in least..=most {
            let mut next = next;
            next.ways *= choose(here, matched);
            if next.wait(self.places[place], here - matched) {
                self.draw(before, place + 1, free - matched, next, into);
            }
        }
    }
}

impl State {
    /// Lets so many wait; whether they can.
    fn wait(&mut self, place: Option<u8>, count: u8) -> bool {
        if let Some(place) = place {
            self.waiting[usize::from(place)] += count;
        }
        place.is_some() || count == 0
    }
}

/// Makes one state of those that are equal.
fn join(mut states: Vec<State>) -> Vec<State> {
    states.sort_unstable_by_key(|state| state.waiting);
    states.dedup_by(|next, first| {
        let same = next.waiting == first.waiting;
        if same {
            first.ways += next.ways;
        }
        same
    });
    states
}

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

/// The number of ways to put `k` of `n` in a row.
fn arrangements(n: u8, k: u8) -> f64 {
    match n.checked_sub(k) {
        Some(rest) => (rest + 1..=n).map(f64::from).product(),
        None => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ruleset::Ruleset;

    /// An army of which much was seen under silent defence, by a player who meant it to be hard.
    const CRAFTED: [(&str, u8); 19] = [
        ("56", 1),
        ("BS2", 2),
        ("S23", 1),
        ("S234", 1),
        ("6789", 1),
        ("S2345", 3),
        ("45678", 1),
        ("B789M", 1),
        ("S23456", 7),
        ("456789", 1),
        ("B6789M", 1),
        ("56789M", 1),
        ("B56789M", 1),
        ("456789M", 2),
        ("S2345678", 1),
        ("23456789", 1),
        ("S23456789", 3),
        ("S23456789M", 5),
        ("FBS23456789M", 6),
    ];

    /// Sets as letters of ranks, and how many pieces have them.
    fn groups<const N: usize>(sets: [(&str, u8); N]) -> [Group; N] {
        sets.map(|(set, pieces)| Group {
            set: set.chars().filter_map(Rank::from_char).collect(),
            pieces,
        })
    }

    #[test]
    fn the_closed_form_counts_as_any_sets_are_counted() {
        let army = Ruleset::Original.army();
        let all = "FBS23456789M";
        for moved in 0..=33 {
            let groups = groups([("S23456789M", moved), (all, 40 - moved)]);
            let (closed, counted) = (nested(&groups, &army).unwrap(), any(&groups, &army));
            assert!((closed / counted - 1.0).abs() < 1e-13, "{moved}");
        }
        let impossible = [
            groups([("S23456789M", 34), (all, 6)]),
            groups([("FS", 3), (all, 37)]),
            groups([("23", 12), (all, 27)]),
        ];
        for groups in impossible {
            assert_eq!(
                (nested(&groups, &army), any(&groups, &army)),
                (Some(0.0), 0.0)
            );
        }
        assert_eq!(
            nested(&groups([("23", 1), ("34", 1), (all, 38)]), &army),
            None
        );
    }

    #[test]
    fn hard_armies_need_few_states() {
        let groups = groups(CRAFTED);
        let mut nodes = nodes(&groups, &Ruleset::Original.army());
        let mut waiting = Vec::new();
        let mut states = vec![State {
            waiting: [0; MOST_CLASSES],
            ways: 1.0,
        }];
        let mut most = 0;
        while let Some(next) = cheapest(&nodes, &waiting) {
            let node = nodes.swap_remove(next);
            states = node.take(&nodes, &mut waiting, &states);
            most = most.max(states.len());
        }
        println!("{most} states at most");
        assert!(most < 4_000);
        assert_eq!(states.len(), 1);
        let ways = matchings(&groups, &Ruleset::Original.army());
        assert!((states[0].ways / ways - 1.0).abs() < 1e-12);
    }
}
