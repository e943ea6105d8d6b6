use storage::blocks;
use storage::challenges::{self, Closing, NewChallenge};
use storage::{ChallengeId, PageRequest, PlayerId, StorageError, games};

use crate::support::{DAY, TestDatabase, at, new_game, on_both, terms};

on_both!(
    a_block_is_one_sided_and_listed,
    nobody_blocks_himself,
    challenges_between_two_are_closed,
    who_has_met_is_known,
);

fn a_block_is_one_sided_and_listed(db: &TestDatabase) {
    let player = db.player("ney").id;
    let others: Vec<_> = ["a", "b", "c"].map(|name| db.player(name).id).into();
    for other in &others {
        assert!(db.write(|conn| blocks::block(conn, player, *other, at(5))));
    }
    assert!(!db.write(|conn| blocks::block(conn, player, others[0], at(6))));
    let is = |one, two| db.read(|conn| blocks::is_blocked(conn, one, two));
    assert!(is(player, others[1]) && !is(others[1], player));
    assert_eq!(db.read(|conn| blocks::count(conn, player)), 3);
    let list = |page: PageRequest<PlayerId>| {
        let page = db.read(|conn| blocks::list(conn, player, &page));
        assert!(page.items.iter().all(|blocked| blocked.since == at(5)));
        let ids = page.items.into_iter().map(|blocked| blocked.player.id);
        (ids.collect::<Vec<_>>(), page.has_more)
    };
    let mut sorted = others.clone();
    sorted.sort_unstable();
    assert_eq!(list(PageRequest::first(2)), (sorted[..2].to_vec(), true));
    assert_eq!(
        list(PageRequest::after(2, sorted[1])),
        (sorted[2..].to_vec(), false)
    );
    assert_eq!(
        list(PageRequest::before(1, sorted[2])),
        (sorted[1..2].to_vec(), true)
    );
    let unblock = || db.write(|conn| blocks::unblock(conn, player, others[0]));
    assert_eq!((unblock(), unblock()), (true, false));
}

fn nobody_blocks_himself(db: &TestDatabase) {
    let player = db.player("ney").id;
    let refused = db
        .database
        .write(|conn| blocks::block(conn, player, player, at(5)));
    assert!(
        matches!(refused, Err(StorageError::Refused(_))),
        "{refused:?}"
    );
}

fn challenges_between_two_are_closed(db: &TestDatabase) {
    let (player, other, third) = (
        db.player("ney").id,
        db.player("soult").id,
        db.player("davout").id,
    );
    let challenge = |creator, opponent| {
        let new = NewChallenge {
            id: ChallengeId::generate(at(0)),
            creator,
            opponent,
            terms: terms(),
            color: None,
            rated: true,
            private: false,
            created_at: at(0),
            expires_at: at(0) + DAY,
            rematch_of: None,
        };
        db.write(|conn| challenges::create(conn, &new)).id
    };
    let made = challenge(player, Some(other));
    let received = challenge(other, Some(player));
    let open = challenge(other, None);
    let unrelated = challenge(player, Some(third));
    let mut heard = db.write(|conn| challenges::close_between(conn, player, other, at(5)));
    heard.sort_unstable();
    heard.dedup();
    let mut both = [player, other];
    both.sort_unstable();
    assert_eq!(heard, both);
    let closing = |id| {
        let closed = db.read(|conn| challenges::load(conn, id)).closed;
        closed.map(|(closing, _)| closing)
    };
    assert_eq!(closing(made), Some(Closing::Withdrawn));
    assert_eq!(closing(received), Some(Closing::Declined));
    assert_eq!((closing(open), closing(unrelated)), (None, None));
}

fn who_has_met_is_known(db: &TestDatabase) {
    let (one, two, three) = (db.player("a").id, db.player("b").id, db.player("c").id);
    let game = new_game(domain::ByColor {
        red: one,
        blue: two,
    });
    db.write(|conn| games::create(conn, &game));
    let met = |one, other| db.read(|conn| games::have_met(conn, one, other));
    assert!(met(one, two) && met(two, one));
    assert!(!met(one, three) && !met(two, three));
    let games = db.read(|conn| games::ids_of_player(conn, two));
    assert_eq!(games, [game.id]);
    assert_eq!(db.read(|conn| games::ids_of_player(conn, three)), []);
}
