//! Browsers that are told by Web Push.

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use p256::PublicKey;
use serde::{Deserialize, Serialize};
use storage::subscriptions::Subscription;
use utoipa::ToSchema;
use uuid::Uuid;

use super::event::EventKind;
use super::object::object;
use super::webhook::{every_kind, names, target};
use crate::deliveries::Networks;
use crate::problem::{ApiError, FieldFault};
use crate::time::Timestamp;

/// The length of an uncompressed point of P-256.
const POINT_BYTES: usize = 65;
/// The length of the secret that a browser shares.
const AUTH_BYTES: usize = 16;

/// A subscription as browsers give it (`PushSubscription.toJSON()`), and which kinds are wanted.
// Not printable: it holds a secret.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PushSubscriptionRequest {
    /// Where the push service takes messages for the browser.
    #[schema(example = "https://push.example.org/send/abc", max_length = 2048)]
    pub endpoint: String,
    /// What messages are encrypted with.
    #[serde(deserialize_with = "object")]
    pub keys: PushKeys,
    /// The kinds that are pushed; all there are when nothing is said.
    #[schema(min_items = 1, nullable = false, required = false)]
    pub kinds: Option<Vec<EventKind>>,
    /// Browsers send it; it is not used.
    #[serde(default, rename = "expirationTime")]
    #[schema(required = false)]
    pub expiration_time: Option<f64>,
}

/// What messages for a browser are encrypted with.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PushKeys {
    /// The browser's public key: an uncompressed point of P-256, base64url.
    #[schema(
        example = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
    )]
    pub p256dh: String,
    /// The secret that the browser shares: 16 bytes, base64url.
    #[schema(example = "BTBZMqHH6r4Tts7J_aSIgg", format = Password)]
    pub auth: String,
}

/// A browser to be told, once all of it is valid.
#[derive(Clone)]
pub struct PushTerms {
    /// Where.
    pub endpoint: String,
    /// Its key.
    pub public_key: Vec<u8>,
    /// Its secret.
    pub secret: Vec<u8>,
    /// The kinds that it wants.
    pub kinds: Vec<String>,
}

/// A browser that is told, without its keys.
#[derive(Debug, Serialize, ToSchema)]
pub struct PushSubscriptionResponse {
    /// Its identifier.
    pub id: Uuid,
    /// Where the push service takes messages for it.
    #[schema(example = "https://push.example.org/send/abc")]
    pub endpoint: String,
    /// The kinds that are pushed.
    pub kinds: Vec<String>,
    /// When it subscribed.
    pub created_at: Timestamp,
    /// When a message was last taken.
    pub delivered_at: Option<Timestamp>,
    /// Since when the next message fails to be delivered.
    pub failing_since: Option<Timestamp>,
    /// How it failed last, as of a webhook.
    #[schema(example = "status_503")]
    pub last_error: Option<String>,
}

/// The key that push services know this server by.
#[derive(Debug, Serialize, ToSchema)]
pub struct VapidKeyResponse {
    /// An uncompressed point of P-256, base64url: what browsers take as `applicationServerKey`.
    #[schema(
        example = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
    )]
    pub key: String,
}

impl PushSubscriptionRequest {
    /// Checks all of it.
    ///
    /// # Errors
    /// `validation_failed` with every faulty field.
    pub fn validate(self, networks: &Networks) -> Result<PushTerms, ApiError> {
        let mut faults = Vec::new();
        let endpoint = target("endpoint", &self.endpoint, networks, &mut faults);
        let public_key = bytes(&self.keys.p256dh).filter(|bytes| is_point(bytes));
        if public_key.is_none() {
            faults.push(FieldFault {
                field: "keys.p256dh".into(),
                code: "not_a_key".into(),
                detail: "must be an uncompressed point of P-256 in base64url".into(),
            });
        }
        let secret = bytes(&self.keys.auth).filter(|bytes| bytes.len() == AUTH_BYTES);
        if secret.is_none() {
            faults.push(FieldFault {
                field: "keys.auth".into(),
                code: "not_a_secret".into(),
                detail: format!("must be {AUTH_BYTES} bytes in base64url"),
            });
        }
        let kinds = names(&self.kinds.unwrap_or_else(every_kind), &mut faults);
        match (endpoint, public_key, secret, kinds) {
            (Some(endpoint), Some(public_key), Some(secret), Some(kinds)) => Ok(PushTerms {
                endpoint,
                public_key,
                secret,
                kinds,
            }),
            _ => Err(ApiError::validation(faults)),
        }
    }
}

/// Base64url, filled up or not.
fn bytes(text: &str) -> Option<Vec<u8>> {
    BASE64_URL_SAFE_NO_PAD
        .decode(text.trim_end_matches('='))
        .ok()
}

fn is_point(bytes: &[u8]) -> bool {
    bytes.len() == POINT_BYTES && PublicKey::from_sec1_bytes(bytes).is_ok()
}

impl From<Subscription> for PushSubscriptionResponse {
    fn from(browser: Subscription) -> Self {
        let standing = browser.standing;
        Self {
            id: browser.id.as_uuid(),
            endpoint: browser.url,
            kinds: browser.kinds,
            created_at: browser.created_at.into(),
            delivered_at: standing.delivered_at.map(Into::into),
            failing_since: standing.failing_since.map(Into::into),
            last_error: standing.last_error,
        }
    }
}
