//! What a picture says of a game beside what a view tells.

use domain::{ByColor, Viewpoint};
use uuid::Uuid;

/// A game by its identifier and its players.
#[derive(Debug, Clone, Copy)]
pub struct Caption<'a> {
    /// The game.
    pub game: Uuid,
    /// Both players.
    pub names: ByColor<&'a str>,
}

impl Caption<'_> {
    /// What the identifiers in a picture begin with, so that several fit on one page: of which game
    /// it is, after how many plies, and whose eyes it is seen with.
    pub(super) fn stem(&self, kind: &str, ply: u32, viewpoint: Viewpoint) -> String {
        format!("{kind}-{}-{ply}-{}", self.game, viewpoint.name())
    }
}
