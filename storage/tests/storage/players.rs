use storage::challenges::{self, NewChallenge};
use storage::players::{self, AccountChange, HOUSE_BOT, NewPlayer, PlayerCursor, Title};
use storage::saved_setups;
use storage::sessions::{self, NewFamily};
use storage::{
    ChallengeId, CredentialId, Digest, FamilyId, PageRequest, PlayerId, StorageError, Unique,
};
use storage::{blocks, erasure};

use crate::saved_setups::saved;
use crate::support::{DAY, TestDatabase, at, new_player, on_both, terms};

on_both!(
    a_player_is_found_by_identity_and_name,
    a_name_is_taken_once,
    the_house_bot_is_made_once_and_has_its_title,
    a_player_with_the_name_of_the_house_bot_is_none,
    of_registrations_that_race_one_wins,
    names_are_searched_by_their_beginning,
    an_account_changes_in_parts,
    an_erased_account_leaves_its_row_and_nothing_else,
    a_password_is_replaced_by_who_knows_it,
);

/// A table that is added says what becomes of it when its player leaves.
#[test]
fn of_each_table_that_names_a_player_it_is_said_what_goes_with_him() {
    let kept = erasure::KEPT.iter().map(|(table, _)| *table);
    let said: Vec<&str> = erasure::TAKEN.iter().copied().chain(kept).collect();
    for table in storage::archive::TABLES {
        let names = table.columns.iter().any(|one| one.name == "player_id");
        assert_eq!(
            said.contains(&table.name),
            names,
            "say in storage/src/erasure.rs what becomes of {}",
            table.name
        );
    }
}

fn a_password_is_replaced_by_who_knows_it(db: &TestDatabase) {
    let id = db.player("ney").id;
    let hash = || db.read(|conn| players::password_hash(conn, id));
    let replace = |old: &str, new: &str| {
        db.database
            .write(|conn| players::replace_password(conn, id, old, new))
    };
    replace("$argon2id$", "b").unwrap();
    let refused = replace("$argon2id$", "c");
    assert!(
        matches!(refused, Err(StorageError::Conflict)),
        "{refused:?}"
    );
    assert_eq!(hash().as_deref(), Some("b"));
    db.write(|conn| players::set_password(conn, id, "d"));
    assert_eq!(hash().as_deref(), Some("d"));
}

