//! What is taken away after a while, and what stays.

use domain::{ByColor, Color, Command, Timestamp};
use storage::feeds::{self, FeedEvent, SweepCursor};
use storage::games::{self, StoredGame};
use storage::sessions::{self, NewFamily};
use storage::tickets::{self, NewTicket};
use storage::{Digest, FamilyId, GameId, PlayerId};

use crate::support::{TestDatabase, at, move_request, on_both};

const MONTH: i64 = 30 * 86_400;

/// A game of which Red resigned at an instant; four events went before.
fn resigned(db: &TestDatabase, name: &str, second: i64) -> StoredGame {
    let players = ByColor {
        red: db.player(&format!("{name}_red")).id,
        blue: db.player(&format!("{name}_blue")).id,
    };
    let game = db.active_game(players);
    let game = db.play(&game, Color::Red, &move_request(0, "a4", "a5"), at(20));
    db.play(&game, Color::Red, &Command::Resign, at(second))
}

fn events(db: &TestDatabase, game: GameId) -> usize {
    db.read(|conn| games::events(conn, game, 0, 100)).len()
}

fn sweep_events(db: &TestDatabase, ended_by: Timestamp) -> usize {
    db.write(|conn| games::sweep_events(conn, ended_by))
}

/// Looks through all players and takes away what is old; gives how many events each write took.
fn sweep_feeds(db: &TestDatabase, happened_by: Timestamp) -> Vec<usize> {
    let mut taken = Vec::new();
    let mut from = Some(SweepCursor::default());
    while let Some(cursor) = from {
        let old = db.read(|conn| feeds::find_old(conn, cursor, happened_by));
        if !old.is_empty() {
            taken.push(db.write(|conn| feeds::forget_old(conn, &old)));
        }
        from = old.next;
    }
    taken
}

fn numbers(db: &TestDatabase, player: PlayerId, after: u64) -> Vec<u64> {
    let events: Vec<FeedEvent> = db.read(|conn| feeds::events(conn, player, after, 100));
    events.iter().map(|event| event.number).collect()
}

fn number(db: &TestDatabase, player: PlayerId) -> u64 {
    db.write(|conn| feeds::number(conn, player))
}

fn events_go_some_time_after_the_end_of_their_game(db: &TestDatabase) {
    let early = resigned(db, "early", 30);
    let late = resigned(db, "late", 40);
    let running = db.active_game(db.pair());
    assert_eq!(events(db, early.summary.id), 5);
    assert_eq!(sweep_events(db, at(29)), 0);
    assert_eq!(sweep_events(db, at(30)), 1);
    assert_eq!(events(db, early.summary.id), 0);
    assert_eq!(events(db, late.summary.id), 5);
    assert_eq!(sweep_events(db, at(MONTH)), 1);
    assert_eq!(sweep_events(db, at(MONTH)), 0);
    assert_eq!(db.count("events"), 3);
    assert_eq!(events(db, running.summary.id), 3);
    // The game itself stays as it was, and so does how much was announced.
    let swept = db.read(|conn| games::load(conn, early.summary.id));
    assert_eq!(swept.summary, early.summary);
    assert_eq!(db.count("moves"), 2);
    // Of the running game only there is something left to tell.
    assert_eq!(db.count("player_games"), 2);
}

fn one_write_takes_a_bounded_number_of_events(db: &TestDatabase) {
    for name in ["one", "two", "three"] {
        resigned(db, name, 30);
    }
    db.execute("UPDATE games SET announced = 1000").unwrap();
    assert_eq!(sweep_events(db, at(MONTH)), 2);
    assert_eq!(sweep_events(db, at(MONTH)), 1);
    assert_eq!(sweep_events(db, at(MONTH)), 0);
    assert_eq!(db.count("events"), 0);
}

