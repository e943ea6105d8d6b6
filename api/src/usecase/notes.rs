//! Notes: kept by a player on a game that he may see, whether he plays it or not, for himself alone.

use domain::Timestamp;
use storage::notes::{self, Note};
use storage::{Connection, GameId, PlayerId};

use super::accounts::require_active;
use super::games::find;
use crate::problem::{ApiError, FieldFault};
use crate::state::AppState;

/// On how many games a player may keep notes. Writes at the same instant may exceed it by one another:
/// it bounds what is stored, and nothing rests on the number.
const MAX_NOTES: u64 = 2_000;

/// What the caller has noted on a game, if anything.
///
/// # Errors
/// 401 for an erased account, 404 for a game that the caller may not know of.
pub fn read(state: &AppState, caller: PlayerId, game: GameId) -> Result<Option<Note>, ApiError> {
    state.db.read(|connection| {
        admit(connection, state, caller, game)?;
        Ok(notes::load(connection, caller, game)?)
    })
}

/// Notes on a game what `text` says, which is asked once the game is found; an empty text takes the
/// note away.
///
/// # Errors
/// As [`read`]; 422 when the caller keeps as many notes as may be; those of `text`.
pub fn write(
    state: &AppState,
    caller: PlayerId,
    game: GameId,
    text: impl FnOnce() -> Result<String, ApiError>,
    now: Timestamp,
) -> Result<Option<Note>, ApiError> {
    // Before the write begins, so that nobody waits for the body to be read.
    state
        .db
        .read(|connection| admit(connection, state, caller, game))?;
    let text = text()?;
    if text.is_empty() {
        delete(state, caller, game)?;
        return Ok(None);
    }
    let note = Note {
        text,
        updated_at: now,
    };
    state.db.write(|connection| {
        require_active(connection, caller)?;
        if notes::count_others(connection, caller, game)? >= MAX_NOTES {
            return Err(too_many());
        }
        Ok(notes::save(connection, caller, game, &note)?)
    })?;
    Ok(Some(note))
}

/// Takes away what the caller noted on a game; nothing happens where there is nothing.
///
/// # Errors
/// As [`read`].
pub fn delete(state: &AppState, caller: PlayerId, game: GameId) -> Result<(), ApiError> {
    state.db.write(|connection| {
        admit(connection, state, caller, game)?;
        Ok(notes::delete(connection, caller, game)?)
    })
}

/// Whether the caller may see the game.
fn admit(
    connection: &mut Connection,
    state: &AppState,
    caller: PlayerId,
    game: GameId,
) -> Result<(), ApiError> {
    require_active(connection, caller)?;
    find(connection, &state.games, game, Some(caller)).map(drop)
}

fn too_many() -> ApiError {
    let detail = format!(
        "cannot be kept: there are notes on {MAX_NOTES} other games, the most that a player may keep; \
         delete one first"
    );
    ApiError::validation(vec![FieldFault {
        field: "text".into(),
        code: "too_many".into(),
        detail,
    }])
}
