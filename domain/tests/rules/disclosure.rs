//! Who learns what (`knowledge.md` 2 and 4), on the board.

use domain::{
    BattleOutcome, ByColor, Cause, Color, Command, Rank, RevealedTo, Ruleset, Setup, View,
    Viewpoint,
};

use crate::slow::battle;
use crate::support::{Table, armies, army};

/// A sergeant on the first square: it waits.
const ARMY: &str = "4627M3538B36228B74462B245622795FB53S3B2B";

fn with(rank: Rank, cell: usize) -> Setup {
    let mut cells: Vec<char> = ARMY.chars().collect();
    let there = 1 + cells[1..]
        .iter()
        .position(|ch| *ch == rank.to_char())
        .expect("one");
    cells.swap(cell, there);
    let text: String = cells.into_iter().collect();
    Setup::parse(Ruleset::Original, &text).expect("the same army")
}

/// Red's `a` attacks Blue's `b` on b7, under silent defence.
fn silent_attack(a: Rank, b: Rank) -> Table {
    let mut options = Ruleset::Original.default_options();
    options.silent_defense = true;
    let setups = ByColor {
        red: with(a, 1),
        blue: with(b, 8),
    };
    let mut table = Table::new(Ruleset::Original, options, setups);
    table.play("b4-b5 j7-j6 b5-b6 j6-j7 b6xb7");
    table
}

/// What a side's opponent, and everyone else, is told of its pieces.
fn reveals_of(table: &Table, owner: Color) -> Vec<(String, Rank, Cause)> {
    let told = |view: View<'_>| -> Vec<_> {
        view.reveals()
            .iter()
            .filter(|reveal| reveal.piece.owner() == owner && reveal.cause != Cause::GameOver)
            .inspect(|reveal| assert_eq!(reveal.to, RevealedTo::Side(!owner)))
            .map(|reveal| (reveal.square.to_string(), reveal.rank, reveal.cause))
            .collect()
    };
    let public = told(table.game.view(None, Viewpoint::Public).expect("to all"));
    for side in Color::ALL {
        let own = Viewpoint::of(Some(side));
        let view = table.game.view(Some(side), own).expect("his own");
        assert_eq!(told(view), public, "reveals are the same to all");
    }
    public
}

#[test]
fn silent_defence_declares_the_attacker_alone() {
    use BattleOutcome::{BothRemoved, FlagCaptured};
    let mut pins = 0;
    for attacker in Rank::ALL.into_iter().filter(|rank| rank.is_movable()) {
        for defender in Rank::ALL {
            let table = silent_attack(attacker, defender);
            let attack = |side| {
                let own = Viewpoint::of(Some(side));
                let view = table.game.view(Some(side), own).expect("his own");
                view.last_move().and_then(|mv| mv.attack).expect("a battle")
            };
            let outcome = attack(Color::Red).outcome;
            let declared = attacker == Rank::Scout || matches!(outcome, BothRemoved | FlagCaptured);
            let pair = format!("{attacker} x {defender}");
            assert_eq!(attack(Color::Red).attacker, attacker, "{pair}");
            assert_eq!(attack(Color::Blue).attacker, attacker, "{pair}");
            // What else would have ended so: alone, it is known all the same.
            let end = battle(attacker, defender, false);
            let others = Rank::ALL.into_iter().filter(|other| {
                let also = ![defender, Rank::Flag].contains(other);
                also && battle(attacker, *other, false) == end
            });
            let pinned = !declared && others.count() == 0;
            pins += u32::from(pinned);
            let known = (declared || pinned).then_some(defender);
            assert_eq!(attack(Color::Red).defender, known, "{pair}");
            assert_eq!(attack(Color::Blue).defender, Some(defender), "{pair}");
            let attackers = [("b7".to_owned(), attacker, Cause::Attacked)];
            assert_eq!(reveals_of(&table, Color::Red), attackers, "{pair}");
            let how = if declared {
                Cause::WasAttacked
            } else {
                Cause::Deduced
            };
            let defenders: Vec<_> = known
                .map(|rank| ("b7".to_owned(), rank, how))
                .into_iter()
                .collect();
            assert_eq!(reveals_of(&table, Color::Blue), defenders, "{pair}");
            let captured = |side| {
                let own = Viewpoint::of(Some(side));
                let view = table.game.view(Some(side), own).expect("his own");
                let fell = view.captured().into_iter();
                fell.map(|piece| (piece.id.owner(), piece.rank))
                    .collect::<Vec<_>>()
            };
            if outcome == BattleOutcome::AttackerWins {
                // Its owner keeps it; only what can have been nothing else is known to others.
                assert_eq!(captured(Color::Red), [(Color::Blue, known)], "{pair}");
                let own = [(Color::Blue, Some(defender))];
                assert_eq!(captured(Color::Blue), own, "{pair}");
            }
        }
    }
    // A bomb that a marshal did not remove, the marshal that a spy did.
    assert_eq!(pins, 2);
}