fn the_oldest_events_of_a_stream_go_first(db: &TestDatabase) {
    let game = resigned(db, "seen", 30);
    let red = game.summary.players.red.id;
    assert_eq!(number(db, red), 5);
    // Both armies were placed and the game began at 10, the move came at 20, the end at 30.
    assert!(sweep_feeds(db, at(9)).is_empty());
    assert_eq!(numbers(db, red, 0), [1, 2, 3, 4, 5]);
    sweep_feeds(db, at(10));
    assert_eq!(numbers(db, red, 0), [4, 5]);
    sweep_feeds(db, at(29));
    assert_eq!(numbers(db, red, 0), [5]);
    sweep_feeds(db, at(30));
    assert_eq!(numbers(db, red, 0), [0; 0]);
    assert_eq!(db.read(|conn| feeds::announced(conn, red)), 5);
    assert!(sweep_feeds(db, at(MONTH)).is_empty());
}

/// Has an event of a challenge wait for the number of a player's stream.
fn wait(db: &TestDatabase, player: PlayerId, challenge: u8, number: u8, second: i64) {
    let bytes = |digits: String| {
        if db.is_sqlite() {
            format!("x'{digits}'")
        } else {
            format!("'\\x{digits}'")
        }
    };
    let player = bytes(player.to_string().replace('-', ""));
    let challenge = bytes(format!("{challenge:032x}"));
    let happened_at = at(second).as_micros();
    db.execute(&format!(
        "INSERT INTO player_outbox (player_id, source_id, source_number, source, happened_at) \
         VALUES ({player}, {challenge}, {number}, 'challenge', {happened_at})"
    ))
    .unwrap();
}

/// Who never looked has a gap in the numbers where the old events were.
fn what_nobody_looked_at_is_numbered_when_it_goes(db: &TestDatabase) {
    let red = db.pair().red;
    wait(db, red, 1, 1, 10);
    wait(db, red, 2, 1, 30);
    wait(db, red, 1, 2, 20);
    assert_eq!(sweep_feeds(db, at(20)), [2]);
    assert_eq!(number(db, red), 3);
    assert_eq!(numbers(db, red, 0), [3]);
}

/// What was announced of a game waits with the game, and takes no room.
fn a_game_that_nobody_looked_at_is_told_as_long_as_its_events_stay(db: &TestDatabase) {
    let game = resigned(db, "unseen", 30);
    let [red, blue] = [game.summary.players.red.id, game.summary.players.blue.id];
    assert!(sweep_feeds(db, at(MONTH)).is_empty());
    assert_eq!((number(db, red), number(db, red)), (5, 5));
    assert_eq!(numbers(db, red, 0), [1, 2, 3, 4, 5]);
    assert_eq!(sweep_feeds(db, at(MONTH)), [5]);
    assert_eq!(sweep_events(db, at(MONTH)), 1);
    // Blue never looked: to him the five are gone.
    assert_eq!((number(db, red), number(db, blue)), (5, 5));
    assert_eq!(numbers(db, blue, 0), [0; 0]);
    assert_eq!(db.count("player_games"), 0);
}

/// What waits comes after what is numbered: the numbers would have a hole otherwise.
fn what_waits_stays_while_something_numbered_stays(db: &TestDatabase) {
    let game = resigned(db, "waits", 30);
    let red = game.summary.players.red.id;
    assert_eq!(number(db, red), 5);
    // As if a slow write had announced it.
    wait(db, red, 1, 1, 0);
    sweep_feeds(db, at(20));
    assert_eq!(number(db, red), 6);
    assert_eq!(numbers(db, red, 0), [5, 6]);
}

/// Two nodes may find the same.
fn what_is_found_twice_is_counted_once(db: &TestDatabase) {
    let red = db.pair().red;
    wait(db, red, 1, 1, 10);
    wait(db, red, 1, 2, 20);
    wait(db, red, 2, 1, 30);
    let find = || db.read(|conn| feeds::find_old(conn, SweepCursor::default(), at(20)));
    let (one, other) = (find(), find());
    assert_eq!(db.write(|conn| feeds::forget_old(conn, &one)), 2);
    assert_eq!(db.write(|conn| feeds::forget_old(conn, &other)), 0);
    assert_eq!(db.read(|conn| feeds::announced(conn, red)), 2);
    // Nor does it matter that somebody looks in between.
    let found = db.read(|conn| feeds::find_old(conn, SweepCursor::default(), at(MONTH)));
    assert_eq!(number(db, red), 3);
    db.write(|conn| feeds::forget_old(conn, &found));
    assert_eq!(numbers(db, red, 0), [3]);
    assert_eq!(sweep_feeds(db, at(MONTH)), [1]);
}

