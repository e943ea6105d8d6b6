use async_graphql::SimpleObject;

use super::player::PlayerNode;

/// One side of the table.
#[derive(Debug, SimpleObject)]
pub(super) struct Seat {
    /// Who plays it.
    player: PlayerNode,
}

impl From<&storage::players::Player> for Seat {
    fn from(player: &storage::players::Player) -> Self {
        Self {
            player: PlayerNode(player.clone()),
        }
    }
}
