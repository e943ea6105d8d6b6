use storage::audit::{self, Deed, Entry, MAX_REASON};
use storage::{PageRequest, StorageError, games, players};

use crate::support::{TestDatabase, at, new_game, on_both};

on_both!(
    deeds_are_listed_newest_first_under_the_names_of_now,
    who_administers_and_who_is_suspended_is_said_once,
    a_reason_has_its_bounds,
);

fn deeds_are_listed_newest_first_under_the_names_of_now(db: &TestDatabase) {
    let (admin, player) = (db.player("ney"), db.player("soult"));
    let game = new_game(domain::ByColor {
        red: admin.id,
        blue: player.id,
    });
    db.write(|conn| games::create(conn, &game));
    let deeds = [
        Deed::GrantAdmin(admin.id),
        Deed::Suspend(player.id),
        Deed::Unsuspend(player.id),
        Deed::ResetPassword(player.id),
        Deed::AnnulGame(game.id),
        Deed::RevokeAdmin(admin.id),
    ];
    for (second, deed) in (10..).zip(deeds) {
        let actor = (second % 2 == 1).then_some(admin.id);
        let reason = (second == 11).then_some("abuse");
        db.write(|conn| audit::note(conn, actor, deed, reason, at(second)));
    }
    db.write(|conn| players::erase(conn, player.id, "deleted-1", "deleted-1", at(50)));
    let all = db.read(|conn| audit::list(conn, &PageRequest::first(10)));
    assert!(!all.has_more);
    let found: Vec<Deed> = all.items.iter().rev().map(|entry| entry.deed).collect();
    assert_eq!(found, deeds);
    let suspended: &Entry = &all.items[4];
    assert_eq!(suspended.actor.as_ref().map(|by| by.id), Some(admin.id));
    let name = suspended.player.as_ref().map(|player| &*player.username);
    assert_eq!(name, Some("deleted-1"));
    assert_eq!(suspended.reason.as_deref(), Some("abuse"));
    assert_eq!(suspended.at, at(11));
    let first = db.read(|conn| audit::list(conn, &PageRequest::first(4)));
    assert!(first.has_more);
    let after = PageRequest::after(4, first.items[3].id);
    let rest = db.read(|conn| audit::list(conn, &after));
    assert_eq!([first.items, rest.items].concat(), all.items);
}

fn who_administers_and_who_is_suspended_is_said_once(db: &TestDatabase) {
    let id = db.player("ney").id;
    let grant = |is| db.write(|conn| players::set_admin(conn, id, is));
    assert_eq!((grant(true), grant(true)), (true, false));
    let suspend = |since| db.write(|conn| players::set_suspended(conn, id, since));
    assert_eq!((suspend(Some(at(5))), suspend(Some(at(6)))), (true, false));
    let player = db.read(|conn| players::by_id(conn, id));
    assert_eq!((player.is_admin, player.suspended_at), (true, Some(at(5))));
    assert_eq!((suspend(None), suspend(None)), (true, false));
    assert_eq!((grant(false), grant(false)), (true, false));
    let player = db.read(|conn| players::by_id(conn, id));
    assert_eq!((player.is_admin, player.suspended_at), (false, None));
}

fn a_reason_has_its_bounds(db: &TestDatabase) {
    let id = db.player("ney").id;
    let note = |length: usize| {
        let reason = "é".repeat(length);
        db.database
            .write(|conn| audit::note(conn, None, Deed::Suspend(id), Some(&reason), at(1)))
    };
    note(MAX_REASON).unwrap();
    let refused = note(MAX_REASON + 1);
    assert!(
        matches!(refused, Err(StorageError::Refused(_))),
        "{refused:?}"
    );
}
