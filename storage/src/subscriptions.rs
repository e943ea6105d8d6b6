//! Where a player is told of his events besides his own stream: webhooks, and browsers by Web Push.
//!
//! Each is a cursor in the player's stream ([`Standing::told`]), which goes on when the receiver has an
//! event. So nothing is lost when a node dies, and what it was about is told again. Each is its owner's
//! alone: another's is as good as none.

mod claim;
mod waiting;

use diesel::prelude::*;
use domain::Timestamp;

use crate::either::DatabaseConnection as Connection;
use crate::error::{Corruption, StorageError};
use crate::ids::{PlayerId, SubscriptionId};
use crate::number;
use crate::schema::subscriptions;
use crate::time::{instant, micros};

pub use claim::{Candidate, Claimed, Readiness, candidates, claim, due, record, remove};
pub use waiting::{Waiting, find_waiting};

/// How the receiver is told.
#[derive(Clone, PartialEq, Eq)]
pub enum Channel {
    /// By requests that are signed with the secret.
    Webhook {
        /// Known to the owner and the receiver.
        secret: Vec<u8>,
    },
    /// By a push service, in messages that only the browser can read.
    Push {
        /// The browser's public key: an uncompressed point of P-256.
        public_key: Vec<u8>,
        /// The secret that the browser shares.
        secret: Vec<u8>,
    },
}

/// Of which kind a channel is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ChannelKind {
    /// Requests.
    Webhook,
    /// A push service.
    Push,
}

/// How far a receiver is, and how it goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Standing {
    /// How many events of the stream it has, those included that it did not want.
    pub told: u64,
    /// How often the next event failed to be delivered.
    pub attempts: u32,
    /// Since when it fails.
    pub failing_since: Option<Timestamp>,
    /// How it failed last, as a word.
    pub last_error: Option<String>,
    /// When it last took an event.
    pub delivered_at: Option<Timestamp>,
    /// When it was given up.
    pub disabled_at: Option<Timestamp>,
    /// When it is to be looked at without a reason: to try again.
    pub due_at: Option<Timestamp>,
}

/// A receiver. Not printable: it holds a secret.
#[derive(Clone, PartialEq, Eq)]
pub struct Subscription {
    /// Whose.
    pub player_id: PlayerId,
    /// Which.
    pub id: SubscriptionId,
    /// How it is told.
    pub channel: Channel,
    /// Where it is.
    pub url: String,
    /// The kinds of events that it wants.
    pub kinds: Vec<String>,
    /// When it was made.
    pub created_at: Timestamp,
    /// How far it is.
    pub standing: Standing,
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = subscriptions)]
struct SubscriptionRow {
    player_id: PlayerId,
    id: SubscriptionId,
    channel: String,
    url: String,
    secret: Vec<u8>,
    public_key: Option<Vec<u8>>,
    kinds: String,
    created_at: i64,
    #[diesel(embed)]
    standing: StandingRow,
}

#[derive(Queryable, Selectable, Insertable, AsChangeset)]
#[diesel(table_name = subscriptions, treat_none_as_null = true)]
struct StandingRow {
    told: i64,
    attempts: i32,
    failing_since: Option<i64>,
    last_error: Option<String>,
    delivered_at: Option<i64>,
    disabled_at: Option<i64>,
    due_at: Option<i64>,
}

impl ChannelKind {
    /// Its name, as it is stored.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Webhook => "webhook",
            Self::Push => "push",
        }
    }
}

impl Channel {
    /// Of which kind it is.
    pub const fn kind(&self) -> ChannelKind {
        match self {
            Self::Webhook { .. } => ChannelKind::Webhook,
            Self::Push { .. } => ChannelKind::Push,
        }
    }

    fn columns(&self) -> (&[u8], Option<&[u8]>) {
        match self {
            Self::Webhook { secret } => (secret, None),
            Self::Push { public_key, secret } => (secret, Some(public_key)),
        }
    }

    fn read(
        channel: &str,
        secret: Vec<u8>,
        public_key: Option<Vec<u8>>,
    ) -> Result<Self, StorageError> {
        match (channel, public_key) {
            ("webhook", None) => Ok(Self::Webhook { secret }),
            ("push", Some(public_key)) => Ok(Self::Push { public_key, secret }),
            _ => Err(Corruption::Value { column: "channel" }.into()),
        }
    }
}

impl Standing {
    /// Of a receiver that has as many events and never failed.
    pub const fn after(told: u64) -> Self {
        Self {
            told,
            attempts: 0,
            failing_since: None,
            last_error: None,
            delivered_at: None,
            disabled_at: None,
            due_at: None,
        }
    }
}

impl TryFrom<&Standing> for StandingRow {
    type Error = StorageError;

    fn try_from(standing: &Standing) -> Result<Self, StorageError> {
        Ok(Self {
            told: number::stored(standing.told)?,
            attempts: i32::try_from(standing.attempts).unwrap_or(i32::MAX),
            failing_since: standing.failing_since.map(micros),
            last_error: standing.last_error.clone(),
            delivered_at: standing.delivered_at.map(micros),
            disabled_at: standing.disabled_at.map(micros),
            due_at: standing.due_at.map(micros),
        })
    }
}

impl TryFrom<StandingRow> for Standing {
    type Error = StorageError;

    fn try_from(row: StandingRow) -> Result<Self, StorageError> {
        Ok(Self {
            told: number::read(row.told)?,
            attempts: u32::try_from(row.attempts)
                .map_err(|_| Corruption::Value { column: "attempts" })?,
            failing_since: row.failing_since.map(instant),
            last_error: row.last_error,
            delivered_at: row.delivered_at.map(instant),
            disabled_at: row.disabled_at.map(instant),
            due_at: row.due_at.map(instant),
        })
    }
}

