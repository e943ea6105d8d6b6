use super::{OPTIONS, Table, square};
use crate::color::Color::Red;
use crate::moves::Verdict;
use crate::outcome::EndReason;
use crate::piece::PieceId;
use crate::rank::Rank;
use crate::rescue::IllegalRescue::{
    Bomb, LimitReached, NotCaptured, NotEnabled, NotOnBackRow, NotOwnHalf, NothingToRescue,
    RescuerUsed, ScoutCannotRescue, SquareOccupied,
};
use crate::ruleset::{Options, TwoSquares};

const RESCUE: Options = Options {
    rescue: true,
    ..OPTIONS
};

/// Removed pieces of Red.
fn keep(table: &mut Table, ranks: &str) {
    for rank in ranks.chars() {
        let rank = Rank::from_char(rank).expect("a rank");
        table.0.sides.red.keeping.receive(rank);
    }
}

fn rescued(owner: crate::Color, nth: u8) -> PieceId {
    PieceId::rescued(owner, nth)
}

#[test]
fn refusals_come_in_order() {
    let pieces = "8a9 2b9 3e4 Fa1 3c2";
    let blue = "3j10 Fj9 9h5 6c9";
    let with = |ranks: &str| {
        let mut table = Table::new(RESCUE, pieces, blue);
        keep(&mut table, ranks);
        table
    };
    let off = Table::new(OPTIONS, pieces, blue);
    assert_eq!(off.rescue_verdict("e4-e5=B@c2"), Err(NotEnabled));
    // Each line breaks a rule and every one after it that it can.
    let bad = "B@c2";
    for (held, text, why) in [
        ("", format!("e4-e5={bad}"), NotOnBackRow),
        ("", format!("b9-b10={bad}"), ScoutCannotRescue),
        ("", format!("a9-a10={bad}"), NothingToRescue),
        ("BB", format!("a9-a10={bad}"), NothingToRescue),
        ("7", format!("a9-a10={bad}"), NotCaptured),
        ("7", "a9-a10=8@c2".to_owned(), NotCaptured),
        ("7B", format!("a9-a10={bad}"), Bomb),
        ("7", "a9-a10=7@c2".to_owned(), SquareOccupied),
        ("7", "a9-a10=7@a10".to_owned(), SquareOccupied),
        ("7", "a9-a10=7@j10".to_owned(), SquareOccupied),
        ("7", "a9-a10=7@a9".to_owned(), NotOwnHalf),
        ("7", "a9-a10=7@c5".to_owned(), NotOwnHalf),
        ("7", "a9-a10=7@e6".to_owned(), NotOwnHalf),
    ] {
        assert_eq!(with(held).rescue_verdict(&text), Err(why), "{held} {text}");
    }
    let table = with("7");
    for home in ["c1", "a2", "j5", "e5", "b5"] {
        let text = format!("a9-a10=7@{home}");
        assert_eq!(table.rescue_verdict(&text), Ok(()), "{text}");
    }
    let mv = super::noted("a9-a10").mv;
    assert_eq!(table.0.check_rescue(mv, Rank::Major, None), Err(NotOwnHalf));
    // Already on the back row, and along it.
    let mut along = Table::new(RESCUE, "8a10 Fa1", "3j10 Fj9");
    keep(&mut along, "7");
    assert_eq!(along.rescue_verdict("a10-b10=7@e5"), Ok(()));
}

#[test]
fn the_square_that_the_rescuer_left_is_empty() {
    // Blue's piece on its own half goes to Red's back row, so only Red's half matters for Red.
    let mut table = Table::new(RESCUE, "8a1 3e1 Fj1", "6e2 3j10 Fa10").blue_to_move();
    table.0.sides.blue.keeping.receive(Rank::Major);
    assert_eq!(table.rescue_verdict("e2xe1=7@e2"), Err(NotOwnHalf));
    assert_eq!(table.rescue_verdict("e2xe1=7@e6"), Ok(()));
    assert_eq!(table.rescue_verdict("e2xe1=7@e5"), Err(NotOwnHalf));
    assert_eq!(table.rescue_verdict("e2xe1=7@a10"), Err(SquareOccupied));
}

#[test]
fn a_rescued_piece_stands_and_is_new() {
    let mut table = Table::new(RESCUE, "8a9 Fa1", "3j10 3i10 Fj9");
    keep(&mut table, "77");
    let turn = table.turn("a9-a10=7@c3");
    let back = turn.rescue.expect("taken up");
    assert_eq!((back.piece, back.square), (rescued(Red, 0), square("c3")));
    assert_eq!(table.0.piece_on(square("c3")), Some(rescued(Red, 0)));
    assert_eq!(table.0.rank(rescued(Red, 0)), Some(Rank::Major));
    assert!(!table.0.has_moved(rescued(Red, 0)));
    table.play("i10-h10");
    assert!(table.legal().contains(&"c3-c4".to_owned()));
}

