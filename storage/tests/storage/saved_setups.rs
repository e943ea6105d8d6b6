use domain::{Ruleset, Setup};
use storage::saved_setups::{self, SavedSetup};
use storage::{PageRequest, SetupId, StorageError};

use crate::support::{TestDatabase, at, on_both, other_setup, setup};

on_both!(a_setup_is_its_owners_alone, setups_are_listed_newest_first);

pub(crate) fn saved(name: &str, seconds: i64) -> SavedSetup {
    SavedSetup {
        id: SetupId::generate(at(seconds)),
        name: name.to_owned(),
        ruleset: Ruleset::Original,
        setup: setup(),
        created_at: at(seconds),
        updated_at: at(seconds),
    }
}

fn a_setup_is_its_owners_alone(db: &TestDatabase) {
    let players = db.pair();
    let mut first = saved("Æsir ♟", 1);
    db.write(|conn| saved_setups::create(conn, players.red, &first));
    let load = |owner| {
        db.database
            .read(|conn| saved_setups::load(conn, owner, first.id))
    };
    assert!(load(players.red).unwrap() == first);
    assert!(matches!(load(players.blue), Err(StorageError::NotFound)));
    let id = first.id;
    (first.setup, first.updated_at) = (other_setup(), at(9));
    let stolen = db
        .database
        .write(|conn| saved_setups::update(conn, players.blue, &first));
    assert!(matches!(stolen, Err(StorageError::NotFound)));
    db.write(|conn| saved_setups::update(conn, players.red, &first));
    let loaded = db.read(|conn| saved_setups::load(conn, players.red, id));
    assert!(loaded == first && loaded.created_at == at(1));

    let barrage = "2.9..M..32...................F...B...S..";
    (first.ruleset, first.setup) = (
        Ruleset::Barrage,
        Setup::parse(Ruleset::Barrage, barrage).unwrap(),
    );
    db.write(|conn| saved_setups::update(conn, players.red, &first));
    assert!(db.read(|conn| saved_setups::load(conn, players.red, id)) == first);

    let delete = |owner| {
        db.database
            .write(|conn| saved_setups::delete(conn, owner, id))
    };
    assert!(matches!(delete(players.blue), Err(StorageError::NotFound)));
    delete(players.red).unwrap();
    assert!(matches!(delete(players.red), Err(StorageError::NotFound)));
    assert_eq!(db.read(|conn| saved_setups::count(conn, players.red)), 0);
}

fn setups_are_listed_newest_first(db: &TestDatabase) {
    let players = db.pair();
    for n in 0..5 {
        let new = saved(&n.to_string(), n);
        db.write(|conn| saved_setups::create(conn, players.red, &new));
    }
    assert_eq!(db.read(|conn| saved_setups::count(conn, players.red)), 5);
    let page = |page| {
        let page = db.read(|conn| saved_setups::list(conn, players.red, &page));
        let names: String = page.items.iter().map(|saved| saved.name.as_str()).collect();
        (
            names,
            page.has_more,
            page.items.last().map(|saved| saved.id),
        )
    };
    let (names, more, last) = page(PageRequest::first(3));
    assert_eq!((names.as_str(), more), ("432", true));
    let (names, more, first) = page(PageRequest::after(3, last.unwrap()));
    assert_eq!((names.as_str(), more), ("10", false));
    let (names, more, _) = page(PageRequest::before(3, first.unwrap()));
    assert_eq!((names.as_str(), more), ("321", true));
    let others = db.read(|conn| saved_setups::list(conn, players.blue, &PageRequest::first(9)));
    assert_eq!(others.items.len(), 0);
}
