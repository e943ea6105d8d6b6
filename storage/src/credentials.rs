//! What a player shows for himself, logins and personal tokens alike: how they end, and how other nodes
//! hear of it.

use diesel::prelude::*;
use domain::Timestamp;

use crate::either::DatabaseConnection as Connection;
use crate::error::StorageError;
use crate::ids::{CredentialId, FamilyId, PlayerId, TokenId};
use crate::schema::{personal_tokens, refresh_families};
use crate::time::{instant, micros};
use crate::{personal_tokens as tokens, sessions, subscriptions, tickets};

/// A credential that has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ended {
    /// Whose it was.
    pub player: PlayerId,
    /// Which.
    pub credential: CredentialId,
    /// When.
    pub at: Timestamp,
}

/// Whether a login or personal token of a player has not ended, on whatever node.
///
/// # Errors
/// None of its own.
pub fn is_alive(
    conn: &mut Connection,
    player: PlayerId,
    credential: CredentialId,
) -> Result<bool, StorageError> {
    let login: i64 = refresh_families::table
        .filter(refresh_families::player_id.eq(player))
        .filter(refresh_families::id.eq(credential))
        .filter(refresh_families::ended_at.is_null())
        .count()
        .get_result(conn)?;
    let token: i64 = personal_tokens::table
        .filter(personal_tokens::player_id.eq(player))
        .filter(personal_tokens::id.eq(credential))
        .filter(personal_tokens::ended_at.is_null())
        .count()
        .get_result(conn)?;
    Ok(login + token > 0)
}

/// Ends all logins and personal tokens of a player, and the tickets that they asked for, but for one
/// login if it is named; says which. What tells him by itself ends as well: whoever else had the account
/// may have made it.
///
/// # Errors
/// None of its own.
pub fn end_all(
    conn: &mut Connection,
    player: PlayerId,
    except: Option<FamilyId>,
    now: Timestamp,
) -> Result<Vec<CredentialId>, StorageError> {
    subscriptions::end_all(conn, player, now)?;
    let families = sessions::end_all(conn, player, except, now)?;
    let tokens = tokens::end_all(conn, player, now)?;
    tickets::take_away(conn, player, except.map(CredentialId::from))?;
    let families = families.into_iter().map(CredentialId::from);
    Ok(families
        .chain(tokens.into_iter().map(CredentialId::from))
        .collect())
}

/// Ends one login of a player, and the tickets that it asked for; whether he had it until now.
///
/// # Errors
/// None of its own.
pub fn end_session(
    conn: &mut Connection,
    player: PlayerId,
    id: FamilyId,
    now: Timestamp,
) -> Result<bool, StorageError> {
    let ended = sessions::end_own(conn, player, id, now)?;
    tickets::take_away_of(conn, player, id.into())?;
    Ok(ended)
}

/// Ends all logins of a player but one, and the tickets that they asked for; says which.
///
/// # Errors
/// None of its own.
pub fn end_other_sessions(
    conn: &mut Connection,
    player: PlayerId,
    kept: FamilyId,
    now: Timestamp,
) -> Result<Vec<CredentialId>, StorageError> {
    let mut ended = Vec::new();
    for id in sessions::end_all(conn, player, Some(kept), now)? {
        tickets::take_away_of(conn, player, id.into())?;
        ended.push(id.into());
    }
    Ok(ended)
}

/// Ends a personal token of a player, and the tickets that it asked for; whether he had it until now.
///
/// # Errors
/// None of its own.
pub fn end_token(
    conn: &mut Connection,
    player: PlayerId,
    id: TokenId,
    now: Timestamp,
) -> Result<bool, StorageError> {
    let ended = tokens::end(conn, player, id, now)?;
    tickets::take_away_of(conn, player, id.into())?;
    Ok(ended)
}

/// The credentials that have ended since, on whatever node.
///
/// # Errors
/// None of its own.
pub fn ended_since(conn: &mut Connection, since: Timestamp) -> Result<Vec<Ended>, StorageError> {
    type Row = (PlayerId, CredentialId, Option<i64>);
    let since = micros(since);
    let mut rows: Vec<Row> = refresh_families::table
        .filter(refresh_families::ended_at.ge(since))
        .select((
            refresh_families::player_id,
            refresh_families::id,
            refresh_families::ended_at,
        ))
        .load(conn)?;
    let tokens: Vec<Row> = personal_tokens::table
        .filter(personal_tokens::ended_at.ge(since))
        .select((
            personal_tokens::player_id,
            personal_tokens::id,
            personal_tokens::ended_at,
        ))
        .load(conn)?;
    rows.extend(tokens);
    let ended = |(player, credential, at): Row| {
        Some(Ended {
            player,
            credential,
            at: instant(at?),
        })
    };
    Ok(rows.into_iter().filter_map(ended).collect())
}
