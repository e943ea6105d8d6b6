//! Setups, the start, the order of refusals, and the ends that players choose.

use domain::{
    Color, Command, EndReason, Event, IllegalMove, IllegalRescue, MoveRequest, OfferId, Outcome,
    PlayError, Rank, RescueRequest, Ruleset, Status,
};

use crate::support::{MINUTE, T0, Table, armies, army, noted};

const RED: &str = "Fa1 Ba2 Sb1 2c1 2j1 3f4 9d4 Me4";
const BLUE: &str = "Fa10 Ba9 Sb10 2c10 2j10 3f7 9i10 Me7";

fn table() -> Table {
    Table::barrage(RED, BLUE, |_| {})
}

fn agreed() -> Table {
    let ruleset = Ruleset::Barrage;
    Table::agreed(Table::terms(ruleset, ruleset.default_options()))
}

#[test]
fn the_game_starts_when_both_armies_stand() {
    let setups = armies(Ruleset::Barrage, RED, BLUE);
    for first in Color::ALL {
        let mut table = agreed();
        assert_eq!(table.game.status(), Status::Setup);
        assert_eq!((table.game.turn(), table.game.ply()), (None, 0));
        table.now = T0 + MINUTE;
        let placed = table.does(first, Command::PlaceSetup(setups[first]));
        assert_eq!(placed.len(), 1);
        assert!(table.game.has_placed(first) && !table.game.has_placed(!first));
        assert_eq!(table.game.updated_at(), T0 + MINUTE);
        table.now = T0 + 2 * MINUTE;
        let events = table.does(!first, Command::PlaceSetup(setups[!first]));
        assert!(matches!(
            events[..],
            [Event::SetupPlaced { .. }, Event::Started { .. }]
        ));
        assert_eq!(table.game.status(), Status::Active);
        assert_eq!(table.game.turn(), Some(Color::Red));
        assert_eq!(table.game.started_at(), Some(T0 + 2 * MINUTE));
        assert_eq!(table.game.updated_at(), T0 + 2 * MINUTE);
        let again = table.command(first, Command::PlaceSetup(setups[first]));
        assert_eq!(again, Err(PlayError::SetupAlreadyPlaced));
    }
}

#[test]
fn an_army_may_be_replaced_before_the_start_and_nobody_notices() {
    let setups = armies(Ruleset::Barrage, RED, BLUE);
    let mut table = agreed();
    table.does(Color::Red, Command::PlaceSetup(setups.red));
    let placed_at = table.game.updated_at();
    table.now = T0 + MINUTE;
    let other = army(
        Ruleset::Barrage,
        Color::Red,
        "Fj1 Bj2 Sb1 2c1 2a1 3f4 9d4 Me4",
    );
    table.does(Color::Red, Command::PlaceSetup(other));
    assert_eq!(table.game.updated_at(), placed_at);
    assert_eq!(table.rank_on(Color::Red, "j1"), Some(Rank::Flag));
    table.does(Color::Blue, Command::PlaceSetup(setups.blue));
    assert_eq!(table.rank_on(Color::Red, "j1"), Some(Rank::Flag));
    table.play("e4-e5");
}

#[test]
fn before_the_start_nothing_but_a_setup_or_an_abort_is_taken() {
    let mut table = agreed();
    let request = MoveRequest {
        ply: 0,
        from: None,
        to: None,
        rescue: None,
    };
    for command in [
        Command::Move(request),
        Command::Resign,
        Command::OfferDraw(OfferId(1)),
        Command::OfferPause(OfferId(2)),
        Command::Resume,
        Command::AcceptOffer(OfferId(1)),
        Command::DeclineOffer(OfferId(1)),
    ] {
        let refused = table.command(Color::Red, command);
        assert_eq!(refused, Err(PlayError::NotActive), "{command:?}");
    }
    table.does(Color::Blue, Command::Abort);
    assert_eq!(table.game.status(), Status::Aborted);
    let setups = armies(Ruleset::Barrage, RED, BLUE);
    let late = table.command(Color::Red, Command::PlaceSetup(setups.red));
    assert_eq!(late, Err(PlayError::GameOver));
}

/// `http-api.md` 4: over or not active, then the ply, then the turn, then the move, then the rescue.
#[test]
fn refusals_of_a_move_come_in_order() {
    let mut table = Table::barrage(RED, BLUE, |options| options.rescue = true);
    let bad_rescue = RescueRequest {
        rank: Rank::Bomb,
        square: None,
    };
    let request = MoveRequest {
        ply: 5,
        from: None,
        to: None,
        rescue: Some(bad_rescue),
    };
    let ask = |table: &Table, by, request| {
        let answer = table.game.play(by, &Command::Move(request), table.now);
        answer.expect_err("refused")
    };
    let stale = PlayError::StalePly { current: 0 };
    assert_eq!(ask(&table, Color::Blue, request), stale);
    let at_this_ply = MoveRequest { ply: 0, ..request };
    assert_eq!(
        ask(&table, Color::Blue, at_this_ply),
        PlayError::NotYourTurn
    );
    let illegal = PlayError::IllegalMove(IllegalMove::NotOnBoard);
    assert_eq!(ask(&table, Color::Red, at_this_ply), illegal);
    let mut legal = table.request("e4-e5");
    legal.rescue = Some(bad_rescue);
    let no_rescue = PlayError::IllegalRescue(IllegalRescue::NotOnBackRow);
    assert_eq!(ask(&table, Color::Red, legal), no_rescue);
    table.does(Color::Blue, Command::Resign);
    assert_eq!(ask(&table, Color::Blue, request), PlayError::GameOver);
}

