//! Deadlines: exactly at, just before and after.
#![expect(
    clippy::unchecked_time_subtraction,
    reason = "spans that are long enough, by their names"
)]

use std::time::Duration;

use domain::{
    Color, Command, EndReason, Event, OfferClosing, OfferId, Outcome, PlayError, Ruleset, Status,
    Terms, TimeControl, Timestamp,
};

use crate::support::{DAY, MINUTE, T0, Table, armies};

const RED: &str = "Fa1 Ba2 Sb1 2c1 2j1 3f4 9d4 Me4";
const BLUE: &str = "Fa10 Ba9 Sb10 2c10 2j10 3f7 9i10 Me7";
const TICK: Duration = Duration::from_micros(1);

fn terms(time_control: TimeControl) -> Terms {
    let ruleset = Ruleset::Barrage;
    Terms {
        time_control,
        ..Table::terms(ruleset, ruleset.default_options())
    }
}

fn table(time_control: TimeControl) -> Table {
    let setups = armies(Ruleset::Barrage, RED, BLUE);
    Table::with_terms(terms(time_control), setups)
}

fn expire(table: &mut Table, now: Timestamp) -> Option<Vec<Event>> {
    let events = table.game.expire(now)?;
    for event in &events {
        table.game.apply(event).expect("it follows");
    }
    Some(events)
}

#[test]
fn a_move_just_before_the_deadline_counts_and_one_at_it_does_not() {
    let mut table = table(TimeControl::PerMove(DAY));
    table.play("e4-e5 e7-e8");
    let deadline = table.game.deadline().expect("there is one");
    assert_eq!(deadline, T0 + DAY);
    let request = table.request("e5-e6");
    for (now, late) in [
        (deadline, true),
        (deadline + TICK, true),
        (deadline + DAY, true),
        (T0 + (DAY - TICK), false),
    ] {
        table.now = now;
        assert_eq!(table.game.expire(now).is_some(), late);
        for command in [
            Command::Move(request),
            Command::Resign,
            Command::OfferDraw(OfferId(1)),
        ] {
            let answer = table.game.play(Color::Red, &command, now);
            assert_eq!(answer == Err(PlayError::OutOfTime), late, "{command:?}");
        }
    }
    table.play("e5-e6");
    assert_eq!(table.game.deadline(), Some(T0 + (DAY - TICK) + DAY));
    let think_time = table
        .seen_by(Color::Blue)
        .last_move()
        .and_then(|seen| seen.think_time);
    assert_eq!(think_time, Some(DAY - TICK));
}

/// The side to move loses; before both have moved nobody does. The game ends at its deadline.
#[test]
fn who_is_late_loses_or_aborts() {
    for (moves, expected) in [
        ("", (Status::Aborted, None)),
        ("e4-e5", (Status::Aborted, None)),
        ("e4-e5 e7-e8", (Status::Finished, Some(Color::Blue))),
        ("e4-e5 e7-e8 e5-e6", (Status::Finished, Some(Color::Red))),
    ] {
        let mut table = table(TimeControl::PerMove(DAY));
        table.play(moves);
        assert_eq!(expire(&mut table, T0 + (DAY - TICK)), None);
        table.does(Color::Red, Command::OfferDraw(OfferId(1)));
        let events = expire(&mut table, T0 + 5 * DAY).expect("over");
        let (status, winner) = expected;
        let outcome = Outcome {
            winner,
            reason: EndReason::Timeout,
        };
        let at = T0 + DAY;
        let id = OfferId(1);
        let closing = OfferClosing::GameOver;
        let closed = Event::OfferClosed { id, closing, at };
        assert_eq!(events, [closed, Event::Ended { outcome, at }], "{moves:?}");
        assert_eq!(
            (table.game.status(), table.game.outcome()),
            (status, Some(outcome))
        );
        assert_eq!(table.game.finished_at(), Some(at));
        assert_eq!(table.game.updated_at(), at);
        assert_eq!(table.game.deadline(), None);
        assert_eq!(expire(&mut table, T0 + 9 * DAY), None, "decided once");
        let late = winner.map_or(Color::ALL[usize::from(!moves.is_empty())], |winner| !winner);
        assert_eq!(table.game.time_left(late), Some(Duration::ZERO));
    }
}

