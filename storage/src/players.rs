//! Players and their accounts.

mod recorded;

use diesel::prelude::*;
use domain::Timestamp;

use crate::challenges;
use crate::credentials;
use crate::either::DatabaseConnection as Connection;
use crate::erasure;
use crate::error::{StorageError, exactly_one};
use crate::ids::{CredentialId, PlayerId};
use crate::page::{Page, PageRequest};
use crate::schema::players;
use crate::time::{instant, micros};

pub use recorded::recorded;
pub(crate) use recorded::{NewRecorded, recorded_key, recorded_or_new};

/// The username of the house bot: nobody registers it.
pub const HOUSE_BOT: &str = "reveille-bot";

/// What a player is beside a player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Title {
    /// The bot that the server itself runs.
    Bot,
}

/// What anyone may know of a player.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Player {
    /// Who.
    pub id: PlayerId,
    /// The name as it was given, in its own case.
    pub username: String,
    /// When the account was made.
    pub created_at: Timestamp,
    /// When the account was erased, if it was.
    pub erased_at: Option<Timestamp>,
    /// What he is beside a player.
    pub title: Option<Title>,
    /// Whether he administers the server.
    pub is_admin: bool,
    /// Since when he may do nothing here, if so.
    pub suspended_at: Option<Timestamp>,
    /// The kind of the archive that knows him; `None` of an account.
    pub source: Option<String>,
}

/// What a player alone may know of the account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Account {
    /// Whose.
    pub player: Player,
    /// Where mail goes.
    pub email: Option<String>,
    /// The same in the form in which addresses are compared, once it was found to be the player's own.
    pub verified_email: Option<String>,
    /// The preferences, in the caller's own writing.
    pub preferences: String,
}

/// What a login is checked against. Not printable: it holds the password's hash.
#[derive(Clone)]
pub struct Credentials {
    /// Whose.
    pub player: Player,
    /// The password's hash; `None` for an erased account.
    pub password_hash: Option<String>,
}

/// A player to be registered.
#[derive(Clone, Copy)]
pub struct NewPlayer<'a> {
    /// Drawn by the caller.
    pub id: PlayerId,
    /// The name as it is shown.
    pub username: &'a str,
    /// The name as it is compared: normalised and folded by the caller.
    pub username_key: &'a str,
    /// The password's hash.
    pub password_hash: &'a str,
    /// Where mail goes.
    pub email: Option<&'a str>,
    /// The preferences.
    pub preferences: &'a str,
    /// When.
    pub created_at: Timestamp,
}

/// What changes of an account; `None` stays as it is.
#[derive(Debug, Clone, Copy, Default)]
pub struct AccountChange<'a> {
    /// Another address, or none.
    pub email: Option<Option<&'a str>>,
    /// Other preferences.
    pub preferences: Option<&'a str>,
}

/// The place of a player in the list of players: the name as it is compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlayerCursor(pub String);

/// A player found by name, with the place in the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundPlayer {
    /// The player.
    pub player: Player,
    /// The place.
    pub cursor: PlayerCursor,
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = players)]
pub(crate) struct PlayerRow {
    id: PlayerId,
    username: String,
    created_at: i64,
    erased_at: Option<i64>,
    #[diesel(select_expression = players::password_hash.is_null())]
    without_password: bool,
    is_admin: bool,
    suspended_at: Option<i64>,
    source: Option<String>,
}

impl From<PlayerRow> for Player {
    fn from(row: PlayerRow) -> Self {
        // Somebody may have had the name before it was the house bot's.
        let is_house_bot =
            row.without_password && row.source.is_none() && row.username == HOUSE_BOT;
        Self {
            title: is_house_bot.then_some(Title::Bot),
            id: row.id,
            username: row.username,
            created_at: instant(row.created_at),
            erased_at: row.erased_at.map(instant),
            is_admin: row.is_admin,
            suspended_at: row.suspended_at.map(instant),
            source: row.source,
        }
    }
}

