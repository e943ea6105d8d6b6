//! Extractors: bodies, queries and paths, with refusals that name what is wrong.
//!
//! The contract checks in the order 401, 404, 403, 400. A handler that must find a thing before it
//! looks at the body takes a [`RawBody`] and parses it later; one that need not takes a [`Body`].

use std::borrow::Cow;
use std::future::{Future, Ready, ready};
use std::pin::Pin;
use std::str::Utf8Error;
use std::time::Duration;

use actix_web::dev::Payload;
use actix_web::error::PayloadError;
use actix_web::http::header::{self, HeaderValue};
use actix_web::web::{self, Bytes};
use actix_web::{FromRequest, HttpRequest};
use serde::de::DeserializeOwned;

use super::{json, pairs};
use crate::problem::{ApiError, Code};

/// The largest body taken, in bytes: 256 KiB.
pub const MAX_BODY_BYTES: usize = 256 * 1_024;

/// How long a body may take to arrive, so that nobody holds a connection by sending none.
const BODY_TIMEOUT: Duration = Duration::from_secs(30);

type LocalFuture<T> = Pin<Box<dyn Future<Output = Result<T, ApiError>>>>;

/// A body as it came, within the size limit and not looked at yet. As an extractor: 413 beyond the limit.
#[derive(Debug)]
pub struct RawBody {
    bytes: Bytes,
    content_type: Option<HeaderValue>,
}

impl RawBody {
    /// Reads the body as JSON.
    ///
    /// # Errors
    /// 415 unless it is declared as JSON, 400 naming the field where it is not a `T`.
    pub fn parse<T: DeserializeOwned>(&self) -> Result<T, ApiError> {
        if self.is_absent() {
            return Err(ApiError::malformed("expected a JSON body, got none"));
        }
        json::check_content_type(self.content_type.as_ref())?;
        json::parse(&self.bytes)
    }

    /// Reads the body as JSON that need not be an object.
    ///
    /// # Errors
    /// As [`parse`](Self::parse).
    pub fn parse_any<T: DeserializeOwned>(&self) -> Result<T, ApiError> {
        json::check_content_type(self.content_type.as_ref())?;
        json::parse_any(&self.bytes)
    }

    /// Reads the body as JSON, taking no body at all for `{}`.
    ///
    /// # Errors
    /// As [`parse`](Self::parse).
    pub fn parse_or_empty<T: DeserializeOwned>(&self) -> Result<T, ApiError> {
        if self.bytes.is_empty() {
            json::parse(b"{}")
        } else {
            self.parse()
        }
    }

    fn is_absent(&self) -> bool {
        self.bytes.is_empty() && self.content_type.is_none()
    }
}

impl FromRequest for RawBody {
    type Error = ApiError;
    type Future = LocalFuture<Self>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let content_type = request.headers().get(header::CONTENT_TYPE).cloned();
        let bytes = Bytes::from_request(request, payload);
        Box::pin(async move {
            let bytes = tokio::time::timeout(BODY_TIMEOUT, bytes)
                .await
                .map_err(|_| {
                    let seconds = BODY_TIMEOUT.as_secs();
                    ApiError::malformed(format!("the body did not arrive within {seconds} seconds"))
                })?;
            let bytes = bytes.map_err(|fault| unreadable(&fault))?;
            Ok(Self {
                bytes,
                content_type,
            })
        })
    }
}

fn unreadable(fault: &actix_web::Error) -> ApiError {
    match fault.as_error::<PayloadError>() {
        Some(PayloadError::Overflow) => ApiError::new(
            Code::PayloadTooLarge,
            format!("expected a body of at most {MAX_BODY_BYTES} bytes, got more"),
        ),
        _ => ApiError::malformed("the body ended early or could not be read"),
    }
}

/// A JSON body, read before the handler begins.
#[derive(Debug)]
pub struct Body<T>(pub T);

impl<T: DeserializeOwned> FromRequest for Body<T> {
    type Error = ApiError;
    type Future = LocalFuture<Self>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let raw = RawBody::from_request(request, payload);
        Box::pin(async move { raw.await?.parse().map(Self) })
    }
}

/// The query. A parameter that is not of its type, unknown or given twice is 400 and named.
#[derive(Debug)]
pub struct Query<T>(pub T);

impl<T: DeserializeOwned> FromRequest for Query<T> {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let read = web::Query::<Vec<(String, String)>>::from_query(request.query_string())
            .map_err(|_| ApiError::malformed("the query is not of the form name=value&…"))
            .and_then(|query| pairs::parse(&query).map(Self));
        ready(read)
    }
}

/// The parts of the path. One that is not of its type is 400 and named.
#[derive(Debug)]
pub struct PathParams<T>(pub T);

impl<T: DeserializeOwned> FromRequest for PathParams<T> {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let decode = |part: &str| {
            let bytes = percent_encoding::percent_decode_str(part);
            bytes.decode_utf8().map(Cow::into_owned)
        };
        let parts: Result<Vec<_>, Utf8Error> = request
            .match_info()
            .iter()
            .map(|(name, part)| Ok((name.to_owned(), decode(part)?)))
            .collect();
        let read = parts
            .map_err(|_| ApiError::malformed("the path is not UTF-8"))
            .and_then(|parts| pairs::parse(&parts).map(Self));
        ready(read)
    }
}