#[test]
fn an_army_that_is_not_placed_in_time_calls_the_game_off() {
    let bank = TimeControl::Fischer {
        initial: 2 * DAY,
        increment: MINUTE,
        max: 3 * DAY,
    };
    for (control, span) in [
        (TimeControl::PerMove(DAY), DAY),
        (bank, 2 * DAY),
        (TimeControl::Unlimited, 28 * DAY),
    ] {
        let mut table = Table::agreed(terms(control));
        let setups = armies(Ruleset::Barrage, RED, BLUE);
        assert_eq!(table.game.deadline(), Some(T0 + span));
        let limited = control != TimeControl::Unlimited;
        assert_eq!(table.game.time_left(Color::Blue), limited.then_some(span));
        table.now = T0 + (span - TICK);
        table.does(Color::Red, Command::PlaceSetup(setups.red));
        assert_eq!(table.game.deadline(), Some(T0 + span), "one for both");
        table.now = T0 + span;
        let late = table.command(Color::Blue, Command::PlaceSetup(setups.blue));
        assert_eq!(late, Err(PlayError::OutOfTime));
        expire(&mut table, T0 + span).expect("over");
        let nobody = Outcome::no_winner(EndReason::SetupTimeout);
        assert_eq!(table.game.outcome(), Some(nobody));
        assert_eq!(table.game.status(), Status::Aborted);
        assert_eq!(table.game.finished_at(), Some(T0 + span));
    }
}

#[test]
fn without_a_limit_nobody_is_late() {
    let mut table = table(TimeControl::Unlimited);
    assert_eq!(table.game.deadline(), None);
    assert_eq!(table.game.time_left(Color::Red), None);
    table.now = T0 + 10_000 * DAY;
    assert_eq!(table.game.expire(table.now), None);
    table.play("e4-e5");
    assert_eq!(table.game.deadline(), None);
}

#[test]
fn a_bank_runs_down_and_grows_with_each_move() {
    let control = TimeControl::Fischer {
        initial: DAY,
        increment: 10 * MINUTE,
        max: DAY + 5 * MINUTE,
    };
    let mut table = table(control);
    assert_eq!(table.game.deadline(), Some(T0 + DAY));
    table.now = T0 + 30 * MINUTE;
    table.play("e4-e5");
    assert_eq!(table.game.time_left(Color::Red), Some(DAY - 20 * MINUTE));
    assert_eq!(table.game.deadline(), Some(table.now + DAY));
    // What is left on the running clock is what was left when the turn began.
    table.now = table.now + MINUTE;
    assert_eq!(table.game.time_left(Color::Blue), Some(DAY));
    table.play("e7-e8");
    assert_eq!(table.game.time_left(Color::Blue), Some(DAY + 5 * MINUTE));
    assert_eq!(table.game.deadline(), Some(table.now + (DAY - 20 * MINUTE)));
    // The end stops the clock of the side to move.
    table.now = table.now + 20 * MINUTE;
    table.does(Color::Blue, Command::Resign);
    assert_eq!(table.game.time_left(Color::Red), Some(DAY - 40 * MINUTE));
    assert_eq!(table.game.time_left(Color::Blue), Some(DAY + 5 * MINUTE));
}

#[test]
fn a_forfeit_is_a_move_for_the_clock() {
    let mut options = Ruleset::Barrage.default_options();
    options.two_squares = domain::TwoSquares::ForfeitTurn;
    let setups = armies(Ruleset::Barrage, RED, BLUE);
    let mut table = Table::new(Ruleset::Barrage, options, setups);
    table.play("e4-e5 e7-e8 e5-e4 f7-f6 e4-e5 e8-e7");
    table.now = T0 + MINUTE;
    table.play("e5-e4");
    assert_eq!(table.game.deadline(), Some(T0 + MINUTE + DAY));
    assert_eq!(table.game.turn(), Some(Color::Blue));
}

#[test]
fn a_clock_that_is_set_back_counts_as_one_that_stood_still() {
    let mut table = table(TimeControl::PerMove(DAY));
    table.now = T0 + 2 * MINUTE;
    table.play("e4-e5");
    table.now = T0 + MINUTE;
    table.play("e7-e8");
    assert_eq!(table.game.updated_at(), T0 + 2 * MINUTE);
    assert_eq!(table.game.deadline(), Some(T0 + 2 * MINUTE + DAY));
    table.now = T0 + 3 * MINUTE;
    table.play("e5-e6");
    assert_eq!(table.game.updated_at(), T0 + 3 * MINUTE);
}
