//! One refusal on its way from where it arose to the answer.

use std::error::Error as StdError;
use std::time::Duration;

use actix_web::body::BoxBody;
use actix_web::http::StatusCode;
use actix_web::http::header::{self, HeaderName, HeaderValue};
use actix_web::{HttpResponse, ResponseError};
use serde_json::{Map, Value};
use thiserror::Error;

use super::{Code, FieldFault, PROBLEM_JSON, Problem};

/// The longest detail sent. Parsers quote what they met, and that may be as long as a body.
const MAX_DETAIL_CHARS: usize = 400;

/// A refusal: a code, a sentence, and what belongs to that code. The one error type of handlers and
/// use cases; [`crate::http::middleware`] adds the path and the request's identifier on the way out.
#[derive(Debug, Clone, Error)]
#[error("{}: {}", .0.code.as_str(), .0.detail)]
pub struct ApiError(Box<Refusal>);

#[derive(Debug, Clone)]
struct Refusal {
    code: Code,
    detail: String,
    reason: Option<String>,
    errors: Vec<FieldFault>,
    members: Map<String, Value>,
    headers: Vec<(HeaderName, HeaderValue)>,
}

impl ApiError {
    /// A refusal with a sentence that says what was expected and what came.
    pub fn new(code: Code, detail: impl Into<String>) -> Self {
        let headers = match code.status() {
            StatusCode::UNAUTHORIZED => vec![(header::WWW_AUTHENTICATE, challenge(code))],
            _ => Vec::new(),
        };
        Self(Box::new(Refusal {
            code,
            detail: shortened(detail.into()),
            reason: None,
            errors: Vec::new(),
            members: Map::new(),
            headers,
        }))
    }

    /// 400 for one named field, path parameter, query parameter or header.
    pub fn malformed_field(field: impl Into<String>, detail: impl Into<String>) -> Self {
        let (field, detail) = (field.into(), shortened(detail.into()));
        let fault = FieldFault {
            field: field.clone(),
            code: "malformed".into(),
            detail,
        };
        Self::new(Code::MalformedRequest, format!("{field}: {}", fault.detail))
            .with("field", field)
            .with_errors(vec![fault])
    }

    /// 400 for a request that cannot be read at all.
    pub fn malformed(detail: impl Into<String>) -> Self {
        Self::new(Code::MalformedRequest, detail)
    }

    /// 401 for a token that came and is not valid here, as opposed to none that came.
    pub fn invalid_token(detail: impl Into<String>) -> Self {
        Self::new(Code::Unauthenticated, detail).header(
            header::WWW_AUTHENTICATE,
            HeaderValue::from_static(r#"Bearer realm="reveille", error="invalid_token""#),
        )
    }

    /// 422 with every field that cannot be taken.
    pub fn validation(errors: Vec<FieldFault>) -> Self {
        let sentences: Vec<_> = errors
            .iter()
            .map(|fault| format!("{} {}", fault.field, fault.detail))
            .collect();
        Self::new(Code::ValidationFailed, sentences.join("; ")).with_errors(errors)
    }

    /// 404 for a thing that is not there, or that the caller may not know of: both look the same.
    pub fn not_found(what: &str) -> Self {
        Self::new(Code::NotFound, format!("there is no such {what}"))
    }

    /// 503 that asks the caller to come back after `retry_after`.
    pub fn unavailable(detail: impl Into<String>, retry_after: Duration) -> Self {
        Self::new(Code::Unavailable, detail).retry_after(retry_after)
    }

    /// 500. The cause goes to the log, where the request's identifier finds it, and never to the caller.
    pub fn internal(cause: &(dyn StdError + 'static)) -> Self {
        tracing::error!(error = cause, "internal error");
        Self::new(
            Code::Internal,
            "an internal error; the request's identifier finds it in the log",
        )
    }

    /// Says which of several causes it was.
    #[must_use]
    pub fn reason(mut self, reason: impl Into<String>) -> Self {
        self.0.reason = Some(reason.into());
        self
    }

    /// Adds a member that belongs to the code, such as `current_ply`.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.0.members.insert(name.to_owned(), value.into());
        self
    }

    /// Lists the fields that cannot be taken.
    #[must_use]
    pub fn with_errors(mut self, errors: Vec<FieldFault>) -> Self {
        self.0.errors = errors;
        self
    }

    /// Adds a header to the answer.
    #[must_use]
    pub fn header(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.0.headers.push((name, value));
        self
    }

    /// Asks the caller to wait, in whole seconds and at least one.
    #[must_use]
    pub fn retry_after(self, wait: Duration) -> Self {
        let seconds = wait.as_millis().div_ceil(1_000).max(1);
        let seconds = u32::try_from(seconds).unwrap_or(u32::MAX);
        self.header(header::RETRY_AFTER, HeaderValue::from(seconds))
    }

    /// The code.
    pub fn code(&self) -> Code {
        self.0.code
    }

    /// The sentence for the caller.
    pub fn detail(&self) -> &str {
        &self.0.detail
    }

    /// The cause among several, where the code has such.
    pub fn reason_word(&self) -> Option<&str> {
        self.0.reason.as_deref()
    }

    /// The members that belong to the code.
    pub fn members(&self) -> &Map<String, Value> {
        &self.0.members
    }

    /// The document for a request to `instance` that carries `request_id`.
    pub fn to_problem(&self, instance: &str, request_id: &str) -> Problem {
        let refusal = &*self.0;
        Problem {
            kind: refusal.code.type_reference(),
            title: refusal.code.title().to_owned(),
            status: refusal.code.status().as_u16(),
            code: refusal.code.as_str().to_owned(),
            detail: refusal.detail.clone(),
            instance: instance.to_owned(),
            request_id: request_id.to_owned(),
            reason: refusal.reason.clone(),
            errors: refusal.errors.clone(),
            members: refusal.members.clone(),
        }
    }
}

impl ResponseError for ApiError {
    fn status_code(&self) -> StatusCode {
        self.0.code.status()
    }

