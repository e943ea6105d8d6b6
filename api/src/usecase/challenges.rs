//! Challenges: made, listed, answered.

use domain::{Color, Timestamp};
use storage::challenges::{self, Challenge, ChallengeCursor, Closing, Listing, NewChallenge};
use storage::games::{self, NewGame, StoredGame};
use storage::{
    ChallengeId, Connection, GameId, Page, PageRequest, PlayerId, StorageError, players,
};

use super::accounts::require_active;
use super::blocks::{may_challenge, refuse_blocked};
use super::once::once;
use super::usernames::username_key;
use crate::events::Topic;
use crate::http::idempotency::Idempotency;
use crate::problem::{ApiError, Code, FieldFault};
use crate::state::AppState;
use crate::wire::challenge::{ChallengeRequest, ChallengeTerms};

/// Makes a challenge.
///
/// # Errors
/// 401 for an erased account, 422 for an opponent that there is not, 410 for one who left, 409 for oneself,
/// 403 for one who wants no challenges from the caller or is suspended.
pub fn create(
    state: &AppState,
    caller: PlayerId,
    request: &ChallengeRequest,
    terms: ChallengeTerms,
    key: Option<&Idempotency>,
    now: Timestamp,
) -> Result<Challenge, ApiError> {
    let create = |connection: &mut Connection| {
        require_active(connection, caller)?;
        let opponent = match &request.opponent {
            None => None,
            Some(username) => {
                let opponent = opponent_by_name(connection, caller, username)?;
                may_challenge(connection, caller, opponent)?;
                Some(opponent)
            }
        };
        let new = NewChallenge {
            id: ChallengeId::generate(now),
            creator: caller,
            opponent,
            terms: terms.terms,
            color: request.color.color(),
            rated: request.rated,
            private: request.private,
            created_at: now,
            expires_at: now + terms.expires_in,
            rematch_of: None,
        };
        Ok((new.id.as_uuid(), challenges::create(connection, &new)?))
    };
    let recall = |connection: &mut Connection, id| {
        Ok(challenges::load(connection, ChallengeId::from_uuid(id))?)
    };
    let challenge = once(&state.db, caller, key, now, create, recall)?;
    state.announce(&parties(&challenge));
    Ok(challenge)
}

/// Those whom a challenge concerns.
pub(super) fn parties(challenge: &Challenge) -> Vec<Topic> {
    let parties = [Some(&challenge.creator), challenge.opponent.as_ref()];
    let parties = parties.into_iter().flatten();
    parties.map(|player| Topic::Player(player.id)).collect()
}

fn opponent_by_name(
    connection: &mut Connection,
    caller: PlayerId,
    username: &str,
) -> Result<PlayerId, ApiError> {
    let player = match players::by_username_key(connection, &username_key(username)) {
        Err(StorageError::NotFound) => {
            let detail = "must be the username of a player; there is none of that name".to_owned();
            let code = "unknown_player".into();
            return Err(ApiError::validation(vec![FieldFault {
                field: "opponent".into(),
                code,
                detail,
            }]));
        }
        found => found?,
    };
    if player.id == caller {
        return Err(ApiError::new(
            Code::OwnChallenge,
            "you cannot challenge yourself",
        ));
    }
    if player.erased_at.is_some() {
        return Err(ApiError::new(Code::Gone, "that player has left"));
    }
    if player.suspended_at.is_some() {
        let detail = "that player is suspended and can accept no challenge";
        return Err(ApiError::new(Code::Forbidden, detail));
    }
    Ok(player.id)
}

/// A challenge that the caller may know of: one to a single player is there for the two alone.
///
/// # Errors
/// 404 when there is none.
pub fn find(
    connection: &mut Connection,
    id: ChallengeId,
    caller: Option<PlayerId>,
) -> Result<Challenge, ApiError> {
    let challenge = match challenges::load(connection, id) {
        Err(StorageError::NotFound) => return Err(ApiError::not_found("challenge")),
        found => found?,
    };
    let opponent = challenge.opponent.as_ref().map(|player| player.id);
    let involved = caller.is_some() && (caller == opponent || caller == Some(challenge.creator.id));
    // One that came to nothing is nobody's business any more but of the two.
    let public = opponent.is_none() && challenge.closed.is_none();
    if involved || public {
        Ok(challenge)
    } else {
        Err(ApiError::not_found("challenge"))
    }
}

/// The challenges that stand.
///
/// # Errors
/// When the database fails.
pub fn list(
    connection: &mut Connection,
    listing: Listing,
    ruleset: Option<domain::Ruleset>,
    page: &PageRequest<ChallengeCursor>,
    now: Timestamp,
) -> Result<Page<Challenge>, ApiError> {
    Ok(challenges::list(connection, listing, ruleset, now, page)?)
}

