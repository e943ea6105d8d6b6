//! What a webhook receives.

use hmac::digest::KeyInit;
use hmac::{Hmac, Mac};
use serde::Serialize;
use serde_json::value::RawValue;
use sha2::Sha256;
use storage::subscriptions::Subscription;

use super::client::Outgoing;
use crate::events::{Frame, Written};
use crate::problem::ApiError;
use crate::time::Timestamp;

/// An event as it is sent.
#[derive(Serialize)]
struct Body<'a> {
    id: u64,
    kind: &'static str,
    created_at: Timestamp,
    /// The very bytes of the stream.
    data: &'a RawValue,
}

/// The request that tells a webhook of an event.
///
/// # Errors
/// When the event cannot be written: a fault of this program.
pub(super) fn request(
    subscription: &Subscription,
    secret: &[u8],
    frame: &Frame,
    written: &Written,
    now: domain::Timestamp,
) -> Result<Outgoing, ApiError> {
    let internal = |fault| ApiError::internal(&fault);
    let body = Body {
        id: written.number,
        kind: frame.kind.name(),
        created_at: frame.at.into(),
        data: serde_json::from_str(written.data()).map_err(internal)?,
    };
    let body = serde_json::to_vec(&body).map_err(internal)?;
    let seconds = now.as_micros().div_euclid(1_000_000);
    let headers = vec![
        ("content-type", "application/json".to_owned()),
        ("reveille-webhook-id", subscription.id.to_string()),
        ("reveille-event-id", written.number.to_string()),
        ("reveille-event-kind", frame.kind.name().to_owned()),
        (
            "reveille-signature",
            format!("t={seconds},v1={}", signature(secret, seconds, &body)),
        ),
    ];
    Ok(Outgoing {
        url: subscription.url.clone(),
        headers,
        body,
    })
}

/// The signature of a body sent at a second of Unix time: HMAC-SHA256 of the second in decimal digits,
/// a full stop and the body, in hexadecimal digits.
pub fn signature(secret: &[u8], seconds: i64, body: &[u8]) -> String {
    // A key of any length is taken.
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(secret) else {
        return String::new();
    };
    mac.update(seconds.to_string().as_bytes());
    mac.update(b".");
    mac.update(body);
    let mac = mac.finalize().into_bytes();
    mac.iter().fold(String::new(), |mut digits, byte| {
        for half in [byte >> 4, byte & 15] {
            digits.extend(char::from_digit(half.into(), 16));
        }
        digits
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signature_is_what_others_compute() {
        // printf '1700000000.{"id":1}' | openssl dgst -sha256 -hmac 'a secret of some length'
        assert_eq!(
            signature(b"a secret of some length", 1_700_000_000, br#"{"id":1}"#),
            "b2f3890587148a3da11f9090d86e84bf4389debcfa35944d2f893e5402b253bd"
        );
    }
}
