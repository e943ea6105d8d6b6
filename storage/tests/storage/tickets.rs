//! Tickets: each opens one stream, within its time.

use domain::Timestamp;
use storage::tickets::{self, NewTicket, Spent};
use storage::{CredentialId, Digest, PlayerId, StorageError};

use crate::support::{TestDatabase, at, on_both};

on_both!(
    a_ticket_is_spent_once,
    of_many_who_spend_a_ticket_one_has_it,
    a_ticket_has_its_time_and_its_owner,
    old_tickets_are_taken_away,
);

fn ticket(player_id: PlayerId, byte: u8) -> NewTicket {
    NewTicket {
        player_id,
        ticket: digest(byte),
        expires_at: at(60),
        stream_until: at(900),
        credential: Some(CredentialId::from_uuid(PlayerId::generate(at(0)).as_uuid())),
    }
}

fn until(spent: Option<Spent>) -> Option<Timestamp> {
    spent.map(|spent| spent.stream_until)
}

fn digest(byte: u8) -> Digest {
    Digest([byte; 32])
}

fn a_ticket_is_spent_once(db: &TestDatabase) {
    let player = db.player("ney").id;
    db.write(|conn| tickets::issue(conn, &ticket(player, 1)));
    db.write(|conn| tickets::issue(conn, &ticket(player, 2)));
    let spend = |byte| until(db.write(|conn| tickets::spend(conn, player, digest(byte), at(1))));
    assert_eq!(spend(1), Some(at(900)));
    assert_eq!(spend(1), None);
    assert_eq!(spend(2), Some(at(900)));
    assert_eq!(spend(3), None);
    assert_eq!(db.count("event_tickets"), 0);
}

fn of_many_who_spend_a_ticket_one_has_it(db: &TestDatabase) {
    let player = db.player("ney").id;
    db.write(|conn| tickets::issue(conn, &ticket(player, 1)));
    let spent: Vec<_> = std::thread::scope(|scope| {
        let racers: Vec<_> = (0..8)
            .map(|_| {
                let spend = move || db.write(|conn| tickets::spend(conn, player, digest(1), at(1)));
                scope.spawn(spend)
            })
            .collect();
        racers
            .into_iter()
            .map(|racer| racer.join().unwrap())
            .collect()
    });
    assert_eq!(spent.iter().flatten().count(), 1);
}

fn a_ticket_has_its_time_and_its_owner(db: &TestDatabase) {
    let (player, other) = (db.player("ney").id, db.player("soult").id);
    db.write(|conn| tickets::issue(conn, &ticket(player, 1)));
    let spend = |player, now| until(db.write(|conn| tickets::spend(conn, player, digest(1), now)));
    assert_eq!(spend(other, at(1)), None);
    assert_eq!(spend(player, at(60)), None);
    assert_eq!(spend(player, at(59)), Some(at(900)));
    let nobody = PlayerId::generate(at(0));
    let refused = db
        .database
        .write(|conn| tickets::issue(conn, &ticket(nobody, 1)));
    assert!(
        matches!(refused, Err(StorageError::Refused(_))),
        "{refused:?}"
    );
}

fn old_tickets_are_taken_away(db: &TestDatabase) {
    let player = db.player("ney").id;
    for (byte, expires) in [(1, 10), (2, 20), (3, 30)] {
        let new = NewTicket {
            expires_at: at(expires),
            ..ticket(player, byte)
        };
        db.write(|conn| tickets::issue(conn, &new));
    }
    let forget = |limit| db.write(|conn| tickets::forget_old(conn, at(20), limit));
    assert_eq!(forget(1), 1);
    assert_eq!(forget(10), 1);
    assert_eq!(forget(10), 0);
    let left = db.write(|conn| tickets::spend(conn, player, digest(3), at(20)));
    assert_eq!(until(left), Some(at(900)));
}
