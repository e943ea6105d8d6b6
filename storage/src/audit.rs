//! What those who administer the server did. Entries are written with the deed and never changed.

use diesel::prelude::*;
use domain::Timestamp;

use crate::either::DatabaseConnection as Connection;
use crate::error::{Corruption, StorageError};
use crate::ids::{AuditId, GameId, PlayerId};
use crate::page::{Page, PageRequest};
use crate::players::{self, Player};
use crate::schema::audit_log;
use crate::time::{instant, micros};

/// The longest reason, in characters.
pub const MAX_REASON: usize = 500;

/// What was done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Deed {
    /// A player was made one who administers the server.
    GrantAdmin(PlayerId),
    /// He is none any more.
    RevokeAdmin(PlayerId),
    /// A player may do nothing here.
    Suspend(PlayerId),
    /// He may again.
    Unsuspend(PlayerId),
    /// He got a way to a new password.
    ResetPassword(PlayerId),
    /// A game does not count.
    AnnulGame(GameId),
}

/// An entry of the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Which.
    pub id: AuditId,
    /// Who; `None`: the command line of the server's machine.
    pub actor: Option<Player>,
    /// What was done.
    pub deed: Deed,
    /// To whom, under the name that he has now.
    pub player: Option<Player>,
    /// Why.
    pub reason: Option<String>,
    /// When.
    pub at: Timestamp,
}

impl Deed {
    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::GrantAdmin(_) => "grant_admin",
            Self::RevokeAdmin(_) => "revoke_admin",
            Self::Suspend(_) => "suspend",
            Self::Unsuspend(_) => "unsuspend",
            Self::ResetPassword(_) => "reset_password",
            Self::AnnulGame(_) => "annul_game",
        }
    }

    /// The player whom it was done to, if it was one.
    pub const fn player(self) -> Option<PlayerId> {
        match self {
            Self::GrantAdmin(player)
            | Self::RevokeAdmin(player)
            | Self::Suspend(player)
            | Self::Unsuspend(player)
            | Self::ResetPassword(player) => Some(player),
            Self::AnnulGame(_) => None,
        }
    }

    /// The game that it was done to, if it was one.
    pub const fn game(self) -> Option<GameId> {
        match self {
            Self::AnnulGame(game) => Some(game),
            _ => None,
        }
    }

    fn read(
        name: &str,
        player: Option<PlayerId>,
        game: Option<GameId>,
    ) -> Result<Self, StorageError> {
        Ok(match (name, player, game) {
            ("grant_admin", Some(player), None) => Self::GrantAdmin(player),
            ("revoke_admin", Some(player), None) => Self::RevokeAdmin(player),
            ("suspend", Some(player), None) => Self::Suspend(player),
            ("unsuspend", Some(player), None) => Self::Unsuspend(player),
            ("reset_password", Some(player), None) => Self::ResetPassword(player),
            ("annul_game", None, Some(game)) => Self::AnnulGame(game),
            _ => return Err(Corruption::Value { column: "action" }.into()),
        })
    }
}

/// Notes what was done, in the write that does it.
///
/// # Errors
/// [`Refused`](StorageError::Refused) for a reason of more than [`MAX_REASON`] characters.
pub fn note(
    conn: &mut Connection,
    actor: Option<PlayerId>,
    deed: Deed,
    reason: Option<&str>,
    now: Timestamp,
) -> Result<(), StorageError> {
    diesel::insert_into(audit_log::table)
        .values((
            audit_log::id.eq(AuditId::generate(now)),
            audit_log::actor_id.eq(actor),
            audit_log::action.eq(deed.name()),
            audit_log::player_id.eq(deed.player()),
            audit_log::game_id.eq(deed.game()),
            audit_log::reason.eq(reason),
            audit_log::happened_at.eq(micros(now)),
        ))
        .execute(conn)?;
    Ok(())
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = audit_log)]
struct AuditRow {
    id: AuditId,
    actor_id: Option<PlayerId>,
    action: String,
    player_id: Option<PlayerId>,
    game_id: Option<GameId>,
    reason: Option<String>,
    happened_at: i64,
}

/// The log, the newest first.
///
/// # Errors
/// None of its own.
pub fn list(
    conn: &mut Connection,
    page: &PageRequest<AuditId>,
) -> Result<Page<Entry>, StorageError> {
    let mut query = audit_log::table
        .select(AuditRow::as_select())
        .limit(page.rows())
        .into_boxed();
    let up = page.reads_up(false);
    if let Some(id) = page.from {
        query = if up {
            query.filter(audit_log::id.gt(id))
        } else {
            query.filter(audit_log::id.lt(id))
        };
    }
    query = if up {
        query.order(audit_log::id.asc())
    } else {
        query.order(audit_log::id.desc())
    };
    let rows: Vec<AuditRow> = query.load(conn)?;
    let mut ids: Vec<PlayerId> = rows
        .iter()
        .flat_map(|row| [row.actor_id, row.player_id])
        .flatten()
        .collect();
    ids.sort_unstable();
    ids.dedup();
    let players = players::by_ids(conn, &ids)?;
    let player = |id: PlayerId| {
        let found = players.iter().find(|player| player.id == id).cloned();
        found.ok_or(StorageError::Corrupt(Corruption::Missing {
            table: "players",
        }))
    };
    page.page(rows).try_map(|row| {
        Ok(Entry {
            id: row.id,
            actor: row.actor_id.map(player).transpose()?,
            deed: Deed::read(&row.action, row.player_id, row.game_id)?,
            player: row.player_id.map(player).transpose()?,
            reason: row.reason,
            at: instant(row.happened_at),
        })
    })
}