    /// The answer without a body: the outermost middleware writes it, since only there are the path
    /// and the request's identifier known.
    fn error_response(&self) -> HttpResponse<BoxBody> {
        let mut response = HttpResponse::build(self.status_code());
        response.content_type(PROBLEM_JSON);
        for (name, value) in &self.0.headers {
            response.insert_header((name.clone(), value.clone()));
        }
        let mut response = response.finish();
        response.extensions_mut().insert(self.clone());
        response
    }
}

/// The `WWW-Authenticate` value of RFC 6750. `error` is there only when a token came and was refused.
fn challenge(code: Code) -> HeaderValue {
    HeaderValue::from_static(match code {
        Code::TokenExpired => {
            r#"Bearer realm="reveille", error="invalid_token", error_description="the token has expired""#
        }
        Code::TokenReused => r#"Bearer realm="reveille", error="invalid_token""#,
        _ => r#"Bearer realm="reveille""#,
    })
}

fn shortened(detail: String) -> String {
    match detail.char_indices().nth(MAX_DETAIL_CHARS) {
        Some((end, _)) => format!("{}…", &detail[..end]),
        None => detail,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_document_has_every_member_of_the_contract() {
        let error = ApiError::new(Code::IllegalMove, "c5 is a lake")
            .reason("lake")
            .with("x", 1);
        let document = serde_json::to_value(error.to_problem("/v1/x", "r1")).unwrap();
        assert_eq!(
            document,
            serde_json::json!({
                "type": "/problems/illegal-move", "title": "Illegal move", "status": 422,
                "code": "illegal_move", "detail": "c5 is a lake", "instance": "/v1/x",
                "request_id": "r1", "reason": "lake", "x": 1
            })
        );
    }

    #[test]
    fn every_401_carries_a_challenge() {
        for code in Code::ALL {
            let response = ApiError::new(*code, "x").error_response();
            assert_eq!(
                response.headers().contains_key(header::WWW_AUTHENTICATE),
                code.status() == StatusCode::UNAUTHORIZED,
                "{code:?}"
            );
        }
    }

    #[test]
    fn waits_are_whole_seconds_rounded_up_and_never_zero() {
        for (millis, expected) in [
            (0, "1"),
            (1, "1"),
            (1_000, "1"),
            (1_001, "2"),
            (59_500, "60"),
        ] {
            let error = ApiError::unavailable("x", Duration::from_millis(millis));
            let response = error.error_response();
            assert_eq!(
                response.headers().get(header::RETRY_AFTER).unwrap(),
                expected
            );
        }
    }

    #[test]
    fn a_quoted_value_cannot_make_the_detail_long() {
        let error = ApiError::malformed_field("x", "é".repeat(100_000));
        assert!(error.detail().chars().count() <= MAX_DETAIL_CHARS + 1);
        let document = serde_json::to_string(&error.to_problem("/", "r")).unwrap();
        assert!(document.len() < 4_000);
    }
}
