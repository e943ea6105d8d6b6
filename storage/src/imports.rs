//! Imports of recorded games that players asked for, and what came of them. Each is its owner's alone: every
//! function takes the owner, and another's import is as good as none.

use diesel::prelude::*;
use diesel::sql_types::BigInt;
use domain::Timestamp;

use crate::either::DatabaseConnection as Connection;
use crate::error::{Corruption, StorageError};
use crate::ids::{ImportId, PlayerId};
use crate::schema::imports;
use crate::time::{instant, micros};

/// How far an import is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ImportStatus {
    /// It waits, or is worked on.
    Running,
    /// All games were looked at.
    Done,
    /// It came to its end before that. What was imported by then stays.
    Failed,
}

impl ImportStatus {
    const ALL: [Self; 3] = [Self::Running, Self::Done, Self::Failed];

    /// The word for it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Done => "done",
            Self::Failed => "failed",
        }
    }

    fn parse(name: &str) -> Result<Self, StorageError> {
        let mut all = Self::ALL.into_iter();
        let found = all.find(|status| status.name() == name);
        Ok(found.ok_or(Corruption::Value { column: "status" })?)
    }
}

/// An import.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Import {
    /// Which.
    pub id: ImportId,
    /// How far it is.
    pub status: ImportStatus,
    /// How many games are there now that were not before.
    pub imported: u64,
    /// How many were there before.
    pub duplicates: u64,
    /// How many were not taken.
    pub rejected: u64,
    /// Which these are, as the caller wrote it; of many the first.
    pub report: String,
    /// When it was asked for.
    pub created_at: Timestamp,
    /// When it came to its end.
    pub finished_at: Option<Timestamp>,
}

#[derive(Queryable, Selectable, Insertable, AsChangeset)]
#[diesel(table_name = imports, treat_none_as_null = true)]
struct ImportRow {
    id: ImportId,
    status: String,
    imported: i64,
    duplicates: i64,
    rejected: i64,
    report: String,
    created_at: i64,
    finished_at: Option<i64>,
}

impl From<&Import> for ImportRow {
    fn from(import: &Import) -> Self {
        let count = |count| i64::try_from(count).unwrap_or(i64::MAX);
        Self {
            id: import.id,
            status: import.status.name().to_owned(),
            imported: count(import.imported),
            duplicates: count(import.duplicates),
            rejected: count(import.rejected),
            report: import.report.clone(),
            created_at: micros(import.created_at),
            finished_at: import.finished_at.map(micros),
        }
    }
}

impl TryFrom<ImportRow> for Import {
    type Error = StorageError;

    fn try_from(row: ImportRow) -> Result<Self, StorageError> {
        let count = |count| u64::try_from(count).unwrap_or(0);
        Ok(Self {
            id: row.id,
            status: ImportStatus::parse(&row.status)?,
            imported: count(row.imported),
            duplicates: count(row.duplicates),
            rejected: count(row.rejected),
            report: row.report,
            created_at: instant(row.created_at),
            finished_at: row.finished_at.map(instant),
        })
    }
}

/// Notes that an import begins.
///
/// # Errors
/// None of its own.
pub fn create(conn: &mut Connection, owner: PlayerId, import: &Import) -> Result<(), StorageError> {
    diesel::insert_into(imports::table)
        .values((
            imports::player_id.eq(owner),
            imports::seen_at.eq(micros(import.created_at)),
            ImportRow::from(import),
        ))
        .execute(conn)?;
    Ok(())
}

/// Notes what came of an import; nothing when it is gone, with its owner say.
///
/// # Errors
/// None of its own.
pub fn update(conn: &mut Connection, owner: PlayerId, import: &Import) -> Result<(), StorageError> {
    diesel::update(imports::table)
        .filter(imports::player_id.eq(owner))
        .filter(imports::id.eq(import.id))
        .set(ImportRow::from(import))
        .execute(conn)?;
    Ok(())
}

/// Notes how far an import is that has not ended, and that somebody works on it.
///
/// # Errors
/// None of its own.
pub fn advance(
    conn: &mut Connection,
    owner: PlayerId,
    import: &Import,
    now: Timestamp,
) -> Result<(), StorageError> {
    diesel::update(imports::table)
        .filter(imports::player_id.eq(owner))
        .filter(imports::id.eq(import.id))
        .filter(imports::status.eq(ImportStatus::Running.name()))
        .set((imports::seen_at.eq(micros(now)), ImportRow::from(import)))
        .execute(conn)?;
    Ok(())
}

/// All imports of a player that are told of, the oldest first.
///
/// # Errors
/// None of its own.
pub fn list(conn: &mut Connection, owner: PlayerId) -> Result<Vec<Import>, StorageError> {
    let rows: Vec<ImportRow> = imports::table
        .filter(imports::player_id.eq(owner))
        .order(imports::id)
        .select(ImportRow::as_select())
        .load(conn)?;
    rows.into_iter().map(Import::try_from).collect()
}

/// One of a player's imports.
///
/// # Errors
/// [`NotFound`](StorageError::NotFound).
pub fn load(conn: &mut Connection, owner: PlayerId, id: ImportId) -> Result<Import, StorageError> {
    let row: ImportRow = imports::table
        .filter(imports::player_id.eq(owner))
        .filter(imports::id.eq(id))
        .select(ImportRow::as_select())
        .first(conn)?;
    row.try_into()
}

/// Says of imports that run, and of which nothing was heard since `seen_by`, that they failed: whoever worked on
/// them is gone. Says of how many.
///
/// # Errors
/// None of its own.
pub fn give_up(
    conn: &mut Connection,
    seen_by: Timestamp,
    now: Timestamp,
) -> Result<usize, StorageError> {
    Ok(diesel::sql_query(GIVE_UP)
        .bind::<BigInt, _>(micros(now))
        .bind::<BigInt, _>(micros(seen_by))
        .execute(conn)?)
}

/// With the words of the index.
const GIVE_UP: &str = "UPDATE imports SET status = 'failed', finished_at = $1 \
     WHERE status = 'running' AND seen_at < $2";

/// Takes away imports that began before, at most `limit`; says how many.
///
/// # Errors
/// None of its own.
pub fn forget_old(
    conn: &mut Connection,
    begun_by: Timestamp,
    limit: u32,
) -> Result<usize, StorageError> {
    Ok(diesel::sql_query(FORGET)
        .bind::<BigInt, _>(micros(begun_by))
        .bind::<BigInt, _>(i64::from(limit))
        .execute(conn)?)
}

const FORGET: &str = "DELETE FROM imports WHERE (player_id, id) IN \
     (SELECT player_id, id FROM imports WHERE created_at < $1 ORDER BY created_at LIMIT $2)";

/// Takes away all imports of a player who leaves.
pub(crate) fn delete_all(conn: &mut Connection, owner: PlayerId) -> Result<(), StorageError> {
    diesel::delete(imports::table.filter(imports::player_id.eq(owner))).execute(conn)?;
    Ok(())
}
