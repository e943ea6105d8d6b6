//! Many at once: nobody sees a fault of the database.

use std::sync::mpsc;
use std::time::Duration;

use diesel::prelude::*;
use storage::{Database, PoolOptions, StorageError, players};

use crate::support::{Count, TestDatabase, new_player, on_both};

on_both!(
    a_cold_start_under_load_meets_no_lock,
    a_read_sees_one_state_throughout,
    a_full_pool_is_an_outage_and_passes,
    connections_that_died_idle_are_not_noticed,
    a_panic_leaves_the_database_usable,
);

/// D01: a pool that has just been made, 16 connections, 100 writes and as many reads.
fn a_cold_start_under_load_meets_no_lock(db: &TestDatabase) {
    let options = PoolOptions {
        connections: 16,
        checkout_timeout: Duration::from_secs(30),
    };
    let cold = Database::open(&db.url, &options).unwrap();
    std::thread::scope(|scope| {
        for n in 0..100 {
            let cold = &cold;
            scope.spawn(move || {
                let name = format!("player{n}");
                let player = cold
                    .write(|conn| players::create(conn, &new_player(&name)))
                    .unwrap();
                let read = cold.read(|conn| players::by_id(conn, player.id)).unwrap();
                assert_eq!(read, player);
            });
        }
    });
    assert_eq!(db.count("players"), 100);
}

fn a_read_sees_one_state_throughout(db: &TestDatabase) {
    let count = "SELECT COUNT(*) AS count FROM players";
    let (before, after) = db.read(|conn| {
        let before: Count = diesel::sql_query(count).get_result(conn)?;
        db.player("meanwhile");
        let after: Count = diesel::sql_query(count).get_result(conn)?;
        Ok((before.count, after.count))
    });
    assert_eq!((before, after), (0, 0));
    assert_eq!(db.count("players"), 1);
}

fn a_full_pool_is_an_outage_and_passes(db: &TestDatabase) {
    let options = PoolOptions {
        connections: 1,
        checkout_timeout: Duration::from_millis(50),
    };
    let small = Database::open(&db.url, &options).unwrap();
    let refused = small.read(|_| {
        let second = small.read(|conn| players::by_username_key(conn, "ney"));
        Ok::<_, StorageError>(second)
    });
    assert!(matches!(refused, Ok(Err(StorageError::Unavailable(_)))));
    let refused: Result<_, StorageError> =
        small.write(|_| Ok(small.write(|conn| players::create(conn, &new_player("ney")))));
    assert!(matches!(refused, Ok(Err(StorageError::Unavailable(_)))));
    assert!(
        small
            .write(|conn| players::create(conn, &new_player("ney")))
            .is_ok()
    );
}

fn connections_that_died_idle_are_not_noticed(db: &TestDatabase) {
    db.player("before");
    if !db.is_sqlite() {
        let others = "SELECT COUNT(pg_terminate_backend(pid)) AS count FROM pg_stat_activity
             WHERE datname = current_database() AND pid <> pg_backend_pid()";
        // Two in use at once, so that one is left to die.
        let (held, release) = mpsc::channel::<()>();
        let (ready, is_held) = mpsc::channel::<()>();
        std::thread::scope(|scope| {
            scope.spawn(move || {
                db.read(|_| {
                    ready.send(()).unwrap();
                    release.recv().unwrap();
                    Ok(())
                });
            });
            is_held.recv().unwrap();
            db.read(|_| Ok(()));
            held.send(()).unwrap();
        });
        let killed: Count = db.read(|conn| Ok(diesel::sql_query(others).get_result(conn)?));
        assert!(killed.count >= 1);
    }
    std::thread::scope(|scope| {
        for n in 0..4 {
            scope.spawn(move || db.player(&format!("after{n}")));
        }
    });
    assert_eq!(db.count("players"), 5);
}

fn a_panic_leaves_the_database_usable(db: &TestDatabase) {
    for _ in 0..6 {
        let result = std::thread::scope(|scope| {
            scope
                .spawn(|| {
                    db.database.write(|conn| {
                        players::create(conn, &new_player("half"))?;
                        if db.url.is_empty() {
                            Ok(())
                        } else {
                            panic!("in the middle of a write")
                        }
                    })
                })
                .join()
        });
        let result: std::thread::Result<Result<(), StorageError>> = result;
        assert!(result.is_err());
    }
    assert_eq!(db.count("players"), 0);
    db.player("half");
}
