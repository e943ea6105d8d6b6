//! Ratings: read, and what an administrator does when a game should not have counted.

use std::sync::Arc;

use domain::{Ruleset, Timestamp};
use storage::ratings::{self, Annulled, HistoryCursor, MAX_REASON_CHARS, RatingChange, Standing};
use storage::{Connection, GameId, Page, PageRequest, PlayerId, StorageError};

use super::players;
use crate::problem::{ApiError, Code, FieldFault};
use crate::state::AppState;

/// How a player stands, in every pool that he has a game in.
///
/// # Errors
/// As [`players::find`].
pub fn of_player(connection: &mut Connection, username: &str) -> Result<Vec<Standing>, ApiError> {
    let player = players::find(connection, username)?;
    let found = ratings::of_players(connection, &[player.id])?;
    Ok(found.into_iter().map(|(_, standing)| standing).collect())
}

/// A page of a player's history, in one pool or in all, from its beginning.
///
/// # Errors
/// As [`players::find`]; 400 for a place that is not in it.
pub fn history(
    connection: &mut Connection,
    username: &str,
    ruleset: Option<Ruleset>,
    viewer: Option<PlayerId>,
    page: &PageRequest<HistoryCursor>,
) -> Result<Page<RatingChange>, ApiError> {
    let player = players::find(connection, username)?;
    let read = ratings::history(connection, player.id, ruleset, viewer, page);
    read.map_err(|error| match error {
        StorageError::NotFound => {
            let detail = "expected the `next` of an earlier page of this list";
            ApiError::malformed_field("after", detail)
        }
        error => error.into(),
    })
}

/// Annuls a game that is over, within a write of the caller's that says nothing to the database before:
/// see [`ratings::annul`]. Doing it again changes nothing. `reason` is for everyone to see who sees the
/// game.
///
/// # Errors
/// 422 for a reason that is empty, too long or not plain text, 404 when there is no such game, 403
/// when it is not over.
pub fn annul_within(
    connection: &mut Connection,
    id: GameId,
    reason: &str,
    now: Timestamp,
) -> Result<Annulled, ApiError> {
    let reason = readable(reason)?;
    ratings::annul(connection, id, reason, now).map_err(|error| match error {
        StorageError::NotFound => ApiError::not_found("game"),
        StorageError::Conflict => ApiError::new(
            Code::Forbidden,
            "expected a game that is over; this one goes on, or changes at this moment",
        ),
        error => error.into(),
    })
}

/// As [`annul_within`], in a write of its own.
///
/// # Errors
/// As [`annul_within`]; `unavailable` when too much waits.
pub async fn annul(
    state: &Arc<AppState>,
    id: GameId,
    reason: String,
) -> Result<Annulled, ApiError> {
    let (work, now) = (Arc::clone(state), state.now());
    let annul = move || {
        work.db
            .write(|connection| annul_within(connection, id, &reason, now))
    };
    state.database_work.try_run(annul).await
}

fn readable(reason: &str) -> Result<&str, ApiError> {
    let reason = reason.trim();
    let length = reason.chars().count();
    let detail = if length == 0 || length > MAX_REASON_CHARS {
        format!("expected 1 to {MAX_REASON_CHARS} characters, got {length}")
    } else if reason.chars().any(char::is_control) {
        "expected text without control characters".to_owned()
    } else {
        return Ok(reason);
    };
    Err(ApiError::validation(vec![FieldFault {
        field: "reason".to_owned(),
        code: "out_of_range".to_owned(),
        detail,
    }]))
}
