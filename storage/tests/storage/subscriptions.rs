//! Receivers: each its owner's, told by one node at a time, found when they lack something.

use domain::{Color, Command, Timestamp};
use storage::subscriptions::{
    self, Candidate, Channel, ChannelKind, Claimed, Readiness, Standing, Subscription,
};
use storage::{LeaseId, PlayerId, StorageError, SubscriptionId, feeds};

use crate::support::{TestDatabase, at, on_both, setup};

on_both!(
    a_receiver_reads_back_and_is_its_owners,
    one_node_has_a_receiver_until_its_lease_runs_out,
    of_many_who_claim_a_receiver_one_has_it,
    what_is_recorded_counts_while_the_lease_holds,
    those_are_found_who_lack_something,
    an_erased_player_has_no_receivers,
);

fn hook(db: &TestDatabase, player_id: PlayerId) -> Subscription {
    let hook = Subscription {
        player_id,
        id: SubscriptionId::generate(at(0)),
        channel: Channel::Webhook {
            secret: b"a secret".to_vec(),
        },
        url: "https://example.org/".to_owned(),
        kinds: vec!["game.move".to_owned(), "game.offer".to_owned()],
        created_at: at(0),
        standing: Standing::after(0),
    };
    db.write(|conn| subscriptions::create(conn, &hook));
    hook
}

fn candidates(db: &TestDatabase, player: PlayerId, now: Timestamp) -> Vec<Candidate> {
    db.read(|conn| subscriptions::candidates(conn, &[player], now))
}

fn claim(db: &TestDatabase, player: PlayerId, now: i64) -> Vec<Claimed> {
    let (now, until) = (at(now), at(now + 30));
    let wanted = candidates(db, player, now);
    let lease = LeaseId::generate(now);
    db.write(|conn| subscriptions::claim(conn, &wanted, now, until, lease))
}

fn a_receiver_reads_back_and_is_its_owners(db: &TestDatabase) {
    let (ney, soult) = (db.player("ney").id, db.player("soult").id);
    let hook = hook(db, ney);
    let browser = Subscription {
        id: SubscriptionId::generate(at(1)),
        channel: Channel::Push {
            public_key: vec![4; 65],
            secret: vec![1; 16],
        },
        kinds: Vec::new(),
        standing: Standing {
            told: 7,
            attempts: 2,
            failing_since: Some(at(1)),
            last_error: Some("status_500".to_owned()),
            delivered_at: Some(at(2)),
            disabled_at: Some(at(3)),
            due_at: None,
        },
        ..hook.clone()
    };
    db.write(|conn| subscriptions::create(conn, &browser));
    let load = |owner, kind, id| {
        let read = db
            .database
            .read(|conn| subscriptions::load(conn, owner, kind, id));
        match read {
            Err(StorageError::NotFound) => None,
            read => Some(read.unwrap()),
        }
    };
    assert!(load(ney, ChannelKind::Webhook, hook.id) == Some(hook.clone()));
    assert!(load(ney, ChannelKind::Push, browser.id) == Some(browser.clone()));
    assert!(load(ney, ChannelKind::Push, hook.id).is_none());
    assert!(load(soult, ChannelKind::Webhook, hook.id).is_none());
    let listed = db.read(|conn| subscriptions::list(conn, ney, ChannelKind::Push));
    assert!(listed == [browser.clone()]);
    let changed = Subscription {
        url: "https://example.org/new".to_owned(),
        standing: Standing::after(9),
        ..browser.clone()
    };
    db.write(|conn| subscriptions::update(conn, &changed));
    assert!(load(ney, ChannelKind::Push, browser.id) == Some(changed));
    let delete = |owner, kind, id| {
        let deleted = db
            .database
            .write(|conn| subscriptions::delete(conn, owner, kind, id));
        deleted.is_ok()
    };
    assert!(!delete(soult, ChannelKind::Webhook, hook.id));
    assert!(!delete(ney, ChannelKind::Push, hook.id));
    assert!(delete(ney, ChannelKind::Webhook, hook.id));
    assert!(!delete(ney, ChannelKind::Webhook, hook.id));
}

