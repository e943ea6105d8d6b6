//! Creating something once, however often the request is sent (`Idempotency-Key`).

use domain::Timestamp;
use storage::idempotency::{self, IdempotencyKey, Remembered};
use storage::{Connection, Database, Digest, PlayerId, StorageError, Unique};
use uuid::Uuid;

use crate::http::idempotency::Idempotency;
use crate::problem::ApiError;

/// A key as a caller uses it.
#[derive(Debug, Clone)]
pub struct Keyed {
    /// The key, with what the request asks for.
    pub request: Idempotency,
    /// Who asks.
    pub caller: PlayerId,
    /// When.
    pub now: Timestamp,
}

impl Keyed {
    /// What the request made when it came before.
    ///
    /// # Errors
    /// 422 when the key stands for another request.
    pub fn made(&self, connection: &mut Connection) -> Result<Option<Uuid>, ApiError> {
        let caller = self.caller.as_uuid();
        match idempotency::find(connection, &self.key(&caller), self.now)? {
            Some(made) if made.fingerprint != self.fingerprint() => Err(Idempotency::reused()),
            made => Ok(made.map(|made| made.resource_id)),
        }
    }

    /// Remembers what the request made, in the write that makes it.
    ///
    /// # Errors
    /// [`Duplicate`](StorageError::Duplicate) of [`Unique::IdempotencyKey`] when the same request
    /// was faster.
    pub fn remember(
        &self,
        connection: &mut Connection,
        resource_id: Uuid,
    ) -> Result<(), StorageError> {
        let caller = self.caller.as_uuid();
        let made = Remembered {
            fingerprint: self.fingerprint(),
            resource_id,
        };
        idempotency::remember(connection, &self.key(&caller), &made, self.now)
    }

    const fn fingerprint(&self) -> Digest {
        Digest(self.request.fingerprint)
    }

    fn key<'a>(&'a self, caller: &'a Uuid) -> IdempotencyKey<'a> {
        IdempotencyKey {
            caller: caller.as_bytes(),
            path: &self.request.path,
            key: &self.request.key,
        }
    }
}

/// Creates something in one write, one after the other with all that holds the caller: what ends all that he
/// has comes before it, or ends this too. With a key, what was created is remembered in the same write,
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
        return db.write_holding(&[caller], |connection| {
            create(connection).map(|(_, created)| created)
        });
    };
    let keyed = Keyed {
        request: request.clone(),
        caller,
        now,
    };
    let written = db.write_holding(&[caller], |connection| {
        if let Some(id) = keyed.made(connection)? {
            return Ok(recall(connection, id)?);
        }
        let (resource_id, created) = create(connection)?;
        match keyed.remember(connection, resource_id) {
            Err(StorageError::Duplicate(Unique::IdempotencyKey)) => Err(Once::Overtaken),
            outcome => Ok(outcome.map(|()| created)?),
        }
    });
    match written {
        Ok(created) => Ok(created),
        Err(Once::Refused(error)) => Err(error),
        // The write of the same request that was faster is there by now.
        Err(Once::Overtaken) => db.read(|connection| match keyed.made(connection)? {
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
