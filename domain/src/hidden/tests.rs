use proptest::prelude::*;

use super::*;
use crate::ruleset::Ruleset;

/// The army of a ruleset, of which so many pieces have moved and none is known.
fn army(ruleset: Ruleset, moved: u8) -> HiddenArmy {
    let ranks = ruleset.army();
    let all: RankSet = ranks.iter().map(|(rank, _)| rank).collect();
    let sets =
        (0..ruleset.army_size()).map(|piece| if piece < moved { RankSet::MOVABLE } else { all });
    HiddenArmy::new(sets, ranks)
}

/// The table of `knowledge.md` 3.
#[test]
fn the_bits_are_those_that_can_be_checked_by_hand() {
    let table = [
        (Ruleset::Original, 0, 110.12),
        (Ruleset::Original, 20, 102.21),
        (Ruleset::Original, 33, 85.97),
        (Ruleset::Duel, 0, 18.79),
        (Ruleset::Barrage, 0, 14.30),
    ];
    for (ruleset, moved, bits) in table {
        let hidden = army(ruleset, moved).bits();
        assert!(
            (hidden - bits).abs() < 0.005,
            "{ruleset:?}, {moved} moved: {hidden}"
        );
    }
}

/// Pieces with what each can be, and the ranks that they have between them: a few, so that every
/// way can be tried.
fn few() -> impl Strategy<Value = (Vec<RankSet>, ByRank<u8>)> {
    let piece = (0..5_usize, prop::collection::vec(any::<bool>(), 5));
    prop::collection::vec(piece, 2..=9).prop_map(|pieces| {
        let mut ranks = ByRank::default();
        let sets = pieces.into_iter().map(|(own, others)| {
            let own = Rank::ALL[own];
            ranks[own] += 1;
            let others = Rank::ALL.into_iter().zip(others);
            let others = others.filter(|(_, can_be)| *can_be).map(|(rank, _)| rank);
            others.chain([own]).collect()
        });
        (sets.collect(), ranks)
    })
}

/// Every way, one by one: how many, and in how many each piece has each rank.
fn every_way(sets: &[RankSet], ranks: ByRank<u8>) -> (u32, Vec<ByRank<u32>>) {
    let Some((set, rest)) = sets.split_first() else {
        return (1, Vec::new());
    };
    let mut total = 0;
    let mut with = vec![ByRank::default(); sets.len()];
    for rank in set.iter().filter(|rank| ranks[*rank] > 0) {
        let mut left = ranks;
        left[rank] -= 1;
        let (ways, others) = every_way(rest, left);
        total += ways;
        with[0][rank] += ways;
        for (sum, part) in with[1..].iter_mut().zip(others) {
            for rank in Rank::ALL {
                sum[rank] += part[rank];
            }
        }
    }
    (total, with)
}

fn near(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-9
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 2_000,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn sets_bits_and_odds_are_those_of_every_way((sets, ranks) in few()) {
        let (total, with) = every_way(&sets, ranks);
        let hidden = HiddenArmy::new(sets.iter().copied(), ranks);
        prop_assert!(near(hidden.bits(), f64::from(total).log2()));
        let closed = hidden.closed_sets();
        let exact: Vec<RankSet> = sets.iter().map(|set| closed.possible(*set)).collect();
        for (set, with) in exact.iter().zip(&with) {
            let found = Rank::ALL.into_iter().filter(|rank| with[*rank] > 0);
            prop_assert_eq!(*set, found.collect());
        }
        let hidden = HiddenArmy::new(exact.iter().copied(), ranks);
        prop_assert!(near(hidden.bits(), f64::from(total).log2()));
        for (set, with) in exact.iter().zip(&with) {
            let odds = hidden.odds(*set);
            prop_assert!(near(odds.iter().map(|(_, odds)| odds).sum(), 1.0));
            for (rank, odds) in odds {
                prop_assert!(near(odds, f64::from(with[rank]) / f64::from(total)));
            }
        }
    }
}
