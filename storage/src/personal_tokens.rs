//! Personal tokens: what stands for a player in place of a login, for bots and scripts. Only the digest
//! of a token is stored, and it is found by that.

use std::time::Duration;

use diesel::prelude::*;
use diesel::sql_types::BigInt;
use domain::Timestamp;

use crate::either::DatabaseConnection as Connection;
use crate::error::StorageError;
use crate::ids::{Digest, PlayerId, TokenId};
use crate::players::{Player, PlayerRow};
use crate::schema::{personal_tokens, players};
use crate::time::{before, instant, micros};

/// A personal token, without what opens it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PersonalToken {
    /// Which.
    pub id: TokenId,
    /// What its owner calls it.
    pub name: String,
    /// What it allows: words between spaces, the caller's own.
    pub scopes: String,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it runs out, if it does.
    pub expires_at: Option<Timestamp>,
    /// When it was last used, to within an hour.
    pub last_used_at: Option<Timestamp>,
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = personal_tokens)]
struct TokenRow {
    id: TokenId,
    name: String,
    scopes: String,
    created_at: i64,
    expires_at: Option<i64>,
    last_used_at: Option<i64>,
}

impl From<TokenRow> for PersonalToken {
    fn from(row: TokenRow) -> Self {
        Self {
            id: row.id,
            name: row.name,
            scopes: row.scopes,
            created_at: instant(row.created_at),
            expires_at: row.expires_at.map(instant),
            last_used_at: row.last_used_at.map(instant),
        }
    }
}

/// Keeps a token of a player.
///
/// # Errors
/// None of its own.
pub fn create(
    conn: &mut Connection,
    owner: PlayerId,
    token: &PersonalToken,
    digest: Digest,
) -> Result<(), StorageError> {
    diesel::insert_into(personal_tokens::table)
        .values((
            personal_tokens::player_id.eq(owner),
            personal_tokens::id.eq(token.id),
            personal_tokens::hash.eq(digest),
            personal_tokens::name.eq(&token.name),
            personal_tokens::scopes.eq(&token.scopes),
            personal_tokens::created_at.eq(micros(token.created_at)),
            personal_tokens::expires_at.eq(token.expires_at.map(micros)),
        ))
        .execute(conn)?;
    Ok(())
}

/// The token of a digest with its owner, unless it has ended.
///
/// # Errors
/// None of its own.
pub fn by_digest(
    conn: &mut Connection,
    digest: Digest,
) -> Result<Option<(PersonalToken, Player)>, StorageError> {
    let found: Option<(TokenRow, PlayerRow)> = personal_tokens::table
        .inner_join(players::table)
        .filter(personal_tokens::hash.eq(digest))
        .filter(personal_tokens::ended_at.is_null())
        .select((TokenRow::as_select(), PlayerRow::as_select()))
        .first(conn)
        .optional()?;
    Ok(found.map(|(token, player)| (token.into(), player.into())))
}

/// One of a player's tokens, whether it has run out or not, unless it has ended.
///
/// # Errors
/// [`NotFound`](StorageError::NotFound).
pub fn load(
    conn: &mut Connection,
    owner: PlayerId,
    id: TokenId,
) -> Result<PersonalToken, StorageError> {
    let row: TokenRow = personal_tokens::table
        .find((owner, id))
        .filter(personal_tokens::ended_at.is_null())
        .select(TokenRow::as_select())
        .first(conn)?;
    Ok(row.into())
}

/// A player's tokens that have not ended, the newest first.
///
/// # Errors
/// None of its own.
pub fn list(conn: &mut Connection, owner: PlayerId) -> Result<Vec<PersonalToken>, StorageError> {
    let rows: Vec<TokenRow> = personal_tokens::table
        .filter(personal_tokens::player_id.eq(owner))
        .filter(personal_tokens::ended_at.is_null())
        .order(personal_tokens::id.desc())
        .select(TokenRow::as_select())
        .load(conn)?;
    Ok(rows.into_iter().map(Into::into).collect())
}

/// Notes that a token is used, unless that was noted within `within`.
///
/// # Errors
/// None of its own.
pub fn note_use(
    conn: &mut Connection,
    owner: PlayerId,
    id: TokenId,
    now: Timestamp,
    within: Duration,
) -> Result<(), StorageError> {
    let noted = personal_tokens::last_used_at;
    diesel::update(personal_tokens::table.find((owner, id)))
        .filter(noted.is_null().or(noted.le(before(now, within))))
        .set(noted.eq(Some(micros(now))))
        .execute(conn)?;
    Ok(())
}

/// Ends a token of a player; whether he had it until now.
pub(crate) fn end(
    conn: &mut Connection,
    owner: PlayerId,
    id: TokenId,
    now: Timestamp,
) -> Result<bool, StorageError> {
    let rows = diesel::update(personal_tokens::table.find((owner, id)))
        .filter(personal_tokens::ended_at.is_null())
        .set(personal_tokens::ended_at.eq(Some(micros(now))))
        .execute(conn)?;
    Ok(rows > 0)
}

/// Ends all tokens of a player; says which.
pub(crate) fn end_all(
    conn: &mut Connection,
    owner: PlayerId,
    now: Timestamp,
) -> Result<Vec<TokenId>, StorageError> {
    Ok(diesel::update(personal_tokens::table)
        .filter(personal_tokens::player_id.eq(owner))
        .filter(personal_tokens::ended_at.is_null())
        .set(personal_tokens::ended_at.eq(Some(micros(now))))
        .returning(personal_tokens::id)
        .load(conn)?)
}

/// Forgets what a player called his tokens.
pub(crate) fn forget_names(conn: &mut Connection, owner: PlayerId) -> Result<(), StorageError> {
    diesel::update(personal_tokens::table)
        .filter(personal_tokens::player_id.eq(owner))
        .set(personal_tokens::name.eq(""))
        .execute(conn)?;
    Ok(())
}

/// How long a token is kept after its end.
pub const KEPT: Duration = Duration::from_hours(48);

/// Forgets tokens that have been over for [`KEPT`], at most `limit` of those that ran out and `limit`
/// of those that were ended; says how many.
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

const FORGET_EXPIRED: &str = "DELETE FROM personal_tokens WHERE (player_id, id) IN \
     (SELECT player_id, id FROM personal_tokens WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2)";
const FORGET_ENDED: &str = "DELETE FROM personal_tokens WHERE (player_id, id) IN \
     (SELECT player_id, id FROM personal_tokens WHERE ended_at <= $1 ORDER BY ended_at LIMIT $2)";