#[test]
fn open_play_declares_both_and_the_winner_stays_known() {
    let red = "Fa1 Ba2 Sb1 2c1 2j1 3f4 9e4 Mi1";
    let blue = "Fa10 Ba9 Sb10 2c10 2j10 3f7 9i10 Me7";
    let mut table = Table::barrage(red, blue, |_| {});
    table.play("e4-e5 e7-e6");
    assert_eq!(table.rank_on(Color::Red, "e6"), None);
    table.play("e5xe6");
    assert_eq!(table.rank_on(Color::Red, "e6"), Some(Rank::Marshal));
    table.play("e6-e7 f4-f5");
    let view = table.game.view(None, Viewpoint::Public).expect("to all");
    let marshal = view
        .pieces()
        .into_iter()
        .find(|piece| piece.square.to_string() == "e7");
    let marshal = marshal.expect("it moved there");
    assert_eq!(
        (marshal.rank, marshal.revealed_ply),
        (Some(Rank::Marshal), Some(3))
    );
    assert!(marshal.moved);
    // The board of an earlier ply shows what was known then.
    let before = view.frame(2).expect("two plies").pieces;
    assert!(before.iter().all(|piece| piece.rank.is_none()));
    assert!(before.iter().all(|piece| piece.revealed_ply.is_none()));
    assert!(
        view.pieces()
            .iter()
            .filter(|piece| piece.rank.is_some())
            .count()
            == 1
    );
}

#[test]
fn a_long_move_tells_that_it_is_a_scout() {
    let red = "Fa1 Ba2 Sb1 2e4 2j1 3f4 9d1 Mi1";
    let blue = "Fa10 Ba9 Sb10 2c10 2j10 3f7 9i10 Mb7";
    let mut table = Table::barrage(red, blue, |_| {});
    table.play("e4-e5 f7-f6");
    assert_eq!(table.rank_on(Color::Blue, "e5"), None);
    table.play("e5-e7");
    assert_eq!(table.rank_on(Color::Blue, "e7"), Some(Rank::Scout));
    let scouts = [("e7".to_owned(), Rank::Scout, Cause::ScoutMove)];
    assert_eq!(reveals_of(&table, Color::Red), scouts);
    let seen = table.seen_by(Color::Blue).last_move().expect("it");
    assert_eq!((seen.distance, seen.rank), (2, Some(Rank::Scout)));
}

#[test]
fn a_scouts_attack_from_afar_has_the_battles_cause() {
    let red = "Fa1 Ba2 Sb1 2e4 2j1 3f4 9d1 Mi1";
    let blue = "Fa10 Ba9 Sb10 2c10 2j10 3f7 9i10 Me8";
    for silent in [false, true] {
        let mut table = Table::barrage(red, blue, |options| options.silent_defense = silent);
        table.play("e4xe8");
        let scout = [("e8".to_owned(), Rank::Scout, Cause::Attacked)];
        assert_eq!(reveals_of(&table, Color::Red), scout);
        let marshal = [("e8".to_owned(), Rank::Marshal, Cause::WasAttacked)];
        assert_eq!(reveals_of(&table, Color::Blue), marshal);
    }
}

