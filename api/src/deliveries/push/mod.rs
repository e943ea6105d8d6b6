//! Web Push: messages for browsers, which push services (RFC 8030) hand on without being able to read them
//! (RFC 8291), and who know this server by its key (RFC 8292).

mod encryption;
mod notice;
mod vapid;

use serde::Serialize;
use storage::subscriptions::Subscription;

pub use encryption::{EncryptionFault, MAX_CONTENT, Receiver, encrypt};
pub use notice::{Notice, Urgency, notice};
pub use vapid::{Vapid, VapidError};

use super::client::Outgoing;
use crate::problem::ApiError;

/// How long a push service may keep a message for a browser that is not there, in seconds.
const KEPT: u32 = 24 * 60 * 60;

/// The request that has a push service tell a browser.
///
/// # Errors
/// When the message cannot be written: a fault of this program, or a key that is none.
pub(super) fn request(
    vapid: &Vapid,
    subscription: &Subscription,
    receiver: &Receiver<'_>,
    notice: &Notice,
    now: domain::Timestamp,
) -> Result<Outgoing, ApiError> {
    let content =
        serde_json::to_vec(&notice.content).map_err(|fault| ApiError::internal(&fault))?;
    let body = encryption::seal(&content, receiver).map_err(|fault| ApiError::internal(&fault))?;
    let authorization = vapid
        .authorization(&subscription.url, now)
        .map_err(|fault| ApiError::internal(&fault))?;
    let mut headers = vec![
        ("authorization", authorization),
        ("content-encoding", "aes128gcm".to_owned()),
        ("content-type", "application/octet-stream".to_owned()),
        ("ttl", KEPT.to_string()),
        ("urgency", notice.urgency.name().to_owned()),
    ];
    if let Some(topic) = &notice.topic {
        headers.push(("topic", topic.clone()));
    }
    Ok(Outgoing {
        url: subscription.url.clone(),
        headers,
        body,
    })
}

/// What a browser reads: enough to say something and to open the page of it, and no rank.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Content {
    /// The kind of the event.
    pub kind: &'static str,
    /// The key of a short text.
    pub title: String,
    /// The game that it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub game_id: Option<String>,
    /// The challenge that it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub challenge_id: Option<String>,
    /// How many moves were made.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ply: Option<u32>,
}
