//! One's own account, and the tokens that open it.

use garde::Validate;
use secrecy::SecretString;
use serde::{Deserialize, Serialize};
use storage::players::Account;
use utoipa::ToSchema;
use uuid::Uuid;

use super::object::optional_object;
use super::patch::Patch;
use super::player::PlayerResponse;
use crate::auth::ACCESS_TOKEN_LIFETIME;
use crate::http::validate::rules;
use crate::mail::known_zone;
use crate::time::Timestamp;
use crate::usecase::accounts::{SignedIn, Tokens};

/// An account to be made.
// Not printable: it holds a password.
#[derive(Deserialize, Validate, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RegisterRequest {
    /// 3 to 20 of `A-Za-z0-9_-`, unique without regard to case.
    #[garde(custom(rules::username))]
    #[schema(
        example = "Marshal",
        min_length = 3,
        max_length = 20,
        pattern = "^[A-Za-z0-9_-]+$"
    )]
    pub username: String,
    /// 8 to 256 characters.
    #[garde(custom(rules::password))]
    #[schema(example = "correct horse battery staple", format = Password, min_length = 8, max_length = 256)]
    pub password: String,
    /// Where mail may go once the address is verified.
    #[garde(custom(rules::email))]
    #[schema(example = "marshal@example.org", max_length = 254)]
    pub email: Option<String>,
}

/// A login.
// Not printable: it holds a password.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct LoginRequest {
    /// The username, in any case.
    #[schema(example = "Marshal")]
    pub username: String,
    /// The password.
    #[schema(example = "correct horse battery staple", format = Password)]
    pub password: String,
}

/// A refresh token.
// Not printable.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RefreshRequest {
    /// The refresh token that came last.
    pub refresh_token: String,
}

/// An address for which a new password is wanted.
// Not printable: nobody is to learn who asks.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PasswordResetRequest {
    /// The address.
    #[schema(example = "marshal@example.org", max_length = 254)]
    pub email: String,
}

/// A new password, by the token of a mail.
// Not printable: it holds a password.
#[derive(Deserialize, Validate, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PasswordResetConfirmRequest {
    /// The token of the mail; it serves once.
    #[garde(skip)]
    pub token: String,
    /// 8 to 256 characters.
    #[garde(custom(rules::password))]
    #[schema(example = "correct horse battery staple", format = Password, min_length = 8, max_length = 256)]
    pub new_password: String,
}

/// Asks for a mail to one's address, or shows its token.
// Not printable.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct VerifyEmailRequest {
    /// The token of the mail; without one a mail is sent.
    #[schema(nullable = false)]
    pub token: Option<String>,
}

/// What changes of one's own account; a field that is absent stays as it is.
#[derive(Deserialize, Validate, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct MePatchRequest {
    /// Another address, or `null` for none.
    #[garde(custom(rules::email_change))]
    #[serde(default)]
    #[schema(value_type = Option<String>, example = "marshal@example.org", max_length = 254)]
    pub email: Patch<String>,
    /// Other preferences.
    #[garde(dive)]
    #[schema(nullable = false)]
    #[serde(default, deserialize_with = "optional_object")]
    pub preferences: Option<PreferencesPatch>,
}

/// What changes of the preferences; a field that is absent stays as it is.
#[derive(Debug, Default, Deserialize, Validate, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PreferencesPatch {
    /// Another language, or `null` for none in particular.
    #[garde(skip)]
    #[serde(default)]
    #[schema(value_type = Option<PreferredLanguage>)]
    pub language: Patch<PreferredLanguage>,
    /// Another time zone, by its name in the IANA database, or `null` for UTC.
    #[garde(custom(rules::time_zone))]
    #[serde(default)]
    #[schema(value_type = Option<String>, example = "Europe/Berlin", max_length = 64)]
    pub tz: Patch<String>,
    /// Other mail.
    #[garde(skip)]
    #[schema(nullable = false)]
    #[serde(default, deserialize_with = "optional_object")]
    pub mail: Option<MailPreferencesPatch>,
    /// Who else may challenge the player, or `null` for anyone.
    #[garde(skip)]
    #[serde(default)]
    #[schema(value_type = Option<Challengers>)]
    pub challenges: Patch<Challengers>,
}

