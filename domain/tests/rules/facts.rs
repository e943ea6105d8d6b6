//! What finished games add to statistics, against the plainest reading of `graphql.md`, Meaning.

use domain::facts::{Facts, Section};
use domain::{Cause, Color, Command, Frame, Game, Rank, View, Viewpoint};
use proptest::prelude::*;

use crate::players::Players;
use crate::properties::games;
use crate::support::Table;

fn view(game: &Game) -> View<'_> {
    game.view(None, Viewpoint::Omniscient).expect("it is over")
}

/// A game of at most so many plies, which the side to move gives up.
fn finished(seed: u64, plies: u32) -> Option<Game> {
    let mut players = Players::any(seed);
    players.play(plies);
    if players.runs() {
        let side = players.table.side();
        players.table.does(side, Command::Resign);
    }
    let game = players.table.game;
    Facts::of(&game).is_some().then_some(game)
}

fn standing(frame: &Frame, rank: Rank) -> u64 {
    let pieces = frame.pieces.iter();
    pieces.filter(|piece| piece.rank == Some(rank)).count() as u64
}

proptest! {
    #![proptest_config(games(60))]

    /// Each figure of one game can be read off its views.
    #[test]
    fn facts_are_what_the_views_tell(seed in any::<u64>()) {
        let Some(game) = finished(seed, 400) else {
            return Ok(());
        };
        let (facts, view) = (Facts::of(&game).expect("finished"), view(&game));
        let outcome = game.outcome().expect("finished");
        let results = facts.results();
        prop_assert_eq!(results.games, 1);
        prop_assert_eq!(results, facts.results_by(outcome.reason));
        prop_assert_eq!(results.red_wins, u64::from(outcome.winner == Some(Color::Red)));
        prop_assert_eq!(facts.lengths(), [(u64::from(game.ply()), 1)]);

        let battles = view.battles();
        for cell in facts.battle_matrix() {
            let of_cell = battles.iter().filter(|battle| {
                battle.attack.attacker == cell.attacker
                    && battle.attack.defender == Some(cell.defender)
            });
            prop_assert_eq!(of_cell.count() as u64, cell.fought());
        }
        let fought: u64 = facts.battle_matrix().iter().map(domain::facts::BattleCell::fought).sum();
        prop_assert_eq!(fought, battles.len() as u64);
        let captured = view.captured();
        for exchange in facts.exchange() {
            let lost = captured.iter().filter(|piece| piece.rank == Some(exchange.rank));
            prop_assert_eq!(lost.count() as u64, exchange.lost);
            let scouting = battles.iter().filter(|battle| {
                battle.attack.attacker == exchange.rank
                    && !battle.attack.defender_known
                    && !battle.attack.outcome.attacker_stands()
            });
            prop_assert_eq!(scouting.count() as u64, exchange.scouting_deaths);
        }
        let taken: u64 = facts.exchange().iter().map(|rank| rank.captured).sum();
        prop_assert_eq!(taken, captured.len() as u64);

        let plies: Vec<u32> = (0..=game.ply() + 2).collect();
        let frames = view.frames(0, plies.len());
        for rank in Rank::ALL {
            for (alive, frame) in facts.survival(rank, &plies).iter().zip(&frames) {
                prop_assert_eq!(alive.alive, standing(frame, rank), "{} at {}", rank, alive.ply);
                prop_assert_eq!(alive.pieces, standing(&frames[0], rank));
            }
        }
        let after = facts.survival(Rank::Scout, &[game.ply(), game.ply() + 1, 1_000_000]);
        prop_assert_eq!(after[0].alive, after[2].alive);
    }

    #[test]
    fn reveals_and_information_are_those_of_the_timeline(seed in any::<u64>()) {
        let Some(game) = finished(seed, 300) else {
            return Ok(());
        };
        let (facts, timeline) = (Facts::of(&game).expect("finished"), view(&game).timeline());
        for by in [None, Some(Color::Red), Some(Color::Blue)] {
            for counted in facts.reveals(by) {
                let told: Vec<_> = timeline
                    .reveals
                    .iter()
                    .filter(|told| told.reveal.rank == counted.rank)
                    .filter(|told| by.is_none_or(|side| told.reveal.piece.owner() == side))
                    .collect();
                prop_assert_eq!(told.len() as u64, counted.pieces);
                let before_the_end = || {
                    told.iter().filter(|told| told.reveal.cause != Cause::GameOver)
                };
                prop_assert_eq!(before_the_end().count() as u64, counted.revealed);
                prop_assert_eq!(counted.plies.count, counted.revealed);
                let bits: f64 = before_the_end().map(|told| told.bits).sum();
                let revealed = u32::try_from(counted.revealed).expect("an army at most");
                let mean = (revealed > 0).then(|| bits / f64::from(revealed));
                match (mean, counted.bits) {
                    (Some(mean), Some(bits)) => prop_assert!((mean - bits).abs() < 1e-6),
                    (mean, bits) => prop_assert_eq!(mean, bits),
                }
            }
        }
        let curve = facts.information();
        match game.outcome().and_then(|outcome| outcome.winner) {
            None => prop_assert!(curve.is_empty()),
            Some(winner) => {
                prop_assert_eq!(curve.len(), timeline.information.len());
                for (mean, point) in curve.iter().zip(&timeline.information) {
                    prop_assert_eq!(mean.ply, point.ply);
                    prop_assert!((mean.winners - point.hidden_bits[winner]).abs() < 1e-6);
                    prop_assert!((mean.losers - point.hidden_bits[!winner]).abs() < 1e-6);
                }
            }
        }
    }

    /// The counts of many games are those of each, added up, and can be taken away again.
    #[test]
    fn facts_add_up(seed in any::<u64>()) {
        let all: Vec<Facts> = (0..4)
            .filter_map(|nth| finished(seed.wrapping_add(nth), 120))
            .filter_map(|game| Facts::of(&game))
            .collect();
        let mut sum = Facts::default();
        for facts in &all {
            add(&mut sum, facts, 1);
        }
        prop_assert_eq!(sum.results().games, all.len() as u64);
        for facts in &all {
            add(&mut sum, facts, -1);
        }
        prop_assert_eq!(sum, Facts::default());
    }
}

