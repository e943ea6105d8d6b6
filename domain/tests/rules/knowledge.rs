//! What can be known, and how much that is (`knowledge.md` 2), against every assignment.

use std::collections::{HashMap, HashSet};

use domain::{
    ByRank, Cause, Color, Frame, HiddenArmy, PieceView, Rank, Ruleset, Timeline, Viewpoint,
};

use crate::oracle::{Mask, Ways, mask, ranks};
use crate::players::Players;
use crate::support::{Dice, Table, armies, long_rounds};
use crate::truth::Truth;

/// As many ways are tried for one army; a whole army of barrage has 20,160.
const MOST_WAYS: u32 = 25_000;

/// Every way for the armies that were met so far, by their sets in order.
#[derive(Default)]
struct Met(HashMap<(Ruleset, Vec<Mask>), Option<Ways>>);

impl Met {
    fn ways(&mut self, ruleset: Ruleset, sorted: &[Mask]) -> Option<&Ways> {
        let key = (ruleset, sorted.to_vec());
        let ways = self.0.entry(key);
        let ways = ways.or_insert_with(|| Ways::count(sorted, ruleset.army(), MOST_WAYS));
        ways.as_ref()
    }
}

pub(crate) fn near(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-9
}

pub(crate) fn public_frames(table: &Table) -> Vec<Frame> {
    let view = table.game.view(None, Viewpoint::Public);
    view.expect("open to all").frames(0, usize::MAX)
}

pub(crate) fn timeline(table: &Table) -> Timeline {
    let view = table.game.view(None, Viewpoint::Public);
    view.expect("open to all").timeline()
}

/// The odds are the shares of the ways.
fn assert_odds(odds: &[(Rank, f64)], possible: Mask, with: &ByRank<u32>, total: u32) {
    let told: Vec<Rank> = odds.iter().map(|(rank, _)| *rank).collect();
    assert!(told.into_iter().eq(ranks(possible)));
    for (rank, odds) in odds {
        let share = f64::from(with[*rank]) / f64::from(total);
        assert!(near(*odds, share), "{rank}: {odds}, not {share}");
    }
    assert!(near(odds.iter().map(|(_, odds)| odds).sum(), 1.0));
}

/// Compares what is known of a side with all the ways there are; says how many unknown pieces
/// have fallen.
fn compare(frame: &Frame, hidden: &HiddenArmy, truth: &Truth, owner: Color, ways: &Ways) -> u32 {
    let plies = usize::try_from(frame.ply).expect("small");
    let facts = truth.facts(plies);
    let mut sorted: Vec<Mask> = sets(truth, owner, plies);
    sorted.sort_unstable();
    assert!(near(hidden.bits(), f64::from(ways.total).log2()));
    let (mut unknown, mut fallen) = (0, 0);
    for piece in truth.deployed(owner) {
        let own = sorted.binary_search(&facts[piece.index()]).expect("there");
        let possible = ways.possible(own);
        let stands: Option<&PieceView> = frame.pieces.iter().find(|one| one.id == piece);
        let hides = possible.count_ones() > 1;
        if let Some(one) = stands {
            assert_eq!(one.rank.is_none(), hides, "{piece}");
            let told = one.possible.map(|possible| mask(possible.ranks));
            assert_eq!(told, hides.then_some(possible), "{piece}");
        }
        if !hides {
            continue;
        }
        unknown += 1;
        fallen += u32::from(stands.is_none());
        let odds = match stands {
            Some(one) => frame.odds(one),
            None => hidden.odds(ranks(possible).collect()),
        };
        assert_odds(&odds, possible, &ways.with[own], ways.total);
    }
    assert_eq!(hidden.pieces(), unknown);
    fallen
}

/// What was seen of each deployed piece of a side itself.
pub(crate) fn sets(truth: &Truth, owner: Color, plies: usize) -> Vec<Mask> {
    let facts = truth.facts(plies);
    let deployed = truth.deployed(owner).into_iter();
    deployed.map(|piece| facts[piece.index()]).collect()
}

/// A game of a small army, in which two of three defend silently.
fn small_game(seed: u64) -> Players {
    let mut options = Dice::new(seed).options();
    options.silent_defense = !seed.is_multiple_of(3);
    let ruleset = [Ruleset::Barrage, Ruleset::Duel][usize::from(seed.is_multiple_of(2))];
    Players::of(ruleset, options, seed)
}

