//! Personal tokens, and how what a player shows for himself ends.

use std::time::Duration;

use domain::Timestamp;
use storage::credentials::{self, Ended};
use storage::personal_tokens::{self, PersonalToken};
use storage::sessions::{self, NewFamily};
use storage::tickets::{self, NewTicket};
use storage::{CredentialId, Digest, FamilyId, PlayerId, TokenId};

use crate::support::{DAY, TestDatabase, at, on_both};

on_both!(
    a_token_is_found_by_its_digest_until_it_ends,
    the_use_of_a_token_is_noted_now_and_then,
    tokens_go_some_time_after_their_end,
    all_that_a_player_shows_for_himself_ends_at_once,
    a_login_is_ended_by_its_player_alone,
);

const HOUR: Duration = Duration::from_hours(1);

fn make(
    db: &TestDatabase,
    owner: PlayerId,
    number: u8,
    expires_at: Option<Timestamp>,
) -> PersonalToken {
    let token = PersonalToken {
        id: TokenId::generate(at(number.into())),
        name: format!("token {number}"),
        scopes: "play read".to_owned(),
        created_at: at(number.into()),
        expires_at,
        last_used_at: None,
    };
    let digest = Digest([number; 32]);
    db.write(|conn| personal_tokens::create(conn, owner, &token, digest));
    token
}

fn log_in(db: &TestDatabase, player_id: PlayerId, number: u8) -> FamilyId {
    let id = FamilyId::generate(at(number.into()));
    let new = NewFamily {
        id,
        player_id,
        token: Digest([number; 32]),
        created_at: at(0),
        expires_at: at(0) + DAY,
        user_agent: Some("a browser".to_owned()),
    };
    db.write(|conn| sessions::start(conn, &new));
    id
}

fn ask_for_ticket(db: &TestDatabase, player_id: PlayerId, number: u8, by: CredentialId) {
    let new = NewTicket {
        player_id,
        ticket: Digest([number; 32]),
        expires_at: at(60),
        stream_until: at(900),
        credential: Some(by),
    };
    db.write(|conn| tickets::issue(conn, &new));
}

fn a_token_is_found_by_its_digest_until_it_ends(db: &TestDatabase) {
    let (player, other) = (db.player("ney"), db.player("soult"));
    let token = make(db, player.id, 1, Some(at(100)));
    let second = make(db, player.id, 2, None);
    make(db, other.id, 3, None);
    let find = |byte| db.read(|conn| personal_tokens::by_digest(conn, Digest([byte; 32])));
    assert_eq!(find(1), Some((token.clone(), player.clone())));
    assert_eq!(find(9), None);
    let list = db.read(|conn| personal_tokens::list(conn, player.id));
    assert_eq!(list, [second, token.clone()]);
    let end = |owner| db.write(|conn| credentials::end_token(conn, owner, token.id, at(5)));
    assert!(!end(other.id), "another's is as good as none");
    assert_eq!((end(player.id), end(player.id)), (true, false));
    assert_eq!(find(1), None);
    let list = db.read(|conn| personal_tokens::list(conn, player.id));
    assert_eq!(list.len(), 1);
}

fn the_use_of_a_token_is_noted_now_and_then(db: &TestDatabase) {
    let player = db.player("ney").id;
    let token = make(db, player, 1, None);
    let noted = |now| {
        db.write(|conn| personal_tokens::note_use(conn, player, token.id, now, HOUR));
        db.read(|conn| personal_tokens::load(conn, player, token.id))
            .last_used_at
    };
    assert_eq!(noted(at(10)), Some(at(10)));
    assert_eq!(noted(at(3_609)), Some(at(10)));
    assert_eq!(noted(at(3_610)), Some(at(3_610)));
}

fn tokens_go_some_time_after_their_end(db: &TestDatabase) {
    let player = db.player("ney").id;
    let (ended, _expired, _lasting) = (
        make(db, player, 1, None),
        make(db, player, 2, Some(at(100))),
        make(db, player, 3, None),
    );
    db.write(|conn| credentials::end_token(conn, player, ended.id, at(100)));
    let kept = i64::try_from(personal_tokens::KEPT.as_secs()).unwrap();
    let forget = |now| db.write(|conn| personal_tokens::forget_old(conn, now, 10));
    assert_eq!(forget(at(99 + kept)), 0);
    assert_eq!(forget(at(100 + kept)), 2);
    assert_eq!(db.count("personal_tokens"), 1);
}

fn all_that_a_player_shows_for_himself_ends_at_once(db: &TestDatabase) {
    let (player, other) = (db.player("ney").id, db.player("soult").id);
    let (kept, login) = (log_in(db, player, 1), log_in(db, player, 2));
    let (token, elsewhere) = (make(db, player, 3, None).id, log_in(db, other, 4));
    ask_for_ticket(db, player, 1, kept.into());
    ask_for_ticket(db, player, 2, login.into());
    ask_for_ticket(db, player, 3, token.into());
    ask_for_ticket(db, other, 4, elsewhere.into());
    let ended = db.write(|conn| credentials::end_all(conn, player, Some(kept), at(5)));
    assert_eq!(ended, [login.into(), token.into()]);
    let listed = db.read(|conn| sessions::list(conn, player, at(6)));
    assert_eq!(listed.len(), 1);
    assert_eq!(listed[0].id, kept);
    assert_eq!(listed[0].user_agent.as_deref(), Some("a browser"));
    let spend = |player, byte| {
        db.write(|conn| tickets::spend(conn, player, Digest([byte; 32]), at(6)))
            .and_then(|spent| spent.credential)
    };
    assert_eq!((spend(player, 2), spend(player, 3)), (None, None));
    assert_eq!(spend(player, 1), Some(kept.into()));
    assert_eq!(spend(other, 4), Some(elsewhere.into()));
    let heard = |since| db.read(|conn| credentials::ended_since(conn, since));
    let expected = [login.into(), token.into()].map(|credential: CredentialId| Ended {
        player,
        credential,
        at: at(5),
    });
    assert_eq!(heard(at(5)), expected);
    assert_eq!(heard(at(6)), []);
    assert_eq!(
        db.write(|conn| credentials::end_all(conn, player, None, at(7))),
        [kept.into()]
    );
}

fn a_login_is_ended_by_its_player_alone(db: &TestDatabase) {
    let (player, other) = (db.player("ney").id, db.player("soult").id);
    let (kept, login) = (log_in(db, player, 1), log_in(db, player, 2));
    let end = |player| db.write(|conn| credentials::end_session(conn, player, login, at(5)));
    assert_eq!((end(other), end(player), end(player)), (false, true, false));
    let third = log_in(db, player, 3);
    let ended = db.write(|conn| credentials::end_other_sessions(conn, player, kept, at(6)));
    assert_eq!(ended, [CredentialId::from(third)]);
}
