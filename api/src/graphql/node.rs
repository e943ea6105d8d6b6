use async_graphql::{ID, Interface};

use super::game::GameNode;
use super::player::PlayerNode;

/// Anything with an identifier of its own.
#[derive(Debug, Interface)]
#[graphql(field(name = "id", ty = "ID", desc = "The identifier, opaque."))]
pub(super) enum Node {
    Game(Box<GameNode>),
    Player(PlayerNode),
}