fn a_player_is_found_by_identity_and_name(db: &TestDatabase) {
    let new = NewPlayer {
        username: "Marshal_Ney",
        username_key: "marshal_ney",
        email: Some("ney@example.org"),
        preferences: r#"{"language":"fr"}"#,
        ..new_player("")
    };
    let created = db.write(|conn| players::create(conn, &new));
    assert_eq!(created.username, "Marshal_Ney");
    assert_eq!(db.read(|conn| players::by_id(conn, new.id)), created);
    assert_eq!(
        db.read(|conn| players::by_username_key(conn, "marshal_ney")),
        created
    );
    let account = db.read(|conn| players::account(conn, new.id));
    assert_eq!(account.player, created);
    assert_eq!(account.email.as_deref(), Some("ney@example.org"));
    assert_eq!(account.preferences, r#"{"language":"fr"}"#);
    let credentials = db.read(|conn| players::credentials(conn, "marshal_ney"));
    assert_eq!(credentials.player, created);
    assert_eq!(credentials.password_hash.as_deref(), Some("$argon2id$"));

    let others = [db.player("a"), db.player("b"), db.player("c")];
    let ids: Vec<PlayerId> = others.iter().map(|player| player.id).collect();
    for wanted in 0..=3 {
        let mut found = db.read(|conn| players::by_ids(conn, &ids[..wanted]));
        found.sort_by(|a, b| a.username.cmp(&b.username));
        assert_eq!(found, others[..wanted]);
    }
    for missing in [
        db.database
            .read(|conn| players::by_id(conn, PlayerId::generate(at(0)))),
        db.database
            .read(|conn| players::by_username_key(conn, "Marshal_Ney")),
    ] {
        assert!(matches!(missing, Err(StorageError::NotFound)));
    }
}

/// D26: what counts as the same name is the caller's to say; it is said once for both databases.
fn a_name_is_taken_once(db: &TestDatabase) {
    db.player("marshal");
    let new = NewPlayer {
        username: "MARSHAL",
        ..new_player("marshal")
    };
    let taken = db.database.write(|conn| players::create(conn, &new));
    assert!(matches!(
        taken,
        Err(StorageError::Duplicate(Unique::Username))
    ));
    assert_eq!(db.count("players"), 1);
}

fn the_house_bot_is_made_once_and_has_its_title(db: &TestDatabase) {
    let make = || db.write(|conn| players::house_bot(conn, PlayerId::generate(at(0)), at(0)));
    let bot = make();
    assert_eq!(make(), bot);
    assert_eq!(bot.title, Some(Title::Bot));
    let found = db.read(|conn| players::by_username_key(conn, HOUSE_BOT));
    assert_eq!(found, bot);
    let credentials = db.read(|conn| players::credentials(conn, HOUSE_BOT));
    assert_eq!(credentials.password_hash, None);
    assert_eq!(db.count("players"), 1);
}

fn a_player_with_the_name_of_the_house_bot_is_none(db: &TestDatabase) {
    assert_eq!(db.player(HOUSE_BOT).title, None);
    let id = PlayerId::generate(at(0));
    let refused = db
        .database
        .write(|conn| players::house_bot(conn, id, at(0)));
    assert!(matches!(refused, Err(StorageError::Conflict)));
}

fn of_registrations_that_race_one_wins(db: &TestDatabase) {
    let results: Vec<_> = std::thread::scope(|scope| {
        let racers: Vec<_> = (0..8)
            .map(|_| {
                scope.spawn(|| {
                    let new = new_player("marshal");
                    db.database.write(|conn| players::create(conn, &new))
                })
            })
            .collect();
        racers
            .into_iter()
            .map(|racer| racer.join().unwrap())
            .collect()
    });
    let (won, lost): (Vec<_>, Vec<_>) = results.into_iter().partition(Result::is_ok);
    assert_eq!((won.len(), lost.len()), (1, 7));
    for result in lost {
        assert!(
            matches!(result, Err(StorageError::Duplicate(Unique::Username))),
            "{result:?}"
        );
    }
}

fn names_are_searched_by_their_beginning(db: &TestDatabase) {
    for name in ["bo", "b_1", "b-1", "b1", "ba", "c", "a", "bz9"] {
        db.player(name);
    }
    let names = |prefix: &str, page: PageRequest<PlayerCursor>| {
        let page = db.read(|conn| players::search(conn, prefix, &page));
        let names: Vec<String> = page
            .items
            .into_iter()
            .map(|found| found.player.username)
            .collect();
        (names.join(" "), page.has_more)
    };
    let cursor = |name: &str| PlayerCursor(name.to_owned());
    // Byte by byte, as no locale of a server would have it.
    let all = |page| names("b", page);
    assert_eq!(
        all(PageRequest::first(10)),
        ("b-1 b1 b_1 ba bo bz9".to_owned(), false)
    );
    assert_eq!(all(PageRequest::first(2)), ("b-1 b1".to_owned(), true));
    assert_eq!(
        all(PageRequest::after(2, cursor("b1"))),
        ("b_1 ba".to_owned(), true)
    );
    assert_eq!(
        all(PageRequest::after(2, cursor("ba"))),
        ("bo bz9".to_owned(), false)
    );
    assert_eq!(all(PageRequest::last(2)), ("bo bz9".to_owned(), true));
    assert_eq!(
        all(PageRequest::before(3, cursor("ba"))),
        ("b-1 b1 b_1".to_owned(), false)
    );
    assert_eq!(names("", PageRequest::first(1)), ("a".to_owned(), true));
    assert_eq!(names("%", PageRequest::first(1)), (String::new(), false));
    assert_eq!(
        names("b_", PageRequest::first(9)),
        ("b_1".to_owned(), false)
    );
}

fn an_account_changes_in_parts(db: &TestDatabase) {
    let id = db.player("ney").id;
    let change = |change: AccountChange<'_>| db.write(|conn| players::update(conn, id, &change));
    let first = change(AccountChange {
        email: Some(Some("ney@example.org")),
        preferences: None,
    });
    assert_eq!(first.email.as_deref(), Some("ney@example.org"));
    assert_eq!(first.preferences, "{}");
    let second = change(AccountChange {
        email: None,
        preferences: Some(r#"{"a":1}"#),
    });
    assert_eq!(second.email.as_deref(), Some("ney@example.org"));
    let third = change(AccountChange {
        email: Some(None),
        preferences: None,
    });
    assert_eq!(third.email, None);
    assert_eq!(third.preferences, r#"{"a":1}"#);
    assert_eq!(db.read(|conn| players::account(conn, id)), third);
}

fn an_erased_account_leaves_its_row_and_nothing_else(db: &TestDatabase) {
    let (gone, other) = (db.player("ney").id, db.player("soult").id);
    let family = FamilyId::generate(at(0));
    let challenge = |creator, opponent| NewChallenge {
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
    let own = challenge(gone, None);
    let received = challenge(other, Some(gone));
    let refused = challenge(other, Some(gone));
    let unrelated = challenge(other, None);
    db.write(|conn| {
        sessions::start(
            conn,
            &NewFamily {
                id: family,
                player_id: gone,
                token: Digest([1; 32]),
                created_at: at(0),
                expires_at: at(0) + DAY,
                user_agent: Some("a browser".to_owned()),
            },
        )?;
        for new in [own, received, refused, unrelated] {
            challenges::create(conn, &new)?;
        }
        challenges::decline(conn, refused.id, Some("not you"), at(1))?;
        blocks::block(conn, gone, other, at(1))?;
        blocks::block(conn, other, gone, at(1))?;
        saved_setups::create(conn, gone, &saved("mine", 0))?;
        saved_setups::create(conn, other, &saved("hers", 0))
    });
    let erased = db.write(|conn| players::erase(conn, gone, "deleted-1", "deleted-1", at(5)));
    assert_eq!(erased.ended, [CredentialId::from(family)]);
    assert!(erased.concerned.contains(&other), "{erased:?}");
    assert_eq!(db.count("player_blocks"), 0);
    assert_eq!(db.count("refresh_families WHERE user_agent IS NOT NULL"), 0);
    let declined = db.read(|conn| challenges::load(conn, refused.id));
    assert_eq!(declined.decline_reason, None);
    let account = db.read(|conn| players::account(conn, gone));
    assert_eq!(account.player.username, "deleted-1");
    assert_eq!(account.player.erased_at, Some(at(5)));
    assert_eq!((account.email, account.preferences.as_str()), (None, "{}"));
    let credentials = db.read(|conn| players::credentials(conn, "deleted-1"));
    assert!(credentials.password_hash.is_none());
    assert!(!db.read(|conn| sessions::lasts(conn, family, at(5))));
    let closed = |id| db.read(|conn| challenges::load(conn, id)).closed;
    assert_eq!(
        closed(own.id),
        Some((challenges::Closing::Withdrawn, at(5)))
    );
    assert_eq!(
        closed(received.id),
        Some((challenges::Closing::Declined, at(5)))
    );
    assert_eq!(closed(unrelated.id), None);
    let found = db.read(|conn| players::search(conn, "", &PageRequest::first(9)));
    assert_eq!(found.items.len(), 1);
    assert_eq!(db.read(|conn| saved_setups::count(conn, gone)), 0);
    assert_eq!(db.read(|conn| saved_setups::count(conn, other)), 1);
    // The name is free again, for somebody else.
    assert_ne!(db.player("ney").id, gone);
    let again = db
        .database
        .write(|conn| players::erase(conn, gone, "d", "d", at(6)));
    assert!(matches!(again, Err(StorageError::Conflict)));
    let change = AccountChange {
        email: Some(Some("x@example.org")),
        preferences: None,
    };
    let changed = db
        .database
        .write(|conn| players::update(conn, gone, &change));
    assert!(matches!(changed, Err(StorageError::NotFound)));
}
