use super::{OPTIONS, Table};
use crate::color::Color::{Blue, Red};
use crate::outcome::EndReason::{
    BothImmobile, FlagCaptured, NoLegalMove, NoMobilePieces, NoProgress,
};
use crate::ruleset::Options;

/// After the last of `moves` the game is as told, and not before.
fn ends(options: Options, red: &str, blue: &str, moves: &str) -> Table {
    let mut table = Table::new(options, red, blue);
    for text in moves.split_whitespace() {
        assert_eq!(table.outcome(), None, "before {text}");
        table.play(text);
    }
    table
}

#[test]
fn the_flag_is_captured() {
    for attacker in ["S", "2", "3", "4", "5", "6", "7", "8", "9", "M"] {
        let red = format!("{attacker}a9 Fa1");
        // Blue has nothing else to move with: the flag is judged first.
        let table = ends(OPTIONS, &red, "Fa10 Bj10", "a9xa10");
        assert_eq!(table.outcome(), Some((Some(Red), FlagCaptured)));
        assert!(table.legal().is_empty());
    }
    let table = ends(OPTIONS, "3j1 Fa1", "2a10 Fj10", "j1-j2 a10xa1");
    assert_eq!(table.outcome(), Some((Some(Blue), FlagCaptured)));
}

/// A01: judged at once, not on the loser's clock.
#[test]
fn the_last_mobile_piece_is_captured() {
    let table = ends(OPTIONS, "9e5 Fa1", "8e6 Bj10 Fa10", "e5xe6");
    assert_eq!(table.outcome(), Some((Some(Red), NoMobilePieces)));
}

#[test]
fn the_last_mobile_piece_falls_in_its_own_attack() {
    for defender in ["B", "9"] {
        let blue = format!("{defender}e6 3j10 Fa10");
        let table = ends(OPTIONS, "8e5 Bj1 Fa1", &blue, "e5xe6");
        assert_eq!(table.outcome(), Some((Some(Blue), NoMobilePieces)));
    }
    // An equal battle with both sides' last pieces: nobody can move.
    let table = ends(OPTIONS, "8e5 Bj1 Fa1", "8e6 Fa10", "e5xe6");
    assert_eq!(table.outcome(), Some((None, BothImmobile)));
    // The same when the other side has one more.
    let table = ends(OPTIONS, "8e5 Bj1 Fa1", "8e6 3j10 Fa10", "e5xe6");
    assert_eq!(table.outcome(), Some((Some(Blue), NoMobilePieces)));
    let table = ends(OPTIONS, "8e5 3j1 Fa1", "8e6 Bj10 Fa10", "e5xe6");
    assert_eq!(table.outcome(), Some((Some(Red), NoMobilePieces)));
}

/// A15: counted after the move, from the board.
#[test]
fn the_last_mobile_piece_wins_its_attack_and_the_game_goes_on() {
    let table = ends(OPTIONS, "9e5 Bj1 Fa1", "8e6 3j10 4i10 Fa10", "e5xe6");
    assert_eq!(table.outcome(), None);
}

/// A02: pieces that are boxed in cannot move, whatever they are.
#[test]
fn the_side_to_move_is_boxed_in() {
    let table = ends(OPTIONS, "3e1 Fa1", "3a10 Ba9 Bb10 Fj10", "e1-e2");
    assert_eq!(table.outcome(), Some((Some(Red), NoLegalMove)));
    let by_a_lake = ends(OPTIONS, "3e1 Fa1", "3c7 Bb7 Bd7 Bc8 Fj10", "e1-e2");
    assert_eq!(by_a_lake.outcome(), Some((Some(Red), NoLegalMove)));
    let with_an_attack = ends(OPTIONS, "3b7 Fa1", "3c7 Bd7 Bc8 Fj10", "b7-a7");
    assert_eq!(with_an_attack.outcome(), None);
}

/// It is judged on its own turn, when the other side may have opened the way.
#[test]
fn the_side_that_moved_plays_on_though_it_is_boxed_in() {
    // The scout attacks and falls; the miner behind it stays boxed in until Blue captures a bomb.
    let mut table = ends(OPTIONS, "2e4 3a1 Ba2 Bb1 Fj1", "Be5 3a4 Fj10", "e4xe5");
    assert_eq!(table.outcome(), None);
    table.play("a4-a3");
    assert_eq!(table.outcome(), Some((Some(Blue), NoLegalMove)));
    let mut table = ends(
        OPTIONS,
        "2e4 3a1 Ba2 Bb1 Fj1",
        "Be5 3a3 Fj10",
        "e4xe5 a3xa2",
    );
    assert_eq!(table.outcome(), None);
    assert_eq!(table.legal(), ["a1-a2"]);
    table.play("a1xa2");
    assert_eq!(table.outcome(), Some((None, BothImmobile)));
}

#[test]
fn nobody_can_move() {
    let both_fell = ends(OPTIONS, "Se5 Fa1", "Se6 Bb8 Fa10", "e5xe6");
    assert_eq!(both_fell.outcome(), Some((None, BothImmobile)));
    // One is boxed in, the other has nothing that moves; and the other way round.
    let red = ends(OPTIONS, "Se5 3a1 Ba2 Bb1 Fj1", "Se6 Bb8 Fa10", "e5xe6");
    assert_eq!(red.outcome(), Some((None, BothImmobile)));
    let blue = ends(OPTIONS, "Se5 Fj1", "Se6 3a10 Ba9 Bb10 Fj10", "e5xe6");
    assert_eq!(blue.outcome(), Some((None, BothImmobile)));
    // Of the side that moved by geometry alone: what repetition would bar is still a move.
    let options = Options {
        two_squares_limit: 2,
        more_squares: false,
        ..OPTIONS
    };
    let table = ends(
        options,
        "Ma1 Ba3 Bb1 Bb2 Fc1",
        "3j10 3i9 Fa10",
        "a1-a2 j10-j9 a2-a1 j9-j10",
    );
    assert_eq!(table.outcome(), Some((Some(Blue), NoLegalMove)));
    let table = ends(
        options,
        "Ma1 Ba3 Bb1 Bb2 Fc1",
        "3j10 Bi10 Bi9 Bj8 Fa10",
        "a1-a2 j10-j9 a2-a1 j9-j10",
    );
    assert_eq!(table.outcome(), Some((Some(Blue), NoLegalMove)));
}

#[test]
fn too_many_quiet_plies_are_a_draw_unless_something_else_is() {
    let options = Options {
        no_progress_plies: Some(4),
        ..OPTIONS
    };
    let waits = "e1-e2 e10-e9 e2-e3 e9-e8";
    let table = ends(options, "3e1 3f1 Fa1", "3e10 Fa10", waits);
    assert_eq!(table.outcome(), Some((None, NoProgress)));
    // An attack begins the count anew.
    let mut table = ends(
        options,
        "3e1 9f5 Fa1",
        "3e10 4f6 Fa10",
        "e1-e2 e10-e9 f5xf6 e9-e8 e2-e3 e8-e9",
    );
    assert_eq!(table.outcome(), None);
    table.play("e3-e2");
    assert_eq!(table.outcome(), Some((None, NoProgress)));
    // The ply that reaches the limit and leaves Blue no move wins.
    let options = Options {
        no_progress_plies: Some(1),
        ..OPTIONS
    };
    let table = ends(options, "3e1 Fj1", "3a10 Ba9 Bb10 Fj10", "e1-e2");
    assert_eq!(table.outcome(), Some((Some(Red), NoLegalMove)));
}
