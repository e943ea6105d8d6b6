//! A player as anyone may see him.

use serde::Serialize;
use storage::players::{self, Player};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::time::Timestamp;

/// A player.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct PlayerResponse {
    /// Its identifier.
    pub id: Uuid,
    /// The name, `deleted-…` for an erased account.
    #[schema(example = "Marshal")]
    pub username: String,
    /// When the account was made.
    pub created_at: Timestamp,
    /// `BOT` for the bot that the server itself runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub title: Option<Title>,
}

/// What a player is beside a player.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "UPPERCASE")]
pub enum Title {
    /// The bot that the server itself runs.
    Bot,
}

impl From<&Player> for PlayerResponse {
    fn from(player: &Player) -> Self {
        Self {
            id: player.id.as_uuid(),
            username: player.username.clone(),
            created_at: player.created_at.into(),
            title: player.title.map(|players::Title::Bot| Title::Bot),
        }
    }
}