#[test]
fn twice_a_game_and_never_by_the_same_piece() {
    let mut table = Table::new(RESCUE, "8a9 6b9 5e9 Fa1", "3j10 3i10 Fj9");
    keep(&mut table, "7774");
    table.play("a9-a10=7@c3 i10-h10");
    assert_eq!(table.rescue_verdict("a10-b10=7@c2"), Err(RescuerUsed));
    table.play("b9-b10=7@c2 h10-h9");
    assert_eq!(table.0.piece_on(square("c2")), Some(rescued(Red, 1)));
    assert_eq!(table.rescue_verdict("e9-e10=7@c1"), Err(LimitReached));
    // The limit is named before the rescuer.
    assert_eq!(table.rescue_verdict("b10-c10=7@c1"), Err(LimitReached));
    // What came back is no longer to be had.
    let mut spent = Table::new(RESCUE, "8a9 6b9 Fa1", "3j10 3i10 Fj9");
    keep(&mut spent, "7");
    spent.play("a9-a10=7@c3 i10-h10");
    assert_eq!(spent.rescue_verdict("b9-b10=7@c2"), Err(NothingToRescue));
}

#[test]
fn an_attack_rescues_when_it_is_won() {
    for (defender, taken_up) in [("7", true), ("8", false), ("9", false), ("B", false)] {
        let blue = format!("{defender}a10 3j10 Fj9");
        let mut table = Table::new(RESCUE, "8a9 3e4 Fa1", &blue);
        keep(&mut table, "7");
        assert_eq!(table.rescue_verdict("a9xa10=7@c3"), Ok(()));
        let turn = table.turn("a9xa10=7@c3");
        assert_eq!(turn.rescue.is_some(), taken_up, "against {defender}");
        assert_eq!(table.0.piece_on(square("c3")).is_some(), taken_up);
        assert_eq!(table.outcome(), None);
    }
    // The flag ends the game: nothing comes back.
    let mut table = Table::new(RESCUE, "8a9 Fa1", "Fa10 3j10");
    keep(&mut table, "7");
    assert!(table.turn("a9xa10=7@c3").rescue.is_none());
    let won = (Some(Red), EndReason::FlagCaptured);
    assert_eq!(table.outcome(), Some(won));
    // With the aggressor's advantage an equal battle is won.
    let options = Options {
        aggressor_advantage: true,
        ..RESCUE
    };
    let mut table = Table::new(options, "8a9 3e4 Fa1", "8a10 3j10 Fj9");
    keep(&mut table, "7");
    assert!(table.turn("a9xa10=7@c3").rescue.is_some());
}

#[test]
fn a_lost_attack_uses_no_rescue_up() {
    let mut table = Table::new(RESCUE, "5a9 6b9 4e9 Fa1", "8a10 3j10 3i10 Fj9");
    keep(&mut table, "7");
    table.play("a9xa10=7@c3 i10-h10");
    // The captain now has two to choose from, the one that fell among them.
    assert_eq!(table.rescue_verdict("b9-b10=5@c3"), Ok(()));
    table.play("b9-b10=5@c3 h10-g10");
    assert_eq!(table.0.rank(rescued(Red, 0)), Some(Rank::Lieutenant));
    assert_eq!(table.rescue_verdict("e9-e10=7@c2"), Ok(()));
}

#[test]
fn a_rescue_falls_with_a_forfeit() {
    let options = Options {
        two_squares: TwoSquares::ForfeitTurn,
        two_squares_limit: 2,
        more_squares: false,
        ..RESCUE
    };
    let mut table = Table::new(options, "8a10 Fa1", "3j10 3i10 Fj9");
    keep(&mut table, "7");
    table.play("a10-b10 i10-h10 b10-a10 h10-g10");
    assert_eq!(table.verdict("a10-b10"), Ok(Verdict::Forfeits));
    let turn = table.turn("a10-b10=7@c3");
    assert!(turn.forfeited && turn.rescue.is_none());
    assert!(table.0.piece_on(square("c3")).is_none());
}

#[test]
fn the_end_is_judged_with_the_rescue() {
    // Blue is boxed in, and what comes back does not change that.
    let mut table = Table::new(RESCUE, "3a9 Bb10 Ba8 Bb9 Fa1", "3j10 Bi10 Bj9 Fe10");
    keep(&mut table, "7");
    table.play("a9-a10=7@c3");
    assert!(table.0.piece_on(square("c3")).is_some());
    assert_eq!(table.outcome(), Some((Some(Red), EndReason::NoLegalMove)));
    // A rescue is no attack: the quiet plies go on.
    let options = Options {
        no_progress_plies: Some(2),
        ..RESCUE
    };
    let mut table = Table::new(options, "8a9 Fa1", "3j10 3i10 Fj9");
    keep(&mut table, "7");
    table.play("a9-a10=7@c3 i10-h10");
    assert_eq!(table.outcome(), Some((None, EndReason::NoProgress)));
}

#[test]
fn a_rescued_piece_has_no_history() {
    // The miner has shuttled before it fell; the one that comes back begins anew.
    let options = Options {
        two_squares_limit: 2,
        more_squares: false,
        ..RESCUE
    };
    let mut table = Table::new(options, "8a9 3e4 Fa1", "3j10 3g10 9e7 Fj9");
    table.play("e4-e5 j10-i10 e5-e6 e7xe6 a9-a10=3@e5 g10-g9");
    table.play("e5-e4 i10-j10");
    assert_eq!(table.verdict("e4-e5"), Ok(Verdict::Played));
    table.play("e4-e5 j10-i10");
    assert_eq!(table.verdict("e5-e4"), Err(crate::IllegalMove::TwoSquares));
}
