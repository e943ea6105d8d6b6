//! The caller of a request, as its access token or personal token tells.

use std::future::{Ready, ready};
use std::sync::Arc;

use actix_web::body::{EitherBody, MessageBody};
use actix_web::dev::{Payload, ServiceRequest, ServiceResponse};
use actix_web::http::header;
use actix_web::middleware::Next;
use actix_web::{Error, FromRequest, HttpMessage, HttpRequest, web};
use domain::Timestamp;
use storage::{CredentialId, FamilyId, PlayerId, TokenId};
use uuid::Uuid;

use super::{PERSONAL_PREFIX, PersonalToken, Scope, Scopes, TokenFault};
use crate::http::client_address::client_address;
use crate::problem::{ApiError, Code, RETRY_SOON};
use crate::state::AppState;
use crate::usecase::personal_tokens;

/// Paths that take passwords or refresh tokens, and no access tokens.
pub const AUTH_PREFIX: &str = "/v1/auth/";
/// Paths where a token makes a difference.
const TOKEN_PREFIXES: [&str; 2] = ["/v1/", "/graphql"];

/// A caller with a valid token. As an extractor: 401 without one.
///
/// That the account still exists is not known from the token; what writes, or shows what only the
/// account itself may see, looks it up with the rest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Caller {
    /// The account.
    pub player_id: Uuid,
    /// What the token allows.
    pub scopes: Scopes,
    /// When the token runs out, if it does.
    pub expires_at: Option<Timestamp>,
    /// What he shows for himself.
    pub credential: Credential,
}

/// What a caller shows for himself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Credential {
    /// An access token, of the login that it names.
    Login(Option<FamilyId>),
    /// A personal token.
    Token(TokenId),
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
    /// A valid access token or personal token.
    Caller(Caller),
    /// A header that is not `Bearer` and a token.
    NotBearer,
    /// A personal token that cannot be looked up now.
    Unavailable,
    /// A personal token, and its address asks too much to have another looked up.
    TooMany,
    /// A token that is not taken.
    Refused(TokenFault),
}

impl Caller {
    /// Refuses a token without `scope`.
    ///
    /// # Errors
    /// `insufficient_scope`, which names the scope.
    pub fn require(self, scope: Scope) -> Result<Self, ApiError> {
        if self.scopes.allow(scope) {
            return Ok(self);
        }
        let detail = format!("needs a token with the scope {}", scope.as_str());
        Err(ApiError::new(Code::InsufficientScope, detail).with("scope", scope.as_str()))
    }

    /// Refuses personal tokens, for what only who has logged in may do: whoever finds a token must not
    /// get the whole account by it.
    ///
    /// # Errors
    /// `forbidden`.
    pub fn require_login(self) -> Result<Self, ApiError> {
        match self.credential {
            Credential::Login(_) => Ok(self),
            Credential::Token(_) => Err(ApiError::new(
                Code::Forbidden,
                "a personal token may not do this: log in with the password",
            )),
        }
    }

    /// The account.
    pub fn player(self) -> PlayerId {
        PlayerId::from_uuid(self.player_id)
    }

    /// The login that the access token came of.
    pub const fn login(self) -> Option<FamilyId> {
        match self.credential {
            Credential::Login(login) => login,
            Credential::Token(_) => None,
        }
    }
}

impl Credential {
    /// Which it is, if it says so.
    pub fn id(self) -> Option<CredentialId> {
        match self {
            Self::Login(login) => login.map(CredentialId::from),
            Self::Token(token) => Some(token.into()),
        }
    }
}

impl MaybeCaller {
    /// The account, if there is one and its token may read what only the account itself may see. Whoever
    /// shows another token sees what everybody sees.
    pub fn player_id(self) -> Option<Uuid> {
        let reads = self.0.filter(|caller| caller.scopes.allow(Scope::Read));
        reads.map(|caller| caller.player_id)
    }

