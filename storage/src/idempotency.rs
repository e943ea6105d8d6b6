//! What requests with an `Idempotency-Key` made: kept in the write that made it, so that either both
//! are there or neither is.

use std::time::Duration;

use diesel::prelude::*;
use diesel::sql_types::BigInt;
use domain::Timestamp;
use uuid::Uuid;

use crate::either::DatabaseConnection as Connection;
use crate::error::StorageError;
use crate::ids::{AnyId, Digest};
use crate::schema::idempotency_keys;
use crate::time::{before, micros};

/// How long an answer is remembered.
pub const REMEMBERED: Duration = Duration::from_hours(24);

/// A key as one caller uses it on one path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IdempotencyKey<'a> {
    /// 1 to 32 bytes: those of a player's identifier, or a digest of what stands for a caller
    /// without an account.
    pub caller: &'a [u8],
    /// The path of the request.
    pub path: &'a str,
    /// The key that the client chose.
    pub key: &'a str,
}

/// What a request made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Remembered {
    /// The digest of the request's body.
    pub fingerprint: Digest,
    /// The identifier of what was made.
    pub resource_id: Uuid,
}

/// What a request with that key made, in the last [`REMEMBERED`].
///
/// # Errors
/// None of its own.
pub fn find(
    conn: &mut Connection,
    key: &IdempotencyKey<'_>,
    now: Timestamp,
) -> Result<Option<Remembered>, StorageError> {
    let row: Option<(Digest, AnyId)> = idempotency_keys::table
        .find((key.caller, key.path, key.key))
        .filter(idempotency_keys::created_at.gt(before(now, REMEMBERED)))
        .select((idempotency_keys::fingerprint, idempotency_keys::resource_id))
        .first(conn)
        .optional()?;
    Ok(row.map(|(fingerprint, id)| Remembered {
        fingerprint,
        resource_id: id.into(),
    }))
}

/// Remembers what a request made, in the place of what was made with that key in another time.
///
/// # Errors
/// [`Duplicate`](StorageError::Duplicate) of [`IdempotencyKey`](crate::Unique::IdempotencyKey) when
/// another request with that key was faster.
pub fn remember(
    conn: &mut Connection,
    key: &IdempotencyKey<'_>,
    made: &Remembered,
    now: Timestamp,
) -> Result<(), StorageError> {
    diesel::delete(idempotency_keys::table.find((key.caller, key.path, key.key)))
        .filter(idempotency_keys::created_at.le(before(now, REMEMBERED)))
        .execute(conn)?;
    diesel::insert_into(idempotency_keys::table)
        .values((
            idempotency_keys::caller.eq(key.caller),
            idempotency_keys::path.eq(key.path),
            idempotency_keys::idempotency_key.eq(key.key),
            idempotency_keys::fingerprint.eq(made.fingerprint),
            idempotency_keys::resource_id.eq(AnyId::from(made.resource_id)),
            idempotency_keys::created_at.eq(micros(now)),
        ))
        .execute(conn)?;
    Ok(())
}

/// Forgets what is no longer remembered, the oldest first and at most `limit`; says how much.
///
/// # Errors
/// None of its own.
pub fn forget_old(
    conn: &mut Connection,
    now: Timestamp,
    limit: u32,
) -> Result<usize, StorageError> {
    Ok(diesel::sql_query(FORGET)
        .bind::<BigInt, _>(before(now, REMEMBERED))
        .bind::<BigInt, _>(i64::from(limit))
        .execute(conn)?)
}

const FORGET: &str = "DELETE FROM idempotency_keys WHERE (caller, path, idempotency_key) IN \
     (SELECT caller, path, idempotency_key FROM idempotency_keys \
     WHERE created_at <= $1 ORDER BY created_at LIMIT $2)";
