use std::time::Duration;

use storage::idempotency::{self, IdempotencyKey, REMEMBERED, Remembered};
use storage::{Digest, StorageError, Unique, players};
use uuid::Uuid;

use crate::support::{TestDatabase, at, new_player, on_both};

on_both!(
    a_key_is_remembered_for_a_day,
    a_key_belongs_to_one_caller_and_one_path,
    a_key_is_kept_with_what_was_made_or_not_at_all,
    of_requests_that_race_with_one_key_one_makes_something,
);

const KEY: IdempotencyKey<'_> = IdempotencyKey {
    caller: b"0123456789abcdef",
    path: "/v1/challenges",
    key: "one",
};

fn made(number: u128) -> Remembered {
    Remembered {
        fingerprint: Digest([7; 32]),
        resource_id: Uuid::from_u128(number),
    }
}

fn a_key_is_remembered_for_a_day(db: &TestDatabase) {
    let find = |now| db.read(|conn| idempotency::find(conn, &KEY, now));
    assert_eq!(find(at(0)), None);
    db.write(|conn| idempotency::remember(conn, &KEY, &made(1), at(0)));
    let last = at(0) + REMEMBERED.saturating_sub(Duration::from_micros(1));
    assert_eq!(find(last), Some(made(1)));
    let again = db
        .database
        .write(|conn| idempotency::remember(conn, &KEY, &made(2), last));
    assert!(matches!(
        again,
        Err(StorageError::Duplicate(Unique::IdempotencyKey))
    ));
    let over = at(0) + REMEMBERED;
    assert_eq!(find(over), None);
    db.write(|conn| idempotency::remember(conn, &KEY, &made(2), over));
    assert_eq!(find(over), Some(made(2)));
    assert_eq!(db.write(|conn| idempotency::forget_old(conn, over, 10)), 0);
    assert_eq!(
        db.write(|conn| idempotency::forget_old(conn, over + REMEMBERED, 10)),
        1
    );
    assert_eq!(db.count("idempotency_keys"), 0);
}

fn a_key_belongs_to_one_caller_and_one_path(db: &TestDatabase) {
    let others = [
        IdempotencyKey {
            caller: b"fedcba9876543210",
            ..KEY
        },
        IdempotencyKey {
            path: "/v1/me/setups",
            ..KEY
        },
        IdempotencyKey { key: "two", ..KEY },
    ];
    db.write(|conn| idempotency::remember(conn, &KEY, &made(0), at(0)));
    for (number, key) in (1..).zip(&others) {
        assert_eq!(db.read(|conn| idempotency::find(conn, key, at(0))), None);
        db.write(|conn| idempotency::remember(conn, key, &made(number), at(0)));
    }
    assert_eq!(
        db.read(|conn| idempotency::find(conn, &others[2], at(0))),
        Some(made(3))
    );
    assert_eq!(
        db.read(|conn| idempotency::find(conn, &KEY, at(0))),
        Some(made(0))
    );
}

fn a_key_is_kept_with_what_was_made_or_not_at_all(db: &TestDatabase) {
    db.player("taken");
    let failed = db.database.write(|conn| {
        idempotency::remember(conn, &KEY, &made(1), at(0))?;
        players::create(conn, &new_player("taken"))
    });
    assert!(matches!(
        failed,
        Err(StorageError::Duplicate(Unique::Username))
    ));
    assert_eq!(db.read(|conn| idempotency::find(conn, &KEY, at(0))), None);
}

fn of_requests_that_race_with_one_key_one_makes_something(db: &TestDatabase) {
    let results: Vec<_> = std::thread::scope(|scope| {
        let racers: Vec<_> = (0..8)
            .map(|n| {
                scope.spawn(move || {
                    let name = format!("player{n}");
                    let new = new_player(&name);
                    db.database.write(|conn| {
                        players::create(conn, &new)?;
                        idempotency::remember(conn, &KEY, &made(n), at(0))
                    })
                })
            })
            .collect();
        racers
            .into_iter()
            .map(|racer| racer.join().unwrap())
            .collect()
    });
    assert_eq!(results.iter().filter(|result| result.is_ok()).count(), 1);
    for result in results.into_iter().filter_map(Result::err) {
        assert!(
            matches!(result, StorageError::Duplicate(Unique::IdempotencyKey)),
            "{result:?}"
        );
    }
    assert_eq!(db.count("players"), 1);
}