fn one_node_has_a_receiver_until_its_lease_runs_out(db: &TestDatabase) {
    let ney = db.player("ney").id;
    let hook = hook(db, ney);
    let due = |now| db.read(|conn| subscriptions::due(conn, at(now), &[], true, 10));
    assert_eq!(due(0), []);
    let claimed = claim(db, ney, 0);
    assert!(claimed.len() == 1 && claimed[0].subscription == hook);
    assert_eq!(candidates(db, ney, at(29))[0].readiness, Readiness::Busy);
    assert!(claim(db, ney, 29).is_empty());
    assert_eq!(due(29), []);
    // Who had it is gone: it is found without a hint.
    assert_eq!(due(30).len(), 1);
    let but = db.read(|conn| subscriptions::due(conn, at(30), &[ney], true, 10));
    assert_eq!(but, []);
    let again = claim(db, ney, 30);
    assert_eq!(again.len(), 1);
    let record = |claimed: &Claimed, standing: &Standing| {
        db.write(|conn| subscriptions::record(conn, claimed, standing, false))
    };
    assert!(!record(&claimed[0], &Standing::after(5)));
    assert!(record(&again[0], &Standing::after(6)));
    assert_eq!(candidates(db, ney, at(30))[0].readiness, Readiness::Ready);
    assert_eq!(claim(db, ney, 31)[0].subscription.standing.told, 6);
}

fn of_many_who_claim_a_receiver_one_has_it(db: &TestDatabase) {
    let ney = db.player("ney").id;
    for _ in 0..3 {
        hook(db, ney);
    }
    let claimed: Vec<Vec<Claimed>> = std::thread::scope(|scope| {
        let nodes: Vec<_> = (0..8).map(|_| scope.spawn(|| claim(db, ney, 0))).collect();
        nodes.into_iter().map(|node| node.join().unwrap()).collect()
    });
    let mut ids: Vec<SubscriptionId> = claimed
        .iter()
        .flatten()
        .map(|one| one.subscription.id)
        .collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!((ids.len(), claimed.iter().flatten().count()), (3, 3));
}

fn what_is_recorded_counts_while_the_lease_holds(db: &TestDatabase) {
    let ney = db.player("ney").id;
    let hook = hook(db, ney);
    let claimed = claim(db, ney, 0).remove(0);
    let failed = Standing {
        attempts: 1,
        failing_since: Some(at(1)),
        last_error: Some("timed_out".to_owned()),
        due_at: Some(at(10)),
        ..Standing::after(0)
    };
    assert!(db.write(|conn| subscriptions::record(conn, &claimed, &failed, false)));
    let [resting] = candidates(db, ney, at(9))[..] else {
        panic!("one receiver");
    };
    assert_eq!(
        (resting.readiness, resting.fails),
        (Readiness::Resting, true)
    );
    assert!(claim(db, ney, 9).is_empty());
    let due = |failing| db.read(|conn| subscriptions::due(conn, at(10), &[], failing, 10));
    assert_eq!((due(false).len(), due(true).len()), (0, 1));
    let claimed = claim(db, ney, 10).remove(0);
    assert_eq!(claimed.subscription.standing.attempts, 1);
    // Its owner changes it: who tells it has it no more.
    db.write(|conn| subscriptions::update(conn, &hook));
    assert!(!db.write(|conn| subscriptions::record(conn, &claimed, &failed, true)));
    db.write(|conn| subscriptions::remove(conn, &claimed));
    assert_eq!(db.count("subscriptions"), 1);
    let claimed = claim(db, ney, 10).remove(0);
    let disabled = Standing {
        disabled_at: Some(at(11)),
        ..Standing::after(0)
    };
    assert!(db.write(|conn| subscriptions::record(conn, &claimed, &disabled, false)));
    assert_eq!(candidates(db, ney, at(99)), []);
}

fn those_are_found_who_lack_something(db: &TestDatabase) {
    let pair = db.pair();
    let game = db.game(pair);
    let [red, blue] = [pair.red, pair.blue];
    let find = || {
        let (mut players, mut from) = (Vec::new(), None);
        loop {
            let found = db.read(|conn| subscriptions::find_waiting(conn, from, 1));
            players.extend(found.players);
            match found.next {
                Some(next) => from = Some(next),
                None => return players,
            }
        }
    };
    assert_eq!(find(), []);
    for player in [red, blue] {
        let hook = hook(db, player);
        let told = db.write(|conn| feeds::number(conn, player));
        let standing = Standing::after(told);
        let hook = Subscription { standing, ..hook };
        db.write(|conn| subscriptions::update(conn, &hook));
    }
    assert_eq!(find(), []);
    db.play(&game, Color::Red, &Command::PlaceSetup(setup()), at(10));
    let mut both = [red, blue];
    both.sort_unstable();
    assert_eq!(find(), both);
    // Numbered, and not told all the same.
    db.write(|conn| feeds::number(conn, blue));
    assert_eq!(find(), both);
    // Who is told at the moment is found when the lease runs out.
    assert_eq!(claim(db, red, 0).len(), 1);
    assert_eq!(find(), [blue]);
}

fn an_erased_player_has_no_receivers(db: &TestDatabase) {
    let ney = db.player("ney").id;
    hook(db, ney);
    let erase = |conn: &mut _| storage::players::erase(conn, ney, "deleted-1", "deleted-1", at(1));
    db.write(erase);
    assert_eq!(db.count("subscriptions"), 0);
}