    /// Whether there is a caller whose token has a scope.
    pub fn allows(self, scope: Scope) -> bool {
        self.0.is_some_and(|caller| caller.scopes.allow(scope))
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
            Self::Refused(TokenFault::Ended) => Err(ended()),
            Self::Refused(TokenFault::Expired) => Err(ApiError::new(
                Code::TokenExpired,
                "the token has run out; get another access token with the refresh token",
            )),
            Self::Unavailable => Err(ApiError::unavailable(
                "the token cannot be looked up at this moment; try again",
                RETRY_SOON,
            )),
            Self::TooMany => Err(ApiError::new(
                Code::RateLimited,
                "too many requests from this address; wait and try again",
            )
            .retry_after(RETRY_SOON)),
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

    async fn read(request: &HttpRequest, state: &Arc<AppState>) -> Self {
        let headers = request.headers();
        let mut values = headers.get_all(header::AUTHORIZATION);
        let Some(value) = values.next() else {
            return Self::Anonymous;
        };
        let token = value.to_str().ok().and_then(|value| value.split_once(' '));
        let authentication = match token {
            Some((scheme, token))
                if scheme.eq_ignore_ascii_case("bearer") && values.next().is_none() =>
            {
                let token = token.trim();
                if token.starts_with(PERSONAL_PREFIX) {
                    Self::of_personal_token(request, state, token).await
                } else {
                    Self::of_access_token(state, token)
                }
            }
            _ => Self::NotBearer,
        };
        match authentication {
            Self::Caller(caller)
                if caller
                    .credential
                    .id()
                    .is_some_and(|id| state.ended.contains(id)) =>
            {
                Self::Refused(TokenFault::Ended)
            }
            authentication => authentication,
        }
    }

    fn of_access_token(state: &AppState, token: &str) -> Self {
        match state.tokens.verify(token, state.clock.now()) {
            Ok(verified) => Self::Caller(Caller {
                player_id: verified.player_id,
                scopes: verified.scopes,
                expires_at: Some(Timestamp::from_micros(
                    verified.expires.saturating_mul(1_000_000),
                )),
                credential: Credential::Login(verified.login),
            }),
            Err(fault) => Self::Refused(fault),
        }
    }

    async fn of_personal_token(request: &HttpRequest, state: &Arc<AppState>, token: &str) -> Self {
        // Where it makes no difference it is not looked up.
        if !takes_tokens(request.path()) {
            return Self::Anonymous;
        }
        let Some(token) = PersonalToken::parse(token) else {
            return Self::Refused(TokenFault::Invalid);
        };
        let (digest, now) = (token.digest(), state.now());
        let held = state.held_tokens.get(digest, now);
        let recognised = if let Some(held) = held {
            Some(held)
        } else {
            // Before the database is asked: whoever tries tokens is counted for each.
            if let Some(limiters) = &state.rate_limiters
                && !limiters.count_look_up(client_address(request, &state.config.trusted_proxies))
            {
                return Self::TooMany;
            }
            match personal_tokens::recognise(state, digest).await {
                Ok(recognised) => recognised,
                Err(_) => return Self::Unavailable,
            }
        };
        match recognised {
            None => Self::Refused(TokenFault::Invalid),
            Some(token) if token.expires_at.is_some_and(|until| until <= now) => {
                Self::Refused(TokenFault::Expired)
            }
            Some(token) => Self::Caller(Caller {
                player_id: token.player.as_uuid(),
                scopes: token.scopes,
                expires_at: token.expires_at,
                credential: Credential::Token(token.id),
            }),
        }
    }
}

/// The refusal of a token that served before.
pub fn ended() -> ApiError {
    ApiError::invalid_token(
        "the login of this access token has ended, or the personal token was taken back; log in again",
    )
}

/// Whether a token makes a difference at this path.
fn takes_tokens(path: &str) -> bool {
    let tells = TOKEN_PREFIXES.iter().any(|prefix| path.starts_with(prefix));
    tells && !path.starts_with(AUTH_PREFIX)
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
        let authentication = Authentication::read(request.request(), state).await;
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
    if takes_tokens(request.path())
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