/// Registers a player.
///
/// # Errors
/// [`Duplicate`](StorageError::Duplicate) of [`Username`](crate::Unique::Username) when the name is
/// taken.
pub fn create(conn: &mut Connection, new: &NewPlayer<'_>) -> Result<Player, StorageError> {
    diesel::insert_into(players::table)
        .values((
            players::id.eq(new.id),
            players::username.eq(new.username),
            players::username_key.eq(new.username_key),
            players::password_hash.eq(new.password_hash),
            players::email.eq(new.email),
            players::preferences.eq(new.preferences),
            players::created_at.eq(micros(new.created_at)),
        ))
        .execute(conn)?;
    Ok(Player {
        id: new.id,
        username: new.username.to_owned(),
        created_at: new.created_at,
        erased_at: None,
        title: None,
        is_admin: false,
        suspended_at: None,
        source: None,
    })
}

/// The account of the house bot, which no password opens: made when it is not there yet.
///
/// # Errors
/// [`Conflict`](StorageError::Conflict) when the name is another player's;
/// [`Duplicate`](StorageError::Duplicate) when somebody makes it at this moment.
pub fn house_bot(
    conn: &mut Connection,
    id: PlayerId,
    now: Timestamp,
) -> Result<Player, StorageError> {
    match by_username_key(conn, HOUSE_BOT) {
        Err(StorageError::NotFound) => {}
        Ok(player) if player.title.is_none() => return Err(StorageError::Conflict),
        found => return found,
    }
    diesel::insert_into(players::table)
        .values((
            players::id.eq(id),
            players::username.eq(HOUSE_BOT),
            players::username_key.eq(HOUSE_BOT),
            players::preferences.eq("{}"),
            players::created_at.eq(micros(now)),
        ))
        .execute(conn)?;
    by_id(conn, id)
}

/// A player, erased or not.
///
/// # Errors
/// [`NotFound`](StorageError::NotFound).
pub fn by_id(conn: &mut Connection, id: PlayerId) -> Result<Player, StorageError> {
    let row: PlayerRow = players::table
        .find(id)
        .select(PlayerRow::as_select())
        .first(conn)?;
    Ok(row.into())
}

/// Players by one statement, in no order; those that are not there are left out.
///
/// # Errors
/// None of its own.
pub fn by_ids(conn: &mut Connection, ids: &[PlayerId]) -> Result<Vec<Player>, StorageError> {
    let players = players::table.select(PlayerRow::as_select());
    let rows: Vec<PlayerRow> = match *ids {
        [] => Vec::new(),
        // The players of one game: a statement of fixed length stays prepared.
        [red, blue] => players
            .filter(players::id.eq(red).or(players::id.eq(blue)))
            .load(conn)?,
        _ => players.filter(players::id.eq_any(ids)).load(conn)?,
    };
    Ok(rows.into_iter().map(Player::from).collect())
}

/// The player of a name, as it is compared.
///
/// # Errors
/// [`NotFound`](StorageError::NotFound).
pub fn by_username_key(conn: &mut Connection, key: &str) -> Result<Player, StorageError> {
    can_be_stored(key)?;
    let row: PlayerRow = players::table
        .filter(players::username_key.eq(key))
        .filter(players::source.is_null())
        .select(PlayerRow::as_select())
        .first(conn)?;
    Ok(row.into())
}

/// PostgreSQL takes no NUL in a text, not even in one that is only compared; so no name has one.
fn can_be_stored(key: &str) -> Result<(), StorageError> {
    if key.contains('\0') {
        Err(StorageError::NotFound)
    } else {
        Ok(())
    }
}