#[test]
fn a_defender_that_was_known_is_shown() {
    let red = "Fa1 Ba2 Sb1 2e4 2j1 3d4 9f4 Mi1";
    let blue = "Fa10 Ba9 Sb10 2e8 2j10 3f7 9i10 Mb7";
    let mut table = Table::barrage(red, blue, |options| options.silent_defense = true);
    // Blue's scout makes a long move and is then attacked.
    table.play("i1-i2 e8-e5 f4-f5 b7-b6 f5xe5");
    let attack = table
        .seen_by(Color::Red)
        .last_move()
        .and_then(|mv| mv.attack)
        .expect("a battle");
    assert_eq!(attack.defender, Some(Rank::Scout));
    let captured = table.seen_by(Color::Red).captured();
    assert_eq!(captured[0].rank, Some(Rank::Scout));
}

/// A later disclosure leaves older moves as they were.
#[test]
fn a_defender_that_is_known_later_stays_hidden_in_the_log() {
    let red = "Fa1 Ba2 Sb1 2c1 2j1 3d4 9e4 Mi1";
    let blue = "Fa10 Ba9 Sb10 2c10 2j10 3f7 9i10 Me7";
    let mut table = Table::barrage(red, blue, |options| options.silent_defense = true);
    table.play("e4-e5 f7-f6 e5-e6 f6-f5 e6xe7");
    let defender = |table: &Table| {
        let seen = table.seen_by(Color::Red).move_at(4).expect("the attack");
        seen.attack.expect("a battle").defender
    };
    assert_eq!(defender(&table), None);
    assert_eq!(table.rank_on(Color::Red, "e7"), None);
    table.play("e7-e6 d4-e4 e6-e5 i1-i2 e5xe4");
    assert_eq!(table.rank_on(Color::Red, "e4"), Some(Rank::Marshal));
    assert_eq!(defender(&table), None);
    table.does(Color::Red, Command::Resign);
    // Omniscient from now on; his own eyes still see what they saw.
    let own = table
        .game
        .view(Some(Color::Red), Viewpoint::Red)
        .expect("own");
    let attack = own.move_at(4).and_then(|seen| seen.attack).expect("it");
    assert_eq!(attack.defender, None);
    let all = table
        .seen_by(Color::Red)
        .move_at(4)
        .and_then(|seen| seen.attack);
    assert_eq!(all.expect("it").defender, Some(Rank::Marshal));
}

#[test]
fn what_was_hidden_is_told_at_the_end() {
    let red = "Fa1 Ba2 Sb1 2c1 2j1 3f4 9d4 Me4";
    let blue = "Fa10 Ba9 Sb10 2c10 2j10 3f7 9i10 Me7";
    let mut table = Table::barrage(red, blue, |options| options.silent_defense = true);
    table.play("e4-e5 f7-f6 f4-f5 e7-e8 f5-f4 f6-f5 e5xf5");
    let view = table.seen_by(Color::Red);
    assert_eq!(view.captured()[0].rank, None);
    assert_eq!(view.reveals().len(), 1);
    table.does(Color::Blue, Command::Resign);
    let view = table.game.view(None, Viewpoint::Public).expect("to all");
    let reveals = view.reveals();
    assert_eq!(reveals.len(), 16, "every piece of both sides, once");
    let last: Vec<_> = reveals.iter().skip(1).collect();
    assert!(last.iter().all(|reveal| {
        (reveal.ply, reveal.cause, reveal.to) == (7, Cause::GameOver, RevealedTo::Both)
    }));
    // The miner that fell silently is told where it fell.
    let miner = last
        .iter()
        .find(|reveal| reveal.piece.to_string() == "blue:f7");
    let miner = miner.expect("told");
    assert_eq!(
        (miner.rank, miner.square.to_string()),
        (Rank::Miner, "f5".to_owned())
    );
    // The last board of a viewpoint is what was known before.
    let hidden = view
        .pieces()
        .iter()
        .filter(|piece| piece.rank.is_none())
        .count();
    assert_eq!(hidden, 14);
    assert_eq!(view.captured()[0].rank, None);
}

