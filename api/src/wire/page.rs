//! Pages and their cursors.

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::problem::ApiError;

/// How many items a page has when nothing is said.
pub const DEFAULT_LIMIT: u32 = 20;
/// How many items a page has at the most.
pub const MAX_LIMIT: u32 = 100;

/// A part of a list.
#[derive(Debug, Serialize, ToSchema)]
pub struct PageResponse<T> {
    /// The items.
    pub items: Vec<T>,
    /// What to send as `after` for the next part; `null` at the end of the list.
    pub next: Option<String>,
}

/// The number of items of a page.
///
/// # Errors
/// 400 when it is not 1 to 100.
pub fn limit(limit: Option<u32>) -> Result<u32, ApiError> {
    let limit = limit.unwrap_or(DEFAULT_LIMIT);
    if (1..=MAX_LIMIT).contains(&limit) {
        return Ok(limit);
    }
    let detail = format!("expected 1 to {MAX_LIMIT}, got {limit}");
    Err(ApiError::malformed_field("limit", detail))
}

/// Writes the place of an item in a list as a text that means nothing to the caller.
pub fn encode_cursor(place: &impl Serialize) -> String {
    // A place is numbers and identifiers: writing it cannot fail.
    BASE64_URL_SAFE_NO_PAD.encode(serde_json::to_vec(place).unwrap_or_default())
}

/// Reads a place back.
///
/// # Errors
/// 400 for a text that this list did not give out.
pub fn decode_cursor<T: for<'de> Deserialize<'de>>(cursor: &str) -> Result<T, ApiError> {
    let refused = || {
        ApiError::malformed_field(
            "after",
            "expected the `next` of an earlier page of this list",
        )
    };
    let bytes = BASE64_URL_SAFE_NO_PAD
        .decode(cursor)
        .map_err(|_| refused())?;
    serde_json::from_slice(&bytes).map_err(|_| refused())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_reads_back() {
        let place = (1_774_605_600_000_000_i64, uuid::Uuid::now_v7());
        let cursor = encode_cursor(&place);
        assert_eq!(
            decode_cursor::<(i64, uuid::Uuid)>(&cursor).expect("its own cursor"),
            place
        );
        for wrong in ["", "!", "bm9uZQ", "W10"] {
            assert!(
                decode_cursor::<(i64, uuid::Uuid)>(wrong).is_err(),
                "{wrong}"
            );
        }
    }

    #[test]
    fn limits() {
        assert_eq!(limit(None).expect("the default"), 20);
        assert_eq!(limit(Some(100)).expect("the most"), 100);
        assert!(limit(Some(0)).is_err());
        assert!(limit(Some(101)).is_err());
    }
}
