//! What binds an army is kept with it, and changes with it.

use domain::{ByColor, Color, Command, Commitment, Salts};
use storage::games::{self, StoredGame};
use storage::{Corruption, GameId, StorageError};

use crate::support::{
    TestDatabase, at, move_request, new_game, on_both, other_setup, salts, setup,
};

on_both!(
    a_commitment_is_kept_with_its_army,
    an_army_that_is_replaced_is_committed_to_anew,
    nothing_is_kept_of_an_army_that_came_too_late,
    an_army_without_salts_commits_to_nothing,
    a_root_and_its_salts_come_together,
    damaged_salts_are_not_served,
);

fn commitments(db: &TestDatabase, id: GameId) -> ByColor<Option<Commitment>> {
    db.read(|conn| games::load(conn, id)).commitments
}

fn kept(db: &TestDatabase, id: GameId) -> ByColor<Option<Salts>> {
    db.read(|conn| games::salts(conn, id))
}

fn place(db: &TestDatabase, game: &StoredGame, by: Color, second: i64) -> StoredGame {
    db.play(game, by, &Command::PlaceSetup(setup()), at(second))
}

fn a_commitment_is_kept_with_its_army(db: &TestDatabase) {
    let game = db.game(db.pair());
    let id = game.summary.id;
    assert_eq!(game.commitments, ByColor::default());
    assert_eq!(commitments(db, id), ByColor::default());
    assert_eq!(kept(db, id), ByColor::default());

    let game = place(db, &game, Color::Blue, 5);
    let blue = Commitment::of(Color::Blue, &setup(), &salts(at(5)));
    let one = ByColor {
        red: None,
        blue: Some(blue),
    };
    assert_eq!((game.commitments, commitments(db, id)), (one, one));

    let game = place(db, &game, Color::Red, 6);
    let red = Commitment::of(Color::Red, &setup(), &salts(at(6)));
    let both = ByColor {
        red: Some(red),
        blue: Some(blue),
    };
    assert_eq!((game.commitments, commitments(db, id)), (both, both));

    // And so it stays, whatever is played.
    let game = db.play(&game, Color::Red, &move_request(0, "a4", "a5"), at(20));
    assert_eq!((game.commitments, commitments(db, id)), (both, both));
    let game = db.play(&game, Color::Blue, &Command::Resign, at(21));
    assert_eq!((game.commitments, commitments(db, id)), (both, both));
    let drawn = ByColor {
        red: Some(salts(at(6))),
        blue: Some(salts(at(5))),
    };
    assert_eq!(kept(db, id), drawn);
    for color in Color::ALL {
        let salts = drawn[color].as_ref().unwrap();
        let view = game.game.view_for(None);
        let proof = view.setup_proof(color, salts).unwrap();
        assert_eq!(proof.verify(both[color].unwrap()), Ok(setup()));
    }
}

fn an_army_that_is_replaced_is_committed_to_anew(db: &TestDatabase) {
    let game = db.game(db.pair());
    let id = game.summary.id;
    let first = place(db, &game, Color::Red, 5);
    let other = Command::PlaceSetup(other_setup());
    let second = db.play(&first, Color::Red, &other, at(6));
    let root = Commitment::of(Color::Red, &other_setup(), &salts(at(6)));
    assert_eq!(second.commitments.red, Some(root));
    assert_eq!(commitments(db, id), second.commitments);
    assert_eq!(kept(db, id).red, Some(salts(at(6))));
    // The same army once more: other salts, so that nobody can tell.
    let third = db.play(&second, Color::Red, &other, at(7));
    assert_ne!(third.commitments.red, Some(root));
    assert_eq!(commitments(db, id), third.commitments);
    assert_eq!(db.count("setups"), 1);
}

fn nothing_is_kept_of_an_army_that_came_too_late(db: &TestDatabase) {
    let game = db.game(db.pair());
    let first = place(db, &game, Color::Red, 5);
    let other = Command::PlaceSetup(other_setup());
    let late = db.try_play(&game, Color::Red, &other, at(6));
    assert!(matches!(late, Err(StorageError::Conflict)));
    let id = game.summary.id;
    assert_eq!(commitments(db, id), first.commitments);
    assert_eq!(kept(db, id).red, Some(salts(at(5))));
}

/// As those that were placed before commitments were made.
fn an_army_without_salts_commits_to_nothing(db: &TestDatabase) {
    let game = place(db, &db.game(db.pair()), Color::Red, 5);
    let id = game.summary.id;
    let command = Command::PlaceSetup(other_setup());
    let events = game.game.play(Color::Red, &command, at(6)).unwrap();
    let mut after = game.game.clone();
    for event in &events {
        after.apply(event).unwrap();
    }
    let replaced = db.write(|conn| games::append(conn, &game, after.clone(), &events, None));
    assert_eq!(replaced.commitments, ByColor::default());
    assert_eq!(commitments(db, id), ByColor::default());
    assert_eq!(kept(db, id), ByColor::default());
    assert_eq!(kept(db, new_game(db_players(&game)).id), ByColor::default());
}

fn db_players(game: &StoredGame) -> ByColor<storage::PlayerId> {
    game.summary.players.as_ref().map(|player| player.id)
}

fn a_root_and_its_salts_come_together(db: &TestDatabase) {
    let game = place(db, &db.game(db.pair()), Color::Red, 5);
    for damage in [
        "UPDATE setups SET root = NULL",
        "UPDATE setups SET salts = NULL",
        "UPDATE setups SET root = salts",
        "UPDATE setups SET salts = root",
    ] {
        let refused = db.execute(damage);
        assert!(matches!(refused, Err(StorageError::Refused(_))), "{damage}");
    }
    assert_eq!(commitments(db, game.summary.id), game.commitments);
}

fn damaged_salts_are_not_served(db: &TestDatabase) {
    let game = place(db, &db.game(db.pair()), Color::Red, 5);
    let drop = if db.is_sqlite() {
        "PRAGMA ignore_check_constraints = ON"
    } else {
        "ALTER TABLE setups DROP CONSTRAINT setups_salts_check"
    };
    let shorten = "UPDATE setups SET salts = root";
    db.write(|conn| {
        diesel::RunQueryDsl::execute(diesel::sql_query(drop), conn)?;
        diesel::RunQueryDsl::execute(diesel::sql_query(shorten), conn)?;
        Ok(())
    });
    let refused = db.database.read(|conn| games::salts(conn, game.summary.id));
    assert!(matches!(
        refused,
        Err(StorageError::Corrupt(Corruption::Value { column: "salts" }))
    ));
    // What does not need them is served all the same.
    assert_eq!(commitments(db, game.summary.id), game.commitments);
}
