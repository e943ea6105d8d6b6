//! What those do who administer the server: each deed is written with its entry in the audit log. The
//! command line of the server's machine does the same as an admin over REST, and says who is one.

use domain::Timestamp;
use rand::rand_core::TryRng;
use rand::rngs::SysRng;
use secrecy::SecretString;
use storage::audit::{self, Deed, Entry};
use storage::players::{self, Player};
use storage::ratings::Annulled;
use storage::{
    AuditId, Connection, CredentialId, Database, GameId, Page, PageRequest, PlayerId, challenges,
};

use super::accounts::{end_all_credentials, require_alive};
use super::players::find;
use super::ratings::annul_within;
use crate::auth::Caller;
use crate::problem::{ApiError, Code};

/// How many random characters a password has that is given out: 120 bits.
const PASSWORD_CHARS: usize = 24;

/// Who does it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Actor {
    /// Whoever may run the program beside the database.
    CommandLine,
    /// A player over REST, who must be an admin still.
    Admin(Caller),
}

/// What is to be done to a player, and why.
#[derive(Debug, Clone, Copy)]
pub struct Order<'a> {
    /// Who does it.
    pub actor: Actor,
    /// To whom.
    pub username: &'a str,
    /// Why, for the log.
    pub reason: Option<&'a str>,
    /// When.
    pub now: Timestamp,
}

/// What was done, and who hears of it once it is committed.
#[derive(Debug, Default)]
pub struct Done {
    /// Whether anything changed.
    pub changed: bool,
    /// The player, as he was.
    pub player: Option<PlayerId>,
    /// His logins and tokens that ended with it.
    pub ended: Vec<CredentialId>,
    /// Those who hear of a challenge that was closed.
    pub concerned: Vec<PlayerId>,
}

impl Actor {
    /// Refuses a player who is no admin.
    ///
    /// # Errors
    /// 401 for an erased account or a login that has ended, `insufficient_scope` for one that is no admin's
    /// any more.
    pub fn require(self, connection: &mut Connection) -> Result<(), ApiError> {
        let Self::Admin(caller) = self else {
            return Ok(());
        };
        if require_alive(connection, caller)?.is_admin {
            return Ok(());
        }
        let detail = "you do not administer this server any more";
        Err(ApiError::new(Code::InsufficientScope, detail).with("scope", "admin"))
    }

    /// The player, unless it is the command line.
    pub fn player(self) -> Option<PlayerId> {
        match self {
            Self::CommandLine => None,
            Self::Admin(caller) => Some(caller.player()),
        }
    }
}

/// Makes a player an admin, or takes that from him. His tokens get the scope when they are next
/// refreshed, and serve no deed from now on.
///
/// # Errors
/// 404 for a name that nobody has, 410 for an erased account.
pub fn set_admin(db: &Database, order: &Order<'_>, is_admin: bool) -> Result<Done, ApiError> {
    db.write(|connection| {
        let player = begin(connection, order)?;
        let changed = players::set_admin(connection, player.id, is_admin)?;
        if changed {
            let deed = if is_admin {
                Deed::GrantAdmin(player.id)
            } else {
                Deed::RevokeAdmin(player.id)
            };
            note(connection, order, deed)?;
        }
        Ok(Done {
            changed,
            player: Some(player.id),
            ..Done::default()
        })
    })
}

/// Suspends a player: he can neither log in nor do anything, his logins, tokens and streams end and his
/// open challenges are closed. The clocks of his running games go on.
///
/// # Errors
/// 404 for a name that nobody has, 410 for an erased account, 403 for an admin unless the command line
/// asks.
pub fn suspend(db: &Database, order: &Order<'_>) -> Result<Done, ApiError> {
    write_holding(db, order, |connection| {
        let player = begin(connection, order)?;
        refuse_admin(order, &player)?;
        if !players::set_suspended(connection, player.id, Some(order.now))? {
            return Ok(Done::default());
        }
        note(connection, order, Deed::Suspend(player.id))?;
        Ok(Done {
            changed: true,
            player: Some(player.id),
            ended: end_all_credentials(connection, player.id, None, order.now)?,
            concerned: challenges::close_all_of(connection, player.id, order.now)?,
        })
    })
}

