//! What waits for a player: counted, and his alone.

use domain::{ByColor, Color, Command};
use storage::PageRequest;
use storage::challenges::{self, NewChallenge};
use storage::games::{self, GameFilter, GameOrder, NewGame, Running};

use crate::challenges::challenge;
use crate::support::{DAY, TestDatabase, at, move_request, new_game, on_both, setup};

on_both!(
    a_players_games_are_counted_while_they_run,
    turns_of_a_player_are_listed_once_each_by_deadline,
    challenges_to_a_player_are_counted_while_they_stand,
);

fn a_players_games_are_counted_while_they_run(db: &TestDatabase) {
    let players = db.pair();
    let count = |player| {
        let Running { all, to_move } = db.read(|conn| games::count_running(conn, player));
        (all, to_move)
    };
    let counts = || (count(players.red), count(players.blue));
    assert_eq!(counts(), ((0, 0), (0, 0)));
    let other = db.player("other").id;
    // Of others, of both, in setup, called off.
    db.active_game(ByColor {
        red: other,
        blue: db.player("another").id,
    });
    let game = db.active_game(players);
    db.write(|conn| games::create(conn, &new_game(players)));
    let off = db.write(|conn| games::create(conn, &new_game(players)));
    db.play(&off, Color::Red, &Command::Abort, at(5));
    assert_eq!(counts(), ((2, 1), (2, 0)));
    let game = db.play(&game, Color::Red, &move_request(0, "a4", "a5"), at(20));
    assert_eq!(counts(), ((2, 0), (2, 1)));
    db.play(&game, Color::Blue, &Command::Resign, at(21));
    assert_eq!(counts(), ((1, 0), (1, 0)));
}

/// D27, D06: equal deadlines and none, page by page.
fn turns_of_a_player_are_listed_once_each_by_deadline(db: &TestDatabase) {
    let players = db.pair();
    let me = players.red;
    let begin = |change: &dyn Fn(NewGame) -> NewGame| {
        let new = change(new_game(players));
        let mut game = db.write(|conn| games::create(conn, &new));
        for color in Color::ALL {
            game = db.play(&game, color, &Command::PlaceSetup(setup()), at(100));
        }
        game
    };
    let unlimited = |mut new: NewGame| {
        new.terms.time_control = domain::TimeControl::Unlimited;
        new
    };
    let exchanged = |mut new: NewGame| {
        (new.players.red, new.players.blue) = (players.blue, players.red);
        new
    };
    let mut expected = Vec::new();
    for _ in 0..7 {
        expected.push(begin(&|new| new).summary.id);
        // His as Blue, so not his to move until Red has moved.
        let waiting = begin(&exchanged);
        let moved = db.play(&waiting, Color::Red, &move_request(0, "a4", "a5"), at(100));
        expected.push(moved.summary.id);
        begin(&exchanged);
    }
    expected.sort_unstable();
    let mut never: Vec<_> = (0..3).map(|_| begin(&unlimited).summary.id).collect();
    never.sort_unstable();
    expected.extend(never);
    let filter = GameFilter {
        viewer: Some(me),
        turn_of: Some(me),
        ..GameFilter::default()
    };
    let order = GameOrder::DeadlineAscending;
    for limit in [1, 4, 100] {
        let mut seen = Vec::new();
        let mut from = None;
        loop {
            let request = PageRequest {
                from,
                ..PageRequest::first(limit)
            };
            let page = db.read(|conn| games::list(conn, &filter, order, &request));
            seen.extend(page.items.iter().map(|game| game.id));
            from = page.items.last().map(|game| game.cursor(order));
            if !page.has_more {
                break;
            }
        }
        assert_eq!(seen, expected, "by {limit}");
    }
    let running = db.read(|conn| games::count_running(conn, me));
    assert_eq!((running.all, running.to_move), (24, 17));
}

fn challenges_to_a_player_are_counted_while_they_stand(db: &TestDatabase) {
    let players = db.pair();
    let make = |new: NewChallenge| db.write(|conn| challenges::create(conn, &new)).id;
    make(challenge(players.red, Some(players.blue), at(0)));
    make(challenge(players.red, None, at(0)));
    make(challenge(players.blue, Some(players.red), at(0)));
    let declined = make(challenge(players.red, Some(players.blue), at(1)));
    let count = |now| db.read(|conn| challenges::count_incoming(conn, players.blue, now));
    assert_eq!(count(at(2)), 2);
    db.write(|conn| challenges::decline(conn, declined, None, at(2)));
    assert_eq!(count(at(2)), 1);
    assert_eq!(count(at(0) + DAY), 0);
}
