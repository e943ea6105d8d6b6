//! Answers with an `ETag`, and the requests that name one (RFC 9110).
//!
//! The tag is a digest of the body that the caller gets. So it tells exactly what the body tells: a
//! change that a viewer may not know of changes neither.

use actix_web::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use actix_web::web::Bytes;
use actix_web::{HttpRequest, HttpResponse};
use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::http::json;
use crate::pictures::Picture;
use crate::problem::ApiError;

/// A written body with its tag.
#[derive(Debug, Clone)]
pub struct Tagged {
    kind: Kind,
    body: Bytes,
    tag: Box<str>,
}

/// What a body is.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Kind {
    Json,
    Picture,
    File(File),
}

/// What a body is that is to be kept as a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct File {
    /// Its media type.
    pub media_type: &'static str,
    /// What it may be called; letters, digits, dots and underscores.
    pub name: String,
}

/// Whom an answer may be given to again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sharing {
    /// Anyone: it does not depend on who asks.
    Public,
    /// The caller alone.
    Private,
}

impl Tagged {
    /// Writes a body as JSON and computes its tag.
    ///
    /// # Errors
    /// 500 when it cannot be written.
    pub fn new(body: &impl Serialize) -> Result<Self, ApiError> {
        Ok(Self::of(Kind::Json, json::write(body)?))
    }

    /// Writes a picture and computes its tag.
    pub fn picture(picture: &Picture) -> Self {
        Self::of(Kind::Picture, picture.to_string().into_bytes())
    }

    /// Takes a file and computes its tag.
    pub fn file(body: Vec<u8>, file: File) -> Self {
        Self::of(Kind::File(file), body)
    }

    fn of(kind: Kind, body: Vec<u8>) -> Self {
        let digest = Sha256::digest(&body);
        // 96 bits: two bodies with one tag do not happen by chance.
        let tag = format!("\"{}\"", BASE64_URL_SAFE_NO_PAD.encode(&digest[..12]));
        Self {
            kind,
            body: body.into(),
            tag: tag.into(),
        }
    }

    /// How long the body is, in bytes.
    pub const fn len(&self) -> usize {
        self.body.len()
    }

    /// Whether there is no body, which there always is.
    pub const fn is_empty(&self) -> bool {
        self.body.is_empty()
    }

    /// Whether `If-Match` lets the request pass: it names this tag, or `*`, or is not there.
    pub fn passes_if_match(&self, headers: &HeaderMap) -> bool {
        let mut values = headers.get_all(header::IF_MATCH).peekable();
        // A weak tag never matches here.
        values.peek().is_none() || values.any(|value| self.is_named(value, |tag| tag))
    }

    /// The answer: 304 when `If-None-Match` names the tag, else 200 with the body.
    pub fn answer(self, request: &HttpRequest, sharing: Sharing) -> HttpResponse {
        let mut names = request.headers().get_all(header::IF_NONE_MATCH);
        let unchanged = names.any(|value| self.is_named(value, weakly));
        let mut answer = if unchanged {
            HttpResponse::NotModified()
        } else {
            HttpResponse::Ok()
        };
        answer.insert_header((header::ETAG, &*self.tag));
        for (name, value) in sharing.headers() {
            answer.insert_header((name, value));
        }
        if unchanged {
            return answer.finish();
        }
        match self.kind {
            Kind::Json => answer.content_type(JSON),
            Kind::Picture => answer
                .content_type(SVG)
                .insert_header((header::CONTENT_SECURITY_POLICY, PICTURE_POLICY)),
            Kind::File(file) => answer.content_type(file.media_type).insert_header((
                header::CONTENT_DISPOSITION,
                format!("attachment; filename=\"{}\"", file.name),
            )),
        };
        answer.body(self.body)
    }

    fn is_named(&self, value: &HeaderValue, read: fn(&str) -> &str) -> bool {
        let Ok(list) = value.to_str() else {
            return false;
        };
        list.split(',')
            .map(str::trim)
            .any(|tag| tag == "*" || read(tag) == &*self.tag)
    }
}

const JSON: &str = "application/json";
/// The media type of pictures.
const SVG: &str = "image/svg+xml";
/// A picture has a style of its own and nothing else: no script, nothing from elsewhere.
const PICTURE_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'";

/// A tag as `If-None-Match` compares it.
fn weakly(tag: &str) -> &str {
    tag.strip_prefix("W/").unwrap_or(tag)
}

impl Sharing {
    /// What tells caches so. Each asks the server again before it gives the answer.
    pub fn headers(self) -> Vec<(HeaderName, HeaderValue)> {
        match self {
            Self::Public => {
                vec![(
                    header::CACHE_CONTROL,
                    HeaderValue::from_static("public, no-cache"),
                )]
            }
            Self::Private => vec![
                (
                    header::CACHE_CONTROL,
                    HeaderValue::from_static("private, no-cache"),
                ),
                (header::VARY, HeaderValue::from_static("Authorization")),
            ],
        }
    }
}

#[cfg(test)]
mod tests {
    use actix_web::http::StatusCode;
    use actix_web::test::TestRequest;

    use super::*;

    #[test]
    fn a_tag_follows_the_body() {
        let tag = |body: &str| Tagged::new(&body).expect("a body").tag;
        assert_eq!(tag("a"), tag("a"));
        assert_ne!(tag("a"), tag("b"));
    }

    #[test]
    fn a_known_body_is_not_sent_again() {
        let tag = Tagged::new(&"a").expect("a body").tag.to_string();
        for (sent, status) in [
            (tag.clone(), StatusCode::NOT_MODIFIED),
            (format!("W/{tag}"), StatusCode::NOT_MODIFIED),
            (format!("\"x\", {tag}"), StatusCode::NOT_MODIFIED),
            ("*".to_owned(), StatusCode::NOT_MODIFIED),
            ("\"x\"".to_owned(), StatusCode::OK),
        ] {
            let request = TestRequest::get()
                .insert_header((header::IF_NONE_MATCH, sent))
                .to_http_request();
            let answer = Tagged::new(&"a")
                .expect("a body")
                .answer(&request, Sharing::Private);
            assert_eq!(answer.status(), status);
            assert_eq!(
                answer.headers().get(header::VARY).expect("Vary"),
                "Authorization"
            );
        }
    }

    #[test]
    fn if_match_is_strong() {
        let tagged = Tagged::new(&"a").expect("a body");
        for (sent, passes) in [
            (Some(tagged.tag.to_string()), true),
            (Some("*".to_owned()), true),
            (None, true),
            (Some(format!("W/{}", tagged.tag)), false),
            (Some("\"x\"".to_owned()), false),
        ] {
            let mut request = TestRequest::get();
            if let Some(sent) = sent {
                request = request.insert_header((header::IF_MATCH, sent));
            }
            assert_eq!(
                tagged.passes_if_match(request.to_http_request().headers()),
                passes
            );
        }
    }
}