#[test]
fn a_long_attempt_that_forfeits_tells_the_scout_where_it_stays() {
    let red = "Fa1 Ba2 Sb1 2e4 2j1 3f4 9d1 Mi1";
    let blue = "Fa10 Ba9 Sb10 2c10 2j10 3f7 9i10 Mb7";
    let mut table = Table::barrage(red, blue, |options| {
        options.two_squares = domain::TwoSquares::ForfeitTurn;
    });
    table.play("e4-e5 f7-f6 e5-e4 b7-b6 e4-e5 f6-f7");
    assert_eq!(table.rank_on(Color::Blue, "e5"), None);
    table.play("e5-e3");
    let seen = table.seen_by(Color::Blue).last_move().expect("it");
    assert!(seen.forfeited && seen.attack.is_none() && seen.rescue.is_none());
    assert_eq!(
        (seen.mv.to_string(), seen.distance),
        ("e5-e3".to_owned(), 2)
    );
    assert_eq!(seen.rank, Some(Rank::Scout));
    let scout = [("e5".to_owned(), Rank::Scout, Cause::ScoutMove)];
    assert_eq!(reveals_of(&table, Color::Red), scout);
    assert_eq!(table.rank_on(Color::Blue, "e5"), Some(Rank::Scout));
    // A short attempt tells nothing.
    table.play("b6-b7");
    let known = reveals_of(&table, Color::Red);
    table.play("e5-e4");
    assert!(
        table
            .seen_by(Color::Blue)
            .last_move()
            .expect("it")
            .forfeited
    );
    assert_eq!(reveals_of(&table, Color::Red), known);
}

pub(crate) fn rescue_game(silent: bool) -> Table {
    let red = "Fj1 Bi1 Sb1 2c1 2d1 3e4 9a4 Mi4";
    let blue = "Fj10 Bi10 Sh10 2c10 2d10 3e8 9f10 Mf7";
    let mut table = Table::barrage(red, blue, |options| {
        options.rescue = true;
        options.silent_defense = silent;
    });
    // Blue's marshal removes Red's miner; Red's general goes to Blue's back row.
    table.play("e4-e5 f7-f6 a4-a5 f6-f5 a5-a6 f5xe5 a6-a7 e8-e7 a7-a8 e7-e6 a8-a9 e6-e7");
    table.play("a9-a10=3@a3");
    table
}

#[test]
fn a_rescue_in_open_play_brings_back_a_known_piece() {
    let table = rescue_game(false);
    let seen = table.seen_by(Color::Blue).last_move().expect("it");
    let back = seen.rescue.expect("taken up");
    assert_eq!(
        (back.piece.to_string(), back.rank),
        ("red:rescue1".to_owned(), Some(Rank::Miner))
    );
    assert_eq!(table.rank_on(Color::Blue, "a3"), Some(Rank::Miner));
    let reveals = reveals_of(&table, Color::Red);
    assert!(reveals.contains(&("a3".to_owned(), Rank::Miner, Cause::Rescue)));
    let pieces = table.seen_by(Color::Red).pieces();
    let new = pieces
        .iter()
        .find(|piece| piece.id == back.piece)
        .expect("there");
    assert!(!new.moved);
    assert_eq!(new.revealed_ply, Some(13));
    // The old one stays among the captured.
    let captured = table.seen_by(Color::Blue).captured();
    assert!(
        captured
            .iter()
            .any(|piece| piece.id.to_string() == "red:e4")
    );
}

