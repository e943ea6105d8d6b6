//! The `Idempotency-Key` header: a POST that creates something is done once, however often it is sent.
//!
//! The key is remembered for 24 hours per caller and path, with a fingerprint of the request and the
//! identifier of what was created, in the transaction that creates it. A retry finds the record and
//! answers with the same resource as it is now.

use std::fmt;

use actix_web::HttpRequest;
use actix_web::http::header::HeaderName;
use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::problem::{ApiError, Code};

/// The header.
pub const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");
/// How long a key is remembered, in hours.
pub const REMEMBERED_HOURS: i64 = 24;

const MAX_KEY_CHARS: usize = 255;

/// A key as a caller chose it, with the fingerprint of the request it stands for.
#[derive(Clone, PartialEq, Eq)]
pub struct Idempotency {
    /// The path of the request; a key counts for one path.
    pub path: String,
    /// The key.
    pub key: String,
    /// What the request asked for: a key that comes again with another is a mistake.
    pub fingerprint: [u8; 32],
}

impl Idempotency {
    /// The key of a request, if it has one, with the fingerprint of method, path and `body`. The
    /// body is the parsed one, so that white space and the order of members do not count.
    ///
    /// # Errors
    /// `malformed_request` unless the key is one value of 1 to 255 visible ASCII characters.
    pub fn read(request: &HttpRequest, body: &impl Serialize) -> Result<Option<Self>, ApiError> {
        let mut values = request.headers().get_all(IDEMPOTENCY_KEY);
        let Some(value) = values.next() else {
            return Ok(None);
        };
        let key = value
            .to_str()
            .ok()
            .filter(|key| is_key(key) && values.next().is_none());
        let key = key.ok_or_else(|| {
            ApiError::malformed_field(
                "Idempotency-Key",
                format!("expected one value of 1 to {MAX_KEY_CHARS} visible ASCII characters"),
            )
        })?;
        let body = serde_json::to_vec(body).map_err(|fault| ApiError::internal(&fault))?;
        let mut digest = Sha256::new();
        for part in [
            request.method().as_str().as_bytes(),
            request.path().as_bytes(),
            &body,
        ] {
            // With its length before it no part can run into the next.
            digest.update((part.len() as u64).to_be_bytes());
            digest.update(part);
        }
        Ok(Some(Self {
            path: request.path().to_owned(),
            key: key.to_owned(),
            fingerprint: digest.finalize().into(),
        }))
    }

    /// The refusal when a remembered key stands for another request.
    pub fn reused() -> ApiError {
        ApiError::new(
            Code::IdempotencyKeyReused,
            "this Idempotency-Key was used for a different request; use a new one for each thing",
        )
    }
}

impl fmt::Debug for Idempotency {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Idempotency")
            .field("path", &self.path)
            .finish_non_exhaustive()
    }
}

fn is_key(key: &str) -> bool {
    (1..=MAX_KEY_CHARS).contains(&key.len()) && key.bytes().all(|byte| byte.is_ascii_graphic())
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;
    use serde_json::json;

    use super::*;

    fn read(path: &str, key: &[u8], body: &serde_json::Value) -> Result<Option<Idempotency>, Code> {
        let value = actix_web::http::header::HeaderValue::from_bytes(key).unwrap();
        let request = TestRequest::post()
            .uri(path)
            .insert_header((IDEMPOTENCY_KEY, value));
        Idempotency::read(&request.to_http_request(), body).map_err(|fault| fault.code())
    }

    #[test]
    fn keys_are_visible_ascii() {
        let body = json!({});
        for key in [
            "a",
            "8e03978e-40d5-43dd-bc93-6894a57f9324",
            &"~".repeat(255),
        ] {
            assert_eq!(
                read("/v1/x", key.as_bytes(), &body).unwrap().unwrap().key,
                key
            );
        }
        let long = "x".repeat(256);
        for key in [&b""[..], b"a b", b"a\tb", b"\xc3\xa9", long.as_bytes()] {
            assert_eq!(
                read("/v1/x", key, &body),
                Err(Code::MalformedRequest),
                "{key:?}"
            );
        }
        let bare = TestRequest::post().to_http_request();
        assert_eq!(Idempotency::read(&bare, &body).unwrap(), None);
        let twice = TestRequest::post()
            .append_header((IDEMPOTENCY_KEY, "a"))
            .append_header((IDEMPOTENCY_KEY, "b"))
            .to_http_request();
        assert!(Idempotency::read(&twice, &body).is_err());
    }

    #[test]
    fn the_fingerprint_tells_requests_apart() {
        let print = |path, body| read(path, b"k", &body).unwrap().unwrap().fingerprint;
        let first = print("/v1/x", json!({"a": 1, "b": 2}));
        assert_eq!(first, print("/v1/x", json!({"b": 2, "a": 1})));
        assert_ne!(first, print("/v1/y", json!({"a": 1, "b": 2})));
        assert_ne!(first, print("/v1/x", json!({"a": 1, "b": 3})));
    }
}
