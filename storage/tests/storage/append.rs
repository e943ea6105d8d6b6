//! The guard of an append: of writers who saw the same game, one succeeds.

use domain::{Color, Command, EndReason, Status};
use storage::games;
use storage::{StorageError, generate_offer_id};

use crate::support::{TestDatabase, at, move_request, on_both};

on_both!(
    of_twenty_moves_at_one_ply_one_is_kept,
    a_writer_who_decides_within_the_write_sees_the_last_state,
    whoever_saw_an_older_game_is_refused,
    the_key_of_a_move_is_the_last_guard,
    a_game_that_is_over_takes_nothing,
    nothing_of_a_refused_append_is_kept,
);

fn of_twenty_moves_at_one_ply_one_is_kept(db: &TestDatabase) {
    let game = db.active_game(db.pair());
    let results: Vec<_> = std::thread::scope(|scope| {
        let racers: Vec<_> = (0..20)
            .map(|n| {
                let (from, to) = if n % 2 == 0 {
                    ("a4", "a5")
                } else {
                    ("e4", "e5")
                };
                let (game, command) = (&game, move_request(0, from, to));
                scope.spawn(move || db.try_play(game, Color::Red, &command, at(20)))
            })
            .collect();
        racers
            .into_iter()
            .map(|racer| racer.join().unwrap())
            .collect()
    });
    let (won, lost): (Vec<_>, Vec<_>) = results.into_iter().partition(Result::is_ok);
    assert_eq!(won.len(), 1);
    for result in lost {
        assert!(matches!(result, Err(StorageError::Conflict)));
    }
    assert_eq!(db.count("moves"), 1);
    let announced = db.read(|conn| games::events(conn, game.summary.id, 3, 10));
    assert_eq!(announced.len(), 1);
    let loaded = db.read(|conn| games::load(conn, game.summary.id));
    assert_eq!(loaded.summary, won[0].as_ref().unwrap().summary);
}

/// On PostgreSQL the losers are begun anew, and find the move made.
fn a_writer_who_decides_within_the_write_sees_the_last_state(db: &TestDatabase) {
    #[derive(Debug, thiserror::Error)]
    enum Refusal {
        #[error(transparent)]
        Storage(#[from] StorageError),
        #[error("the rules")]
        Rules(#[from] domain::PlayError),
    }
    let id = db.active_game(db.pair()).summary.id;
    let results: Vec<_> = std::thread::scope(|scope| {
        let racers: Vec<_> = (0..12)
            .map(|_| {
                scope.spawn(move || {
                    db.database.write(|conn| {
                        let before = games::load(conn, id)?;
                        let command = move_request(0, "a4", "a5");
                        let events = before.game.play(Color::Red, &command, at(20))?;
                        if events.is_empty() {
                            return Ok(false);
                        }
                        let mut after = before.game.clone();
                        for event in &events {
                            after.apply(event).map_err(StorageError::from)?;
                        }
                        games::append(conn, &before, after, &events, None)?;
                        Ok::<_, Refusal>(true)
                    })
                })
            })
            .collect();
        racers
            .into_iter()
            .map(|racer| racer.join().unwrap())
            .collect()
    });
    // The same move by the same player: a retry, which the rules answer with nothing new.
    let written = results
        .iter()
        .filter(|result| matches!(result, Ok(true)))
        .count();
    let repeated = results
        .iter()
        .filter(|result| matches!(result, Ok(false)))
        .count();
    assert_eq!((written, repeated), (1, 11), "{results:?}");
    assert_eq!(db.count("moves"), 1);
}

fn whoever_saw_an_older_game_is_refused(db: &TestDatabase) {
    let first = db.active_game(db.pair());
    let offered = db.play(
        &first,
        Color::Blue,
        &Command::OfferDraw(generate_offer_id(at(15))),
        at(15),
    );
    // The ply and the status are as they were: the version tells.
    assert_eq!(offered.summary.ply, first.summary.ply);
    let late = db.try_play(&first, Color::Red, &move_request(0, "a4", "a5"), at(20));
    assert!(matches!(late, Err(StorageError::Conflict)));
    let moved = db.play(&offered, Color::Red, &move_request(0, "a4", "a5"), at(21));
    assert_eq!(
        (moved.summary.ply, moved.summary.version),
        (1, offered.summary.version + 2)
    );
}

fn the_key_of_a_move_is_the_last_guard(db: &TestDatabase) {
    let first = db.active_game(db.pair());
    db.play(&first, Color::Red, &move_request(0, "a4", "a5"), at(20));
    // A guard that was somehow passed.
    db.execute("UPDATE games SET ply = 0, version = version - 1")
        .unwrap();
    let second = db.try_play(&first, Color::Red, &move_request(0, "e4", "e5"), at(21));
    assert!(matches!(second, Err(StorageError::Conflict)));
    assert_eq!(db.count("moves WHERE to_square = 40"), 1);
}

fn a_game_that_is_over_takes_nothing(db: &TestDatabase) {
    let game = db.active_game(db.pair());
    let aborted = db.play(&game, Color::Red, &Command::Abort, at(20));
    assert_eq!(aborted.summary.status, Status::Aborted);
    assert_eq!(aborted.summary.outcome.unwrap().reason, EndReason::Aborted);
    assert_eq!(
        (aborted.summary.turn, aborted.summary.deadline),
        (None, None)
    );
    let late = db.try_play(&game, Color::Red, &move_request(0, "a4", "a5"), at(21));
    assert!(matches!(late, Err(StorageError::Conflict)));
    assert_eq!(db.count("moves"), 0);
    let loaded = db.read(|conn| games::load(conn, game.summary.id));
    assert_eq!(loaded.summary, aborted.summary);
}

fn nothing_of_a_refused_append_is_kept(db: &TestDatabase) {
    let game = db.active_game(db.pair());
    let id = generate_offer_id(at(15));
    let offered = db.play(&game, Color::Red, &Command::OfferDraw(id), at(15));
    let events_before = db.count("events");
    let closed = offered
        .game
        .play(Color::Blue, &Command::DeclineOffer(id), at(16))
        .unwrap();
    // Twice the same: the second of them finds no open offer.
    let twice: Vec<_> = closed.iter().chain(&closed).copied().collect();
    let refused = db
        .database
        .write(|conn| games::append(conn, &offered, offered.game.clone(), &twice, None));
    assert!(matches!(refused, Err(StorageError::Conflict)));
    assert_eq!(db.count("offers WHERE closing IS NULL"), 1);
    assert_eq!(db.count("events"), events_before);
    let loaded = db.read(|conn| games::load(conn, game.summary.id));
    assert_eq!(loaded.summary, offered.summary);
}