impl TryFrom<SubscriptionRow> for Subscription {
    type Error = StorageError;

    fn try_from(row: SubscriptionRow) -> Result<Self, StorageError> {
        let kinds = row.kinds.split(',').filter(|kind| !kind.is_empty());
        Ok(Self {
            player_id: row.player_id,
            id: row.id,
            channel: Channel::read(&row.channel, row.secret, row.public_key)?,
            url: row.url,
            kinds: kinds.map(str::to_owned).collect(),
            created_at: instant(row.created_at),
            standing: row.standing.try_into()?,
        })
    }
}

/// Makes a receiver.
///
/// # Errors
/// None of its own.
pub fn create(conn: &mut Connection, new: &Subscription) -> Result<(), StorageError> {
    let (secret, public_key) = new.channel.columns();
    diesel::insert_into(subscriptions::table)
        .values((
            subscriptions::player_id.eq(new.player_id),
            subscriptions::id.eq(new.id),
            subscriptions::channel.eq(new.channel.kind().name()),
            subscriptions::url.eq(&new.url),
            subscriptions::secret.eq(secret),
            subscriptions::public_key.eq(public_key),
            subscriptions::kinds.eq(new.kinds.join(",")),
            subscriptions::created_at.eq(micros(new.created_at)),
            StandingRow::try_from(&new.standing)?,
        ))
        .execute(conn)?;
    Ok(())
}

/// One of a player's receivers of a kind.
///
/// # Errors
/// [`NotFound`](StorageError::NotFound).
pub fn load(
    conn: &mut Connection,
    owner: PlayerId,
    kind: ChannelKind,
    id: SubscriptionId,
) -> Result<Subscription, StorageError> {
    let row: SubscriptionRow = subscriptions::table
        .find((owner, id))
        .filter(subscriptions::channel.eq(kind.name()))
        .select(SubscriptionRow::as_select())
        .first(conn)?;
    row.try_into()
}

/// A player's receivers of a kind, the newest first. There are few: the caller bounds what is made.
///
/// # Errors
/// None of its own.
pub fn list(
    conn: &mut Connection,
    owner: PlayerId,
    kind: ChannelKind,
) -> Result<Vec<Subscription>, StorageError> {
    let rows: Vec<SubscriptionRow> = subscriptions::table
        .filter(subscriptions::player_id.eq(owner))
        .filter(subscriptions::channel.eq(kind.name()))
        .order(subscriptions::id.desc())
        .select(SubscriptionRow::as_select())
        .load(conn)?;
    rows.into_iter().map(Subscription::try_from).collect()
}

/// Changes where a receiver is, what it wants and how it stands. Whoever tells it at the moment loses it.
///
/// # Errors
/// [`NotFound`](StorageError::NotFound).
pub fn update(conn: &mut Connection, changed: &Subscription) -> Result<(), StorageError> {
    let (secret, public_key) = changed.channel.columns();
    let rows = diesel::update(subscriptions::table.find((changed.player_id, changed.id)))
        .set((
            subscriptions::url.eq(&changed.url),
            subscriptions::secret.eq(secret),
            subscriptions::public_key.eq(public_key),
            subscriptions::kinds.eq(changed.kinds.join(",")),
            subscriptions::lease.eq(None::<Vec<u8>>),
            StandingRow::try_from(&changed.standing)?,
        ))
        .execute(conn)?;
    found(rows)
}

/// Removes one of a player's receivers of a kind.
///
/// # Errors
/// [`NotFound`](StorageError::NotFound).
pub fn delete(
    conn: &mut Connection,
    owner: PlayerId,
    kind: ChannelKind,
    id: SubscriptionId,
) -> Result<(), StorageError> {
    let rows = diesel::delete(subscriptions::table.find((owner, id)))
        .filter(subscriptions::channel.eq(kind.name()))
        .execute(conn)?;
    found(rows)
}

/// Disables a player's webhooks, for him to enable again, and forgets the browsers that are told, which
/// subscribe again. Whoever tells one of them at the moment loses it.
pub(crate) fn end_all(
    conn: &mut Connection,
    owner: PlayerId,
    now: Timestamp,
) -> Result<(), StorageError> {
    let of_kind = |kind: ChannelKind| {
        subscriptions::player_id
            .eq(owner)
            .and(subscriptions::channel.eq(kind.name()))
    };
    diesel::delete(subscriptions::table.filter(of_kind(ChannelKind::Push))).execute(conn)?;
    diesel::update(subscriptions::table.filter(of_kind(ChannelKind::Webhook)))
        .filter(subscriptions::disabled_at.is_null())
        .set((
            subscriptions::disabled_at.eq(Some(micros(now))),
            subscriptions::due_at.eq(None::<i64>),
            subscriptions::lease.eq(None::<Vec<u8>>),
        ))
        .execute(conn)?;
    Ok(())
}

/// Removes all receivers of a player who leaves.
pub(crate) fn delete_all(conn: &mut Connection, owner: PlayerId) -> Result<(), StorageError> {
    diesel::delete(subscriptions::table.filter(subscriptions::player_id.eq(owner)))
        .execute(conn)?;
    Ok(())
}

fn found(rows: usize) -> Result<(), StorageError> {
    if rows == 1 {
        Ok(())
    } else {
        Err(StorageError::NotFound)
    }
}
