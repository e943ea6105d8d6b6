//! The problem document as it goes over the wire.

use serde::Serialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;

/// The media type of every answer of 400 and above.
pub const PROBLEM_JSON: &str = "application/problem+json";

/// One field that cannot be taken.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct FieldFault {
    /// The field, as a path from the top of the body or query.
    #[schema(example = "username")]
    pub field: String,
    /// What is wrong, as a stable word.
    #[schema(example = "too_short")]
    pub code: String,
    /// The same in a sentence: what was expected, and what came.
    #[schema(example = "must have 3 to 20 characters, has 2")]
    pub detail: String,
}

/// A refusal, by RFC 9457. Codes may add members of their own; their `type` leads to an explanation.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Problem {
    /// A reference that explains the code: `/problems/` and the code with dashes.
    #[serde(rename = "type")]
    #[schema(example = "/problems/illegal-move")]
    pub kind: String,
    /// A short title, the same for every occurrence of the code.
    #[schema(example = "Illegal move")]
    pub title: String,
    /// The HTTP status.
    #[schema(example = 422, minimum = 400, maximum = 599)]
    pub status: u16,
    /// A stable code for programs.
    #[schema(example = "illegal_move")]
    pub code: String,
    /// What was expected and what came, in a sentence.
    #[schema(example = "c5 is a lake")]
    pub detail: String,
    /// The path of the request that was refused.
    #[schema(example = "/v1/games/019ad5c8-4f0e-7c5f-8d3e-2f6f1c6b7a10/moves")]
    pub instance: String,
    /// The request's identifier, also in `X-Request-Id`, by which it is found in the server's log.
    #[schema(example = "019ad5c8-4f0e-7c5f-8d3e-2f6f1c6b7a11")]
    pub request_id: String,
    /// For some codes: which of several causes it was.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = "lake", nullable = false)]
    pub reason: Option<String>,
    /// For some codes: every field that cannot be taken.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub errors: Vec<FieldFault>,
    /// Members that belong to one code, such as `current_ply`.
    #[serde(flatten)]
    #[schema(ignore)]
    pub members: Map<String, Value>,
}
