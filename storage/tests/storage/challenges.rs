use domain::{ByColor, Color, Ruleset, TimeControl, Timestamp};
use storage::challenges::{self, Challenge, ChallengeCursor, Closing, Listing, NewChallenge};
use storage::games::{self, NewGame};
use storage::{ChallengeId, GameId, PageRequest, PlayerId, StorageError, Unique};

use crate::support::{DAY, TestDatabase, at, new_game, on_both, terms};

on_both!(
    a_challenge_is_kept_as_it_was_made,
    lists_show_what_stands,
    pages_hold_each_challenge_once,
    a_challenge_is_closed_once,
    of_two_acceptors_one_gets_a_game,
    an_expired_challenge_is_neither_shown_nor_accepted,
    an_accepted_challenge_has_a_game,
    a_game_has_one_rematch,
);

pub(crate) fn challenge(
    creator: PlayerId,
    opponent: Option<PlayerId>,
    created_at: Timestamp,
) -> NewChallenge {
    NewChallenge {
        id: ChallengeId::generate(created_at),
        creator,
        opponent,
        terms: terms(),
        color: None,
        rated: true,
        private: false,
        created_at,
        expires_at: created_at + DAY,
        rematch_of: None,
    }
}

fn make(db: &TestDatabase, new: NewChallenge) -> ChallengeId {
    db.write(|conn| challenges::create(conn, &new)).id
}

fn ids(db: &TestDatabase, listing: Listing, ruleset: Option<Ruleset>) -> Vec<ChallengeId> {
    let page = PageRequest::first(50);
    let page = db.read(|conn| challenges::list(conn, listing, ruleset, at(100), &page));
    page.items.iter().map(|challenge| challenge.id).collect()
}

fn a_challenge_is_kept_as_it_was_made(db: &TestDatabase) {
    let players = db.pair();
    let mut new = challenge(players.red, Some(players.blue), at(3));
    new.terms.ruleset = Ruleset::OriginalForfeit;
    new.terms.options = Ruleset::OriginalForfeit.default_options();
    new.terms.options.no_progress_plies = Some(1000);
    new.terms.options.rescue = true;
    new.terms.time_control = TimeControl::Fischer {
        initial: 7 * DAY,
        increment: DAY,
        max: 10 * DAY,
    };
    (new.color, new.rated, new.private) = (Some(Color::Blue), false, true);
    (new.terms.vacation, new.terms.weekends) = (false, true);
    let made = db.write(|conn| challenges::create(conn, &new));
    assert_eq!(db.read(|conn| challenges::load(conn, new.id)), made);
    assert_eq!(made.creator.id, players.red);
    assert_eq!(
        made.opponent.as_ref().map(|player| player.id),
        Some(players.blue)
    );
    assert_eq!((made.terms, made.color), (new.terms, new.color));
    assert_eq!((made.rated, made.private), (false, true));
    assert_eq!(
        (made.created_at, made.expires_at),
        (new.created_at, new.expires_at)
    );
    assert!(made.closed.is_none() && made.is_open(at(4)) && !made.is_open(new.expires_at));

    new.id = ChallengeId::generate(at(3));
    new.opponent = Some(new.creator);
    let refused = db.database.write(|conn| challenges::create(conn, &new));
    assert!(matches!(refused, Err(StorageError::Refused(_))));
}

