//! Logins: families of refresh tokens that follow from one another.
//!
//! A token names its family and holds a secret; only the secret's digest is stored. Each use gives a
//! new secret. Whoever shows any other secret of a family has a token that was spent before, or none
//! at all: the family ends, for thief and owner alike.

use std::time::Duration;

use diesel::prelude::*;
use diesel::sql_types::BigInt;
use domain::Timestamp;

use crate::either::DatabaseConnection as Connection;
use crate::error::StorageError;
use crate::ids::{Digest, FamilyId, PlayerId};
use crate::schema::{players, refresh_families};
use crate::time::{before, instant, micros};

/// How many characters are kept of what a player logged in with.
pub const MAX_USER_AGENT: usize = 200;

/// A login to be kept.
#[derive(Debug, Clone)]
pub struct NewFamily {
    /// Drawn by the caller.
    pub id: FamilyId,
    /// Whose.
    pub player_id: PlayerId,
    /// The digest of the first token.
    pub token: Digest,
    /// When.
    pub created_at: Timestamp,
    /// Until when the token may be used.
    pub expires_at: Timestamp,
    /// What the player logged in with: 1 to [`MAX_USER_AGENT`] characters.
    pub user_agent: Option<String>,
}

/// A login that lasts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    /// Which.
    pub id: FamilyId,
    /// When the player logged in.
    pub created_at: Timestamp,
    /// When its token was last used.
    pub used_at: Timestamp,
    /// When it ends by itself.
    pub expires_at: Timestamp,
    /// What the player logged in with, as it calls itself.
    pub user_agent: Option<String>,
}

/// A token shown in exchange for the next.
#[derive(Debug, Clone, Copy)]
pub struct Rotate {
    /// The family that the token names.
    pub family: FamilyId,
    /// The digest of the token.
    pub shown: Digest,
    /// The digest of the token that is to follow.
    pub next: Digest,
    /// When.
    pub now: Timestamp,
    /// Until when the next one may be used.
    pub expires_at: Timestamp,
    /// How long after a use the same token is merely refused: the client may have sent it twice.
    pub grace: Duration,
}

/// What came of showing a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rotation {
    /// It held; the next one does now.
    Rotated(PlayerId),
    /// It was used a moment ago: refused, and nothing else happens.
    JustSpent,
    /// It was spent before: its family has ended, by this write, so it must be committed.
    Reused,
    /// It has expired, or its family had ended before, or there never was one.
    Invalid,
}

/// Keeps a login.
///
/// # Errors
/// None of its own.
pub fn start(conn: &mut Connection, new: &NewFamily) -> Result<(), StorageError> {
    diesel::insert_into(refresh_families::table)
        .values((
            refresh_families::player_id.eq(new.player_id),
            refresh_families::id.eq(new.id),
            refresh_families::current_hash.eq(new.token),
            refresh_families::created_at.eq(micros(new.created_at)),
            refresh_families::rotated_at.eq(micros(new.created_at)),
            refresh_families::expires_at.eq(micros(new.expires_at)),
            refresh_families::user_agent.eq(new.user_agent.as_deref()),
        ))
        .execute(conn)?;
    Ok(())
}

/// Spends a token, and puts the next in its place.
///
/// # Errors
/// None of its own: that a token is refused is an answer.
pub fn rotate(conn: &mut Connection, rotate: &Rotate) -> Result<Rotation, StorageError> {
    // A login that began while its account was being erased or suspended is no way back in.
    let there = players::table
        .filter(players::erased_at.is_null())
        .filter(players::suspended_at.is_null())
        .select(players::id);
    let player = diesel::update(refresh_families::table)
        .filter(refresh_families::id.eq(rotate.family))
        .filter(refresh_families::current_hash.eq(rotate.shown))
        .filter(refresh_families::ended_at.is_null())
        .filter(refresh_families::expires_at.gt(micros(rotate.now)))
        .filter(refresh_families::player_id.eq_any(there))
        .set((
            refresh_families::current_hash.eq(rotate.next),
            refresh_families::previous_hash.eq(Some(rotate.shown)),
            refresh_families::rotated_at.eq(micros(rotate.now)),
            refresh_families::expires_at.eq(micros(rotate.expires_at)),
        ))
        .returning(refresh_families::player_id)
        .get_result::<PlayerId>(conn)
        .optional()?;
    player.map_or_else(
        || refuse(conn, rotate),
        |player| Ok(Rotation::Rotated(player)),
    )
}

type Hashes = (Digest, Option<Digest>, i64);

fn refuse(conn: &mut Connection, rotate: &Rotate) -> Result<Rotation, StorageError> {
    let family: Option<Hashes> = refresh_families::table
        .filter(refresh_families::id.eq(rotate.family))
        .filter(refresh_families::ended_at.is_null())
        .select((
            refresh_families::current_hash,
            refresh_families::previous_hash,
            refresh_families::rotated_at,
        ))
        .first(conn)
        .optional()?;
    match family {
        None => Ok(Rotation::Invalid),
        // The right one, too late.
        Some((current, _, _)) if current == rotate.shown => Ok(Rotation::Invalid),
        Some((_, Some(previous), rotated_at))
            if previous == rotate.shown && rotated_at >= before(rotate.now, rotate.grace) =>
        {
            Ok(Rotation::JustSpent)
        }
        Some(_) => {
            end(conn, rotate.family, rotate.now)?;
            Ok(Rotation::Reused)
        }
    }
}

