//! Webhooks: where a player's events are sent.

use serde::{Deserialize, Serialize};
use storage::subscriptions::Subscription;
use utoipa::ToSchema;
use uuid::Uuid;

use super::event::EventKind;
use crate::deliveries::Networks;
use crate::events::Kind;
use crate::problem::{ApiError, FieldFault};
use crate::time::Timestamp;

/// The least and the most characters of a secret.
const SECRET_CHARS: std::ops::RangeInclusive<usize> = 16..=256;

/// A webhook to be made.
// Not printable: it holds a secret.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct WebhookRequest {
    /// Where events are sent: an `https` address, public unless the server is configured otherwise,
    /// without username, password and fragment.
    #[schema(example = "https://example.org/reveille", max_length = 2048)]
    pub url: String,
    /// What they are signed with: 16 to 256 characters. It is never shown again.
    #[schema(example = "correct horse battery staple", format = Password, min_length = 16, max_length = 256)]
    pub secret: String,
    /// The kinds that are sent; all there are when nothing is said.
    #[schema(min_items = 1, nullable = false, required = false)]
    pub kinds: Option<Vec<EventKind>>,
}

/// A change of a webhook; what is absent stays as it is. What failed before is tried again at once.
// Not printable: it holds a secret.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct WebhookPatchRequest {
    /// Another address.
    #[schema(max_length = 2048, nullable = false)]
    pub url: Option<String>,
    /// Another secret.
    #[schema(format = Password, min_length = 16, max_length = 256, nullable = false)]
    pub secret: Option<String>,
    /// Other kinds.
    #[schema(min_items = 1, nullable = false)]
    pub kinds: Option<Vec<EventKind>>,
    /// Whether events are sent. Those of the time between are sent when it is enabled again, as far as
    /// they are kept.
    #[schema(nullable = false)]
    pub enabled: Option<bool>,
}

/// What a webhook is to be, once all of it is valid; none stays as it is.
#[derive(Clone, Default)]
pub struct WebhookTerms {
    /// Where events are sent.
    pub url: Option<String>,
    /// What they are signed with.
    pub secret: Option<String>,
    /// The kinds that are sent.
    pub kinds: Option<Vec<String>>,
    /// Whether any are.
    pub enabled: Option<bool>,
}

/// A webhook, without its secret.
#[derive(Debug, Serialize, ToSchema)]
pub struct WebhookResponse {
    /// Its identifier.
    pub id: Uuid,
    /// Where events are sent.
    #[schema(example = "https://example.org/reveille")]
    pub url: String,
    /// The kinds that are sent.
    pub kinds: Vec<String>,
    /// Whether events are sent.
    pub enabled: bool,
    /// When it was made.
    pub created_at: Timestamp,
    /// When an event was last taken.
    pub delivered_at: Option<Timestamp>,
    /// Since when the next event fails to be delivered.
    pub failing_since: Option<Timestamp>,
    /// How it failed last: `status_` and the status, or `redirected`, `gone`, `timed_out`,
    /// `name_not_found`, `address_not_allowed`, `connection_failed`, `tls_failed`, `bad_answer`.
    #[schema(example = "status_503")]
    pub last_error: Option<String>,
    /// When it was disabled: by its owner, after a day of failures, or because it answered 410.
    pub disabled_at: Option<Timestamp>,
}

impl WebhookRequest {
    /// Checks all of it.
    ///
    /// # Errors
    /// `validation_failed` with every faulty field.
    pub fn validate(self, networks: &Networks) -> Result<WebhookTerms, ApiError> {
        let kinds = self.kinds.unwrap_or_else(every_kind);
        terms(Some(self.url), Some(self.secret), Some(kinds), networks)
    }
}

impl WebhookPatchRequest {
    /// Checks all of it.
    ///
    /// # Errors
    /// `validation_failed` with every faulty field.
    pub fn validate(self, networks: &Networks) -> Result<WebhookTerms, ApiError> {
        let terms = terms(self.url, self.secret, self.kinds, networks)?;
        Ok(WebhookTerms {
            enabled: self.enabled,
            ..terms
        })
    }
}

fn terms(
    url: Option<String>,
    secret: Option<String>,
    kinds: Option<Vec<EventKind>>,
    networks: &Networks,
) -> Result<WebhookTerms, ApiError> {
    let mut faults = Vec::new();
    let terms = WebhookTerms {
        url: url.and_then(|url| target("url", &url, networks, &mut faults)),
        secret: secret.filter(|secret| is_secret(secret, &mut faults)),
        kinds: kinds.and_then(|kinds| names(&kinds, &mut faults)),
        enabled: None,
    };
    if faults.is_empty() {
        Ok(terms)
    } else {
        Err(ApiError::validation(faults))
    }
}

/// The address of a receiver as it is kept; `None` with a fault when it cannot be one.
pub(super) fn target(
    field: &str,
    text: &str,
    networks: &Networks,
    faults: &mut Vec<FieldFault>,
) -> Option<String> {
    networks
        .target(text)
        .inspect_err(|fault| {
            faults.push(FieldFault {
                field: field.into(),
                code: fault.name().into(),
                detail: fault.to_string(),
            });
        })
        .ok()
}

fn is_secret(secret: &str, faults: &mut Vec<FieldFault>) -> bool {
    let count = secret.chars().count();
    let code = if count < *SECRET_CHARS.start() {
        "too_short"
    } else if count > *SECRET_CHARS.end() {
        "too_long"
    } else {
        return true;
    };
    let (least, most) = (SECRET_CHARS.start(), SECRET_CHARS.end());
    faults.push(FieldFault {
        field: "secret".into(),
        code: code.into(),
        detail: format!("must have {least} to {most} characters, has {count}"),
    });
    false
}

/// The names of kinds, each once, in one order; `None` with a fault when there are none.
pub(super) fn names(kinds: &[EventKind], faults: &mut Vec<FieldFault>) -> Option<Vec<String>> {
    if kinds.is_empty() {
        faults.push(FieldFault {
            field: "kinds".into(),
            code: "too_short".into(),
            detail: "must name at least one kind, names none".into(),
        });
        return None;
    }
    let wanted = Kind::ALL
        .iter()
        .filter(|kind| kinds.contains(&EventKind(**kind)));
    Some(wanted.map(|kind| kind.name().to_owned()).collect())
}

/// What is sent when nothing is said.
pub(super) fn every_kind() -> Vec<EventKind> {
    Kind::ALL.iter().copied().map(EventKind).collect()
}

impl From<Subscription> for WebhookResponse {
    fn from(webhook: Subscription) -> Self {
        let standing = webhook.standing;
        Self {
            id: webhook.id.as_uuid(),
            url: webhook.url,
            kinds: webhook.kinds,
            enabled: standing.disabled_at.is_none(),
            created_at: webhook.created_at.into(),
            delivered_at: standing.delivered_at.map(Into::into),
            failing_since: standing.failing_since.map(Into::into),
            last_error: standing.last_error,
            disabled_at: standing.disabled_at.map(Into::into),
        }
    }
}
