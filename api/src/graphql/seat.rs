use async_graphql::SimpleObject;
use domain::Color;
use storage::games::GameSummary;

use super::player::PlayerNode;

/// One side of the table.
#[derive(Debug, SimpleObject)]
pub(super) struct Seat {
    /// Who plays it.
    player: PlayerNode,
    /// The rating by the rules of the game that its player had when the game was made; null of a game
    /// from before there were ratings.
    rating: Option<f64>,
}

impl Seat {
    pub(super) fn of(game: &GameSummary, side: Color) -> Self {
        Self {
            player: PlayerNode(game.players[side].clone()),
            rating: game.ratings[side].map(|rating| rating.rating),
        }
    }
}
