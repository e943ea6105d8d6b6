use super::{OPTIONS, Table};
use crate::color::Color;
use crate::moves::IllegalMove::{
    EmptySquare, Immovable, Lake, NotOnBoard, NotStraight, NotYourPiece, OccupiedByOwn,
    PathBlocked, SameSquare, TooFar,
};
use crate::moves::Verdict;

fn sorted(moves: &str) -> Vec<String> {
    let mut moves: Vec<String> = moves.split_whitespace().map(str::to_owned).collect();
    moves.sort_unstable();
    moves
}

#[test]
fn a_piece_steps_in_four_directions_and_stays_on_dry_board() {
    let cases = [
        ("Me4", "", "e4-d4 e4-f4 e4-e3 e4-e5"),
        ("Ma1", "", "a1-a2 a1-b1"),
        ("Mj10", "", "j10-j9 j10-i10"),
        ("Mb5", "", "b5-a5 b5-b4 b5-b6"),
        ("Me5 Be4", "3e6", "e5-e6 e5-f5"),
        ("Bb5 Fb6", "", ""),
    ];
    for (red, blue, moves) in cases {
        assert_eq!(
            Table::new(OPTIONS, red, blue).legal(),
            sorted(moves),
            "{red}"
        );
    }
}

/// A08: from the piece outwards, up to a lake or the first piece.
#[test]
fn a_scout_goes_along_free_lines() {
    let moves = "b9-a9 b9-c9 b9-d9 b9-b10 b9-b8 b9-b7 b9-b6 b9-b5 b9-b4 b9-b3";
    let table = Table::new(OPTIONS, "2b9", "Bd9 Be9 Bb3");
    assert_eq!(table.legal(), sorted(moves));
    let by_the_lake = Table::new(OPTIONS, "2b5 Bb4 Bb6", "");
    assert_eq!(by_the_lake.legal(), ["b5-a5"]);
    let own_and_enemy = Table::new(OPTIONS, "2e1 Bd1 Bi1", "Be8");
    assert_eq!(
        own_and_enemy.legal(),
        sorted("e1-f1 e1-g1 e1-h1 e1-e2 e1-e3 e1-e4 e1-e5 e1-e6 e1-e7 e1-e8")
    );
}

/// A10: only what stands strictly between is in the way.
#[test]
fn a_scout_attacks_at_a_distance() {
    let mut table = Table::new(OPTIONS, "2a4 Fj1", "2a7 3j10");
    assert_eq!(table.verdict("a4xa7"), Ok(Verdict::Played));
    let turn = table.turn("a4xa7");
    assert_eq!((turn.distance(), turn.is_attack()), (3, true));
}

/// A11: the same whatever the direction.
#[test]
fn no_piece_but_the_scout_goes_far() {
    let table = Table::new(OPTIONS, "Mf6 6a8 8j3 7d3", "");
    for text in [
        "f6-b6", "f6-j6", "f6-f4", "f6-f8", "a8-a5", "a8-a10", "j3-h3",
    ] {
        assert_eq!(table.verdict(text), Err(TooFar), "{text}");
    }
    for text in ["d3-e4", "d3-c4", "d3-c2", "d3-e2", "f6-e8"] {
        assert_eq!(table.verdict(text), Err(NotStraight), "{text}");
    }
    assert_eq!(table.verdict("f6-f6"), Err(SameSquare));
}

/// The first reason of `http-api.md` 1 that applies.
#[test]
fn refusals_come_in_order() {
    let table = Table::new(OPTIONS, "2e3 Mb4 Bd4 Fd3 3e5", "9e8 Bb6");
    let cases = [
        ("k4-k5", NotOnBoard),
        ("e3-e11", NotOnBoard),
        ("a0-a1", NotOnBoard),
        // Every other reason comes after it, also for a lake, nothing, or an enemy.
        ("c5-c5", SameSquare),
        ("a9-a9", SameSquare),
        ("e8-e8", SameSquare),
        ("d4-d4", SameSquare),
        ("a9-c5", EmptySquare),
        ("c5-c4", EmptySquare),
        ("a9-b4", EmptySquare),
        // Of an enemy piece never more than that.
        ("e8-e7", NotYourPiece),
        ("e8-d6", NotYourPiece),
        ("b6-b5", NotYourPiece),
        ("d4-d5", Immovable),
        ("d4-d3", Immovable),
        ("d3-c3", Immovable),
        ("b4-c5", Lake),
        ("e5-d5", Lake),
        ("e3-c5", Lake),
        ("e3-d4", OccupiedByOwn),
        ("e3-e5", OccupiedByOwn),
        ("b4-e3", OccupiedByOwn),
        ("b4-a5", NotStraight),
        ("e3-f4", NotStraight),
        ("b4-e7", NotStraight),
        ("b4-b6", TooFar),
        ("b4-b7", TooFar),
        ("b4-g4", TooFar),
        ("e3-e8", PathBlocked),
        ("e3-e6", PathBlocked),
        ("e3-c3", PathBlocked),
    ];
    for (text, why) in cases {
        assert_eq!(table.verdict(text), Err(why), "{text}");
    }
    let over_a_lake = Table::new(OPTIONS, "2b5 2d4", "");
    assert_eq!(over_a_lake.verdict("b5-e5"), Err(PathBlocked));
    assert_eq!(over_a_lake.verdict("d4-d7"), Err(PathBlocked));
}

/// A14, A15, A18: a lost attack moves nobody, and the turn passes.
#[test]
fn a_bomb_stays_until_a_miner_comes() {
    let mut table = Table::new(OPTIONS, "9e4 3f4 3d7 Fa1", "Be5 3j10 3i10");
    table.play("e4xe5");
    assert_eq!(table.0.square_of(crate::PieceId::at(0)), None);
    assert!(table.0.piece_on(super::square("e4")).is_none());
    assert!(table.0.piece_on(super::square("e5")).is_some());
    assert_eq!(table.verdict("f4-f5"), Err(NotYourPiece));
    table.play("j10-j9 f4-e4 j9-j10 e4xe5");
    let miner = table.0.piece_on(super::square("e5")).expect("moved in");
    assert_eq!(miner.owner(), Color::Red);
    assert_eq!(table.0.count(), 5);
}
