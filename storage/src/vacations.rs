//! Vacations of players, and what is to be done about them.

use diesel::prelude::*;
use domain::{Timestamp, Vacation};

use crate::either::DatabaseConnection as Connection;
use crate::error::{Corruption, StorageError};
use crate::ids::PlayerId;
use crate::schema::{players, vacations};
use crate::time::{instant, micros, span, span_micros};

#[derive(Queryable, Selectable, Insertable, AsChangeset)]
#[diesel(table_name = vacations, treat_none_as_default_value = false, treat_none_as_null = true)]
struct VacationRow {
    player_id: PlayerId,
    held: i64,
    held_at: i64,
    from_at: Option<i64>,
    until_at: Option<i64>,
    active: bool,
    due_at: Option<i64>,
}

impl VacationRow {
    fn vacation(&self) -> Result<Vacation, StorageError> {
        let corrupt = || Corruption::Value { column: "held" };
        Ok(Vacation {
            held: span(self.held).ok_or_else(corrupt)?,
            held_at: instant(self.held_at),
            span: self.from_at.map(instant).zip(self.until_at.map(instant)),
            active: self.active,
        })
    }
}

/// The vacation of a player. In a write it is locked for this write on PostgreSQL, once he has a row.
///
/// # Errors
/// [`NotFound`](StorageError::NotFound) when there is no such player.
pub fn load(conn: &mut Connection, player: PlayerId) -> Result<Vacation, StorageError> {
    let row: Option<VacationRow> = vacations::table
        .find(player)
        .select(VacationRow::as_select())
        .first(conn)
        .optional()?;
    if let Some(row) = row {
        return row.vacation();
    }
    let created_at: i64 = players::table
        .find(player)
        .select(players::created_at)
        .first(conn)?;
    Ok(Vacation::of_new_account(instant(created_at)))
}

/// Locks the row of a player for this write, making one if need be, and loads it.
///
/// # Errors
/// As [`load`].
pub fn lock(conn: &mut Connection, player: PlayerId) -> Result<Vacation, StorageError> {
    let vacation = load(conn, player)?;
    let first = diesel::insert_into(vacations::table).values(row(player, &vacation, None));
    match conn {
        Connection::Sqlite(conn) => {
            first.on_conflict_do_nothing().execute(conn)?;
        }
        Connection::Postgres(conn) => {
            first.on_conflict_do_nothing().execute(conn)?;
            let _: PlayerId = vacations::table
                .find(player)
                .select(vacations::player_id)
                .for_update()
                .first(conn)?;
        }
    }
    load(conn, player)
}

/// Keeps a vacation that was [locked](lock), and when there is something to do about it next.
///
/// # Errors
/// None of its own.
pub fn save(
    conn: &mut Connection,
    player: PlayerId,
    vacation: &Vacation,
    due: Option<Timestamp>,
) -> Result<(), StorageError> {
    diesel::update(vacations::table.find(player))
        .set(row(player, vacation, due))
        .execute(conn)?;
    Ok(())
}

fn row(player_id: PlayerId, vacation: &Vacation, due: Option<Timestamp>) -> VacationRow {
    VacationRow {
        player_id,
        held: span_micros(vacation.held),
        held_at: micros(vacation.held_at),
        from_at: vacation.span.map(|(from, _)| micros(from)),
        until_at: vacation.span.map(|(_, until)| micros(until)),
        active: vacation.active,
        due_at: due.map(micros),
    }
}

/// Players about whose vacation there is something to do by then, the longest due first.
///
/// # Errors
/// None of its own.
pub fn due(
    conn: &mut Connection,
    now: Timestamp,
    limit: u32,
) -> Result<Vec<PlayerId>, StorageError> {
    Ok(vacations::table
        .filter(vacations::due_at.le(micros(now)))
        .order((vacations::due_at, vacations::player_id))
        .limit(limit.into())
        .select(vacations::player_id)
        .load(conn)?)
}

/// Whether there is something to do about a player's vacation by then.
///
/// # Errors
/// None of its own.
pub fn is_due(
    conn: &mut Connection,
    player: PlayerId,
    now: Timestamp,
) -> Result<bool, StorageError> {
    let due: Option<PlayerId> = vacations::table
        .find(player)
        .filter(vacations::due_at.le(micros(now)))
        .select(vacations::player_id)
        .first(conn)
        .optional()?;
    Ok(due.is_some())
}

/// Takes away what is kept of a player's vacations.
pub(crate) fn delete(conn: &mut Connection, player: PlayerId) -> Result<(), StorageError> {
    diesel::delete(vacations::table.find(player)).execute(conn)?;
    Ok(())
}

/// Until when a player is away, if he is. On PostgreSQL his vacation neither begins nor ends before this
/// write is committed: so a game that it makes is told of it, now or then.
///
/// # Errors
/// None of its own.
pub(crate) fn away_until(
    conn: &mut Connection,
    player: PlayerId,
) -> Result<Option<Timestamp>, StorageError> {
    if let Connection::Postgres(conn) = conn {
        let _: Option<PlayerId> = vacations::table
            .find(player)
            .select(vacations::player_id)
            .for_share()
            .first(conn)
            .optional()?;
    }
    let row: Option<VacationRow> = vacations::table
        .find(player)
        .select(VacationRow::as_select())
        .first(conn)
        .optional()?;
    let away = row.filter(|row| row.active);
    Ok(away.and_then(|row| row.until_at).map(instant))
}