/// Players whose name as it is compared begins so, in its order; erased ones never.
///
/// # Errors
/// None of its own.
pub fn search(
    conn: &mut Connection,
    prefix: &str,
    page: &PageRequest<PlayerCursor>,
) -> Result<Page<FoundPlayer>, StorageError> {
    if can_be_stored(prefix).is_err() {
        return Ok(Page {
            items: Vec::new(),
            has_more: false,
        });
    }
    let mut query = players::table
        .filter(players::erased_at.is_null())
        .filter(players::source.is_null())
        .select((PlayerRow::as_select(), players::username_key))
        .limit(page.rows())
        .into_boxed();
    if !prefix.is_empty() {
        // A range rather than LIKE: the same on both databases, and by the index.
        query = query
            .filter(players::username_key.ge(prefix.to_owned()))
            .filter(players::username_key.le(format!("{prefix}{}", char::MAX)));
    }
    let up = page.reads_up(true);
    if let Some(PlayerCursor(key)) = page.from.clone().filter(|from| !from.0.contains('\0')) {
        query = if up {
            query.filter(players::username_key.gt(key))
        } else {
            query.filter(players::username_key.lt(key))
        };
    }
    query = if up {
        query.order(players::username_key.asc())
    } else {
        query.order(players::username_key.desc())
    };
    let rows: Vec<(PlayerRow, String)> = query.load(conn)?;
    page.page(rows).try_map(|(row, key)| {
        Ok(FoundPlayer {
            player: row.into(),
            cursor: PlayerCursor(key),
        })
    })
}

/// An account, erased or not.
///
/// # Errors
/// [`NotFound`](StorageError::NotFound).
pub fn account(conn: &mut Connection, id: PlayerId) -> Result<Account, StorageError> {
    let (row, email, verified_email, preferences): (PlayerRow, _, _, String) = players::table
        .find(id)
        .select((
            PlayerRow::as_select(),
            players::email,
            players::verified_email,
            players::preferences,
        ))
        .first(conn)?;
    Ok(Account {
        player: row.into(),
        email,
        verified_email,
        preferences,
    })
}

/// What a login by that name is checked against.
///
/// # Errors
/// [`NotFound`](StorageError::NotFound).
pub fn credentials(conn: &mut Connection, key: &str) -> Result<Credentials, StorageError> {
    can_be_stored(key)?;
    let (row, password_hash): (PlayerRow, Option<String>) = players::table
        .filter(players::username_key.eq(key))
        .select((PlayerRow::as_select(), players::password_hash))
        .first(conn)?;
    Ok(Credentials {
        player: row.into(),
        password_hash,
    })
}

/// Changes an account that is not erased. Another address is not verified.
///
/// # Errors
/// [`NotFound`](StorageError::NotFound).
pub fn update(
    conn: &mut Connection,
    id: PlayerId,
    change: &AccountChange<'_>,
) -> Result<Account, StorageError> {
    let Account {
        player,
        email: old_email,
        verified_email,
        preferences,
    } = account(conn, id)?;
    if player.erased_at.is_some() {
        return Err(StorageError::NotFound);
    }
    let email = match change.email {
        None => old_email.clone(),
        Some(email) => email.map(str::to_owned),
    };
    let verified_email = verified_email.filter(|_| email == old_email);
    let preferences = change.preferences.map_or(preferences, str::to_owned);
    diesel::update(players::table.find(id))
        .set((
            players::email.eq(&email),
            players::verified_email.eq(&verified_email),
            players::preferences.eq(&preferences),
        ))
        .execute(conn)?;
    Ok(Account {
        player,
        email,
        verified_email,
        preferences,
    })
}

/// Notes that the address of an account is its player's own; `address` is the form in which addresses
/// are compared, made by the caller.
///
/// # Errors
/// [`Conflict`](StorageError::Conflict) when there is no such account, or it has no address.
pub fn verify_email(
    conn: &mut Connection,
    id: PlayerId,
    address: &str,
) -> Result<(), StorageError> {
    let rows = diesel::update(players::table.find(id))
        .filter(players::email.is_not_null())
        .set(players::verified_email.eq(Some(address)))
        .execute(conn)?;
    exactly_one(rows)
}

/// Accounts whose verified address that is, in the form in which addresses are compared, those that
/// were made first first.
///
/// # Errors
/// None of its own.
pub fn by_verified_email(
    conn: &mut Connection,
    address: &str,
    limit: u32,
) -> Result<Vec<PlayerId>, StorageError> {
    Ok(players::table
        .filter(players::verified_email.eq(address))
        .order(players::id)
        .limit(limit.into())
        .select(players::id)
        .load(conn)?)
}