/// Lets a player who was suspended in again.
///
/// # Errors
/// 404 for a name that nobody has, 410 for an erased account.
pub fn unsuspend(db: &Database, order: &Order<'_>) -> Result<Done, ApiError> {
    db.write(|connection| {
        let player = begin(connection, order)?;
        let changed = players::set_suspended(connection, player.id, None)?;
        if changed {
            note(connection, order, Deed::Unsuspend(player.id))?;
        }
        Ok(Done {
            changed,
            player: Some(player.id),
            ..Done::default()
        })
    })
}

/// Draws a password to be given out.
///
/// # Errors
/// When the system gives no randomness.
pub fn draw_password() -> Result<SecretString, ApiError> {
    // 32 characters that are not mixed up when read: a byte maps onto them evenly.
    const ALPHABET: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";
    let mut bytes = [0; PASSWORD_CHARS];
    SysRng
        .try_fill_bytes(&mut bytes)
        .map_err(|fault| ApiError::internal(&fault))?;
    let drawn = bytes.map(|byte| char::from(ALPHABET[usize::from(byte % 32)]));
    Ok(drawn.iter().collect::<String>().into())
}

/// Gives a player the password of that hash, and ends all his logins and tokens.
///
/// # Errors
/// 404 for a name that nobody has, 410 for an erased account, 403 for an admin unless the command line
/// asks.
pub fn reset_password(
    db: &Database,
    order: &Order<'_>,
    password_hash: &str,
) -> Result<Done, ApiError> {
    write_holding(db, order, |connection| {
        let player = begin(connection, order)?;
        refuse_admin(order, &player)?;
        players::set_password(connection, player.id, password_hash)?;
        note(connection, order, Deed::ResetPassword(player.id))?;
        Ok(Done {
            changed: true,
            player: Some(player.id),
            ended: end_all_credentials(connection, player.id, None, order.now)?,
            concerned: Vec::new(),
        })
    })
}

/// Takes a game that is over out of the ratings: see [`annul_within`].
///
/// # Errors
/// As [`annul_within`].
pub fn annul(
    db: &Database,
    actor: Actor,
    game: GameId,
    reason: &str,
    now: Timestamp,
) -> Result<Annulled, ApiError> {
    db.write(|connection| {
        // It wants to be the first statement; what is refused after it is undone.
        let annulled = annul_within(connection, game, reason, now)?;
        actor.require(connection)?;
        if matches!(annulled, Annulled::Now { .. }) {
            let (actor, deed) = (actor.player(), Deed::AnnulGame(game));
            audit::note(connection, actor, deed, Some(reason.trim()), now)?;
        }
        Ok(annulled)
    })
}

/// The audit log, the newest first.
///
/// # Errors
/// `insufficient_scope` for a player who is no admin any more.
pub fn log(
    db: &Database,
    actor: Actor,
    page: &PageRequest<AuditId>,
) -> Result<Page<Entry>, ApiError> {
    db.read(|connection| {
        actor.require(connection)?;
        Ok(audit::list(connection, page)?)
    })
}

/// A write that ends all that the player has whom an order is about: what he makes at this moment is there by
/// then, or is refused.
fn write_holding<T>(
    db: &Database,
    order: &Order<'_>,
    work: impl FnMut(&mut Connection) -> Result<T, ApiError>,
) -> Result<T, ApiError> {
    let player = db.read(|connection| begin(connection, order))?;
    db.write_holding(&[player.id], work)
}

/// The player whom an order is about, once it is known that whoever gives it may.
fn begin(connection: &mut Connection, order: &Order<'_>) -> Result<Player, ApiError> {
    order.actor.require(connection)?;
    find(connection, order.username)
}

/// Of admins the command line alone disposes: none gets at another's account.
fn refuse_admin(order: &Order<'_>, player: &Player) -> Result<(), ApiError> {
    if player.is_admin && order.actor != Actor::CommandLine {
        let detail = "this player administers the server: that is for the command line to do";
        return Err(ApiError::new(Code::Forbidden, detail));
    }
    Ok(())
}

fn note(connection: &mut Connection, order: &Order<'_>, deed: Deed) -> Result<(), ApiError> {
    let actor = order.actor.player();
    Ok(audit::note(
        connection,
        actor,
        deed,
        order.reason,
        order.now,
    )?)
}
