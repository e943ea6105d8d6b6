//! What every refusal must look like.

use serde_json::Value;

use crate::response::Response;

/// Words that only the inside of the server has.
const INTERNALS: [&str; 14] = [
    "SELECT ",
    "INSERT ",
    "UPDATE ",
    "diesel",
    "sqlite",
    "postgres",
    "libpq",
    "panicked",
    ".rs:",
    "/home/",
    "/tmp/",
    "/root/",
    "backtrace",
    "actix",
];

/// Checks that `response` is a complete problem document of this status and code; gives it.
#[track_caller]
pub fn assert_problem(response: &Response, status: u16, code: &str) -> Value {
    let asked = format!("{} {}", response.asked.0, response.asked.1);
    let body = String::from_utf8_lossy(&response.body);
    assert_eq!(response.status, status, "{asked}: {body}");
    let content_type = response.header("content-type").unwrap_or_default();
    assert!(
        content_type.starts_with("application/problem+json"),
        "{asked}: {status} came as {content_type:?}: {body}"
    );
    let problem = response.json();
    assert_eq!(problem["code"], code, "{asked}: {body}");
    assert_eq!(
        problem["type"],
        format!("/problems/{}", code.replace('_', "-")),
        "{asked}: {body}"
    );
    assert_eq!(problem["status"], status, "{asked}: {body}");
    for field in ["title", "detail", "request_id"] {
        let text = problem[field].as_str().unwrap_or_default();
        assert!(!text.is_empty(), "{asked}: no {field} in {body}");
    }
    assert_eq!(problem["instance"], response.path(), "{asked}: {body}");
    for word in INTERNALS {
        assert!(
            !body.contains(word),
            "{asked}: {word:?} is nobody's business: {body}"
        );
    }
    problem
}

/// As [`assert_problem`], for a refusal that carries a `reason`.
#[track_caller]
pub fn assert_reason(response: &Response, code: &str, reason: &str) -> Value {
    let problem = assert_problem(response, 422, code);
    assert_eq!(problem["reason"], reason, "{problem}");
    problem
}

/// As [`assert_problem`], for a validation that must name `field` among its errors.
#[track_caller]
pub fn assert_invalid(response: &Response, field: &str) -> Value {
    let problem = assert_problem(response, 422, "validation_failed");
    let errors = problem["errors"]
        .as_array()
        .unwrap_or_else(|| panic!("no errors in {problem}"));
    assert!(
        errors.iter().any(|error| error["field"] == field),
        "{field} is not named: {problem}"
    );
    for error in errors {
        for part in ["field", "code", "detail"] {
            assert!(error[part].is_string(), "no {part} in {error}");
        }
    }
    problem
}
