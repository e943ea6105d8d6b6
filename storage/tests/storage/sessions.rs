use std::time::Duration;

use domain::Timestamp;
use storage::sessions::{self, NewFamily, Rotate, Rotation};
use storage::{Digest, FamilyId, PlayerId};

use crate::support::{DAY, TestDatabase, at, on_both};

on_both!(
    a_token_is_good_for_one_use,
    a_spent_token_ends_its_family,
    a_token_sent_twice_is_merely_refused,
    an_unknown_secret_ends_the_family_that_it_names,
    a_token_expires,
    of_uses_that_race_one_succeeds_and_the_family_lives,
    families_end_one_by_one_or_all_but_one,
);

const GRACE: Duration = Duration::from_secs(10);

fn token(number: u8) -> Digest {
    Digest([number; 32])
}

fn start(db: &TestDatabase, player_id: PlayerId, first: u8, created_at: Timestamp) -> FamilyId {
    let id = FamilyId::generate(created_at);
    let new = NewFamily {
        id,
        player_id,
        token: token(first),
        created_at,
        expires_at: created_at + DAY,
        user_agent: None,
    };
    db.write(|conn| sessions::start(conn, &new));
    id
}

fn rotate(db: &TestDatabase, family: FamilyId, shown: u8, next: u8, now: Timestamp) -> Rotation {
    let rotate = Rotate {
        family,
        shown: token(shown),
        next: token(next),
        now,
        expires_at: now + DAY,
        grace: GRACE,
    };
    db.write(|conn| sessions::rotate(conn, &rotate))
}

fn a_token_is_good_for_one_use(db: &TestDatabase) {
    let player = db.player("ney").id;
    let family = start(db, player, 1, at(0));
    assert_eq!(rotate(db, family, 1, 2, at(100)), Rotation::Rotated(player));
    assert_eq!(rotate(db, family, 2, 3, at(200)), Rotation::Rotated(player));
    let list = db.read(|conn| sessions::list(conn, player, at(200)));
    assert_eq!(list.len(), 1);
    assert_eq!(
        (list[0].id, list[0].created_at, list[0].used_at),
        (family, at(0), at(200))
    );
    assert_eq!(list[0].expires_at, at(200) + DAY);
}

fn a_spent_token_ends_its_family(db: &TestDatabase) {
    let player = db.player("ney").id;
    for (first, now) in [
        (10, at(100) + GRACE + Duration::from_micros(1)),
        (20, at(101)),
    ] {
        let family = start(db, player, first, at(0));
        assert_eq!(
            rotate(db, family, first, first + 1, at(50)),
            Rotation::Rotated(player)
        );
        assert_eq!(
            rotate(db, family, first + 1, first + 2, at(100)),
            Rotation::Rotated(player)
        );
        // The last but one, late; the one before it, at any time.
        let spent = if first == 10 { first + 1 } else { first };
        assert_eq!(rotate(db, family, spent, first + 3, now), Rotation::Reused);
        assert!(!db.read(|conn| sessions::lasts(conn, family, now)));
        assert_eq!(
            rotate(db, family, first + 2, first + 3, now),
            Rotation::Invalid
        );
        assert_eq!(rotate(db, family, spent, first + 3, now), Rotation::Invalid);
    }
}

fn a_token_sent_twice_is_merely_refused(db: &TestDatabase) {
    let player = db.player("ney").id;
    let family = start(db, player, 1, at(0));
    assert_eq!(rotate(db, family, 1, 2, at(100)), Rotation::Rotated(player));
    assert_eq!(
        rotate(db, family, 1, 3, at(100) + GRACE),
        Rotation::JustSpent
    );
    assert!(db.read(|conn| sessions::lasts(conn, family, at(111))));
    assert_eq!(rotate(db, family, 2, 4, at(111)), Rotation::Rotated(player));
}

fn an_unknown_secret_ends_the_family_that_it_names(db: &TestDatabase) {
    let player = db.player("ney").id;
    let (family, other) = (start(db, player, 1, at(0)), start(db, player, 2, at(0)));
    assert_eq!(rotate(db, family, 9, 3, at(1)), Rotation::Reused);
    assert_eq!(
        rotate(db, FamilyId::generate(at(0)), 9, 3, at(1)),
        Rotation::Invalid
    );
    // The token of one family is none of another's.
    assert_eq!(rotate(db, other, 1, 3, at(1)), Rotation::Reused);
    assert_eq!(db.count("refresh_families WHERE ended_at IS NULL"), 0);
}

fn a_token_expires(db: &TestDatabase) {
    let player = db.player("ney").id;
    let family = start(db, player, 1, at(0));
    let expiry = at(0) + DAY;
    assert!(!db.read(|conn| sessions::lasts(conn, family, expiry)));
    assert_eq!(db.read(|conn| sessions::list(conn, player, expiry)), []);
    assert_eq!(rotate(db, family, 1, 2, expiry), Rotation::Invalid);
    let just_before = Timestamp::from_micros(expiry.as_micros() - 1);
    assert_eq!(
        rotate(db, family, 1, 2, just_before),
        Rotation::Rotated(player)
    );
}

/// D17: a client that refreshes twice at once is not logged out.
fn of_uses_that_race_one_succeeds_and_the_family_lives(db: &TestDatabase) {
    let player = db.player("ney").id;
    let family = start(db, player, 1, at(0));
    let results: Vec<_> = std::thread::scope(|scope| {
        let racers: Vec<_> = (0..8)
            .map(|racer| scope.spawn(move || rotate(db, family, 1, 100 + racer, at(50))))
            .collect();
        racers
            .into_iter()
            .map(|racer| racer.join().unwrap())
            .collect()
    });
    let rotated = results
        .iter()
        .filter(|result| **result == Rotation::Rotated(player))
        .count();
    let refused = results
        .iter()
        .filter(|result| **result == Rotation::JustSpent)
        .count();
    assert_eq!((rotated, refused), (1, 7));
    assert!(db.read(|conn| sessions::lasts(conn, family, at(50))));
}

fn families_end_one_by_one_or_all_but_one(db: &TestDatabase) {
    let (player, other) = (db.player("ney").id, db.player("soult").id);
    let families: Vec<_> = (0..4).map(|n| start(db, player, n, at(n.into()))).collect();
    start(db, other, 9, at(0));
    let lasting = || {
        let list = db.read(|conn| sessions::list(conn, player, at(10)));
        list.into_iter()
            .map(|session| session.id)
            .collect::<Vec<_>>()
    };
    assert_eq!(
        lasting(),
        families.iter().rev().copied().collect::<Vec<_>>()
    );
    let end = || db.write(|conn| sessions::end(conn, families[3], at(10)));
    assert_eq!((end(), end()), (Some(player), None));
    let end_all = |except| {
        let mut ended = db.write(|conn| sessions::end_all(conn, player, except, at(10)));
        ended.sort_unstable();
        ended
    };
    assert_eq!(end_all(Some(families[1])), [families[0], families[2]]);
    assert_eq!(lasting(), [families[1]]);
    assert_eq!(end_all(None), [families[1]]);
    assert_eq!(lasting(), []);
    assert_eq!(db.read(|conn| sessions::list(conn, other, at(10))).len(), 1);
}