#[test]
fn sets_bits_and_odds_are_those_of_every_assignment() {
    let (mut compared, mut silent, mut fallen, mut skipped) = (0, 0, 0, 0);
    let mut met = Met::default();
    let mut kinds = HashSet::new();
    for seed in 0..if long_rounds() { 10_000 } else { 600 } {
        let mut players = small_game(seed);
        let terms = *players.table.game.terms();
        players.play(300);
        let truth = Truth::of(&players.table);
        let frames = public_frames(&players.table);
        for owner in Color::ALL {
            let mut before = Vec::new();
            for (ply, frame) in frames.iter().enumerate() {
                let sets = sets(&truth, owner, ply);
                let hidden = &frame.hidden[owner];
                if sets == before {
                    assert_eq!(*hidden, frames[ply - 1].hidden[owner]);
                    continue;
                }
                before.clone_from(&sets);
                let mut sorted = sets;
                sorted.sort_unstable();
                let Some(ways) = met.ways(terms.ruleset, &sorted) else {
                    skipped += 1;
                    continue;
                };
                let unknown = compare(frame, hidden, &truth, owner, ways);
                compared += 1;
                silent += u32::from(terms.options.silent_defense);
                fallen += u32::from(unknown > 0);
                kinds.insert((terms.ruleset, sorted));
            }
        }
    }
    let kinds = kinds.len();
    println!(
        "{compared} positions of {kinds} kinds, {silent} with silent defence, \
         {fallen} with hidden losses; {skipped} had too many ways"
    );
    assert!(compared > 8_000 && kinds > 1_200 && silent > 5_000 && fallen > 400);
}

/// Larger armies that fight silently and rescue, against what is worked out anew for each ply.
#[test]
fn silent_games_of_every_ruleset_tell_what_can_be_known() {
    let (mut deduced, mut fallen, mut returned) = (0, 0, 0);
    for (seed, ruleset) in (0..).zip(Ruleset::ALL.repeat(if long_rounds() { 300 } else { 25 })) {
        let mut dice = Dice::new(seed);
        let mut options = dice.options();
        options.silent_defense = true;
        options.rescue = true;
        let mut players = Players::of(ruleset, options, seed);
        players.play(500);
        let table = &players.table;
        let truth = Truth::of(table);
        let plies = usize::try_from(table.game.ply()).expect("small");
        let past = [(); 6].map(|()| u32::try_from(dice.below(plies + 1)).expect("small"));
        for viewpoint in [Viewpoint::Public, Viewpoint::Omniscient] {
            let Some(view) = table.game.view(None, viewpoint) else {
                continue;
            };
            truth.compare(&view, &past);
        }
        let view = table.game.view(None, Viewpoint::Public).expect("to all");
        let captured = view.captured();
        for reveal in view.reveals() {
            let pinned = reveal.cause == Cause::Deduced;
            let fell =
                |one: &domain::CapturedView| (one.id, one.ply < reveal.ply) == (reveal.piece, true);
            deduced += u32::from(pinned);
            fallen += u32::from(pinned && captured.iter().any(fell));
        }
        let back = view.moves_from(0).filter_map(|seen| seen.rescue);
        returned += back.filter(|back| back.rank.is_none()).count();
    }
    println!("{deduced} deduced, {fallen} of them after they fell; {returned} came back unseen");
    assert!(deduced > 200 && fallen > 8 && returned > 30);
}

/// What came back unseen has odds, too, though they are not counted.
#[test]
fn the_odds_of_a_returned_piece_sum_to_one() {
    let mut returned = 0;
    for seed in 0..300 {
        let mut options = Ruleset::Duel.default_options();
        options.silent_defense = true;
        options.rescue = true;
        let mut players = Players::of(Ruleset::Duel, options, seed);
        players.play(200);
        for frame in public_frames(&players.table) {
            let unseen = |one: &&PieceView| one.id.home().is_none() && one.rank.is_none();
            for piece in frame.pieces.iter().filter(unseen) {
                let possible = piece.possible.expect("unknown");
                assert!(!possible.exact && !possible.ranks.contains(Rank::Bomb));
                let odds = frame.odds(piece);
                let ranks: Vec<Rank> = odds.iter().map(|(rank, _)| *rank).collect();
                assert!(possible.ranks.iter().eq(ranks));
                assert!(near(odds.iter().map(|(_, odds)| odds).sum(), 1.0));
                returned += 1;
            }
        }
    }
    println!("{returned} returned pieces on boards");
    assert!(returned > 3_000);
}

/// Red's two miners both fail, at a7 and at j7: one is the general and the other the marshal.
pub(crate) fn two_withstand() -> Table {
    let red = "Fb1 Bb2 Bc1 Sd1 2a1 2e1 3a4 3j4 9f1 Mg1";
    let blue = "Fb10 Bb9 Bc10 Sd10 2f10 2g10 3h10 3e7 9a7 Mj7";
    let mut options = Ruleset::Duel.default_options();
    options.silent_defense = true;
    let mut table = Table::new(Ruleset::Duel, options, armies(Ruleset::Duel, red, blue));
    table.play("a4-a5 e7-e6 a5-a6 e6-f6 a6xa7 f6-f7 j4-j5 f7-e7 j5-j6 e7-e6 j6xj7");
    table
}

