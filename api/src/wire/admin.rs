//! What those see and say who administer the server.

use garde::Validate;
use serde::{Deserialize, Serialize};
use storage::audit::{Deed, Entry, MAX_REASON};
use utoipa::ToSchema;
use uuid::Uuid;

use super::player::PlayerResponse;
use crate::time::Timestamp;

/// What the log calls the command line of the server's machine. No username has a space.
pub const COMMAND_LINE: &str = "command line";

/// Why something is done.
#[derive(Debug, Clone, Default, Deserialize, Validate, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ReasonRequest {
    /// For the audit log, at most 500 characters.
    #[garde(custom(as_reason))]
    #[schema(example = "abuse", max_length = 500)]
    pub reason: Option<String>,
}

/// Why a game is annulled.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AnnulRequest {
    /// For everyone to see who sees the game, and for the audit log.
    #[schema(example = "played by a program", min_length = 1)]
    pub reason: String,
}

/// A password that was given to a player.
// Not printable.
#[derive(Serialize, ToSchema)]
pub struct GivenPasswordResponse {
    /// The player's password from now on, until he sets one of his own. It is shown this once.
    pub password: String,
}

/// What was done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// A player was made an admin.
    GrantAdmin,
    /// He is none any more.
    RevokeAdmin,
    /// A player was suspended.
    Suspend,
    /// He is let in again.
    Unsuspend,
    /// A player was given a password.
    ResetPassword,
    /// A game does not count.
    AnnulGame,
}

/// An entry of the audit log.
#[derive(Debug, Serialize, ToSchema)]
pub struct AuditResponse {
    /// Its identifier.
    pub id: Uuid,
    /// When.
    pub at: Timestamp,
    /// Who: a username, or `command line`.
    #[schema(example = "command line")]
    pub by: String,
    /// What.
    pub action: Action,
    /// To whom, under the name that he has now.
    pub player: Option<PlayerResponse>,
    /// To which game.
    pub game_id: Option<Uuid>,
    /// Why.
    pub reason: Option<String>,
}

impl From<Deed> for Action {
    fn from(deed: Deed) -> Self {
        match deed {
            Deed::GrantAdmin(_) => Self::GrantAdmin,
            Deed::RevokeAdmin(_) => Self::RevokeAdmin,
            Deed::Suspend(_) => Self::Suspend,
            Deed::Unsuspend(_) => Self::Unsuspend,
            Deed::ResetPassword(_) => Self::ResetPassword,
            Deed::AnnulGame(_) => Self::AnnulGame,
        }
    }
}

impl From<Entry> for AuditResponse {
    fn from(entry: Entry) -> Self {
        Self {
            id: entry.id.as_uuid(),
            at: entry.at.into(),
            by: entry
                .actor
                .map_or_else(|| COMMAND_LINE.to_owned(), |player| player.username),
            action: entry.deed.into(),
            player: entry.player.as_ref().map(Into::into),
            game_id: entry.deed.game().map(storage::GameId::as_uuid),
            reason: entry.reason,
        }
    }
}

/// At most 500 characters that a line may have.
///
/// # Errors
/// `too_long` or `bad_character`.
pub fn as_reason(value: &Option<String>, (): &()) -> garde::Result {
    let Some(value) = value else { return Ok(()) };
    let chars = value.chars().count();
    if chars > MAX_REASON {
        return Err(garde::Error::new(format!(
            "too_long: must have at most {MAX_REASON} characters, has {chars}"
        )));
    }
    if value.chars().any(char::is_control) {
        return Err(garde::Error::new(
            "bad_character: may not have control characters",
        ));
    }
    Ok(())
}
