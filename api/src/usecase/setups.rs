//! Saved setups: kept by a player, for that player alone.

use domain::Timestamp;
use storage::saved_setups::{self, SavedSetup};
use storage::{Connection, Database, Page, PageRequest, PlayerId, SetupId, StorageError};

use super::accounts::require_active;
use super::once::once;
use crate::http::idempotency::Idempotency;
use crate::problem::{ApiError, FieldFault};
use crate::wire::setups::SetupToSave;

/// How many setups a player may keep. Writes at the same instant may exceed it by one another: it
/// bounds what is stored, and nothing rests on the number.
const MAX_SAVED: u64 = 100;

/// Saves a setup.
///
/// # Errors
/// 401 for an erased account, 422 when the player keeps as many as may be or the key stands for
/// another request.
pub fn save(
    db: &Database,
    caller: PlayerId,
    wanted: &SetupToSave,
    key: Option<&Idempotency>,
    now: Timestamp,
) -> Result<SavedSetup, ApiError> {
    let create = |connection: &mut Connection| {
        require_active(connection, caller)?;
        if saved_setups::count(connection, caller)? >= MAX_SAVED {
            return Err(too_many());
        }
        let saved = SavedSetup {
            id: SetupId::generate(now),
            name: wanted.name.clone(),
            ruleset: wanted.ruleset,
            setup: wanted.setup,
            created_at: now,
            updated_at: now,
        };
        saved_setups::create(connection, caller, &saved)?;
        Ok((saved.id.as_uuid(), saved))
    };
    let recall = |connection: &mut Connection, id| find(connection, caller, SetupId::from_uuid(id));
    once(db, caller, key, now, create, recall)
}

fn too_many() -> ApiError {
    let detail = format!(
        "cannot be saved: there are {MAX_SAVED} already, the most a player may keep; delete one first"
    );
    ApiError::validation(vec![FieldFault {
        field: "setup".into(),
        code: "too_many".into(),
        detail,
    }])
}

/// One of the caller's setups.
///
/// # Errors
/// 401 for an erased account, 404 when there is none or it is another's.
pub fn find(
    connection: &mut Connection,
    caller: PlayerId,
    id: SetupId,
) -> Result<SavedSetup, ApiError> {
    require_active(connection, caller)?;
    saved_setups::load(connection, caller, id).map_err(named)
}

/// The caller's setups, the newest first.
///
/// # Errors
/// 401 for an erased account.
pub fn list(
    db: &Database,
    caller: PlayerId,
    page: &PageRequest<SetupId>,
) -> Result<Page<SavedSetup>, ApiError> {
    db.read(|connection| {
        require_active(connection, caller)?;
        Ok(saved_setups::list(connection, caller, page)?)
    })
}

/// Replaces one of the caller's setups by what `read` says, which is asked once there is one, and
/// before the write begins, so that nobody waits for it.
///
/// # Errors
/// 401 for an erased account, 404 when there is none or it is another's; those of `read`.
pub fn replace(
    db: &Database,
    caller: PlayerId,
    id: SetupId,
    read: impl FnOnce() -> Result<SetupToSave, ApiError>,
    now: Timestamp,
) -> Result<SavedSetup, ApiError> {
    let before = db.read(|connection| find(connection, caller, id))?;
    let wanted = read()?;
    let saved = SavedSetup {
        name: wanted.name,
        ruleset: wanted.ruleset,
        setup: wanted.setup,
        updated_at: now,
        ..before
    };
    db.write(|connection| saved_setups::update(connection, caller, &saved).map_err(named))?;
    Ok(saved)
}

/// Deletes one of the caller's setups.
///
/// # Errors
/// 401 for an erased account, 404 when there is none or it is another's.
pub fn delete(db: &Database, caller: PlayerId, id: SetupId) -> Result<(), ApiError> {
    db.write(|connection| {
        require_active(connection, caller)?;
        saved_setups::delete(connection, caller, id).map_err(named)
    })
}

fn named(error: StorageError) -> ApiError {
    match error {
        StorageError::NotFound => ApiError::not_found("setup"),
        error => error.into(),
    }
}