/// What changes of the mail; a field that is absent stays as it is.
#[derive(Debug, Clone, Copy, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct MailPreferencesPatch {
    /// Whether a mail says that it is one's turn.
    #[schema(nullable = false)]
    pub your_turn: Option<bool>,
    /// Whether a mail says that little time is left.
    #[schema(nullable = false)]
    pub deadline_near: Option<bool>,
    /// Whether a mail says once a day what there is.
    #[schema(nullable = false)]
    pub digest: Option<bool>,
}

/// The preferences of an account, kept as they are written here.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Preferences {
    /// The language of texts that are sent to the player; `null` for none in particular.
    #[serde(default)]
    pub language: Option<PreferredLanguage>,
    /// The time zone of the player, by its name in the IANA database; `null` for UTC.
    #[serde(default)]
    #[schema(example = "Europe/Berlin")]
    pub tz: Option<String>,
    /// Which mail is wanted. It goes to verified addresses only.
    #[serde(default)]
    pub mail: MailPreferences,
    /// Who may challenge the player; open challenges of his own are his to make all the same.
    #[serde(default)]
    pub challenges: Challengers,
}

/// Which mail a player wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct MailPreferences {
    /// That it is one's turn: one mail for many games, at most one an hour.
    pub your_turn: bool,
    /// That at most a fifth of a turn's time is left.
    pub deadline_near: bool,
    /// What there is, once a day at 8:00 in the player's time zone.
    pub digest: bool,
}

impl Default for MailPreferences {
    fn default() -> Self {
        Self {
            your_turn: true,
            deadline_near: true,
            digest: false,
        }
    }
}

impl MailPreferences {
    /// The same with what a caller changes.
    const fn with(self, patch: MailPreferencesPatch) -> Self {
        const fn or(given: Option<bool>, current: bool) -> bool {
            match given {
                Some(given) => given,
                None => current,
            }
        }
        Self {
            your_turn: or(patch.your_turn, self.your_turn),
            deadline_near: or(patch.deadline_near, self.deadline_near),
            digest: or(patch.digest, self.digest),
        }
    }
}

/// Who may challenge a player. Whom he blocks may not, whatever this says.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Challengers {
    /// Every other player.
    #[default]
    Anyone,
    /// Those with whom he has played, or plays.
    Opponents,
    /// Nobody.
    Nobody,
}

/// A language in which there are texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum PreferredLanguage {
    /// English.
    En,
    /// French.
    Fr,
    /// Spanish.
    Es,
    /// Greek.
    El,
    /// Romanian.
    Ro,
    /// German.
    De,
    /// Dutch.
    Nl,
}

/// Tokens.
#[derive(Serialize, ToSchema)]
pub struct TokensResponse {
    /// For `Authorization: Bearer …`.
    access_token: String,
    /// Always `Bearer`.
    #[schema(example = "Bearer")]
    token_type: &'static str,
    /// How long the access token is valid, in seconds.
    #[schema(example = 900)]
    expires_in: u64,
    /// For the next tokens; it serves once.
    refresh_token: String,
}

/// A player with tokens.
#[derive(Serialize, ToSchema)]
pub struct SignedInResponse {
    /// The player.
    player: PlayerResponse,
    /// The tokens.
    tokens: TokensResponse,
}

/// Tokens alone.
#[derive(Serialize, ToSchema)]
pub struct RefreshedResponse {
    /// The tokens.
    tokens: TokensResponse,
}

/// One's own account.
#[derive(Debug, Serialize, ToSchema)]
pub struct MeResponse {
    /// Its identifier.
    id: Uuid,
    /// The name.
    #[schema(example = "Marshal")]
    username: String,
    /// When the account was made.
    created_at: Timestamp,
    /// Where mail may go once the address is verified; seen by nobody else.
    #[schema(example = "marshal@example.org")]
    email: Option<String>,
    /// Whether it was shown that the address is the player's: see `POST /v1/me/email/verify`.
    email_verified: bool,
    /// The preferences.
    preferences: Preferences,
}

