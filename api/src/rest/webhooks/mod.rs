//! Webhooks.

mod change;
mod create;
mod delete;
mod list;
mod show;

use serde::Deserialize;
use storage::SubscriptionId;
use uuid::Uuid;

pub(crate) use change::change_webhook;
pub(crate) use create::create_webhook;
pub(crate) use delete::delete_webhook;
pub(crate) use list::list_webhooks;
pub(crate) use show::show_webhook;

/// The path of a webhook.
#[derive(Debug, Clone, Copy, Deserialize)]
pub struct WebhookPath {
    webhook_id: Uuid,
}

impl WebhookPath {
    const fn id(self) -> SubscriptionId {
        SubscriptionId::from_uuid(self.webhook_id)
    }
}