/// A18: of the other side's piece, and out of turn.
#[test]
fn nobody_moves_for_the_other_side() {
    let mut table = table();
    table.play("e4-e5 e7-e6 e5xe6");
    let red_again = table.request("d4-d3");
    let answer = table.command(Color::Red, Command::Move(red_again));
    assert_eq!(answer, Err(PlayError::NotYourTurn));
    let enemy = PlayError::IllegalMove(IllegalMove::NotYourPiece);
    assert_eq!(table.refusal("d4-d3"), enemy);
    assert_eq!(table.game.ply(), 3);
}

fn ends(table: &Table) -> (Status, Option<Outcome>) {
    (table.game.status(), table.game.outcome())
}

/// F08: the winner is the other side, for each side, before and after both have moved.
#[test]
fn who_resigns_loses_or_aborts() {
    for by in Color::ALL {
        for (moves, counts) in [("", false), ("e4-e5", false), ("e4-e5 e7-e8", true)] {
            let mut table = table();
            table.play(moves);
            table.now = T0 + 3 * MINUTE;
            table.does(by, Command::Resign);
            let expected = if counts {
                let lost = Outcome::win(!by, EndReason::Resignation);
                (Status::Finished, Some(lost))
            } else {
                let nobody = Outcome::no_winner(EndReason::Resignation);
                (Status::Aborted, Some(nobody))
            };
            assert_eq!(ends(&table), expected, "{by} after {moves:?}");
            assert_eq!(table.game.finished_at(), Some(T0 + 3 * MINUTE));
            assert_eq!(table.game.turn(), None);
            assert!(table.legal().is_empty());
            let again = table.command(by, Command::Resign);
            assert_eq!(again, Err(PlayError::GameOver), "a result is decided once");
        }
    }
}

#[test]
fn a_game_is_called_off_only_while_a_side_has_not_moved() {
    for by in Color::ALL {
        for moves in ["", "e4-e5"] {
            let mut table = table();
            table.play(moves);
            table.does(by, Command::Abort);
            let nobody = Outcome::no_winner(EndReason::Aborted);
            assert_eq!(ends(&table), (Status::Aborted, Some(nobody)));
            assert_eq!(table.command(by, Command::Abort), Err(PlayError::GameOver));
        }
        let mut table = table();
        table.play("e4-e5 e7-e8");
        let late = table.command(by, Command::Abort);
        assert_eq!(late, Err(PlayError::TooLateToAbort));
    }
}

#[test]
fn a_flag_that_is_captured_ends_the_game_with_the_move() {
    let red = "Fa1 Ba2 Sb1 2c1 2j1 3f4 9d4 Me4";
    let blue = "Fe7 Ba9 Sb10 2c10 2j10 3f7 9i10 Ma7";
    let mut table = Table::barrage(red, blue, |_| {});
    table.play("e4-e5 a7-a6 e5-e6 a6-a5");
    let request = table.request("e6xe7");
    table.now = T0 + 9 * MINUTE;
    let events = table.does(Color::Red, Command::Move(request));
    let won = Outcome::win(Color::Red, EndReason::FlagCaptured);
    let ended = Event::Ended {
        outcome: won,
        at: T0 + 9 * MINUTE,
    };
    assert_eq!(events[1..], [ended]);
    assert_eq!(ends(&table), (Status::Finished, Some(won)));
    // F04: the move that ended the game is in the log, and the last board is after it.
    let view = table.seen_by(Color::Blue);
    assert_eq!(view.moves_from(0).count(), 5);
    assert_eq!(view.frames(0, usize::MAX).len(), 6);
    assert_eq!(view.last_move().map(|seen| seen.ply), Some(4));
    assert_eq!(table.rank_on(Color::Red, "e7"), Some(Rank::Marshal));
}

/// No rank is in what a log line would show.
#[test]
fn debug_output_tells_no_rank() {
    let mut table = Table::barrage(RED, BLUE, |options| options.rescue = true);
    table.play("e4-e5");
    let mut request = table.request("e7-e6=9@a7");
    request.ply = 1;
    let shown = format!(
        "{:?} {:?} {:?} {:?}",
        table.game,
        table.events,
        Command::Move(request),
        noted("a9-a10=9@c2"),
    );
    for rank in Rank::ALL {
        for word in [rank.name(), &format!("{rank:?}")] {
            assert!(!shown.contains(word), "{word} in {shown}");
        }
    }
}
