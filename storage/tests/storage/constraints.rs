//! The last guards, in the schema itself.

use storage::{PlayerId, StorageError, Unique, players};

use crate::support::{TestDatabase, at, new_game, new_player, on_both};

on_both!(
    foreign_keys_are_enforced,
    a_game_needs_two_different_known_players,
    identifiers_are_never_given_again,
    values_outside_the_vocabulary_are_refused,
    a_failing_write_leaves_nothing,
    an_error_that_is_swallowed_does_not_commit,
    what_errors_print_holds_nothing_internal,
);

/// D04: SQLite does so only when told on each connection.
fn foreign_keys_are_enforced(db: &TestDatabase) {
    let game = db.active_game(db.pair());
    let orphan = "INSERT INTO moves (game_id, ply, seq, from_square, to_square, played_at)
         SELECT id, 0, 0, 1, 2, 3 FROM refresh_families";
    assert_eq!(db.execute(orphan).unwrap(), 0);
    let orphan = if db.is_sqlite() {
        "INSERT INTO moves (game_id, ply, seq, from_square, to_square, played_at)
         VALUES (x'00112233445566778899aabbccddeeff', 0, 0, 1, 2, 3)"
    } else {
        "INSERT INTO moves (game_id, ply, seq, from_square, to_square, played_at)
         VALUES ('\\x00112233445566778899aabbccddeeff', 0, 0, 1, 2, 3)"
    };
    assert!(matches!(db.execute(orphan), Err(StorageError::Refused(_))));
    assert!(matches!(
        db.execute("DELETE FROM players"),
        Err(StorageError::Refused(_))
    ));
    assert_eq!(db.count("players"), 2);
    assert_eq!(db.count("setups"), 2);
    db.execute("DELETE FROM games").unwrap();
    assert_eq!(db.count("setups"), 0);
    assert_eq!(db.count("events"), 0);
    assert!(matches!(
        db.database
            .read(|conn| storage::games::load(conn, game.summary.id)),
        Err(StorageError::NotFound)
    ));
}

fn a_game_needs_two_different_known_players(db: &TestDatabase) {
    let mut new = new_game(db.pair());
    new.players.blue = new.players.red;
    let refused = db.database.write(|conn| storage::games::create(conn, &new));
    assert!(matches!(refused, Err(StorageError::Refused(_))));
    new.players.blue = PlayerId::generate(at(0));
    let refused = db.database.write(|conn| storage::games::create(conn, &new));
    assert!(matches!(refused, Err(StorageError::Refused(_))));
    assert_eq!(db.count("games"), 0);
}

/// D05: an identifier of something that is gone never means something else.
fn identifiers_are_never_given_again(db: &TestDatabase) {
    let players = db.pair();
    let first = db.game(players).summary.id;
    db.execute("DELETE FROM games").unwrap();
    let second = db.game(players).summary.id;
    assert_ne!(first, second);
    assert!(matches!(
        db.database.read(|conn| storage::games::load(conn, first)),
        Err(StorageError::NotFound)
    ));
    let reused = db.database.write(|conn| {
        players::create(
            conn,
            &players::NewPlayer {
                id: players.red,
                ..new_player("again")
            },
        )
    });
    assert!(matches!(
        reused,
        Err(StorageError::Duplicate(Unique::Identity))
    ));
}

fn values_outside_the_vocabulary_are_refused(db: &TestDatabase) {
    db.active_game(db.pair());
    for change in [
        "status = 'lost'",
        "turn = 'white'",
        "status = 'finished'",
        "winner = 'red'",
        "reason = 'resignation'",
        "ruleset = 'chess'",
        "time_kind = 'sundial'",
        "time_kind = 'fischer'",
        "time_kind = 'unlimited'",
        "two_squares_limit = 6",
        "no_progress_plies = 49",
        "ply = -1",
        "red_player = blue_player",
    ] {
        let refused = db.execute(&format!("UPDATE games SET {change}"));
        assert!(matches!(refused, Err(StorageError::Refused(_))), "{change}");
    }
    for change in ["setup = 'short'", "color = 'white'"] {
        let refused = db.execute(&format!("UPDATE setups SET {change}"));
        assert!(matches!(refused, Err(StorageError::Refused(_))), "{change}");
    }
}

fn a_failing_write_leaves_nothing(db: &TestDatabase) {
    let failed: Result<(), StorageError> = db.database.write(|conn| {
        players::create(conn, &new_player("half"))?;
        Err(StorageError::NotFound)
    });
    assert!(matches!(failed, Err(StorageError::NotFound)));
    db.player("taken");
    let failed = db.database.write(|conn| {
        players::create(conn, &new_player("half"))?;
        players::create(conn, &new_player("taken"))
    });
    assert!(matches!(
        failed,
        Err(StorageError::Duplicate(Unique::Username))
    ));
    assert_eq!(db.count("players"), 1);
}

/// PostgreSQL would roll back, and say that all is well.
fn an_error_that_is_swallowed_does_not_commit(db: &TestDatabase) {
    db.player("taken");
    let result: Result<(), StorageError> = db.database.write(|conn| {
        players::create(conn, &new_player("half"))?;
        assert!(players::create(conn, &new_player("taken")).is_err());
        Ok(())
    });
    assert!(matches!(result, Err(StorageError::Refused(_))));
    assert_eq!(db.count("players"), 1);
}

fn what_errors_print_holds_nothing_internal(db: &TestDatabase) {
    let refused = db.execute("UPDATE players SET nothing = 1").unwrap_err();
    assert_eq!(refused.to_string(), "the database refused the statement");
    db.player("taken");
    let taken = db
        .database
        .write(|conn| players::create(conn, &new_player("taken")));
    assert_eq!(taken.unwrap_err().to_string(), "the username is taken");
}
