use super::{Counts, Facts, Section};
use crate::game::Game;

/// Kinds: a number of plies.
pub(super) fn count(game: &Game, counts: &mut Counts) {
    counts.add(game.ply() as usize, 1);
}

impl Facts {
    /// How many games had each number of plies, the shortest first.
    pub fn lengths(&self) -> Vec<(u64, u64)> {
        let counts = self.section(Section::Lengths);
        let lengths = counts
            .iter()
            .map(|(plies, _)| (plies as u64, counts.number(plies)));
        lengths.collect()
    }
}