/// Accepts a challenge: it is closed and its game made in one write, so that of two who accept
/// one gets it. `draw_red` draws the challenger's side when the challenge leaves it open.
///
/// # Errors
/// 404 when there is none, 409 for one's own or one that is closed, 410 for one that has expired, 403 when
/// the challenger blocks the caller.
pub fn accept(
    state: &AppState,
    caller: PlayerId,
    id: ChallengeId,
    key: Option<&Idempotency>,
    now: Timestamp,
    draw_red: impl Fn() -> bool,
) -> Result<StoredGame, ApiError> {
    let accept = |connection: &mut Connection| {
        require_active(connection, caller)?;
        let challenge = find_open(connection, id, caller, now)?;
        if challenge.creator.id == caller {
            return Err(ApiError::new(
                Code::OwnChallenge,
                "this challenge is your own",
            ));
        }
        refuse_blocked(connection, caller, challenge.creator.id)?;
        let game = begin(connection, &challenge, caller, now, &draw_red)?;
        Ok((game.as_uuid(), games::load(connection, game)?))
    };
    let recall =
        |connection: &mut Connection, id| Ok(games::load(connection, GameId::from_uuid(id))?);
    let stored = once(&state.db, caller, key, now, accept, recall)?;
    state.announce(&Topic::of_game(&stored.summary));
    Ok(stored)
}

/// Makes the game of a challenge that stands, and closes the challenge.
///
/// # Errors
/// 409 when it was closed meanwhile.
pub(super) fn begin(
    connection: &mut Connection,
    challenge: &Challenge,
    acceptor: PlayerId,
    now: Timestamp,
    draw_red: impl Fn() -> bool,
) -> Result<GameId, ApiError> {
    let drawn = || if draw_red() { Color::Red } else { Color::Blue };
    let challenger = challenge.color.unwrap_or_else(drawn);
    let game = GameId::generate(now);
    let seat = |side| {
        if side == challenger {
            challenge.creator.id
        } else {
            acceptor
        }
    };
    let new = NewGame {
        id: game,
        players: domain::ByColor::from_fn(seat),
        terms: challenge.terms,
        rated: challenge.rated,
        private: challenge.private,
        created_at: now,
    };
    games::create(connection, &new)?;
    close(connection, challenge.id, Closing::Accepted(game), now)?;
    Ok(game)
}

/// Says no to a challenge.
///
/// # Errors
/// As [`accept`]; 403 for one that is open to all.
pub fn decline(
    state: &AppState,
    caller: PlayerId,
    id: ChallengeId,
    reason: Option<&str>,
    now: Timestamp,
) -> Result<(), ApiError> {
    let declined = state.db.write(|connection| {
        require_active(connection, caller)?;
        let challenge = find_open(connection, id, caller, now)?;
        if challenge.creator.id == caller {
            let detail = "this challenge is your own: take it back instead";
            return Err(ApiError::new(Code::OwnChallenge, detail));
        }
        if challenge.opponent.is_none() {
            let detail = "this challenge is open to all: there is nothing to decline";
            return Err(ApiError::new(Code::Forbidden, detail));
        }
        settled(challenges::decline(connection, id, reason, now))?;
        Ok(challenge)
    })?;
    state.announce(&parties(&declined));
    Ok(())
}

/// Takes a challenge back.
///
/// # Errors
/// As [`accept`]; 403 for another's.
pub fn withdraw(
    state: &AppState,
    caller: PlayerId,
    id: ChallengeId,
    now: Timestamp,
) -> Result<(), ApiError> {
    let withdrawn = state.db.write(|connection| {
        require_active(connection, caller)?;
        let challenge = find_open(connection, id, caller, now)?;
        if challenge.creator.id != caller {
            let detail = "only its challenger can take a challenge back";
            return Err(ApiError::new(Code::Forbidden, detail));
        }
        close(connection, id, Closing::Withdrawn, now)?;
        Ok(challenge)
    })?;
    state.announce(&parties(&withdrawn));
    Ok(())
}

/// A challenge that the caller may answer, or could have: open to all, to him, or his own.
///
/// # Errors
/// 404 when there is none.
pub fn find_to_answer(
    connection: &mut Connection,
    id: ChallengeId,
    caller: PlayerId,
) -> Result<Challenge, ApiError> {
    let challenge = match challenges::load(connection, id) {
        Err(StorageError::NotFound) => return Err(ApiError::not_found("challenge")),
        found => found?,
    };
    let opponent = challenge.opponent.as_ref().map(|player| player.id);
    if opponent.is_some_and(|opponent| opponent != caller) && challenge.creator.id != caller {
        return Err(ApiError::not_found("challenge"));
    }
    Ok(challenge)
}

/// A challenge that the caller may answer, while it stands.
fn find_open(
    connection: &mut Connection,
    id: ChallengeId,
    caller: PlayerId,
    now: Timestamp,
) -> Result<Challenge, ApiError> {
    let challenge = find_to_answer(connection, id, caller)?;
    match challenge.closed {
        Some((Closing::Expired, _)) => Err(expired()),
        Some(_) => Err(closed()),
        None if challenge.expires_at <= now => Err(expired()),
        // His challenges vanish with his account; one that was made at the same instant does not begin a
        // game either.
        None if challenge.creator.erased_at.is_some() => {
            Err(ApiError::new(Code::Gone, "the challenger has left"))
        }
        None => Ok(challenge),
    }
}

fn close(
    connection: &mut Connection,
    id: ChallengeId,
    closing: Closing,
    now: Timestamp,
) -> Result<(), ApiError> {
    settled(challenges::close(connection, id, closing, now))
}

fn settled(outcome: Result<(), StorageError>) -> Result<(), ApiError> {
    match outcome {
        Err(StorageError::Conflict) => Err(closed()),
        outcome => Ok(outcome?),
    }
}

pub(super) fn closed() -> ApiError {
    ApiError::new(
        Code::ChallengeClosed,
        "this challenge has been answered or taken back",
    )
}

fn expired() -> ApiError {
    ApiError::new(Code::Gone, "this challenge has expired")
}
