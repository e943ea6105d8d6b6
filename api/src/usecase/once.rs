//! Creating something once, however often the request is sent (`Idempotency-Key`).

use domain::Timestamp;
use storage::idempotency::{self, IdempotencyKey, Remembered};
use storage::{Connection, Database, Digest, PlayerId, StorageError, Unique};
use uuid::Uuid;

use crate::http::idempotency::Idempotency;
use crate::problem::ApiError;

/// Creates something in one write. With a key, what was created is remembered in the same write,
/// and a retry finds it: `recall` gives it as it is now.
///
/// # Errors
/// 422 when the key stands for another request; those of `create` and `recall`.
pub fn once<T>(
    db: &Database,
    caller: PlayerId,
    key: Option<&Idempotency>,
    now: Timestamp,
    mut create: impl FnMut(&mut Connection) -> Result<(Uuid, T), ApiError>,
    recall: impl Fn(&mut Connection, Uuid) -> Result<T, ApiError>,
) -> Result<T, ApiError> {
    let Some(request) = key else {
        return db.write(|connection| create(connection).map(|(_, created)| created));
    };
    let caller = caller.as_uuid();
    let key = IdempotencyKey {
        caller: caller.as_bytes(),
        path: &request.path,
        key: &request.key,
    };
    let fingerprint = Digest(request.fingerprint);
    let remembered = |connection: &mut Connection| -> Result<Option<Uuid>, ApiError> {
        match idempotency::find(connection, &key, now)? {
            Some(made) if made.fingerprint != fingerprint => Err(Idempotency::reused()),
            made => Ok(made.map(|made| made.resource_id)),
        }
    };
    let written = db.write(|connection| {
        if let Some(id) = remembered(connection)? {
            return Ok(recall(connection, id)?);
        }
        let (resource_id, created) = create(connection)?;
        let made = Remembered {
            fingerprint,
            resource_id,
        };
        match idempotency::remember(connection, &key, &made, now) {
            Err(StorageError::Duplicate(Unique::IdempotencyKey)) => Err(Once::Overtaken),
            outcome => Ok(outcome.map(|()| created)?),
        }
    });
    match written {
        Ok(created) => Ok(created),
        Err(Once::Refused(error)) => Err(error),
        // The write of the same request that was faster is there by now.
        Err(Once::Overtaken) => db.read(|connection| match remembered(connection)? {
            Some(id) => recall(connection, id),
            None => Err(StorageError::Conflict.into()),
        }),
    }
}

/// Why the write came to nothing.
enum Once {
    Refused(ApiError),
    Overtaken,
}

impl From<ApiError> for Once {
    fn from(error: ApiError) -> Self {
        Self::Refused(error)
    }
}

impl From<StorageError> for Once {
    fn from(error: StorageError) -> Self {
        Self::Refused(error.into())
    }
}
