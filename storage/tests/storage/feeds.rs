//! The events of games and of players: numbers without gaps, whoever writes and whoever numbers.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};

use domain::{ByColor, Color, Command};
use storage::feeds::{self, FeedEvent, FeedSource};
use storage::games::{self, GameEventKind};
use storage::{PlayerId, StorageError, generate_offer_id};

use crate::support::{TestDatabase, at, move_request, on_both, other_setup, setup};

on_both!(
    numbers_are_dense_under_many_writers_and_numberers,
    numbering_again_changes_nothing,
    a_stream_belongs_to_a_player_that_is_there,
    what_waits_is_numbered_in_the_order_of_each_game,
    pages_of_a_stream_follow_each_other,
    the_players_count_offers_and_all_others_do_not,
);

/// All numbered events of a player, page by page.
fn all_of(db: &TestDatabase, player: PlayerId) -> Vec<FeedEvent> {
    let mut all: Vec<FeedEvent> = Vec::new();
    loop {
        let after = all.last().map_or(0, |event| event.number);
        let page = db.read(|conn| feeds::events(conn, player, after, 7));
        if page.is_empty() {
            return all;
        }
        all.extend(page);
    }
}

#[track_caller]
fn assert_dense(events: &[FeedEvent]) {
    let numbers: Vec<u64> = events.iter().map(|event| event.number).collect();
    let expected: Vec<u64> = (1..=events.len() as u64).collect();
    assert_eq!(numbers, expected);
}

/// Each game's own numbers must stand in their order.
#[track_caller]
fn assert_in_order(events: &[FeedEvent]) {
    let mut by_game: BTreeMap<_, Vec<u64>> = BTreeMap::new();
    for event in events {
        if let FeedSource::Game { id, number } = event.source {
            by_game.entry(id.as_uuid()).or_default().push(number);
        }
    }
    for numbers in by_game.values() {
        let expected: Vec<u64> = (1..=numbers.len() as u64).collect();
        assert_eq!(*numbers, expected);
    }
}

/// Six games of one player are played at once while two keep numbering.
fn numbers_are_dense_under_many_writers_and_numberers(db: &TestDatabase) {
    let red = db.player("red").id;
    let games: Vec<_> = (0..6)
        .map(|n| {
            let blue = db.player(&format!("blue{n}")).id;
            db.game(ByColor { red, blue })
        })
        .collect();
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while !done.load(Ordering::SeqCst) {
                    db.write(|conn| feeds::number(conn, red));
                    // Whatever is there at any moment has no gap.
                    assert_dense(&all_of(db, red));
                }
            });
        }
        let writers: Vec<_> = games
            .iter()
            .map(|game| {
                scope.spawn(move || {
                    let mut game = game.clone();
                    for color in Color::ALL {
                        let place = Command::PlaceSetup(setup());
                        game = db.play(&game, color, &place, at(10));
                    }
                    let shuttle = [("a4", "a5"), ("j7", "j6"), ("a5", "a4"), ("j6", "j7")];
                    for (ply, (from, to)) in (0..).zip(shuttle) {
                        let by = if ply % 2 == 0 {
                            Color::Red
                        } else {
                            Color::Blue
                        };
                        game = db.play(&game, by, &move_request(ply, from, to), at(20));
                    }
                })
            })
            .collect();
        for writer in writers {
            writer.join().unwrap();
        }
        done.store(true, Ordering::SeqCst);
    });
    let last = db.write(|conn| feeds::number(conn, red));
    assert_eq!(last, 6 * 7);
    assert_eq!(db.read(|conn| feeds::announced(conn, red)), last);
    let all = all_of(db, red);
    assert_eq!(all.len() as u64, last);
    assert_dense(&all);
    assert_in_order(&all);
    assert!(!db.read(|conn| feeds::has_waiting(conn, red)));
}

fn numbering_again_changes_nothing(db: &TestDatabase) {
    let players = db.pair();
    assert_eq!(db.write(|conn| feeds::number(conn, players.red)), 0);
    db.active_game(players);
    assert!(db.read(|conn| feeds::has_waiting(conn, players.red)));
    assert_eq!(db.read(|conn| feeds::announced(conn, players.red)), 0);
    let numbered = db.write(|conn| feeds::number(conn, players.red));
    let all = all_of(db, players.red);
    assert_eq!(numbered, all.len() as u64);
    assert_eq!(db.write(|conn| feeds::number(conn, players.red)), numbered);
    assert_eq!(all_of(db, players.red), all);
    // The other player's are his own to number.
    assert!(db.read(|conn| feeds::has_waiting(conn, players.blue)));
    assert_eq!(all_of(db, players.blue), []);
}

