use std::fmt;
use std::ops::{BitAnd, BitOr};

use crate::rank::Rank;

/// A set of ranks, such as those that a piece can still be (`knowledge.md` 2).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct RankSet(u16);

impl RankSet {
    /// No rank.
    pub const EMPTY: Self = Self(0);
    /// Every rank.
    pub const ALL: Self = Self(0b1111_1111_1111);
    /// Every rank that may move (`rules.md` 3).
    pub const MOVABLE: Self = Self(Self::ALL.0 & !Self::of(Rank::Flag).0 & !Self::of(Rank::Bomb).0);

    /// That rank alone.
    pub const fn of(rank: Rank) -> Self {
        Self(1 << rank as u16)
    }

    /// Whether a rank is in it.
    pub const fn contains(self, rank: Rank) -> bool {
        self.0 & Self::of(rank).0 != 0
    }

    /// Whether each of its ranks is in the other.
    pub const fn is_subset(self, of: Self) -> bool {
        self.0 & !of.0 == 0
    }

    /// Whether there is none.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many there are: 0 to 12.
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// A number for each set: a bit for each rank, in the order of [`Rank::ALL`].
    pub const fn bits(self) -> u16 {
        self.0
    }

    /// The one rank that is left; `None` when there is none or there are several.
    pub fn only(self) -> Option<Rank> {
        if self.len() == 1 {
            self.iter().next()
        } else {
            None
        }
    }

    /// The ranks that are not in the other.
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Its ranks, in the order of [`Rank::ALL`].
    pub fn iter(self) -> impl Iterator<Item = Rank> {
        Rank::ALL
            .into_iter()
            .filter(move |rank| self.contains(*rank))
    }

    /// A number below 4,096 that stands for it.
    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }
}

impl BitAnd for RankSet {
    type Output = Self;

    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl BitOr for RankSet {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl FromIterator<Rank> for RankSet {
    fn from_iter<I: IntoIterator<Item = Rank>>(ranks: I) -> Self {
        ranks
            .into_iter()
            .fold(Self::EMPTY, |set, rank| set | Self::of(rank))
    }
}

impl fmt::Debug for RankSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ranks: String = self.iter().map(Rank::to_char).collect();
        write!(f, "{{{ranks}}}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_holds_what_was_put_into_it() {
        let set: RankSet = [Rank::Bomb, Rank::Marshal].into_iter().collect();
        for rank in Rank::ALL {
            let inside = matches!(rank, Rank::Bomb | Rank::Marshal);
            assert_eq!(set.contains(rank), inside);
            assert_eq!(RankSet::MOVABLE.contains(rank), rank.is_movable());
            assert_eq!(RankSet::of(rank).only(), Some(rank));
        }
        assert_eq!((set.len(), set.only()), (2, None));
        assert_eq!(RankSet::EMPTY.only(), None);
        assert_eq!(set & RankSet::MOVABLE, RankSet::of(Rank::Marshal));
        assert_eq!(set.without(RankSet::MOVABLE), RankSet::of(Rank::Bomb));
        assert!(set.is_subset(RankSet::ALL) && !RankSet::ALL.is_subset(set));
        assert_eq!(set.iter().collect::<Vec<_>>(), [Rank::Bomb, Rank::Marshal]);
    }
}