impl RegisterRequest {
    /// The password, in the form that does not print.
    pub fn take_password(&mut self) -> SecretString {
        std::mem::take(&mut self.password).into()
    }
}

impl Preferences {
    /// Reads preferences as they are kept.
    ///
    /// # Errors
    /// When they were not written by [`to_json`](Self::to_json).
    pub fn from_json(json: &str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(json)
    }

    /// Writes preferences to be kept.
    ///
    /// # Errors
    /// None in practice: they are plain words.
    pub fn to_json(&self) -> Result<String, serde_json::Error> {
        serde_json::to_string(self)
    }

    /// The preferences with what a caller changes.
    #[must_use]
    pub fn with(self, patch: &PreferencesPatch) -> Self {
        Self {
            language: patch.language.apply(self.language),
            tz: match &patch.tz {
                Patch::Absent => self.tz,
                Patch::Null => None,
                // As the database spells it.
                Patch::Value(name) => known_zone(name),
            },
            mail: self.mail.with(patch.mail.unwrap_or_default()),
            challenges: patch
                .challenges
                .apply(Some(self.challenges))
                .unwrap_or_default(),
        }
    }
}

impl MeResponse {
    /// The account as its owner sees it.
    ///
    /// # Errors
    /// When its preferences are not as this program keeps them.
    pub fn new(account: Account) -> Result<Self, serde_json::Error> {
        Ok(Self {
            id: account.player.id.as_uuid(),
            username: account.player.username,
            created_at: account.player.created_at.into(),
            email: account.email,
            email_verified: account.verified_email.is_some(),
            preferences: Preferences::from_json(&account.preferences)?,
        })
    }
}

impl From<Tokens> for TokensResponse {
    fn from(tokens: Tokens) -> Self {
        Self {
            access_token: tokens.access_token,
            token_type: "Bearer",
            expires_in: ACCESS_TOKEN_LIFETIME.as_secs(),
            refresh_token: tokens.refresh_token,
        }
    }
}

impl From<SignedIn> for SignedInResponse {
    fn from(signed_in: SignedIn) -> Self {
        Self {
            player: (&signed_in.player).into(),
            tokens: signed_in.tokens.into(),
        }
    }
}

impl From<Tokens> for RefreshedResponse {
    fn from(tokens: Tokens) -> Self {
        Self {
            tokens: tokens.into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn preferences_are_kept_and_changed_by_field() {
        let french = PreferencesPatch {
            language: Patch::Value(PreferredLanguage::Fr),
            ..PreferencesPatch::default()
        };
        let kept = Preferences::from_json("{}").unwrap().with(&french);
        assert_eq!(
            kept.to_json().unwrap(),
            r#"{"language":"fr","tz":null,"mail":{"your_turn":true,"deadline_near":true,"digest":false},"challenges":"anyone"}"#
        );
        assert_eq!(
            Preferences::from_json(r#"{"language":"fr"}"#).unwrap(),
            kept
        );
        let nothing = PreferencesPatch::default();
        assert_eq!(kept.clone().with(&nothing), kept);
        let closed = PreferencesPatch {
            challenges: Patch::Value(Challengers::Nobody),
            ..PreferencesPatch::default()
        };
        let kept = kept.with(&closed);
        assert_eq!(kept.challenges, Challengers::Nobody);
        let none = PreferencesPatch {
            language: Patch::Null,
            challenges: Patch::Null,
            ..PreferencesPatch::default()
        };
        assert_eq!(kept.with(&none), Preferences::default());
        let mail = PreferencesPatch {
            tz: Patch::Value("europe/berlin".to_owned()),
            mail: Some(MailPreferencesPatch {
                digest: Some(true),
                ..MailPreferencesPatch::default()
            }),
            ..PreferencesPatch::default()
        };
        let wanted = Preferences::default().with(&mail);
        assert_eq!(wanted.tz.as_deref(), Some("Europe/Berlin"));
        assert!(wanted.mail.digest && wanted.mail.your_turn);
    }
}
