//! Players whom archives know: they have no account, and no name finds them as one.

use std::collections::{BTreeMap, HashMap};

use diesel::prelude::*;
use domain::Timestamp;

use super::{Player, PlayerRow, can_be_stored};
use crate::either::DatabaseConnection as Connection;
use crate::error::StorageError;
use crate::ids::PlayerId;
use crate::schema::players;
use crate::time::micros;

/// A player of an archive, by the kind of the archive and the name as it was recorded.
///
/// # Errors
/// [`NotFound`](StorageError::NotFound).
pub fn recorded(conn: &mut Connection, source: &str, name: &str) -> Result<Player, StorageError> {
    let key = recorded_key(source, name);
    can_be_stored(&key)?;
    let row: PlayerRow = players::table
        .filter(players::username_key.eq(key))
        .filter(players::source.is_not_null())
        .select(PlayerRow::as_select())
        .first(conn)?;
    Ok(row.into())
}

/// A player of an archive who may be new.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NewRecorded<'a> {
    /// Drawn by the caller.
    pub(crate) id: PlayerId,
    /// The kind of the archive.
    pub(crate) source: &'a str,
    /// The name as recorded, or a pseudonym.
    pub(crate) username: &'a str,
    /// When he is made known here.
    pub(crate) created_at: Timestamp,
}

/// Players of archives by their names as they are compared; those who are not there are made.
///
/// # Errors
/// [`Duplicate`](StorageError::Duplicate) when somebody else makes one of them at the same time.
pub(crate) fn recorded_or_new(
    conn: &mut Connection,
    wanted: &BTreeMap<String, NewRecorded<'_>>,
) -> Result<HashMap<String, PlayerId>, StorageError> {
    let keys: Vec<&String> = wanted.keys().collect();
    let known: Vec<(String, PlayerId)> = players::table
        .filter(players::username_key.eq_any(keys))
        .select((players::username_key, players::id))
        .load(conn)?;
    let mut known: HashMap<String, PlayerId> = known.into_iter().collect();
    for (key, new) in wanted {
        if known.contains_key(key) {
            continue;
        }
        diesel::insert_into(players::table)
            .values((
                players::id.eq(new.id),
                players::username.eq(new.username),
                players::username_key.eq(key),
                players::preferences.eq("{}"),
                players::created_at.eq(micros(new.created_at)),
                players::is_admin.eq(false),
                players::source.eq(Some(new.source)),
            ))
            .execute(conn)?;
        known.insert(key.clone(), new.id);
    }
    Ok(known)
}

/// The name of a player of an archive as it is compared. No account has a name with a colon.
pub(crate) fn recorded_key(source: &str, name: &str) -> String {
    format!("{source}:{name}")
}
