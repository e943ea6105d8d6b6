use storage::games;
use storage::notes::{self, Note};
use storage::players;
use storage::{PageRequest, StorageError};

use crate::support::{TestDatabase, at, new_game, on_both};

on_both!(
    a_note_is_kept_for_its_author_alone,
    a_note_has_a_length_and_a_game,
    notes_go_with_their_author,
);

fn note(text: &str, at: domain::Timestamp) -> Note {
    Note {
        text: text.to_owned(),
        updated_at: at,
    }
}

fn a_note_is_kept_for_its_author_alone(db: &TestDatabase) {
    let players = db.pair();
    let [game, other] = [0, 1].map(|_| db.write(|conn| games::create(conn, &new_game(players))));
    let (game, other) = (game.summary.id, other.summary.id);
    let load = |author, game| {
        let found = db.read(|conn| notes::load(conn, author, game));
        found.map(|note| (note.text, note.updated_at))
    };
    db.write(|conn| notes::save(conn, players.red, game, &note("first", at(3))));
    db.write(|conn| notes::save(conn, players.red, game, &note("𝔘\tsecond\n", at(4))));
    db.write(|conn| notes::save(conn, players.blue, game, &note("his own", at(5))));
    assert_eq!(
        load(players.red, game),
        Some(("𝔘\tsecond\n".to_owned(), at(4)))
    );
    assert_eq!(
        load(players.blue, game),
        Some(("his own".to_owned(), at(5)))
    );
    assert_eq!(load(players.red, other), None);
    let listed = |page| {
        let page = db.read(|conn| notes::list(conn, players.red, &page));
        let noted = page.items.into_iter();
        let noted: Vec<_> = noted.map(|(game, note)| (game, note.text)).collect();
        (noted, page.has_more)
    };
    db.write(|conn| notes::save(conn, players.red, other, &note("third", at(6))));
    let mut both = [
        (game, "𝔘\tsecond\n".to_owned()),
        (other, "third".to_owned()),
    ];
    both.sort_unstable();
    assert_eq!(listed(PageRequest::first(2)), (both.to_vec(), false));
    assert_eq!(listed(PageRequest::first(1)), (both[..1].to_vec(), true));
    let second = listed(PageRequest::after(1, both[0].0));
    assert_eq!(second, (both[1..].to_vec(), false));
    db.write(|conn| notes::delete(conn, players.red, other));
    let others = |game| db.read(|conn| notes::count_others(conn, players.red, game));
    assert_eq!((others(game), others(other)), (0, 1));
    db.write(|conn| notes::delete(conn, players.red, game));
    db.write(|conn| notes::delete(conn, players.red, game));
    assert_eq!(load(players.red, game), None);
    assert!(load(players.blue, game).is_some());
}

fn a_note_has_a_length_and_a_game(db: &TestDatabase) {
    let players = db.pair();
    let game = db.write(|conn| games::create(conn, &new_game(players)));
    let save = |game, text: &str| {
        let note = note(text, at(3));
        db.database
            .write(|conn| notes::save(conn, players.red, game, &note))
    };
    assert!(save(game.summary.id, &"€".repeat(10_000)).is_ok());
    for text in ["", &"€".repeat(10_001)] {
        let refused = save(game.summary.id, text);
        assert!(
            matches!(refused, Err(StorageError::Refused(_))),
            "{refused:?}"
        );
    }
    let nowhere = storage::GameId::generate(at(9));
    assert!(save(nowhere, "x").is_err());
}

fn notes_go_with_their_author(db: &TestDatabase) {
    let players = db.pair();
    let game = db.write(|conn| games::create(conn, &new_game(players)));
    for author in [players.red, players.blue] {
        let note = note("x", at(3));
        db.write(|conn| notes::save(conn, author, game.summary.id, &note));
    }
    db.write(|conn| players::erase(conn, players.red, "gone", "gone", at(4)));
    assert_eq!(db.count("notes"), 1);
    let left = db.read(|conn| notes::load(conn, players.blue, game.summary.id));
    assert!(left.is_some());
}
