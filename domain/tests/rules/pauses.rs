//! Clocks that stand still: by agreement, for a vacation, at weekends; and time that is given back.
#![expect(
    clippy::unchecked_time_subtraction,
    reason = "spans that are long enough, by their names"
)]

use std::time::Duration;

use domain::{
    Color, Command, EndReason, Event, OfferClosing, OfferId, Outcome, Pause, PauseKind, PlayError,
    Ruleset, Terms, TimeControl, Timestamp,
};

use crate::support::{DAY, MINUTE, T0, Table, armies};

const RED: &str = "Fa1 Ba2 Sb1 2c1 2j1 3f4 9d4 Me4";
const BLUE: &str = "Fa10 Ba9 Sb10 2c10 2j10 3f7 9i10 Me7";
const HOUR: Duration = Duration::from_hours(1);
const FIRST: OfferId = OfferId(1);

fn table_with(change: impl FnOnce(&mut Terms)) -> Table {
    let ruleset = Ruleset::Barrage;
    let mut terms = Table::terms(ruleset, ruleset.default_options());
    change(&mut terms);
    Table::with_terms(terms, armies(ruleset, RED, BLUE))
}

fn take(table: &mut Table, event: Option<Event>) {
    let event = event.expect("something happens");
    table.game.apply(&event).expect("it follows");
}

fn leave(table: &mut Table, by: Color, until: Timestamp) {
    let event = table.game.leave(by, until, table.now);
    take(table, event);
}

fn come_back(table: &mut Table, by: Color) {
    let event = table.game.come_back(by, table.now);
    take(table, event);
}

#[test]
fn both_agree_to_pause_and_either_goes_on() {
    for by in Color::ALL {
        let mut table = table_with(|_| {});
        table.now = T0 + HOUR;
        table.does(Color::Blue, Command::OfferPause(FIRST));
        let events = table.does(Color::Red, Command::AcceptOffer(FIRST));
        let at = T0 + HOUR;
        let closing = OfferClosing::Accepted;
        let id = FIRST;
        let paused = Event::Paused {
            by: Color::Blue,
            at,
        };
        assert_eq!(events, [Event::OfferClosed { id, closing, at }, paused]);
        let pause = Pause {
            kind: PauseKind::Mutual,
            by: Some(Color::Blue),
            since: at,
            until: None,
        };
        assert_eq!(table.game.pause(), Some(pause));
        assert_eq!((table.game.deadline(), table.game.near()), (None, None));
        assert_eq!(table.game.time_left(Color::Red), Some(DAY - HOUR));
        table.now = T0 + 90 * DAY;
        assert_eq!(table.game.expire(table.now), None);
        let again = table.command(by, Command::OfferPause(OfferId(2)));
        assert_eq!(again, Err(PlayError::AlreadyPaused));
        table.does(by, Command::Resume);
        assert_eq!(table.game.pause(), None);
        assert_eq!(table.game.deadline(), Some(T0 + (91 * DAY - HOUR)));
        assert!(table.does(by, Command::Resume).is_empty(), "it goes on");
    }
}

#[test]
fn offers_to_pause_that_cross_agree() {
    let mut table = table_with(|_| {});
    table.does(Color::Red, Command::OfferPause(FIRST));
    table.does(Color::Blue, Command::OfferPause(OfferId(2)));
    let by = table.game.pause().and_then(|pause| pause.by);
    assert_eq!(by, Some(Color::Red));
    assert_eq!(table.game.offers().count(), 0);
}

#[test]
fn a_move_ends_a_pause() {
    let mut table = table_with(|_| {});
    table.does(Color::Red, Command::OfferPause(FIRST));
    table.does(Color::Blue, Command::AcceptOffer(FIRST));
    table.now = T0 + 40 * DAY;
    table.play("e4-e5");
    assert_eq!(table.game.pause(), None);
    assert_eq!(table.game.deadline(), Some(table.now + DAY));
    let took = table.seen_by(Color::Red).last_move();
    assert_eq!(
        took.and_then(|seen| seen.think_time),
        Some(40 * DAY),
        "true"
    );
}

/// A pause with two open draws and a game that ends in it.
#[test]
fn a_game_may_end_in_a_pause() {
    let mut table = table_with(|_| {});
    table.play("e4-e5 e7-e8");
    table.now = T0 + HOUR;
    table.does(Color::Red, Command::OfferPause(FIRST));
    table.does(Color::Blue, Command::AcceptOffer(FIRST));
    table.now = T0 + 5 * DAY;
    table.does(Color::Blue, Command::Resign);
    assert_eq!(table.game.pause(), None);
    assert_eq!(table.game.time_left(Color::Red), Some(DAY - HOUR));
    let won = Outcome::win(Color::Red, EndReason::Resignation);
    assert_eq!(table.game.outcome(), Some(won));
}

/// Only the clock of the one who is away stands still, exactly where it stood.
#[test]
fn a_vacation_stops_the_clock_of_its_owner() {
    let mut table = table_with(|_| {});
    table.now = T0 + 5 * HOUR;
    let until = T0 + 10 * DAY;
    leave(&mut table, Color::Red, until);
    let since = T0 + 5 * HOUR;
    let pause = |since| Pause {
        kind: PauseKind::Vacation,
        by: Some(Color::Red),
        since,
        until: Some(until),
    };
    assert_eq!(table.game.pause(), Some(pause(since)));
    assert_eq!(
        table.game.leave(Color::Red, until, table.now),
        None,
        "known"
    );
    assert_eq!(table.game.time_left(Color::Red), Some(DAY - 5 * HOUR));
    // He may move all the same; then the other's clock runs, and his own stands still from its start.
    table.now = T0 + DAY;
    table.play("e4-e5");
    assert_eq!(table.game.pause(), None);
    assert_eq!(table.game.deadline(), Some(T0 + 2 * DAY));
    table.now = T0 + 30 * HOUR;
    table.play("e7-e8");
    assert_eq!(table.game.pause(), Some(pause(T0 + 30 * HOUR)));
    assert_eq!(table.game.deadline(), None);
    // Longer than was said, and back.
    let longer = T0 + 20 * DAY;
    leave(&mut table, Color::Red, longer);
    assert_eq!(
        table.game.pause().and_then(|pause| pause.until),
        Some(longer)
    );
    table.now = T0 + 12 * DAY;
    come_back(&mut table, Color::Red);
    assert_eq!(table.game.deadline(), Some(T0 + 13 * DAY));
    assert_eq!(table.game.come_back(Color::Red, table.now), None);
}