#[test]
fn a_rescue_under_silent_defence_tells_no_rank() {
    let mut table = rescue_game(true);
    let seen = table.seen_by(Color::Blue).last_move().expect("it");
    assert_eq!(seen.rescue.expect("taken up").rank, None);
    let own = table.seen_by(Color::Red).last_move().expect("it");
    assert_eq!(own.rescue.expect("taken up").rank, Some(Rank::Miner));
    assert_eq!(table.rank_on(Color::Blue, "a3"), None);
    assert_eq!(table.rank_on(Color::Red, "a3"), Some(Rank::Miner));
    let hides = |text: String| !text.contains("iner");
    assert!(hides(format!("{:?}", table.events)));
    // The end tells the old identity and the new one.
    table.does(Color::Blue, Command::Resign);
    let view = table.seen_by(Color::Blue);
    for name in ["red:e4", "red:rescue1"] {
        let told = view
            .reveals()
            .into_iter()
            .find(|reveal| reveal.piece.to_string() == name);
        let told = told.expect(name);
        assert_eq!(
            (told.rank, told.cause),
            (Rank::Miner, Cause::GameOver),
            "{name}"
        );
    }
}

#[test]
fn nobody_sees_the_other_army_before_the_start() {
    let terms = Table::terms(Ruleset::Barrage, Ruleset::Barrage.default_options());
    let mut table = Table::agreed(terms);
    let pieces = "Fa1 Ba2 Sb1 2c1 2j1 3f4 9d4 Me4";
    let setup = army(Ruleset::Barrage, Color::Red, pieces);
    table.does(Color::Red, Command::PlaceSetup(setup));
    let count = |player| table.game.view_for(player).pieces().len();
    assert_eq!(count(Some(Color::Red)), 8);
    assert_eq!(count(Some(Color::Blue)), 0);
    assert_eq!(count(None), 0);
    assert!(table.seen_by(Color::Red).frame(0).is_none());
    // Called off: nothing was played, so nothing is opened.
    table.does(Color::Blue, Command::Abort);
    assert!(table.game.view_for(None).pieces().is_empty());
    assert!(
        table
            .game
            .view(Some(Color::Blue), Viewpoint::Omniscient)
            .is_none()
    );
    assert!(table.game.view(Some(Color::Blue), Viewpoint::Red).is_none());
    assert!(table.game.view_for(None).reveals().is_empty());
}

#[test]
fn views_are_for_those_who_may_have_them() {
    let red = "Fa1 Ba2 Sb1 2c1 2j1 3f4 9d4 Me4";
    let blue = "Fa10 Ba9 Sb10 2c10 2j10 3f7 9i10 Me7";
    let setups = armies(Ruleset::Barrage, red, blue);
    let options = Ruleset::Barrage.default_options();
    let mut table = Table::new(Ruleset::Barrage, options, setups);
    let allowed = |table: &Table, player| -> Vec<&str> {
        Viewpoint::ALL
            .into_iter()
            .filter(|viewpoint| table.game.view(player, *viewpoint).is_some())
            .map(Viewpoint::name)
            .collect()
    };
    assert_eq!(allowed(&table, None), ["public"]);
    assert_eq!(allowed(&table, Some(Color::Red)), ["red", "public"]);
    assert_eq!(allowed(&table, Some(Color::Blue)), ["blue", "public"]);
    assert_eq!(table.game.viewpoint_for(None), Viewpoint::Public);
    assert_eq!(table.game.viewpoint_for(Some(Color::Blue)), Viewpoint::Blue);
    table.does(Color::Red, Command::Abort);
    for player in [None, Some(Color::Red), Some(Color::Blue)] {
        assert_eq!(allowed(&table, player).len(), 4);
        assert_eq!(table.game.viewpoint_for(player), Viewpoint::Omniscient);
        let pieces = table.game.view_for(player).pieces();
        assert!(pieces.iter().all(|piece| piece.rank.is_some()));
    }
}