fn lists_show_what_stands(db: &TestDatabase) {
    let players = db.pair();
    let third = db.player("third").id;
    let open = make(db, challenge(players.red, None, at(1)));
    let sent = make(db, challenge(players.red, Some(players.blue), at(2)));
    let received = make(db, challenge(players.blue, Some(players.red), at(3)));
    let elsewhere = make(db, challenge(third, Some(players.blue), at(4)));
    let mut duel = challenge(third, None, at(5));
    duel.terms.ruleset = Ruleset::Duel;
    let duel = make(db, duel);
    let closed = make(db, challenge(players.red, None, at(6)));
    db.write(|conn| challenges::close(conn, closed, Closing::Withdrawn, at(7)));

    assert_eq!(ids(db, Listing::Open, None), [duel, open]);
    assert_eq!(ids(db, Listing::Open, Some(Ruleset::Duel)), [duel]);
    assert_eq!(ids(db, Listing::Incoming(players.red), None), [received]);
    assert_eq!(
        ids(db, Listing::Incoming(players.blue), None),
        [elsewhere, sent]
    );
    assert_eq!(ids(db, Listing::Outgoing(players.red), None), [sent, open]);
    assert_eq!(
        ids(db, Listing::For(players.red), None),
        [duel, received, sent, open]
    );
    assert_eq!(ids(db, Listing::For(third), None), [duel, elsewhere, open]);
}

fn pages_hold_each_challenge_once(db: &TestDatabase) {
    let player = db.player("ney").id;
    let mut expected: Vec<_> = (0..7)
        // The same instant for most of them.
        .map(|n| make(db, challenge(player, None, at(n / 5))))
        .map(|id| db.read(|conn| challenges::load(conn, id)))
        .collect();
    expected.sort_by_key(|challenge| std::cmp::Reverse((challenge.created_at, challenge.id)));
    let page = |page: PageRequest<ChallengeCursor>| {
        let listing = Listing::Outgoing(player);
        db.read(|conn| challenges::list(conn, listing, None, at(100), &page))
    };
    let mut forward: Vec<Challenge> = Vec::new();
    loop {
        let from = forward.last().map(Challenge::cursor);
        let part = page(PageRequest {
            from,
            ..PageRequest::first(3)
        });
        forward.extend(part.items);
        if !part.has_more {
            break;
        }
    }
    assert_eq!(forward, expected);
    let last = page(PageRequest::last(3));
    assert_eq!(last.items, expected[4..]);
    let before = page(PageRequest::before(10, last.items[0].cursor()));
    assert_eq!(
        (before.items.as_slice(), before.has_more),
        (&expected[..4], false)
    );
}

fn a_challenge_is_closed_once(db: &TestDatabase) {
    let players = db.pair();
    let id = make(db, challenge(players.red, Some(players.blue), at(1)));
    db.write(|conn| challenges::decline(conn, id, Some("another time"), at(2)));
    let again = db
        .database
        .write(|conn| challenges::close(conn, id, Closing::Withdrawn, at(3)));
    assert!(matches!(again, Err(StorageError::Conflict)));
    let closed = db.read(|conn| challenges::load(conn, id)).closed;
    assert_eq!(closed, Some((Closing::Declined, at(2))));
}

fn accept(
    db: &TestDatabase,
    challenge: ChallengeId,
    new: &NewGame,
) -> Result<GameId, StorageError> {
    db.database.write(|conn| {
        let game = games::create(conn, new)?.summary.id;
        challenges::close(conn, challenge, Closing::Accepted(game), new.created_at)?;
        Ok(game)
    })
}

fn of_two_acceptors_one_gets_a_game(db: &TestDatabase) {
    let creator = db.player("creator").id;
    let id = make(db, challenge(creator, None, at(0)));
    let acceptors: Vec<_> = (0..6)
        .map(|n| db.player(&format!("acceptor{n}")).id)
        .collect();
    let results: Vec<_> = std::thread::scope(|scope| {
        let racers: Vec<_> = acceptors
            .iter()
            .map(|blue| {
                let new = new_game(ByColor {
                    red: creator,
                    blue: *blue,
                });
                scope.spawn(move || accept(db, id, &new))
            })
            .collect();
        racers
            .into_iter()
            .map(|racer| racer.join().unwrap())
            .collect()
    });
    let won: Vec<_> = results
        .iter()
        .filter_map(|result| result.as_ref().ok())
        .collect();
    assert_eq!(won.len(), 1);
    let lost = results
        .iter()
        .filter(|result| matches!(result, Err(StorageError::Conflict)));
    assert_eq!(lost.count(), 5);
    assert_eq!(db.count("games"), 1);
    let closed = db.read(|conn| challenges::load(conn, id)).closed;
    assert_eq!(closed, Some((Closing::Accepted(*won[0]), at(1))));
}