fn one_write_takes_a_bounded_part_of_a_stream(db: &TestDatabase) {
    let players = db.pair();
    wait(db, players.red, 1, 1, 10);
    wait(db, players.blue, 1, 1, 10);
    assert_eq!(
        db.execute(
            "INSERT INTO player_outbox (player_id, source_id, source_number, source, happened_at) \
             WITH RECURSIVE more (number) AS \
             (SELECT 100 UNION ALL SELECT number + 1 FROM more WHERE number < 5099) \
             SELECT player_id, source_id, number, source, happened_at FROM player_outbox, more \
             WHERE source_number = 1"
        )
        .unwrap(),
        10_000
    );
    let taken = sweep_feeds(db, at(MONTH));
    assert_eq!(taken.iter().sum::<usize>(), 10_002);
    assert!(taken.iter().all(|taken| *taken <= 2_000), "{taken:?}");
    assert_eq!(db.read(|conn| feeds::announced(conn, players.red)), 5_001);
    assert_eq!(db.count("player_outbox"), 0);
}

fn logins_go_some_time_after_their_end(db: &TestDatabase) {
    let player = db.player("ney").id;
    let begin = |second: i64, token: u8| {
        let id = FamilyId::generate(at(second));
        let new = NewFamily {
            id,
            player_id: player,
            token: Digest([token; 32]),
            created_at: at(second),
            expires_at: at(second + 1_000_000),
            user_agent: None,
        };
        db.write(|conn| sessions::start(conn, &new));
        id
    };
    let forget = |now, limit| db.write(|conn| sessions::forget_old(conn, now, limit));
    let (ended, _lasting, _other) = (begin(1, 1), begin(2, 2), begin(3, 3));
    db.write(|conn| sessions::end(conn, ended, at(100)));
    let kept = i64::try_from(sessions::KEPT.as_secs()).unwrap();
    assert_eq!(forget(at(99 + kept), 10), 0);
    assert_eq!(forget(at(100 + kept), 10), 1);
    assert_eq!(forget(at(1_000_001 + kept), 10), 0);
    assert_eq!(forget(at(1_000_003 + kept), 1), 1);
    assert_eq!(forget(at(1_000_003 + kept), 1), 1);
    assert_eq!(db.count("refresh_families"), 0);
}

fn tickets_go_when_nobody_used_them_in_time(db: &TestDatabase) {
    let player = db.player("ney").id;
    for second in [1, 2, 3] {
        let new = NewTicket {
            player_id: player,
            ticket: Digest([u8::try_from(second).unwrap(); 32]),
            expires_at: at(second),
            stream_until: at(100),
            credential: None,
        };
        db.write(|conn| tickets::issue(conn, &new));
    }
    let forget = |limit| db.write(|conn| tickets::forget_old(conn, at(2), limit));
    assert_eq!((forget(1), forget(1), forget(1)), (1, 1, 0));
    assert_eq!(db.count("event_tickets"), 1);
}

on_both! {
    events_go_some_time_after_the_end_of_their_game,
    one_write_takes_a_bounded_number_of_events,
    the_oldest_events_of_a_stream_go_first,
    what_nobody_looked_at_is_numbered_when_it_goes,
    a_game_that_nobody_looked_at_is_told_as_long_as_its_events_stay,
    what_waits_stays_while_something_numbered_stays,
    what_is_found_twice_is_counted_once,
    one_write_takes_a_bounded_part_of_a_stream,
    logins_go_some_time_after_their_end,
    tickets_go_when_nobody_used_them_in_time,
}
