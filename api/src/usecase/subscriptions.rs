//! Where a player is told of his events besides his own stream: webhooks and browsers.

use domain::Timestamp;
use storage::subscriptions::{self, Channel, ChannelKind, Standing, Subscription};
use storage::{Connection, Database, PlayerId, StorageError, SubscriptionId, feeds};

use super::accounts::{require_active, require_alive};
use super::once::once;
use crate::auth::Caller;
use crate::http::idempotency::Idempotency;
use crate::problem::{ApiError, FieldFault};
use crate::wire::push::PushTerms;
use crate::wire::webhook::WebhookTerms;

/// How many webhooks a player may have.
const MAX_WEBHOOKS: usize = 10;
/// How many browsers of a player are told.
const MAX_BROWSERS: usize = 20;

/// Makes a webhook, which is told what happens from now on.
///
/// # Errors
/// 401 for an erased account or a login that has ended, 422 when the player has as many as may be or the
/// key stands for another request.
pub fn create_webhook(
    db: &Database,
    caller: Caller,
    wanted: &WebhookTerms,
    key: Option<&Idempotency>,
    now: Timestamp,
) -> Result<Subscription, ApiError> {
    let player = caller.player();
    let create = |connection: &mut Connection| {
        let standing = standing_now(connection, caller)?;
        let present = subscriptions::list(connection, player, ChannelKind::Webhook)?;
        if present.len() >= MAX_WEBHOOKS {
            return Err(too_many("url", "webhooks", MAX_WEBHOOKS));
        }
        let webhook = Subscription {
            player_id: player,
            id: SubscriptionId::generate(now),
            channel: Channel::Webhook {
                secret: wanted.secret.clone().unwrap_or_default().into_bytes(),
            },
            url: wanted.url.clone().unwrap_or_default(),
            kinds: wanted.kinds.clone().unwrap_or_default(),
            created_at: now,
            standing,
        };
        subscriptions::create(connection, &webhook)?;
        Ok((webhook.id.as_uuid(), webhook))
    };
    let recall = |connection: &mut Connection, id| {
        let id = SubscriptionId::from_uuid(id);
        find(connection, player, ChannelKind::Webhook, id)
    };
    once(db, player, key, now, create, recall)
}

/// Changes one of the caller's webhooks by what `read` says, which is asked once there is one. It is
/// told at once what it lacks, if it is to be told anything.
///
/// # Errors
/// 401 for an erased account, 404 when there is none or it is another's; those of `read`.
pub fn change_webhook(
    db: &Database,
    caller: Caller,
    id: SubscriptionId,
    read: impl FnOnce() -> Result<WebhookTerms, ApiError>,
    now: Timestamp,
) -> Result<Subscription, ApiError> {
    let player = caller.player();
    let find = |connection: &mut Connection| find(connection, player, ChannelKind::Webhook, id);
    db.read(find)?;
    let wanted = read()?;
    db.write_holding(&[player], |connection| {
        require_alive(connection, caller)?;
        let mut webhook = find(connection)?;
        if let Some(url) = &wanted.url {
            webhook.url.clone_from(url);
        }
        if let Some(secret) = &wanted.secret {
            let secret = secret.clone().into_bytes();
            webhook.channel = Channel::Webhook { secret };
        }
        if let Some(kinds) = &wanted.kinds {
            webhook.kinds.clone_from(kinds);
        }
        let Standing {
            told,
            delivered_at,
            disabled_at,
            ..
        } = webhook.standing;
        let disabled_at = match wanted.enabled {
            None => disabled_at,
            Some(true) => None,
            Some(false) => disabled_at.or(Some(now)),
        };
        webhook.standing = Standing {
            delivered_at,
            disabled_at,
            due_at: disabled_at.is_none().then_some(now),
            ..Standing::after(told)
        };
        subscriptions::update(connection, &webhook).map_err(named)?;
        Ok(webhook)
    })
}

/// Has a browser told what happens from now on; says whether it was not told before. One that was is
/// told by its new keys and of the new kinds, and may have failed before.
///
/// # Errors
/// 401 for an erased account or a login that has ended, 422 when the player has as many as may be or the
/// key stands for another request.
pub fn subscribe_browser(
    db: &Database,
    caller: Caller,
    wanted: &PushTerms,
    key: Option<&Idempotency>,
    now: Timestamp,
) -> Result<(Subscription, bool), ApiError> {
    let player = caller.player();
    let create = |connection: &mut Connection| {
        let standing = standing_now(connection, caller)?;
        let present = subscriptions::list(connection, player, ChannelKind::Push)?;
        let known = present.iter().find(|one| one.url == wanted.endpoint);
        if known.is_none() && present.len() >= MAX_BROWSERS {
            return Err(too_many("endpoint", "browsers", MAX_BROWSERS));
        }
        let browser = Subscription {
            player_id: player,
            id: known.map_or_else(|| SubscriptionId::generate(now), |known| known.id),
            channel: Channel::Push {
                public_key: wanted.public_key.clone(),
                secret: wanted.secret.clone(),
            },
            url: wanted.endpoint.clone(),
            kinds: wanted.kinds.clone(),
            created_at: known.map_or(now, |known| known.created_at),
            standing,
        };
        if known.is_some() {
            subscriptions::update(connection, &browser)?;
        } else {
            subscriptions::create(connection, &browser)?;
        }
        Ok((browser.id.as_uuid(), (browser, known.is_none())))
    };
    let recall = |connection: &mut Connection, id| {
        let id = SubscriptionId::from_uuid(id);
        find(connection, player, ChannelKind::Push, id).map(|found| (found, true))
    };
    once(db, player, key, now, create, recall)
}

/// One of the caller's receivers.
///
/// # Errors
/// 401 for an erased account, 404 when there is none or it is another's.
pub fn find(
    connection: &mut Connection,
    caller: PlayerId,
    kind: ChannelKind,
    id: SubscriptionId,
) -> Result<Subscription, ApiError> {
    require_active(connection, caller)?;
    subscriptions::load(connection, caller, kind, id).map_err(named)
}

/// The caller's receivers, the newest first.
///
/// # Errors
/// 401 for an erased account.
pub fn list(
    db: &Database,
    caller: PlayerId,
    kind: ChannelKind,
) -> Result<Vec<Subscription>, ApiError> {
    db.read(|connection| {
        require_active(connection, caller)?;
        Ok(subscriptions::list(connection, caller, kind)?)
    })
}

/// Deletes one of the caller's receivers.
///
/// # Errors
/// 401 for an erased account, 404 when there is none or it is another's.
pub fn delete(
    db: &Database,
    caller: PlayerId,
    kind: ChannelKind,
    id: SubscriptionId,
) -> Result<(), ApiError> {
    db.write(|connection| {
        require_active(connection, caller)?;
        subscriptions::delete(connection, caller, kind, id).map_err(named)
    })
}

/// How a receiver stands that is told what happens from now on: all that waits happened before. What is
/// made of one player at the same time waits for each other here, so that the bounds hold.
fn standing_now(connection: &mut Connection, caller: Caller) -> Result<Standing, ApiError> {
    require_alive(connection, caller)?;
    Ok(Standing::after(feeds::number(connection, caller.player())?))
}

fn too_many(field: &str, what: &str, most: usize) -> ApiError {
    ApiError::validation(vec![FieldFault {
        field: field.into(),
        code: "too_many".into(),
        detail: format!(
            "cannot be added: there are {most} {what} already, the most a player may have; delete one first"
        ),
    }])
}

fn named(error: StorageError) -> ApiError {
    match error {
        StorageError::NotFound => ApiError::not_found("subscription"),
        error => error.into(),
    }
}
