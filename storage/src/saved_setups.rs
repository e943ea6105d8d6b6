//! Arrangements that players keep for later games. Each is its owner's alone: every function takes
//! the owner, and another's setup is as good as none.

use diesel::prelude::*;
use domain::{Ruleset, Setup, Timestamp};

use crate::either::DatabaseConnection as Connection;
use crate::error::{Corruption, StorageError};
use crate::ids::{PlayerId, SetupId};
use crate::page::{Page, PageRequest};
use crate::schema::saved_setups;
use crate::text;
use crate::time::{instant, micros};

/// A saved setup. Not printable: an arrangement is its owner's secret.
#[derive(Clone, PartialEq, Eq)]
pub struct SavedSetup {
    /// Which.
    pub id: SetupId,
    /// Its name.
    pub name: String,
    /// For which army.
    pub ruleset: Ruleset,
    /// The arrangement.
    pub setup: Setup,
    /// When it was first saved.
    pub created_at: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = saved_setups)]
struct SavedSetupRow {
    id: SetupId,
    name: String,
    ruleset: String,
    setup: String,
    created_at: i64,
    updated_at: i64,
}

impl TryFrom<SavedSetupRow> for SavedSetup {
    type Error = StorageError;

    fn try_from(row: SavedSetupRow) -> Result<Self, StorageError> {
        let ruleset = text::ruleset(&row.ruleset)?;
        Ok(Self {
            id: row.id,
            name: row.name,
            ruleset,
            setup: Setup::parse(ruleset, &row.setup)
                .map_err(|_| Corruption::Value { column: "setup" })?,
            created_at: instant(row.created_at),
            updated_at: instant(row.updated_at),
        })
    }
}

/// Saves a setup of a player.
///
/// # Errors
/// None of its own.
pub fn create(
    conn: &mut Connection,
    owner: PlayerId,
    saved: &SavedSetup,
) -> Result<(), StorageError> {
    diesel::insert_into(saved_setups::table)
        .values((
            saved_setups::player_id.eq(owner),
            saved_setups::id.eq(saved.id),
            saved_setups::name.eq(&saved.name),
            saved_setups::ruleset.eq(saved.ruleset.id()),
            saved_setups::setup.eq(saved.setup.to_string()),
            saved_setups::created_at.eq(micros(saved.created_at)),
            saved_setups::updated_at.eq(micros(saved.updated_at)),
        ))
        .execute(conn)?;
    Ok(())
}

/// One of a player's setups.
///
/// # Errors
/// [`NotFound`](StorageError::NotFound).
pub fn load(
    conn: &mut Connection,
    owner: PlayerId,
    id: SetupId,
) -> Result<SavedSetup, StorageError> {
    let row: SavedSetupRow = saved_setups::table
        .find((owner, id))
        .select(SavedSetupRow::as_select())
        .first(conn)?;
    row.try_into()
}

/// How many setups a player has saved.
///
/// # Errors
/// None of its own.
pub fn count(conn: &mut Connection, owner: PlayerId) -> Result<u64, StorageError> {
    let count: i64 = saved_setups::table
        .filter(saved_setups::player_id.eq(owner))
        .count()
        .get_result(conn)?;
    Ok(u64::try_from(count).unwrap_or(0))
}

/// A player's setups, newest first.
///
/// # Errors
/// None of its own.
pub fn list(
    conn: &mut Connection,
    owner: PlayerId,
    page: &PageRequest<SetupId>,
) -> Result<Page<SavedSetup>, StorageError> {
    let mut query = saved_setups::table
        .filter(saved_setups::player_id.eq(owner))
        .select(SavedSetupRow::as_select())
        .limit(page.rows())
        .into_boxed();
    let up = page.reads_up(false);
    if let Some(id) = page.from {
        query = if up {
            query.filter(saved_setups::id.gt(id))
        } else {
            query.filter(saved_setups::id.lt(id))
        };
    }
    query = if up {
        query.order(saved_setups::id.asc())
    } else {
        query.order(saved_setups::id.desc())
    };
    let rows: Vec<SavedSetupRow> = query.load(conn)?;
    page.page(rows).try_map(SavedSetup::try_from)
}

/// Changes name, army and arrangement of one of a player's setups.
///
/// # Errors
/// [`NotFound`](StorageError::NotFound).
pub fn update(
    conn: &mut Connection,
    owner: PlayerId,
    saved: &SavedSetup,
) -> Result<(), StorageError> {
    let rows = diesel::update(saved_setups::table.find((owner, saved.id)))
        .set((
            saved_setups::name.eq(&saved.name),
            saved_setups::ruleset.eq(saved.ruleset.id()),
            saved_setups::setup.eq(saved.setup.to_string()),
            saved_setups::updated_at.eq(micros(saved.updated_at)),
        ))
        .execute(conn)?;
    found(rows)
}

/// Removes one of a player's setups.
///
/// # Errors
/// [`NotFound`](StorageError::NotFound).
pub fn delete(conn: &mut Connection, owner: PlayerId, id: SetupId) -> Result<(), StorageError> {
    found(diesel::delete(saved_setups::table.find((owner, id))).execute(conn)?)
}

/// Removes all setups of a player who leaves.
pub(crate) fn delete_all(conn: &mut Connection, owner: PlayerId) -> Result<(), StorageError> {
    diesel::delete(saved_setups::table.filter(saved_setups::player_id.eq(owner))).execute(conn)?;
    Ok(())
}

fn found(rows: usize) -> Result<(), StorageError> {
    if rows == 1 {
        Ok(())
    } else {
        Err(StorageError::NotFound)
    }
}