/// The hash that the password of an account is checked against; `None` for an erased one.
///
/// # Errors
/// [`NotFound`](StorageError::NotFound).
pub fn password_hash(conn: &mut Connection, id: PlayerId) -> Result<Option<String>, StorageError> {
    let hash = players::table.find(id).select(players::password_hash);
    Ok(hash.first(conn)?)
}

/// Sets another password.
///
/// # Errors
/// [`Conflict`](StorageError::Conflict) when there is no such account, or it is erased.
pub fn set_password(
    conn: &mut Connection,
    id: PlayerId,
    password_hash: &str,
) -> Result<(), StorageError> {
    let rows = diesel::update(players::table.find(id))
        .filter(players::erased_at.is_null())
        .set(players::password_hash.eq(Some(password_hash)))
        .execute(conn)?;
    exactly_one(rows)
}

/// Sets another password in the place of the one of that hash.
///
/// # Errors
/// [`Conflict`](StorageError::Conflict) when the account has another by now, or is erased.
pub fn replace_password(
    conn: &mut Connection,
    id: PlayerId,
    old_hash: &str,
    password_hash: &str,
) -> Result<(), StorageError> {
    let rows = diesel::update(players::table.find(id))
        .filter(players::password_hash.eq(old_hash))
        .set(players::password_hash.eq(Some(password_hash)))
        .execute(conn)?;
    exactly_one(rows)
}

/// Says whether a player administers the server; whether that is new.
///
/// # Errors
/// None of its own.
pub fn set_admin(
    conn: &mut Connection,
    id: PlayerId,
    is_admin: bool,
) -> Result<bool, StorageError> {
    let rows = diesel::update(players::table.find(id))
        .filter(players::is_admin.ne(is_admin))
        .filter(players::erased_at.is_null())
        .set(players::is_admin.eq(is_admin))
        .execute(conn)?;
    Ok(rows > 0)
}

/// Says since when a player may do nothing here, or that he may again; whether that is new. What he
/// holds by then, logins and tokens, is the caller's to end.
///
/// # Errors
/// None of its own.
pub fn set_suspended(
    conn: &mut Connection,
    id: PlayerId,
    since: Option<Timestamp>,
) -> Result<bool, StorageError> {
    let set = players::suspended_at.eq(since.map(micros));
    let account = diesel::update(players::table.find(id)).filter(players::erased_at.is_null());
    let rows = if since.is_some() {
        account
            .filter(players::suspended_at.is_null())
            .set(set)
            .execute(conn)?
    } else {
        account
            .filter(players::suspended_at.is_not_null())
            .set(set)
            .execute(conn)?
    };
    Ok(rows > 0)
}

/// What comes of erasing an account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Erased {
    /// Those who hear of a challenge that was closed.
    pub concerned: Vec<PlayerId>,
    /// The logins and tokens that ended with it.
    pub ended: Vec<CredentialId>,
}

/// Erases an account: the name gives way to another; password, address, preferences and all that is the
/// player's own go (see [`erasure`]), every login and token ends and every open challenge by or to the
/// player is closed. What the player's running games come to is the caller's to decide.
///
/// # Errors
/// [`Conflict`](StorageError::Conflict) when there is no such account, or it is erased already.
pub fn erase(
    conn: &mut Connection,
    id: PlayerId,
    username: &str,
    username_key: &str,
    now: Timestamp,
) -> Result<Erased, StorageError> {
    let rows = diesel::update(players::table.find(id))
        .filter(players::erased_at.is_null())
        .set((
            players::username.eq(username),
            players::username_key.eq(username_key),
            players::password_hash.eq(None::<String>),
            players::email.eq(None::<String>),
            players::verified_email.eq(None::<String>),
            players::preferences.eq("{}"),
            players::is_admin.eq(false),
            players::suspended_at.eq(None::<i64>),
            players::erased_at.eq(Some(micros(now))),
        ))
        .execute(conn)?;
    exactly_one(rows)?;
    let ended = credentials::end_all(conn, id, None, now)?;
    let concerned = challenges::close_all_of(conn, id, now)?;
    erasure::take_away(conn, id)?;
    Ok(Erased { concerned, ended })
}
