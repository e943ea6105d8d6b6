//! Draw offers.

use domain::{
    Color, Command, EndReason, Event, Offer, OfferClosing, OfferId, OfferKind, Outcome, PlayError,
    Status,
};

use crate::support::{MINUTE, T0, Table};

const RED: &str = "Fa1 Ba2 Sb1 2c1 2j1 3f4 9d4 Me4";
const BLUE: &str = "Fa10 Ba9 Sb10 2c10 2j10 3f7 9i10 Me7";
const FIRST: OfferId = OfferId(1);
const SECOND: OfferId = OfferId(2);

fn table() -> Table {
    let mut table = Table::barrage(RED, BLUE, |_| {});
    table.play("e4-e5 e7-e8");
    table
}

fn closed(id: OfferId, closing: OfferClosing) -> Event {
    Event::OfferClosed {
        id,
        closing,
        at: T0,
    }
}

fn open(table: &Table) -> Option<Offer> {
    table.game.offer(OfferKind::Draw)
}

const DRAWN: Option<Outcome> = Some(Outcome::no_winner(EndReason::DrawAgreed));

#[test]
fn an_offer_is_taken() {
    for by in Color::ALL {
        let mut table = table();
        let kind = OfferKind::Draw;
        let offer = Offer {
            id: FIRST,
            kind,
            by,
        };
        let made = table.does(by, Command::OfferDraw(FIRST));
        assert_eq!(made, [Event::OfferMade { offer, at: T0 }]);
        assert_eq!(open(&table), Some(offer));
        let events = table.does(!by, Command::AcceptOffer(FIRST));
        assert_eq!(events[0], closed(FIRST, OfferClosing::Accepted));
        assert_eq!(table.game.outcome(), DRAWN);
        assert_eq!(
            (table.game.status(), open(&table)),
            (Status::Finished, None)
        );
    }
}

#[test]
fn a_second_offer_changes_nothing() {
    let mut table = table();
    table.does(Color::Red, Command::OfferDraw(FIRST));
    assert!(
        table
            .does(Color::Red, Command::OfferDraw(SECOND))
            .is_empty()
    );
    assert_eq!(open(&table).map(|offer| offer.id), Some(FIRST));
}

#[test]
fn offers_that_cross_agree() {
    let mut table = table();
    table.does(Color::Red, Command::OfferDraw(FIRST));
    let events = table.does(Color::Blue, Command::OfferDraw(SECOND));
    assert_eq!(events[0], closed(FIRST, OfferClosing::Accepted));
    assert_eq!(table.game.outcome(), DRAWN);
}

#[test]
fn an_offer_is_declined_and_made_again_after_a_move() {
    for (by, plies) in [
        (Color::Blue, ["e5-e6", "e8-e9"]),
        (Color::Red, ["e5-e6", ""]),
    ] {
        let mut table = table();
        table.does(by, Command::OfferDraw(FIRST));
        let events = table.does(!by, Command::DeclineOffer(FIRST));
        assert_eq!(events, [closed(FIRST, OfferClosing::Declined)]);
        assert_eq!((open(&table), table.game.outcome()), (None, None));
        for command in [Command::AcceptOffer(FIRST), Command::DeclineOffer(FIRST)] {
            let late = table.command(!by, command);
            assert_eq!(late, Err(PlayError::OfferClosed));
        }
        // Not before its maker has moved; the other side, and another kind, are free.
        for moves in plies {
            let soon = table.command(by, Command::OfferDraw(SECOND));
            assert_eq!(soon.is_err(), !moves.is_empty(), "{by}");
            if !moves.is_empty() {
                assert_eq!(soon, Err(PlayError::OfferedTooSoon));
                table.play(moves);
            }
        }
        table.does(by, Command::OfferDraw(SECOND));
        assert_eq!(open(&table).map(|offer| offer.id), Some(SECOND));
    }
    let mut table = table();
    table.does(Color::Blue, Command::OfferDraw(FIRST));
    table.does(Color::Red, Command::DeclineOffer(FIRST));
    table.does(Color::Blue, Command::OfferPause(SECOND));
    table.does(Color::Red, Command::OfferDraw(OfferId(3)));
    assert_eq!(table.game.offers().count(), 2);
}

#[test]
fn nobody_answers_his_own_offer_or_one_that_is_not_open() {
    let mut table = table();
    for command in [Command::AcceptOffer(FIRST), Command::DeclineOffer(FIRST)] {
        let none = table.command(Color::Red, command);
        assert_eq!(none, Err(PlayError::OfferClosed));
    }
    table.does(Color::Red, Command::OfferDraw(FIRST));
    for command in [Command::AcceptOffer(FIRST), Command::DeclineOffer(FIRST)] {
        let own = table.command(Color::Red, command);
        assert_eq!(own, Err(PlayError::OwnOffer));
    }
    for by in Color::ALL {
        let other = table.command(by, Command::AcceptOffer(SECOND));
        assert_eq!(other, Err(PlayError::OfferClosed));
    }
}

#[test]
fn an_offer_lapses_when_its_receiver_moves() {
    let mut table = table();
    table.does(Color::Red, Command::OfferDraw(FIRST));
    // The one who made it may move and leave it open.
    table.play("e5-e6");
    assert_eq!(open(&table).map(|offer| offer.id), Some(FIRST));
    let request = table.request("e8-e9");
    let events = table.does(Color::Blue, Command::Move(request));
    assert_eq!(events[1..], [closed(FIRST, OfferClosing::Lapsed)]);
    assert_eq!(open(&table), None);
}

#[test]
fn an_offer_ends_with_the_game() {
    for command in [Command::Resign, Command::Abort] {
        let mut table = Table::barrage(RED, BLUE, |_| {});
        table.does(Color::Red, Command::OfferDraw(FIRST));
        let events = table.does(Color::Blue, command);
        assert_eq!(events[0], closed(FIRST, OfferClosing::GameOver));
        assert!(matches!(events[1], Event::Ended { .. }));
        for by in Color::ALL {
            for command in [
                Command::OfferDraw(SECOND),
                Command::OfferPause(SECOND),
                Command::AcceptOffer(FIRST),
                Command::DeclineOffer(FIRST),
            ] {
                let over = table.command(by, command);
                assert_eq!(over, Err(PlayError::GameOver));
            }
        }
    }
    // A move that ends the game closes it too, whoever made it.
    let blue = "Fe7 Ba9 Sb10 2c10 2j10 3f7 9i10 Ma7";
    for by in Color::ALL {
        let mut table = Table::barrage(RED, blue, |_| {});
        table.play("e4-e5 a7-a6 e5-e6 a6-a5");
        table.does(by, Command::OfferDraw(FIRST));
        let request = table.request("e6xe7");
        let events = table.does(Color::Red, Command::Move(request));
        assert_eq!(events[1], closed(FIRST, OfferClosing::GameOver));
        assert_eq!(events.len(), 3);
    }
}

#[test]
fn an_offer_is_no_public_change() {
    let mut table = table();
    table.now = T0 + MINUTE;
    table.does(Color::Red, Command::OfferDraw(FIRST));
    table.does(Color::Blue, Command::DeclineOffer(FIRST));
    assert_eq!(table.game.updated_at(), T0);
}
