//! A player as anyone may see him.

use serde::Serialize;
use storage::players::Player;
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
}

impl From<&Player> for PlayerResponse {
    fn from(player: &Player) -> Self {
        Self {
            id: player.id.as_uuid(),
            username: player.username.clone(),
            created_at: player.created_at.into(),
        }
    }
}
