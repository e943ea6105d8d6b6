//! Personal tokens, logins, and another password.

use std::time::Duration;

use garde::Validate;
use secrecy::SecretString;
use serde::{Deserialize, Serialize};
use storage::FamilyId;
use storage::personal_tokens::PersonalToken;
use storage::sessions::Session;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::auth::{self, Scopes};
use crate::duration::IsoDuration;
use crate::http::validate::rules;
use crate::problem::{ApiError, FieldFault};
use crate::time::Timestamp;
use crate::usecase::personal_tokens::Wanted;

/// The longest name of a token, in characters.
const MAX_NAME_CHARS: usize = 100;
/// The shortest time that a token may hold.
const SHORTEST: Duration = Duration::from_mins(1);
/// The longest time that a token may hold, if it is to run out.
const LONGEST: Duration = Duration::from_hours(3_650 * 24);

/// A personal token to be made.
#[derive(Debug, Clone, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TokenRequest {
    /// What it is for, 1 to 100 characters.
    #[schema(example = "my bot", min_length = 1, max_length = 100)]
    pub name: String,
    /// What it allows: one or more of what the caller may do.
    #[schema(min_items = 1, max_items = 5)]
    pub scopes: Vec<ScopeName>,
    /// How long it holds, PT1M to P3650D; until it is deleted when nothing is said.
    pub expires_in: Option<IsoDuration>,
}

/// What a token allows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ScopeName {
    /// To challenge, place setups and move.
    Play,
    /// To read what only the account itself may see.
    Read,
    /// To ask for costly statistics.
    Analysis,
    /// To import recorded games.
    Import,
    /// To administer the server.
    Admin,
}

/// A personal token, without what opens it.
#[derive(Debug, Serialize, ToSchema)]
pub struct TokenResponse {
    /// Its identifier.
    pub id: Uuid,
    /// What it is for.
    #[schema(example = "my bot")]
    pub name: String,
    /// What it allows.
    pub scopes: Vec<ScopeName>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it runs out; `null` when it does not.
    pub expires_at: Option<Timestamp>,
    /// When it was last used, to within an hour.
    pub last_used_at: Option<Timestamp>,
}

/// A personal token that was made.
// Not printable.
#[derive(Serialize, ToSchema)]
pub struct NewTokenResponse {
    /// For `Authorization: Bearer …`. It is shown this once.
    #[schema(example = "rvl_…")]
    pub token: String,
    /// What is known of it.
    #[serde(flatten)]
    pub kept: TokenResponse,
}

/// A login.
#[derive(Debug, Serialize, ToSchema)]
pub struct SessionResponse {
    /// Its identifier.
    pub id: Uuid,
    /// When the player logged in.
    pub created_at: Timestamp,
    /// When its refresh token was last used.
    pub last_used_at: Timestamp,
    /// When it ends by itself.
    pub expires_at: Timestamp,
    /// Whether it is the one that asks.
    pub current: bool,
    /// What the player logged in with, as it calls itself; at most 200 characters of it.
    pub user_agent: Option<String>,
}

/// Another password.
// Not printable: it holds passwords.
#[derive(Deserialize, Validate, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PasswordRequest {
    /// The current password.
    #[garde(skip)]
    #[schema(format = Password)]
    pub current_password: String,
    /// The new one, 8 to 256 characters.
    #[garde(custom(rules::password))]
    #[schema(format = Password, min_length = 8, max_length = 256)]
    pub new_password: String,
}

impl TokenRequest {
    /// Checks every value against its range.
    ///
    /// # Errors
    /// `validation_failed` with all that are not.
    pub fn validate(&self) -> Result<Wanted, ApiError> {
        let mut faults = Vec::new();
        let mut fault = |field: &'static str, code: &'static str, detail: String| {
            faults.push(FieldFault {
                field: field.into(),
                code: code.into(),
                detail,
            });
        };
        let name = self.name.trim();
        let chars = name.chars().count();
        if !(1..=MAX_NAME_CHARS).contains(&chars) {
            let detail = format!("must have 1 to {MAX_NAME_CHARS} characters, has {chars}");
            fault("name", "wrong_length", detail);
        } else if name.chars().any(char::is_control) {
            let detail = "may not have control characters";
            fault("name", "bad_character", detail.to_owned());
        }
        let scopes: Scopes = self.scopes.iter().map(|scope| scope.scope()).collect();
        if scopes.is_empty() {
            let detail = "must name at least one of play, read, analysis, import and admin";
            fault("scopes", "empty", detail.to_owned());
        }
        let expires_in = self.expires_in.map(|span| span.0);
        if expires_in.is_some_and(|span| !(SHORTEST..=LONGEST).contains(&span)) {
            let came = crate::duration::format(expires_in.unwrap_or_default());
            let detail = format!("must be PT1M to P3650D, not {came}");
            fault("expires_in", "out_of_range", detail);
        }
        if faults.is_empty() {
            Ok(Wanted {
                name: name.to_owned(),
                scopes,
                expires_in,
            })
        } else {
            Err(ApiError::validation(faults))
        }
    }
}

impl ScopeName {
    const fn scope(self) -> auth::Scope {
        match self {
            Self::Play => auth::Scope::Play,
            Self::Read => auth::Scope::Read,
            Self::Analysis => auth::Scope::Analysis,
            Self::Import => auth::Scope::Import,
            Self::Admin => auth::Scope::Admin,
        }
    }
}

impl From<auth::Scope> for ScopeName {
    fn from(scope: auth::Scope) -> Self {
        match scope {
            auth::Scope::Play => Self::Play,
            auth::Scope::Read => Self::Read,
            auth::Scope::Analysis => Self::Analysis,
            auth::Scope::Import => Self::Import,
            auth::Scope::Admin => Self::Admin,
        }
    }
}

impl From<PersonalToken> for TokenResponse {
    fn from(token: PersonalToken) -> Self {
        Self {
            id: token.id.as_uuid(),
            name: token.name,
            scopes: Scopes::parse(&token.scopes)
                .iter()
                .map(Into::into)
                .collect(),
            created_at: token.created_at.into(),
            expires_at: token.expires_at.map(Into::into),
            last_used_at: token.last_used_at.map(Into::into),
        }
    }
}

impl SessionResponse {
    /// A login as its player sees it who asks with `current`.
    pub fn of(session: Session, current: Option<FamilyId>) -> Self {
        Self {
            id: session.id.as_uuid(),
            created_at: session.created_at.into(),
            last_used_at: session.used_at.into(),
            expires_at: session.expires_at.into(),
            current: current == Some(session.id),
            user_agent: session.user_agent,
        }
    }
}

impl PasswordRequest {
    /// The current password and the new one, in the form that does not print.
    pub fn take(self) -> (SecretString, SecretString) {
        (self.current_password.into(), self.new_password.into())
    }
}
