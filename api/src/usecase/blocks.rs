//! Whom a player wants nothing from: blocks, and who may challenge him.

use domain::Timestamp;
use storage::blocks::{self, Blocked};
use storage::challenges;
use storage::{Connection, Database, Page, PageRequest, PlayerId, games};

use super::accounts::{preferences, require_active};
use super::players::find;
use crate::events::Topic;
use crate::problem::{ApiError, Code, FieldFault};
use crate::state::AppState;
use crate::wire::account::Challengers;

/// How many players one may block. Requests at the same instant may exceed it by one another: it bounds
/// what is stored, and nothing rests on the number.
const MAX_BLOCKED: u64 = 1_000;

/// Blocks a player. What the two have challenged each other to is closed; games between them go on.
///
/// # Errors
/// 404 for a name that nobody has, 410 for an erased account, 403 for oneself, 422 when the caller blocks
/// as many as may be.
pub fn block(
    state: &AppState,
    caller: PlayerId,
    username: &str,
    now: Timestamp,
) -> Result<(), ApiError> {
    let other = state.db.read(|connection| {
        require_active(connection, caller)?;
        find(connection, username).map(|other| other.id)
    })?;
    if other == caller {
        let detail = "you cannot block yourself";
        return Err(ApiError::new(Code::Forbidden, detail));
    }
    // What the two make at this moment is closed with the rest, or they hear of the block.
    let concerned = state.db.write_holding(&[caller, other], |connection| {
        require_active(connection, caller)?;
        if blocks::count(connection, caller)? >= MAX_BLOCKED {
            return Err(too_many());
        }
        blocks::block(connection, caller, other, now)?;
        Ok(challenges::close_between(connection, caller, other, now)?)
    })?;
    let topics: Vec<Topic> = concerned.into_iter().map(Topic::Player).collect();
    state.announce(&topics);
    Ok(())
}

/// Blocks a player no longer, if he was blocked.
///
/// # Errors
/// 404 for a name that nobody has, 410 for an erased account.
pub fn unblock(db: &Database, caller: PlayerId, username: &str) -> Result<(), ApiError> {
    db.write(|connection| {
        require_active(connection, caller)?;
        let other = find(connection, username)?.id;
        blocks::unblock(connection, caller, other)?;
        Ok(())
    })
}

/// Those whom the caller blocks.
///
/// # Errors
/// 401 for an erased account.
pub fn list(
    db: &Database,
    caller: PlayerId,
    page: &PageRequest<PlayerId>,
) -> Result<Page<Blocked>, ApiError> {
    db.read(|connection| {
        require_active(connection, caller)?;
        Ok(blocks::list(connection, caller, page)?)
    })
}

/// Refuses a challenge to a player who blocks the challenger, is blocked by him, or wants none from him.
///
/// # Errors
/// 403.
pub fn may_challenge(
    connection: &mut Connection,
    challenger: PlayerId,
    opponent: PlayerId,
) -> Result<(), ApiError> {
    refuse_blocked(connection, challenger, opponent)?;
    if blocks::is_blocked(connection, challenger, opponent)? {
        let detail = "you block this player, who cannot accept: unblock him first";
        return Err(ApiError::new(Code::Forbidden, detail));
    }
    let wanted = match preferences(connection, opponent)?.challenges {
        Challengers::Anyone => true,
        Challengers::Opponents => games::have_met(connection, opponent, challenger)?,
        Challengers::Nobody => false,
    };
    if wanted {
        return Ok(());
    }
    Err(ApiError::new(
        Code::Forbidden,
        "this player takes no challenges from you: that is his preference",
    ))
}

/// Refuses what a player wants of another who blocks him: to accept his open challenge, or to offer him
/// something in a game.
///
/// # Errors
/// 403.
pub fn refuse_blocked(
    connection: &mut Connection,
    player: PlayerId,
    other: PlayerId,
) -> Result<(), ApiError> {
    if blocks::is_blocked(connection, other, player)? {
        return Err(ApiError::new(Code::Forbidden, "this player blocks you"));
    }
    Ok(())
}

fn too_many() -> ApiError {
    let detail =
        format!("cannot be blocked: you block {MAX_BLOCKED} already, the most there may be");
    ApiError::validation(vec![FieldFault {
        field: "username".into(),
        code: "too_many".into(),
        detail,
    }])
}