fn an_expired_challenge_is_neither_shown_nor_accepted(db: &TestDatabase) {
    let players = db.pair();
    let id = make(db, challenge(players.red, None, at(100 - 86_400)));
    let later = make(db, challenge(players.red, None, at(101 - 86_400)));
    assert_eq!(ids(db, Listing::Open, None), [later]);
    let new = NewGame {
        created_at: at(100),
        ..new_game(players)
    };
    assert!(matches!(accept(db, id, &new), Err(StorageError::Conflict)));
    assert_eq!(db.count("games"), 0);
    let closed = db.write(|conn| challenges::close_expired(conn, at(100), 10));
    assert_eq!(closed.count, 1);
    let closed = db.read(|conn| challenges::load(conn, id)).closed;
    assert_eq!(closed, Some((Closing::Expired, at(100))));
    assert!(accept(db, later, &new).is_ok());
}

fn an_accepted_challenge_has_a_game(db: &TestDatabase) {
    let player = db.player("ney").id;
    let id = make(db, challenge(player, None, at(1)));
    let nothing = Closing::Accepted(GameId::generate(at(1)));
    let refused = db
        .database
        .write(|conn| challenges::close(conn, id, nothing, at(2)));
    assert!(
        matches!(refused, Err(StorageError::Corrupt(_))),
        "{refused:?}"
    );
    assert_eq!(db.read(|conn| challenges::load(conn, id)).closed, None);
}

/// C10: of all that both players ask for, one stands or was accepted.
fn a_game_has_one_rematch(db: &TestDatabase) {
    let players = db.pair();
    let game = db.write(|conn| games::create(conn, &new_game(players)));
    let game = game.summary.id;
    let rematch = |creator, opponent, created_at| NewChallenge {
        rematch_of: Some(game),
        ..challenge(creator, Some(opponent), created_at)
    };
    let found = || db.read(|conn| challenges::rematch_of(conn, game));
    assert_eq!(found(), None);
    let first = make(db, rematch(players.red, players.blue, at(1)));
    assert_eq!(
        found().map(|found| (found.id, found.rematch_of)),
        Some((first, Some(game)))
    );
    let refused = |new: &NewChallenge| {
        let refused = db.database.write(|conn| challenges::create(conn, new));
        matches!(refused, Err(StorageError::Duplicate(Unique::Rematch)))
    };
    assert!(refused(&rematch(players.blue, players.red, at(2))));
    db.write(|conn| challenges::decline(conn, first, None, at(3)));
    assert_eq!(found(), None);
    // One that has run out stands in the way until it is closed.
    let second = make(db, rematch(players.blue, players.red, at(4)));
    let early = db
        .database
        .write(|conn| challenges::expire(conn, second, at(5)));
    assert!(matches!(early, Err(StorageError::Conflict)));
    let late = at(4) + DAY;
    assert!(refused(&rematch(players.red, players.blue, late)));
    db.write(|conn| challenges::expire(conn, second, late));
    let third = make(db, rematch(players.red, players.blue, late));
    let new = NewGame {
        created_at: late,
        ..new_game(players)
    };
    accept(db, third, &new).unwrap();
    assert_eq!(found().map(|found| found.id), Some(third));
    assert!(refused(&rematch(players.blue, players.red, late)));
    let open = NewChallenge {
        rematch_of: Some(game),
        ..challenge(players.red, None, at(9))
    };
    let refused = db.database.write(|conn| challenges::create(conn, &open));
    assert!(refused.is_err(), "{refused:?}");
}