/// Adds the counts of a game so many times.
fn add(sum: &mut Facts, facts: &Facts, times: i64) {
    for section in Section::ALL {
        let counts = sum.section_mut(section);
        for (key, count) in facts.section(section).iter() {
            counts.add(key, count * times);
        }
    }
}

const RED: &str = "Fa1 Bb1 Sc1 2a4 3b4 9e1 Mf1 2g1";
const BLUE: &str = "Ma7 9j7 Fj10 Bi10 Sh10 2g10 2f10 3e10";

/// Blue's marshal shows itself at a7, and comes to a6.
fn marshal_at_a6() -> Table {
    let mut table = Table::barrage(RED, BLUE, |_| {});
    table.play("a4xa7 j7-j6 b4-b5 a7-a6");
    table
}

fn facts(mut table: Table) -> Facts {
    let side = table.side();
    table.does(side, Command::Resign);
    Facts::of(&table.game).expect("finished")
}

#[test]
fn a_bluff_is_called_believed_or_ignored() {
    for (answer, called, believed, ignored) in [
        ("a6xb6", 1, 0, 0),
        ("a6-a5", 0, 1, 0),
        ("j6-j5", 0, 0, 1),
        ("", 0, 0, 1),
    ] {
        let mut table = marshal_at_a6();
        table.play("b5-b6").play(answer);
        let bluffs = facts(table).bluffs();
        assert_eq!(bluffs.bluffs, 1, "{answer}");
        assert_eq!(
            (bluffs.called, bluffs.believed, bluffs.ignored),
            (called, believed, ignored),
            "{answer}"
        );
    }
}