fn a_stream_belongs_to_a_player_that_is_there(db: &TestDatabase) {
    let nobody = PlayerId::generate(at(0));
    let numbered = db.database.write(|conn| feeds::number(conn, nobody));
    assert!(
        matches!(numbered, Err(StorageError::Refused(_))),
        "{numbered:?}"
    );
    assert_eq!(db.read(|conn| feeds::announced(conn, nobody)), 0);
    assert!(!db.read(|conn| feeds::has_waiting(conn, nobody)));
}

/// The clocks of nodes differ, and a clock may be set back between two moves.
fn what_waits_is_numbered_in_the_order_of_each_game(db: &TestDatabase) {
    let players = db.pair();
    let game = db.active_game(players);
    let game = db.play(&game, Color::Red, &move_request(0, "a4", "a5"), at(50));
    db.play(&game, Color::Blue, &move_request(1, "j7", "j6"), at(40));
    db.write(|conn| feeds::number(conn, players.blue));
    let all = all_of(db, players.blue);
    assert_dense(&all);
    assert_in_order(&all);
}

fn pages_of_a_stream_follow_each_other(db: &TestDatabase) {
    let players = db.pair();
    for _ in 0..40 {
        db.active_game(players);
    }
    db.write(|conn| feeds::number(conn, players.red));
    assert_eq!(all_of(db, players.red).len(), 120);
    assert_eq!(
        db.read(|conn| feeds::events(conn, players.red, 120, 10)),
        []
    );
    assert_eq!(
        db.read(|conn| feeds::events(conn, players.red, u64::MAX, 10)),
        []
    );
}

fn the_players_count_offers_and_all_others_do_not(db: &TestDatabase) {
    let game = db.game(db.pair());
    let id = game.summary.id;
    let mut game = db.play(&game, Color::Red, &Command::PlaceSetup(setup()), at(10));
    // An army that is replaced is nobody's business.
    game = db.play(
        &game,
        Color::Red,
        &Command::PlaceSetup(other_setup()),
        at(11),
    );
    game = db.play(&game, Color::Blue, &Command::PlaceSetup(setup()), at(12));
    let offer = generate_offer_id(at(13));
    game = db.play(&game, Color::Red, &Command::OfferDraw(offer), at(13));
    game = db.play(&game, Color::Red, &move_request(0, "a4", "a5"), at(14));
    game = db.play(&game, Color::Blue, &move_request(1, "j7", "j6"), at(15));
    game = db.play(&game, Color::Red, &Command::Resign, at(16));
    let events = db.read(|conn| games::events(conn, id, 0, 100));
    let told: Vec<_> = events
        .iter()
        .map(|event| (event.number, event.public_number, event.kind))
        .collect();
    let expected = [
        (1, Some(1), GameEventKind::SetupPlaced(Color::Red)),
        (2, Some(2), GameEventKind::SetupPlaced(Color::Blue)),
        (3, Some(3), GameEventKind::Started),
        (4, None, GameEventKind::Offer(Color::Red, offer)),
        (5, Some(4), GameEventKind::Move { ply: 0 }),
        (6, Some(5), GameEventKind::Move { ply: 1 }),
        (7, None, GameEventKind::OfferClosed(offer)),
        (8, Some(6), GameEventKind::Finished),
    ];
    assert_eq!(told, expected);
    let announced = game.summary.announced;
    assert_eq!((announced.to_players, announced.to_all), (8, 6));
    for (number, public) in told.iter().filter_map(|told| Some((told.0, told.1?))) {
        let found = db.read(|conn| games::number_of_public(conn, id, public));
        assert_eq!(found, Some(number));
    }
    for unknown in [0, 7, 1_000] {
        let found = db.read(|conn| games::number_of_public(conn, id, unknown));
        assert_eq!(found, None);
    }
    for after in 0..8 {
        let rest = db.read(|conn| games::events(conn, id, after, 100));
        assert_eq!(rest[..], events[usize::try_from(after).unwrap()..]);
    }
    assert_eq!(
        db.read(|conn| games::events(conn, id, 2, 1))[..],
        events[2..3]
    );
}
