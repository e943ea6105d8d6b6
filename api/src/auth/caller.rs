//! The caller of a request, as its access token tells.

use std::future::{Ready, ready};

use actix_web::body::{EitherBody, MessageBody};
use actix_web::dev::{Payload, ServiceRequest, ServiceResponse};
use actix_web::http::header::{self, HeaderMap};
use actix_web::middleware::Next;
use actix_web::{Error, FromRequest, HttpMessage, HttpRequest, web};
use domain::Timestamp;
use uuid::Uuid;

use super::{Scope, Scopes, TokenFault};
use crate::problem::{ApiError, Code};
use crate::state::AppState;

/// Paths that take passwords or refresh tokens, and no access tokens.
pub const AUTH_PREFIX: &str = "/v1/auth/";
/// Paths where a token makes a difference.
const TOKEN_PREFIXES: [&str; 2] = ["/v1/", "/graphql"];

/// A caller with a valid access token. As an extractor: 401 without one.
///
/// That the account still exists is not known from the token; what writes, or shows what only the
/// account itself may see, looks it up with the rest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Caller {
    /// The account.
    pub player_id: Uuid,
    /// What the token allows.
    pub scopes: Scopes,
    /// When the token runs out.
    pub expires_at: Timestamp,
}

/// Somebody with a valid token, or nobody in particular. As an extractor: 401 for a token that is
/// not valid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MaybeCaller(pub Option<Caller>);

/// What the `Authorization` header of a request amounts to; kept with the request by [`authenticate`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Authentication {
    /// There is none.
    Anonymous,
    /// A valid access token.
    Caller(Caller),
    /// A header that is not `Bearer` and a token.
    NotBearer,
    /// A token that is not taken.
    Refused(TokenFault),
}

impl Caller {
    /// Refuses a token without `scope`.
    ///
    /// # Errors
    /// `insufficient_scope`, which names the scope.
    pub fn require(self, scope: Scope) -> Result<Self, ApiError> {
        if self.scopes.contains(scope) {
            return Ok(self);
        }
        let detail = format!("needs a token with the scope {}", scope.as_str());
        Err(ApiError::new(Code::InsufficientScope, detail).with("scope", scope.as_str()))
    }
}

impl MaybeCaller {
    /// The account, if there is one.
    pub fn player_id(self) -> Option<Uuid> {
        self.0.map(|caller| caller.player_id)
    }
}

impl Authentication {
    /// The caller, or none for nobody in particular.
    ///
    /// # Errors
    /// 401 for a header or token that is not valid.
    pub fn optional(self) -> Result<Option<Caller>, ApiError> {
        match self {
            Self::Anonymous => Ok(None),
            Self::Caller(caller) => Ok(Some(caller)),
            Self::NotBearer => Err(ApiError::invalid_token(
                "expected one header Authorization: Bearer TOKEN",
            )),
            Self::Refused(TokenFault::Invalid) => Err(ApiError::invalid_token(
                "the access token is not one of this server's",
            )),
            Self::Refused(TokenFault::Expired) => Err(ApiError::new(
                Code::TokenExpired,
                "the access token has run out; get another with the refresh token",
            )),
        }
    }

    /// The caller.
    ///
    /// # Errors
    /// 401 when there is none, or for a header or token that is not valid.
    pub fn required(self) -> Result<Caller, ApiError> {
        self.optional()?.ok_or_else(|| {
            ApiError::new(
                Code::Unauthenticated,
                "needs a header Authorization: Bearer TOKEN",
            )
        })
    }

    fn of(request: &HttpRequest) -> Self {
        request
            .extensions()
            .get::<Self>()
            .copied()
            .unwrap_or(Self::Anonymous)
    }

    fn read(headers: &HeaderMap, state: &AppState) -> Self {
        let mut values = headers.get_all(header::AUTHORIZATION);
        let Some(value) = values.next() else {
            return Self::Anonymous;
        };
        let token = value.to_str().ok().and_then(|value| value.split_once(' '));
        match token {
            Some((scheme, token))
                if scheme.eq_ignore_ascii_case("bearer") && values.next().is_none() =>
            {
                match state.tokens.verify(token.trim(), state.clock.now()) {
                    Ok(verified) => Self::Caller(Caller {
                        player_id: verified.player_id,
                        scopes: verified.scopes,
                        expires_at: Timestamp::from_micros(
                            verified.expires.saturating_mul(1_000_000),
                        ),
                    }),
                    Err(fault) => Self::Refused(fault),
                }
            }
            _ => Self::NotBearer,
        }
    }
}

/// Middleware: reads the `Authorization` header once and keeps the outcome with the request. Refuses
/// nothing itself, so that requests with bad tokens are counted before they are refused.
///
/// # Errors
/// Those of the service within.
pub async fn authenticate<B: MessageBody>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<B>, Error> {
    if let Some(state) = request.app_data::<web::Data<AppState>>() {
        let authentication = Authentication::read(request.headers(), state);
        request.extensions_mut().insert(authentication);
    }
    next.call(request).await
}

/// Middleware: refuses requests with a token that is not valid, on public routes too, so that nobody
/// takes the public view for their own. Logging in and refreshing work with an old token still there.
///
/// # Errors
/// Those of the service within; a refusal is an answer and no error.
pub async fn refuse_bad_tokens<B: MessageBody>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<EitherBody<B>>, Error> {
    let path = request.path();
    let tells = TOKEN_PREFIXES.iter().any(|prefix| path.starts_with(prefix));
    if tells
        && !path.starts_with(AUTH_PREFIX)
        && let Err(refusal) = Authentication::of(request.request()).optional()
    {
        return Ok(request.error_response(refusal).map_into_right_body());
    }
    next.call(request)
        .await
        .map(ServiceResponse::map_into_left_body)
}

impl FromRequest for Caller {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(Authentication::of(request).required())
    }
}

impl FromRequest for MaybeCaller {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(Authentication::of(request).optional().map(Self))
    }
}
