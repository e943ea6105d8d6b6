//! Rematches: a game that is over, played again with the sides exchanged.

use domain::{Color, Timestamp};
use storage::challenges::{self, Challenge, Closing, NewChallenge};
use storage::games::GameSummary;
use storage::{ChallengeId, Connection, GameId, PlayerId, StorageError, Unique};

use super::accounts::require_active;
use super::blocks::refuse_blocked;
use super::challenges::{begin, closed, parties};
use super::games::find_for_player;
use super::once::once;
use crate::events::Topic;
use crate::http::idempotency::Idempotency;
use crate::problem::{ApiError, Code, RETRY_SOON};
use crate::state::AppState;
use crate::wire::challenge::DEFAULT_EXPIRY;

/// How often a decision is taken anew because the other player was faster.
const ATTEMPTS: usize = 8;

/// What became of asking for a rematch.
#[derive(Debug)]
pub struct Rematch {
    /// The rematch as it stands.
    pub challenge: Challenge,
    /// Whether the request made the challenge, or the game of it.
    pub is_new: bool,
}

impl Rematch {
    /// The game of it, once both want it.
    pub const fn game(&self) -> Option<GameId> {
        match self.challenge.closed {
            Some((Closing::Accepted(game), _)) => Some(game),
            _ => None,
        }
    }
}

/// Asks the opponent for a rematch, or agrees to the one that he has asked for. A game has one
/// rematch: whoever asks again gets what there is. One that was declined, taken back or has expired
/// leaves nothing behind.
///
/// # Errors
/// 404 and 403 as for all that is done in a game, 409 while it is not over, 410 when the opponent has
/// left, 403 when he blocks the caller, 422 when the key stands for another request.
pub fn ask(
    state: &AppState,
    caller: PlayerId,
    game: GameId,
    key: Option<&Idempotency>,
    now: Timestamp,
) -> Result<Rematch, ApiError> {
    let ask = |connection: &mut Connection| {
        require_active(connection, caller)?;
        let (stored, side) = find_for_player(connection, &state.games, game, caller)?;
        let rematch = decide(connection, &stored.summary, side, now)?;
        Ok((rematch.challenge.id.as_uuid(), rematch))
    };
    let recall = |connection: &mut Connection, id| {
        let challenge = challenges::load(connection, ChallengeId::from_uuid(id))?;
        let is_new = true;
        Ok(Rematch { challenge, is_new })
    };
    for _ in 0..ATTEMPTS {
        match once(&state.db, caller, key, now, ask, recall) {
            // The other one asked, agreed or took back at the same instant.
            Err(fault) if fault.code() == Code::ChallengeClosed => {}
            Err(fault) => return Err(fault),
            Ok(rematch) => {
                let game = rematch.game().map(Topic::Game);
                let topics: Vec<Topic> = parties(&rematch.challenge)
                    .into_iter()
                    .chain(game)
                    .collect();
                state.announce(&topics);
                return Ok(rematch);
            }
        }
    }
    Err(ApiError::unavailable(
        "the rematch changes too fast; try again",
        RETRY_SOON,
    ))
}

/// What comes of a player's wish to play this game again.
fn decide(
    connection: &mut Connection,
    game: &GameSummary,
    side: Color,
    now: Timestamp,
) -> Result<Rematch, ApiError> {
    if !game.status.is_over() {
        let detail = "a rematch can be asked for when this game is over";
        return Err(ApiError::new(Code::GameNotActive, detail));
    }
    let (caller, opponent) = (&game.players[side], &game.players[!side]);
    if opponent.erased_at.is_some() {
        return Err(ApiError::new(Code::Gone, "your opponent has left"));
    }
    refuse_blocked(connection, caller.id, opponent.id)?;
    let standing = match challenges::rematch_of(connection, game.id)? {
        Some(expired) if expired.closed.is_none() && !expired.is_open(now) => {
            challenges::expire(connection, expired.id, now).map_err(overtaken)?;
            None
        }
        standing => standing,
    };
    match standing {
        Some(asked) if asked.closed.is_none() && asked.creator.id != caller.id => {
            // The sides are settled: nothing is drawn.
            begin(connection, &asked, caller.id, now, || true)?;
            Ok(Rematch {
                challenge: challenges::load(connection, asked.id)?,
                is_new: true,
            })
        }
        Some(challenge) => Ok(Rematch {
            challenge,
            is_new: false,
        }),
        None => {
            let new = NewChallenge {
                id: ChallengeId::generate(now),
                creator: caller.id,
                opponent: Some(opponent.id),
                terms: game.terms,
                color: Some(!side),
                rated: game.rated,
                private: game.private,
                created_at: now,
                expires_at: now + DEFAULT_EXPIRY,
                rematch_of: Some(game.id),
            };
            Ok(Rematch {
                challenge: challenges::create(connection, &new).map_err(overtaken)?,
                is_new: true,
            })
        }
    }
}

/// That somebody else was faster, as the refusal after which it is decided anew.
fn overtaken(fault: StorageError) -> ApiError {
    match fault {
        StorageError::Conflict | StorageError::Duplicate(Unique::Rematch) => closed(),
        fault => fault.into(),
    }
}