#[test]
fn vacations_do_not_count_where_they_were_ruled_out_nor_after_the_end() {
    let table = table_with(|terms| terms.vacation = false);
    assert_eq!(table.game.leave(Color::Red, T0 + DAY, T0), None);
    let mut table = table_with(|_| {});
    leave(&mut table, Color::Red, T0 + DAY);
    table.does(Color::Blue, Command::Abort);
    assert_eq!(table.game.leave(Color::Blue, T0 + DAY, T0), None);
    assert_eq!(table.game.come_back(Color::Red, T0), None);
}

/// The time to place the armies stands still while somebody is away who has not placed his.
#[test]
fn a_vacation_stops_the_time_to_place_the_armies() {
    let ruleset = Ruleset::Barrage;
    let mut table = Table::agreed(Table::terms(ruleset, ruleset.default_options()));
    let setups = armies(ruleset, RED, BLUE);
    table.now = T0 + HOUR;
    leave(&mut table, Color::Blue, T0 + 9 * DAY);
    assert_eq!(table.game.deadline(), None);
    table.now = T0 + 2 * DAY;
    table.does(Color::Blue, Command::PlaceSetup(setups.blue));
    assert_eq!(table.game.deadline(), Some(T0 + (3 * DAY - HOUR)));
    table.does(Color::Red, Command::PlaceSetup(setups.red));
    assert_eq!(table.game.deadline(), Some(T0 + 3 * DAY), "Red is here");
    table.play("e4-e5");
    assert!(table.game.pause().is_some(), "Blue is away still");
}

/// T0 is a Friday, 10:00.
#[test]
fn clocks_rest_at_weekends_where_that_was_agreed() {
    let mut table = table_with(|terms| terms.weekends = true);
    let saturday = T0 + 14 * HOUR;
    let monday = saturday + 2 * DAY;
    assert_eq!(table.game.deadline(), Some(monday + 10 * HOUR));
    let terms = *table.game.terms();
    let weekend = Pause {
        kind: PauseKind::Weekend,
        by: None,
        since: saturday,
        until: Some(monday),
    };
    assert_eq!(terms.pause_at(table.game.pause(), T0), None);
    assert_eq!(terms.pause_at(table.game.pause(), saturday), Some(weekend));
    // A move on Sunday takes nothing of Saturday, and the other has until Tuesday.
    table.now = saturday + 30 * HOUR;
    table.play("e4-e5");
    assert_eq!(table.game.deadline(), Some(monday + DAY));
    let mut everyday = table_with(|_| {});
    everyday.now = saturday;
    assert_eq!(everyday.game.terms().pause_at(None, saturday), None);
    // A bank keeps what it had.
    let mut table = table_with(|terms| {
        terms.weekends = true;
        terms.time_control = TimeControl::Fischer {
            initial: 3 * DAY,
            increment: HOUR,
            max: 3 * DAY,
        };
    });
    table.now = saturday + 30 * HOUR;
    table.play("e4-e5");
    assert_eq!(table.game.time_left(Color::Red), Some(3 * DAY - 13 * HOUR));
}

#[test]
fn an_outage_is_given_back_to_the_side_whose_clock_ran() {
    let mut table = table_with(|_| {});
    table.now = T0 + HOUR;
    table.play("e4-e5");
    // It began before the move was made, as far as a heartbeat tells.
    let event = table.game.credit(T0 + (HOUR - MINUTE), T0 + 3 * DAY);
    take(&mut table, event);
    assert_eq!(table.game.expire(T0 + 3 * DAY), None);
    assert_eq!(table.game.deadline(), Some(T0 + 4 * DAY));
    assert_eq!(table.game.time_left(Color::Red), Some(DAY), "his own alone");
    // Nothing for a clock that stood still.
    table.now = T0 + 3 * DAY;
    leave(&mut table, Color::Blue, T0 + 9 * DAY);
    assert_eq!(table.game.credit(T0 + 3 * DAY, T0 + 5 * DAY), None);
    // Of a weekend that was no time anyway, nothing.
    let mut table = table_with(|terms| terms.weekends = true);
    let event = table.game.credit(T0, T0 + 3 * DAY);
    take(&mut table, event);
    assert_eq!(table.game.deadline(), Some(T0 + 4 * DAY));
}

#[test]
fn a_side_is_warned_once_in_a_turn() {
    let mut table = table_with(|_| {});
    let near = T0 + (DAY - DAY / 5);
    assert_eq!(table.game.near(), Some(near));
    assert_eq!(table.game.warn(T0 + (DAY - DAY / 5 - MINUTE)), None);
    let event = table.game.warn(near + MINUTE);
    take(&mut table, event);
    assert_eq!(
        (table.game.near(), table.game.warn(near + HOUR)),
        (None, None)
    );
    assert_eq!(table.game.updated_at(), T0, "nobody else's concern");
    table.now = near + 2 * HOUR;
    table.play("e4-e5");
    assert_eq!(table.game.near(), Some(table.now + (DAY - DAY / 5)));
}
