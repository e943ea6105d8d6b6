//! JSON bodies into values, with the place of a fault named, and values into bodies.

use actix_web::http::header::HeaderValue;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::problem::{ApiError, Code};
use crate::wire::object::Object;

/// How long the body of a game is, so that it need not grow as it is written.
const USUAL_BYTES: usize = 12 * 1_024;

/// Writes a body.
///
/// # Errors
/// 500 when it cannot be written.
pub(crate) fn write(body: &impl Serialize) -> Result<Vec<u8>, ApiError> {
    let mut text = Vec::with_capacity(USUAL_BYTES);
    serde_json::to_writer(&mut text, body).map_err(|fault| ApiError::internal(&fault))?;
    Ok(text)
}

/// Reads one JSON object and nothing after it.
pub(super) fn parse<T: DeserializeOwned>(body: &[u8]) -> Result<T, ApiError> {
    parse_any::<Object<T>>(body).map(|object| object.0)
}

/// Reads one JSON value and nothing after it. Nesting is limited by the parser (128 levels).
pub(super) fn parse_any<T: DeserializeOwned>(body: &[u8]) -> Result<T, ApiError> {
    let text = std::str::from_utf8(body).map_err(|fault| {
        ApiError::malformed(format!(
            "expected JSON in UTF-8; the byte at offset {} is not UTF-8",
            fault.valid_up_to()
        ))
    })?;
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let value = serde_path_to_error::deserialize(&mut deserializer).map_err(|fault| {
        let path = fault.path().to_string();
        refusal(&path, fault.inner())
    })?;
    deserializer.end().map_err(|fault| refusal(".", &fault))?;
    Ok(value)
}

/// `.` is the path of the whole body, where no field can be named unless the message does.
fn refusal(path: &str, fault: &serde_json::Error) -> ApiError {
    let detail = fault.to_string();
    let field = match path {
        "." | "?" => quoted_field(&detail),
        path => Some(path),
    };
    match field {
        Some(field) => ApiError::malformed_field(field, &*detail),
        None => ApiError::malformed(detail.clone()),
    }
}

/// The field that serde names in ``missing field `x` ``, ``unknown field `x` `` and ``duplicate field `x` ``.
fn quoted_field(detail: &str) -> Option<&str> {
    let (kind, rest) = detail.split_once(" field `")?;
    matches!(kind, "missing" | "unknown" | "duplicate").then_some(())?;
    rest.split_once('`').map(|(field, _)| field)
}

/// Accepts `application/json`, in UTF-8 if it names a character set.
pub(super) fn check_content_type(value: Option<&HeaderValue>) -> Result<(), ApiError> {
    let refused = |got: &str| {
        let detail = format!("expected Content-Type: application/json, got {got}");
        Err(ApiError::new(Code::UnsupportedMediaType, detail))
    };
    let Some(value) = value else {
        return refused("none");
    };
    let Ok(text) = value.to_str() else {
        return refused("a value that is not ASCII");
    };
    let mut parts = text.split(';').map(str::trim);
    let is_json = parts
        .next()
        .is_some_and(|kind| kind.eq_ignore_ascii_case("application/json"));
    let is_utf8 = parts.all(|parameter| match parameter.split_once('=') {
        Some((name, charset)) if name.trim().eq_ignore_ascii_case("charset") => charset
            .trim()
            .trim_matches('"')
            .eq_ignore_ascii_case("utf-8"),
        _ => true,
    });
    if is_json && is_utf8 {
        Ok(())
    } else {
        refused(text)
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "only whether it parses is of interest")]
    struct Outer {
        number: u8,
        inner: Option<Inner>,
        any: Option<serde_json::Value>,
    }

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "only whether it parses is of interest")]
    struct Inner {
        list: Vec<bool>,
    }

    #[test]
    fn faults_name_their_field() {
        for (body, field) in [
            (r#"{"number":256}"#, Some("number")),
            (r#"{"number":-1}"#, Some("number")),
            (r#"{"number":21.0}"#, Some("number")),
            (r#"{"number":1e400}"#, Some("number")),
            (r#"{"number":18446744073709551616}"#, Some("number")),
            (r#"{"number":"1"}"#, Some("number")),
            (r#"{"number":null}"#, Some("number")),
            (r#"{"number":1,"number":2}"#, Some("number")),
            (r#"{"number":1,"more":2}"#, Some("more")),
            (r#"{"inner":null}"#, Some("number")),
            (
                r#"{"number":1,"inner":{"list":[true,3]}}"#,
                Some("inner.list[1]"),
            ),
            (r#"{"number":1,"inner":{"list":[],"x":3}}"#, Some("inner.x")),
            ("", None),
            ("{", None),
            ("[]", None),
            (r#"{"number":1} x"#, None),
            (r#"{"number":1}{"number":1}"#, None),
        ] {
            let fault = parse::<Outer>(body.as_bytes()).unwrap_err();
            assert_eq!(fault.code(), Code::MalformedRequest, "{body}");
            let named = fault
                .members()
                .get("field")
                .and_then(|field| field.as_str());
            assert_eq!(named, field, "{body}: {}", fault.detail());
        }
        assert!(parse::<Outer>(br#" {"number":1} "#).is_ok());
    }

    #[test]
    fn deep_json_and_bad_utf8_are_refused() {
        let deep = format!(
            r#"{{"number":1,"any":{}{}}}"#,
            "[".repeat(5_000),
            "]".repeat(5_000)
        );
        assert!(
            parse::<Outer>(deep.as_bytes())
                .unwrap_err()
                .detail()
                .contains("recursion")
        );
        let fault = parse::<Outer>(b"{\"number\":1,\"\xff\":2}").unwrap_err();
        assert!(fault.detail().contains("offset 13"), "{}", fault.detail());
    }

    #[test]
    fn content_types() {
        for (value, ok) in [
            (Some("application/json"), true),
            (Some("Application/JSON; Charset=\"UTF-8\""), true),
            (Some("application/json; x=y"), true),
            (Some("application/json; charset=latin1"), false),
            (Some("text/plain"), false),
            (Some("application/jsonp"), false),
            (Some(""), false),
            (None, false),
        ] {
            let header = value.map(HeaderValue::from_static);
            assert_eq!(check_content_type(header.as_ref()).is_ok(), ok, "{value:?}");
        }
    }
}
