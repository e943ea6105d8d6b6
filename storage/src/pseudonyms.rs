//! The key of the pseudonyms that stand for names which were recorded elsewhere.

use diesel::prelude::*;

use crate::either::DatabaseConnection as Connection;
use crate::error::{Corruption, StorageError};
use crate::schema::pseudonym_key;

/// How many bytes the key has.
pub const KEY_BYTES: usize = 32;

/// The one row.
const ROW: i32 = 1;

/// The key; the first time it is `fresh`, which the caller has drawn, and from then on the same. Belongs into
/// a [write](crate::Database::write).
///
/// # Errors
/// None of its own.
pub fn key(
    conn: &mut Connection,
    fresh: &[u8; KEY_BYTES],
) -> Result<[u8; KEY_BYTES], StorageError> {
    if let Some(key) = load(conn)? {
        return Ok(key);
    }
    let row = (
        pseudonym_key::id.eq(ROW),
        pseudonym_key::secret.eq(fresh.as_slice()),
    );
    let insert = diesel::insert_into(pseudonym_key::table).values(row);
    // Whoever comes second on PostgreSQL is begun anew, and finds the first one's.
    match conn {
        Connection::Sqlite(conn) => insert.on_conflict_do_nothing().execute(conn)?,
        Connection::Postgres(conn) => insert.on_conflict_do_nothing().execute(conn)?,
    };
    load(conn)?.ok_or(StorageError::Conflict)
}

fn load(conn: &mut Connection) -> Result<Option<[u8; KEY_BYTES]>, StorageError> {
    let secret: Option<Vec<u8>> = pseudonym_key::table
        .find(ROW)
        .select(pseudonym_key::secret)
        .first(conn)
        .optional()?;
    let damaged = |_| Corruption::Value { column: "secret" };
    let key = secret.map(|secret| secret.try_into().map_err(damaged));
    Ok(key.transpose()?)
}