/// Ends a login; whose it was, if it lasted until now.
///
/// # Errors
/// None of its own.
pub fn end(
    conn: &mut Connection,
    id: FamilyId,
    now: Timestamp,
) -> Result<Option<PlayerId>, StorageError> {
    Ok(diesel::update(refresh_families::table)
        .filter(refresh_families::id.eq(id))
        .filter(refresh_families::ended_at.is_null())
        .set(refresh_families::ended_at.eq(Some(micros(now))))
        .returning(refresh_families::player_id)
        .get_result(conn)
        .optional()?)
}

/// Ends a login of a player; whether he had it until now.
///
/// # Errors
/// None of its own.
pub fn end_own(
    conn: &mut Connection,
    player: PlayerId,
    id: FamilyId,
    now: Timestamp,
) -> Result<bool, StorageError> {
    let rows = diesel::update(refresh_families::table.find((player, id)))
        .filter(refresh_families::ended_at.is_null())
        .filter(refresh_families::expires_at.gt(micros(now)))
        .set(refresh_families::ended_at.eq(Some(micros(now))))
        .execute(conn)?;
    Ok(rows > 0)
}

/// Ends all logins of a player, but for one if it is named; says which.
///
/// # Errors
/// None of its own.
pub fn end_all(
    conn: &mut Connection,
    player: PlayerId,
    except: Option<FamilyId>,
    now: Timestamp,
) -> Result<Vec<FamilyId>, StorageError> {
    let ended = refresh_families::ended_at.eq(Some(micros(now)));
    let lasting = diesel::update(refresh_families::table)
        .filter(refresh_families::player_id.eq(player))
        .filter(refresh_families::ended_at.is_null());
    let id = refresh_families::id;
    Ok(match except {
        None => lasting.set(ended).returning(id).load(conn)?,
        Some(kept) => lasting
            .filter(id.ne(kept))
            .set(ended)
            .returning(id)
            .load(conn)?,
    })
}

/// Forgets what a player logged in with.
pub(crate) fn forget_user_agents(
    conn: &mut Connection,
    player: PlayerId,
) -> Result<(), StorageError> {
    diesel::update(refresh_families::table)
        .filter(refresh_families::player_id.eq(player))
        .set(refresh_families::user_agent.eq(None::<String>))
        .execute(conn)?;
    Ok(())
}

/// Whether a login lasts at that instant.
///
/// # Errors
/// None of its own.
pub fn lasts(conn: &mut Connection, id: FamilyId, now: Timestamp) -> Result<bool, StorageError> {
    let lasting: i64 = refresh_families::table
        .filter(refresh_families::id.eq(id))
        .filter(refresh_families::ended_at.is_null())
        .filter(refresh_families::expires_at.gt(micros(now)))
        .count()
        .get_result(conn)?;
    Ok(lasting > 0)
}

/// The most logins that a list has.
pub const MAX_LISTED: u32 = 1_000;

/// The logins of a player that last at that instant, newest first, at most [`MAX_LISTED`].
///
/// # Errors
/// None of its own.
pub fn list(
    conn: &mut Connection,
    player: PlayerId,
    now: Timestamp,
) -> Result<Vec<Session>, StorageError> {
    let rows: Vec<(FamilyId, i64, i64, i64, Option<String>)> = refresh_families::table
        .filter(refresh_families::player_id.eq(player))
        .filter(refresh_families::ended_at.is_null())
        .filter(refresh_families::expires_at.gt(micros(now)))
        .order(refresh_families::id.desc())
        .limit(i64::from(MAX_LISTED))
        .select((
            refresh_families::id,
            refresh_families::created_at,
            refresh_families::rotated_at,
            refresh_families::expires_at,
            refresh_families::user_agent,
        ))
        .load(conn)?;
    let session = |(id, created_at, used_at, expires_at, user_agent)| Session {
        id,
        created_at: instant(created_at),
        used_at: instant(used_at),
        expires_at: instant(expires_at),
        user_agent,
    };
    Ok(rows.into_iter().map(session).collect())
}

/// How long a login is kept after its end.
pub const KEPT: Duration = Duration::from_hours(48);

/// Forgets logins that have been over for [`KEPT`], at most `limit` of those that ran out and `limit`
/// of those that were ended; says how many. A login that lasts keeps what tells a spent token.
///
/// # Errors
/// None of its own.
pub fn forget_old(
    conn: &mut Connection,
    now: Timestamp,
    limit: u32,
) -> Result<usize, StorageError> {
    let mut forgotten = 0;
    for statement in [FORGET_EXPIRED, FORGET_ENDED] {
        forgotten += diesel::sql_query(statement)
            .bind::<BigInt, _>(before(now, KEPT))
            .bind::<BigInt, _>(i64::from(limit))
            .execute(conn)?;
    }
    Ok(forgotten)
}

const FORGET_EXPIRED: &str = "DELETE FROM refresh_families WHERE (player_id, id) IN \
     (SELECT player_id, id FROM refresh_families WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2)";
const FORGET_ENDED: &str = "DELETE FROM refresh_families WHERE (player_id, id) IN \
     (SELECT player_id, id FROM refresh_families WHERE ended_at <= $1 ORDER BY ended_at LIMIT $2)";