/// Who could beat it, or is known, or does not come next to it, makes no one believe anything.
#[test]
fn an_honest_approach_is_no_bluff() {
    let spy = RED.replace("3b4", "Sb4").replace("Sc1", "3c1");
    let mut table = Table::barrage(&spy, BLUE, |_| {});
    table.play("a4xa7 j7-j6 b4-b5 a7-a6 b5-b6 j6-j5");
    assert_eq!(facts(table).bluffs().bluffs, 0);
    // A scout that comes from afar is known.
    let scout = RED.replace("3b4", "2b4").replace("2g1", "3g1");
    let mut table = Table::barrage(&scout, BLUE, |_| {});
    table.play("a4xa7 j7-j6 e1-e2 a7-a6 b4-b6 j6-j5");
    assert_eq!(facts(table).bluffs().bluffs, 0);
    // Nobody knows the general.
    let mut table = Table::barrage(
        RED,
        &BLUE.replace("Ma7", "9a7").replace("9j7", "Mj7"),
        |_| {},
    );
    table.play("b4-b5 a7-a6 b5-b6 j7-j6");
    assert_eq!(facts(table).bluffs().bluffs, 0);
}

#[test]
fn a_scout_that_walks_before_it_runs_is_disguised() {
    for (moves, disguised) in [
        ("a4-a5 j7-j6 a5xa7", 1),
        ("a4xa7 j7-j6", 0),
        ("a4-a5 j7-j6 b4-b5", 0),
        ("g1-g2 j7-j6 g2-j2 j6-j5 j2-j3", 1),
        ("a4-a5 a7-a6 b4-b5 a6xa5", 1),
    ] {
        let mut table = Table::barrage(RED, BLUE, |_| {});
        table.play(moves);
        assert_eq!(facts(table).bluffs().disguised_scouts, disguised, "{moves}");
    }
}

/// From 50 plies on; bombs and flags make nobody believe anything.
#[test]
fn what_never_moves_is_taken_for_a_bomb() {
    for (rounds, mimicry) in [(6, 0), (7, 10)] {
        let mut table = Table::barrage(RED, BLUE, |options| options.more_squares = false);
        for _ in 0..rounds {
            table.play("e1-e2 j7-j6 e2-e1 j6-j7 e1-d1 j7-j8 d1-e1 j8-j7");
        }
        assert_eq!(facts(table).bluffs().bomb_mimicry, mimicry, "{rounds}");
    }
}

#[test]
fn squares_are_those_of_their_side() {
    let facts = facts(marshal_at_a6());
    assert_eq!(facts.sides(), 2);
    let flags = facts.deployment(Rank::Flag, false);
    // Blue's j10 is his a1.
    assert_eq!(flags.len(), 1);
    assert_eq!(
        (flags[0].square.to_string().as_str(), flags[0].sides),
        ("a1", 2)
    );
    let folded = facts.deployment(Rank::Flag, true);
    assert_eq!(
        (folded[0].square.to_string().as_str(), folded[0].wins),
        ("j1", 1)
    );
    // Two scouts of Red's stand on squares of their own; a side is one side on both of a pair.
    let scouts = facts.deployment(Rank::Scout, false);
    assert_eq!(scouts.iter().map(|placed| placed.sides).sum::<u64>(), 4);
}

#[test]
fn openings_are_reds() {
    let facts = facts(marshal_at_a6());
    let openings = facts.openings();
    assert_eq!(openings.len(), 1);
    assert_eq!(openings[0].mv.to_string(), "a4-a7");
    assert_eq!((openings[0].games, openings[0].wins), (1, 0));
}

#[test]
fn an_aborted_game_counts_nowhere() {
    let mut table = Table::barrage(RED, BLUE, |_| {});
    table.does(Color::Blue, Command::Resign);
    assert!(Facts::of(&table.game).is_none());
    let running = Table::barrage(RED, BLUE, |_| {});
    assert!(Facts::of(&running.game).is_none());
}

#[test]
fn every_part_has_a_name_of_its_own() {
    let mut names: Vec<&str> = Section::ALL.map(Section::name).to_vec();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), Section::COUNT);
}
