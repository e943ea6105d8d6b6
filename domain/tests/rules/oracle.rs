//! Elimination by other means than the crate's: by matchings, and by trying every way.

use domain::{ByRank, Rank, RankSet};

/// A set of ranks: a bit for each, in the order of `Rank::ALL`.
pub(crate) type Mask = u16;

pub(crate) const EVERY: Mask = 0b1111_1111_1111;

pub(crate) fn bit(rank: Rank) -> Mask {
    1 << rank as u16
}

pub(crate) fn mask(ranks: RankSet) -> Mask {
    ranks.iter().map(bit).sum()
}

pub(crate) fn ranks(mask: Mask) -> impl Iterator<Item = Rank> {
    let all = Rank::ALL.into_iter();
    all.filter(move |rank| mask & bit(*rank) != 0)
}

/// The one rank of a set of one.
pub(crate) fn only(mask: Mask) -> Option<Rank> {
    ranks(mask).next().filter(|_| mask.is_power_of_two())
}

/// For each piece the ranks that it has in some perfect matching of the pieces with an army.
///
/// One matching is made. A piece can have a rank if it takes a place of that rank there, and the
/// one that it drove out finds another without coming back.
pub(crate) fn matched(sets: &[Mask], army: ByRank<u8>) -> Vec<Mask> {
    let places: Vec<Rank> = army
        .iter()
        .flat_map(|(rank, count)| (0..*count).map(move |_| rank))
        .collect();
    assert_eq!(sets.len(), places.len());
    let mut holders = vec![None; places.len()];
    for piece in 0..sets.len() {
        let mut tried = vec![false; places.len()];
        assert!(seat(sets, &places, &mut holders, &mut tried, piece));
    }
    let can_have = |piece: usize, rank: Rank| {
        let place = places.iter().position(|there| *there == rank);
        let Some(place) = place else { return false };
        let mut holders = holders.clone();
        let own = holders.iter().position(|holder| *holder == Some(piece));
        let own = own.expect("the matching is perfect");
        if places[own] == rank {
            return true;
        }
        holders[own] = None;
        let driven_out = holders[place].replace(piece).expect("perfect");
        let mut tried = vec![false; places.len()];
        tried[place] = true;
        seat(sets, &places, &mut holders, &mut tried, driven_out)
    };
    let mut found: Vec<Mask> = Vec::with_capacity(sets.len());
    for (piece, set) in sets.iter().enumerate() {
        // Pieces with one set between them can be the same.
        let twin = sets[..piece].iter().position(|other| other == set);
        found.push(match twin {
            Some(twin) => found[twin],
            None => ranks(*set)
                .filter(|rank| can_have(piece, *rank))
                .map(bit)
                .sum(),
        });
    }
    found
}

/// Finds a place for a piece; those in the way look for another.
fn seat(
    sets: &[Mask],
    places: &[Rank],
    holders: &mut [Option<usize>],
    tried: &mut [bool],
    piece: usize,
) -> bool {
    for place in 0..places.len() {
        if tried[place] || sets[piece] & bit(places[place]) == 0 {
            continue;
        }
        tried[place] = true;
        let free = holders[place].is_none_or(|other| seat(sets, places, holders, tried, other));
        if free {
            holders[place] = Some(piece);
            return true;
        }
    }
    false
}

/// Every way to give pieces their ranks, counted one by one.
#[derive(Debug, Clone)]
pub(crate) struct Ways {
    pub(crate) total: u32,
    /// In how many of them each piece has each rank.
    pub(crate) with: Vec<ByRank<u32>>,
}

impl Ways {
    /// `None` when there are more than `most`.
    pub(crate) fn count(sets: &[Mask], army: ByRank<u8>, most: u32) -> Option<Self> {
        let mut ways = Self {
            total: 0,
            with: vec![ByRank::default(); sets.len()],
        };
        let mut given = Vec::with_capacity(sets.len());
        ways.give(sets, army, most, &mut given).then_some(ways)
    }

    fn give(
        &mut self,
        sets: &[Mask],
        mut left: ByRank<u8>,
        most: u32,
        given: &mut Vec<Rank>,
    ) -> bool {
        let Some(set) = sets.get(given.len()) else {
            self.total += 1;
            for (with, rank) in self.with.iter_mut().zip(given) {
                with[*rank] += 1;
            }
            return self.total <= most;
        };
        for rank in Rank::ALL {
            if set & bit(rank) == 0 || left[rank] == 0 {
                continue;
            }
            left[rank] -= 1;
            given.push(rank);
            let on = self.give(sets, left, most, given);
            given.pop();
            left[rank] += 1;
            if !on {
                return false;
            }
        }
        true
    }

    /// The ranks that a piece has in some way.
    pub(crate) fn possible(&self, piece: usize) -> Mask {
        let with = self.with[piece].iter().filter(|(_, ways)| **ways > 0);
        with.map(|(rank, _)| bit(rank)).sum()
    }
}

/// The two oracles say the same of small armies.
#[test]
fn matchings_are_what_trying_every_way_finds() {
    let mut dice = crate::support::Dice::new(7);
    let mut narrowed = 0;
    for _ in 0..2_000 {
        let mut army = ByRank::<u8>::default();
        let pieces = 2 + dice.below(5);
        let sets: Vec<Mask> = (0..pieces)
            .map(|_| {
                let own = Rank::ALL[dice.below(5)];
                army[own] += 1;
                let other = dice.below(32);
                bit(own) | Mask::try_from(other).expect("small")
            })
            .collect();
        let ways = Ways::count(&sets, army, u32::MAX).expect("there is no limit");
        let tried: Vec<Mask> = (0..pieces).map(|piece| ways.possible(piece)).collect();
        assert_eq!(matched(&sets, army), tried, "{sets:?} {army:?}");
        let there: Mask = army
            .iter()
            .filter(|(_, n)| **n > 0)
            .map(|(r, _)| bit(r))
            .sum();
        narrowed += sets
            .iter()
            .zip(&tried)
            .filter(|(set, tried)| *set & there != **tried)
            .count();
    }
    assert!(narrowed > 500, "{narrowed}");
}
