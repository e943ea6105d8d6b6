//! Moves that come at once and are made together: each is made or refused by its own guard.

use std::sync::Arc;
use std::sync::mpsc::channel;

use domain::{Color, Command};
use storage::games::{self, Step, StoredGame};
use storage::{Connection, StorageError, challenges, generate_offer_id};

use crate::support::{TestDatabase, at, move_request, on_both};

on_both!(
    each_is_made_by_its_own_guard,
    one_that_the_database_refuses_harms_none_beside_it,
    only_a_move_after_which_the_game_goes_on_is_a_step,
    only_what_changes_anything_is_counted_as_synced,
);

type Outcome = Result<Arc<StoredGame>, StorageError>;

/// The step of Red's first move.
fn step(game: &StoredGame, from: &str, to: &str) -> Step {
    let command = move_request(0, from, to);
    let events = game.game.play(Color::Red, &command, at(20)).unwrap();
    let mut after = game.game.clone();
    for event in &events {
        after.apply(event).unwrap();
    }
    Step::new(game, after, &events).unwrap().ok().unwrap()
}

/// Has all of them made at once; gives what became of each.
fn make(db: &TestDatabase, steps: Vec<Step>) -> Vec<Outcome> {
    let (send, made) = channel();
    let count = steps.len();
    for (index, step) in steps.into_iter().enumerate() {
        let send = send.clone();
        db.database
            .make_move(step, move |outcome| send.send((index, outcome)).unwrap());
    }
    let mut outcomes: Vec<_> = made.iter().take(count).collect();
    outcomes.sort_by_key(|(index, _)| *index);
    outcomes.into_iter().map(|(_, outcome)| outcome).collect()
}

#[track_caller]
fn assert_made(db: &TestDatabase, outcome: &Outcome) {
    let made = outcome.as_ref().unwrap();
    let loaded = db.read(|conn| games::load(conn, made.summary.id));
    assert_eq!(loaded.summary, made.summary);
    let announced = db.read(|conn| games::events(conn, made.summary.id, 3, 100));
    assert_eq!(announced.len(), 1);
}

fn each_is_made_by_its_own_guard(db: &TestDatabase) {
    let players = db.pair();
    let games: Vec<_> = (0..100).map(|_| db.active_game(players)).collect();
    // In every fifth game somebody was faster.
    for game in games.iter().step_by(5) {
        db.play(game, Color::Red, &move_request(0, "e4", "e5"), at(15));
    }
    // And every move is sent twice.
    let steps = |from, to| games.iter().map(move |game| step(game, from, to));
    let outcomes = make(db, steps("a4", "a5").chain(steps("e4", "e5")).collect());
    let (first, second) = outcomes.split_at(games.len());
    for (index, pair) in first.iter().zip(second).enumerate() {
        let made: Vec<_> = [pair.0, pair.1]
            .into_iter()
            .filter(|one| one.is_ok())
            .collect();
        let expected = usize::from(db.database.makes_moves_together() && index % 5 > 0);
        assert_eq!(made.len(), expected, "{index}");
        for outcome in made {
            assert_made(db, outcome);
        }
        for outcome in [pair.0, pair.1] {
            assert!(matches!(outcome, Ok(_) | Err(StorageError::Conflict)));
        }
    }
    let moves = if db.database.makes_moves_together() {
        100
    } else {
        20
    };
    assert_eq!(db.count("moves"), moves);
}

fn one_that_the_database_refuses_harms_none_beside_it(db: &TestDatabase) {
    if !db.database.makes_moves_together() {
        return;
    }
    let players = db.pair();
    let games: Vec<_> = (0..50).map(|_| db.active_game(players)).collect();
    let unlucky = db.play(&games[7], Color::Red, &move_request(0, "e4", "e5"), at(15));
    // The log has the move, and the row of the game does not know.
    db.execute("UPDATE games SET ply = 0, version = version - 1, turn = 'red' WHERE ply = 1")
        .unwrap();
    let outcomes = make(
        db,
        games.iter().map(|game| step(game, "a4", "a5")).collect(),
    );
    for (game, outcome) in games.iter().zip(&outcomes) {
        if game.summary.id == unlucky.summary.id {
            assert!(matches!(outcome, Err(StorageError::Conflict)));
        } else {
            assert_made(db, outcome);
        }
    }
    assert_eq!(db.count("moves"), 50);
}

fn only_a_move_after_which_the_game_goes_on_is_a_step(db: &TestDatabase) {
    let game = db.active_game(db.pair());
    let offer = Command::OfferDraw(generate_offer_id(at(12)));
    for command in [offer, Command::Resign] {
        let events = game.game.play(Color::Red, &command, at(20)).unwrap();
        let mut after = game.game.clone();
        for event in &events {
            after.apply(event).unwrap();
        }
        assert!(Step::new(&game, after, &events).unwrap().is_err());
    }
}

fn only_what_changes_anything_is_counted_as_synced(db: &TestDatabase) {
    let Some(before) = db.database.writer_figures() else {
        return;
    };
    let players = db.pair();
    let changed = db.database.writer_figures().unwrap();
    assert!(changed.commits > before.commits);
    // Nothing has expired, and what is refused is undone.
    let close = |conn: &mut Connection| challenges::close_expired(conn, at(0), 10);
    assert_eq!(db.database.write(close).unwrap().count, 0);
    let refuse = |_: &mut Connection| Err::<(), _>(StorageError::Conflict);
    assert!(db.database.write(refuse).is_err());
    let idle = db.database.writer_figures().unwrap();
    assert_eq!(idle.commits, changed.commits);
    assert_eq!(idle.writes, changed.writes + 2);
    db.active_game(players);
    assert!(db.database.writer_figures().unwrap().commits > idle.commits);
}
