//! What waits to be mailed, and who was told.

use std::time::Duration;

use storage::mail::{self, Errand, NewToken, Purpose};
use storage::{Digest, PlayerId, players};

use crate::support::{TestDatabase, at, on_both};

on_both!(
    a_mail_is_asked_for_once_and_taken_once,
    a_token_serves_once_and_takes_the_others_along,
    of_two_that_saw_the_same_one_tells,
    who_waits_for_a_move_is_told,
);

const MINUTE: Duration = Duration::from_mins(1);

fn verified(db: &TestDatabase, player: PlayerId) {
    db.execute("UPDATE players SET email = 'a@x'").unwrap();
    db.database
        .write(|conn| {
            players::verify_email(conn, player, "a@x")?;
            mail::begin(conn, player, [1; 32], at(0))
        })
        .unwrap();
}

fn a_mail_is_asked_for_once_and_taken_once(db: &TestDatabase) {
    let player = db.pair().red;
    let write = &db.database;
    for second in [0, 1] {
        write
            .write(|conn| mail::ask(conn, player, Errand::Verify, at(second)))
            .unwrap();
    }
    let claim = |second| {
        write
            .write(|conn| mail::claim(conn, at(second), MINUTE, 10))
            .unwrap()
    };
    let claimed = claim(2);
    assert_eq!(claimed.len(), 1);
    assert_eq!((claimed[0].player, claimed[0].asked_at), (player, at(0)));
    assert!(claim(3).is_empty(), "for as long as the lease");
    let again = claim(62);
    assert_eq!(again[0].attempts, 1);
    write.write(|conn| mail::done(conn, &again[0])).unwrap();
    assert!(claim(10_000).is_empty());

    for address in ["a@x", "a@x", "b@x"] {
        write
            .write(|conn| mail::ask_by_address(conn, address, at(0)))
            .unwrap();
    }
    let take = || write.write(|conn| mail::take_addresses(conn, 10)).unwrap();
    assert_eq!(take(), ["a@x", "b@x"]);
    assert!(take().is_empty());
}

fn a_token_serves_once_and_takes_the_others_along(db: &TestDatabase) {
    let player = db.pair().red;
    let token = |number: u8, purpose| NewToken {
        player,
        token: Digest([number; 32]),
        purpose,
        address: "a@x",
        created_at: at(0),
        expires_at: at(60),
    };
    let tokens = [
        token(1, Purpose::Reset),
        token(2, Purpose::Reset),
        token(3, Purpose::Verify),
    ];
    for new in tokens {
        db.database.write(|conn| mail::issue(conn, &new)).unwrap();
    }
    let spend = |number: u8, purpose, second| {
        db.database
            .write(|conn| mail::spend(conn, player, Digest([number; 32]), purpose, at(second)))
            .unwrap()
    };
    assert_eq!(spend(3, Purpose::Reset, 1), None, "for another purpose");
    assert_eq!(spend(1, Purpose::Reset, 60), None, "too late");
    assert_eq!(spend(1, Purpose::Reset, 59).as_deref(), Some("a@x"));
    assert_eq!(spend(1, Purpose::Reset, 59), None);
    assert_eq!(spend(2, Purpose::Reset, 59), None);
    assert_eq!(spend(3, Purpose::Verify, 59).as_deref(), Some("a@x"));
    let counted = db
        .database
        .read(|conn| mail::count(conn, player, "a@x", Purpose::Reset, at(-1)))
        .unwrap();
    assert_eq!(counted, (2, 2));
    let forget = |second| {
        db.database
            .write(|conn| mail::forget_old(conn, at(second), 10))
            .unwrap()
    };
    assert_eq!((forget(-1), forget(0)), (0, 3));
}

fn of_two_that_saw_the_same_one_tells(db: &TestDatabase) {
    let player = db.pair().red;
    verified(db, player);
    let seen = db
        .database
        .read(|conn| mail::state(conn, player))
        .unwrap()
        .unwrap();
    let told = mail::Told {
        turns: at(5),
        digest_at: Some(at(9)),
        ..seen.told
    };
    let advance = |address: &str| {
        db.database
            .write(|conn| mail::advance(conn, &seen, Some(address), &told))
            .unwrap()
    };
    assert!(!advance("b@x"), "another address by now");
    assert!(advance("a@x"));
    assert!(!advance("a@x"), "somebody was faster");
    let due = |second| {
        db.database
            .read(|conn| mail::due_digests(conn, at(second), 10))
            .unwrap()
    };
    assert!(due(8).is_empty());
    assert_eq!(due(9), [player]);
    db.database
        .write(|conn| mail::forget_player(conn, player))
        .unwrap();
    assert_eq!(db.count("mail_state"), 0);
}

fn who_waits_for_a_move_is_told(db: &TestDatabase) {
    let pair = db.pair();
    verified(db, pair.red);
    let game = db.active_game(pair);
    let (red, since) = (pair.red, at(-1_000_000));
    let far = at(1_000_000_000);
    let turns = db.database.read(|conn| mail::turns(conn, red, 10)).unwrap();
    assert_eq!(turns.len(), 1);
    assert_eq!(turns[0].game, game.summary.id);
    assert_eq!(Some(turns[0].began_at), game.summary.started_at);
    let blue = db.database.read(|conn| mail::turns(conn, pair.blue, 10));
    assert!(blue.unwrap().is_empty());
    let waiting = db
        .database
        .read(|conn| mail::players_to_move(conn, since, far, far))
        .unwrap();
    assert_eq!(waiting, [red]);
    db.database
        .write(|conn| mail::tell_near(conn, red, &turns, at(0)))
        .unwrap();
    let told = db.database.read(|conn| mail::near_told(conn, red)).unwrap();
    assert!(turns[0].was_near(&told));
    let near = db
        .database
        .read(|conn| mail::players_near(conn, at(0), MINUTE, far))
        .unwrap();
    assert!(near.is_empty());
}
