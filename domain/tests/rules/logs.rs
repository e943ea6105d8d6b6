//! Events that are no game.

use domain::{
    Color, EndReason, Event, Game, Offer, OfferClosing, OfferId, Outcome, Rank, Rescue, Ruleset,
};

use crate::properties::snapshot;
use crate::support::{T0, Table, armies, noted};

const RED: &str = "Fa1 Ba2 Sb1 2c1 2j1 3f4 9d4 Me4";
const BLUE: &str = "Fa10 Ba9 Sb10 2c10 2j10 3f7 9i10 Me7";

fn refused(table: &Table, event: Event) {
    let mut game = table.game.clone();
    let error = game.apply(&event).expect_err("not sound");
    assert_eq!(error.ply, table.game.ply(), "{event:?}");
    assert_eq!(snapshot(&game), snapshot(&table.game), "{event:?}");
}

fn moved(text: &str) -> Event {
    let noted = noted(text);
    Event::Moved {
        mv: noted.mv,
        rescue: noted.rescue,
        at: T0,
    }
}

fn made(id: u128, by: Color) -> Event {
    let id = OfferId(id);
    let kind = domain::OfferKind::Draw;
    let offer = Offer { id, kind, by };
    Event::OfferMade { offer, at: T0 }
}

fn closed(id: u128) -> Event {
    Event::OfferClosed {
        id: OfferId(id),
        closing: OfferClosing::Declined,
        at: T0,
    }
}

#[test]
fn before_the_start_only_armies_may_follow() {
    let setups = armies(Ruleset::Barrage, RED, BLUE);
    let options = Ruleset::Barrage.default_options();
    let mut table = Table::agreed(Table::terms(Ruleset::Barrage, options));
    let started = Event::Started { at: T0 };
    for event in [started, moved("e4-e5"), made(1, Color::Red), closed(1)] {
        refused(&table, event);
    }
    table.does(Color::Red, domain::Command::PlaceSetup(setups.red));
    refused(&table, started);
}

#[test]
fn in_a_game_only_what_the_rules_allow_may_follow() {
    let setups = armies(Ruleset::Barrage, RED, BLUE);
    let mut table = Table::barrage(RED, BLUE, |options| options.rescue = true);
    let by = Color::Red;
    let setup = setups.red;
    for event in [
        Event::Started { at: T0 },
        Event::SetupPlaced { by, setup, at: T0 },
        moved("e7-e6"),
        moved("e4-e6"),
        moved("e5-e6"),
        moved("e4-e5=9@a3"),
        closed(1),
    ] {
        refused(&table, event);
    }
    table.does(by, domain::Command::OfferDraw(OfferId(7)));
    for event in [made(8, Color::Blue), made(7, by), closed(8)] {
        refused(&table, event);
    }
    table.play("e4-e5");
    refused(&table, moved("e5-e6"));
}

#[test]
fn nothing_follows_on_the_end() {
    let mut table = Table::barrage(RED, BLUE, |_| {});
    table.play("e4-e5 e7-e8");
    table.does(Color::Red, domain::Command::Resign);
    let outcome = Outcome::win(Color::Red, EndReason::Timeout);
    for event in [
        moved("e5-e6"),
        made(1, Color::Blue),
        Event::Ended { outcome, at: T0 },
    ] {
        refused(&table, event);
    }
    let events = table.events.iter().copied().chain([moved("e5-e6")]);
    assert!(Game::fold(*table.game.terms(), T0, events).is_err());
}

/// A rescue that was sent with a lost attack is in the log, and read back.
#[test]
fn a_rescue_is_kept_as_it_was_sent() {
    let red = "Fj1 Bi1 Sb1 2c1 2d1 3e4 9a4 Mi4";
    let blue = "Fj10 Ba10 Si10 2c10 2d10 3e8 9f10 Mf7";
    let mut table = Table::barrage(red, blue, |options| options.rescue = true);
    table.play("e4-e5 f7-f6 a4-a5 f6-f5 a5-a6 f5xe5 a6-a7 e8-e7 a7-a8 e7-e6 a8-a9 e6-e7");
    table.play("a9xa10=3@a3");
    let Some(Event::Moved { rescue, .. }) = table.events.last() else {
        panic!("a move");
    };
    let rank = Rank::Miner;
    let square = "a3".parse().expect("a square");
    assert_eq!(*rescue, Some(Rescue { rank, square }));
    let folded = Game::fold(*table.game.terms(), T0, table.events.iter().copied());
    assert_eq!(snapshot(&folded.expect("sound")), snapshot(&table.game));
}