fn possible(table: &Table, square: &str) -> String {
    let view = table
        .game
        .view(None, Viewpoint::Public)
        .expect("open to all");
    let pieces = view.pieces().into_iter();
    let mut on = pieces.filter(|piece| piece.square.to_string() == square);
    let ranks = on
        .next()
        .and_then(|piece| piece.possible)
        .expect("an unknown piece")
        .ranks;
    ranks.iter().map(Rank::to_char).collect()
}

#[test]
fn two_pieces_use_up_two_ranks_before_either_is_found() {
    let mut table = two_withstand();
    for (square, ranks) in [
        ("a7", "9M"),
        ("j7", "9M"),
        ("e6", "S23"),
        ("b10", "FBS23"),
        ("h10", "FBS23"),
    ] {
        assert_eq!(possible(&table, square), ranks, "{square}");
    }
    let frame = public_frames(&table).pop().expect("one");
    let hidden = &frame.hidden.blue;
    // Two ways there; 5 of the 8 others may be the piece that moved: 7! / (2! 2! 2!) times 5.
    assert!(near(hidden.bits(), f64::from(2 * 5 * 5_040 / 8).log2()));
    let two = [Rank::General, Rank::Marshal];
    assert_eq!(
        hidden.odds(two.into_iter().collect()),
        two.map(|rank| (rank, 0.5))
    );
    let moved = [(Rank::Spy, 0.2), (Rank::Scout, 0.4), (Rank::Miner, 0.4)];
    let odds = hidden.odds(moved.iter().map(|(rank, _)| *rank).collect());
    assert!(
        odds.iter()
            .zip(moved)
            .all(|(a, b)| a.0 == b.0 && near(a.1, b.1)),
        "{odds:?}"
    );
    // A scout makes the one declare itself; so the other is known.
    table.play("e6-e7 a1xa7");
    let told: Vec<_> = timeline(&table)
        .reveals
        .into_iter()
        .filter(|one| one.reveal.ply == 13)
        .collect();
    let expected = [
        ("a1", "a7", Rank::Scout, Cause::Attacked),
        ("a7", "a7", Rank::General, Cause::WasAttacked),
        ("j7", "j7", Rank::Marshal, Cause::Deduced),
    ];
    assert_eq!(told.len(), 3);
    for (one, (home, square, rank, cause)) in told.iter().zip(expected) {
        let reveal = one.reveal;
        assert_eq!(
            reveal.piece.home().map(|home| home.to_string()).as_deref(),
            Some(home)
        );
        assert_eq!(
            (
                reveal.square.to_string().as_str(),
                reveal.rank,
                reveal.cause
            ),
            (square, rank, cause)
        );
    }
    assert!(near(told[1].bits, 1.0) && told[2].bits.abs() < f64::EPSILON);
}

/// Blue's spy falls to a miner at e6; then both scouts run, and it can have been nothing else.
pub(crate) fn a_spy_falls() -> Table {
    let red = "Fa1 Ba2 Sb1 2c1 2j1 3e4 9d1 Mi1";
    let blue = "Fa10 Ba9 Se7 2c10 2j10 3f7 9i10 Mb7";
    let mut table = Table::barrage(red, blue, |options| options.silent_defense = true);
    table.play("e4-e5 e7-e6 e5xe6 c10-c7 i1-i2");
    table
}

#[test]
fn what_fell_unseen_is_known_once_nothing_else_is_left() {
    let mut table = a_spy_falls();
    let fell = |table: &Table| {
        let captured = table.seen_by(Color::Red).captured();
        (
            captured[0].id.to_string(),
            captured[0].rank,
            captured[0].ply,
        )
    };
    assert_eq!(fell(&table), ("blue:e7".to_owned(), None, 3));
    table.play("j10-j7");
    assert_eq!(fell(&table), ("blue:e7".to_owned(), Some(Rank::Spy), 3));
    let seen = table.seen_by(Color::Red);
    let last = seen.last_move().expect("it").reveals;
    let told: Vec<_> = last
        .iter()
        .map(|one| (one.square.to_string(), one.rank, one.cause))
        .collect();
    let expected = [
        ("j7".to_owned(), Rank::Scout, Cause::ScoutMove),
        ("e6".to_owned(), Rank::Spy, Cause::Deduced),
    ];
    assert_eq!(told, expected);
    let attack = seen
        .move_at(2)
        .and_then(|mv| mv.attack)
        .expect("the battle");
    assert_eq!(attack.defender, None, "an older move stays as it was");
    assert!(!seen.battles()[0].attack.defender_known);
    // Flag, bomb, miner, general and marshal are left to the five that never moved.
    let bits = timeline(&table).information[6].hidden_bits.blue;
    assert!(near(bits, 120_f64.log2()));
}
