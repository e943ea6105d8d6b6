//! Whom a player wants neither challenges nor offers from.

use diesel::prelude::*;
use domain::Timestamp;

use crate::either::DatabaseConnection as Connection;
use crate::error::StorageError;
use crate::ids::PlayerId;
use crate::page::{Page, PageRequest};
use crate::players::{Player, PlayerRow};
use crate::schema::{player_blocks, players};
use crate::time::{instant, micros};

/// A player whom another blocks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Blocked {
    /// Who is blocked.
    pub player: Player,
    /// Since when.
    pub since: Timestamp,
}

/// Blocks a player; whether that is new.
///
/// # Errors
/// [`Refused`](StorageError::Refused) when a player blocks himself.
pub fn block(
    conn: &mut Connection,
    player: PlayerId,
    blocked: PlayerId,
    now: Timestamp,
) -> Result<bool, StorageError> {
    if is_blocked(conn, player, blocked)? {
        return Ok(false);
    }
    let row = (
        player_blocks::player_id.eq(player),
        player_blocks::blocked_id.eq(blocked),
        player_blocks::created_at.eq(micros(now)),
    );
    let made = diesel::insert_into(player_blocks::table)
        .values(row)
        .execute(conn)?;
    Ok(made > 0)
}

/// Blocks a player no longer; whether he was blocked.
///
/// # Errors
/// None of its own.
pub fn unblock(
    conn: &mut Connection,
    player: PlayerId,
    blocked: PlayerId,
) -> Result<bool, StorageError> {
    Ok(diesel::delete(player_blocks::table.find((player, blocked))).execute(conn)? > 0)
}

/// Whether a player blocks another.
///
/// # Errors
/// None of its own.
pub fn is_blocked(
    conn: &mut Connection,
    player: PlayerId,
    other: PlayerId,
) -> Result<bool, StorageError> {
    let block = player_blocks::table.find((player, other));
    Ok(block.count().get_result::<i64>(conn)? > 0)
}

/// How many a player blocks.
///
/// # Errors
/// None of its own.
pub fn count(conn: &mut Connection, player: PlayerId) -> Result<u64, StorageError> {
    let own = player_blocks::table.filter(player_blocks::player_id.eq(player));
    let count: i64 = own.count().get_result(conn)?;
    Ok(count.unsigned_abs())
}

/// Those whom a player blocks, by their identity.
///
/// # Errors
/// None of its own.
pub fn list(
    conn: &mut Connection,
    player: PlayerId,
    page: &PageRequest<PlayerId>,
) -> Result<Page<Blocked>, StorageError> {
    let mut query = player_blocks::table
        .inner_join(players::table.on(players::id.eq(player_blocks::blocked_id)))
        .filter(player_blocks::player_id.eq(player))
        .select((PlayerRow::as_select(), player_blocks::created_at))
        .limit(page.rows())
        .into_boxed();
    let up = page.reads_up(true);
    if let Some(id) = page.from {
        query = if up {
            query.filter(player_blocks::blocked_id.gt(id))
        } else {
            query.filter(player_blocks::blocked_id.lt(id))
        };
    }
    query = if up {
        query.order(player_blocks::blocked_id.asc())
    } else {
        query.order(player_blocks::blocked_id.desc())
    };
    let rows: Vec<(PlayerRow, i64)> = query.load(conn)?;
    page.page(rows).try_map(|(row, since)| {
        Ok(Blocked {
            player: row.into(),
            since: instant(since),
        })
    })
}

/// Takes away the blocks by a player and against him.
pub(crate) fn take_away(conn: &mut Connection, player: PlayerId) -> Result<(), StorageError> {
    let concerns = player_blocks::player_id
        .eq(player)
        .or(player_blocks::blocked_id.eq(player));
    diesel::delete(player_blocks::table.filter(concerns)).execute(conn)?;
    Ok(())
}
