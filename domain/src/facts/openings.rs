use super::{Counts, Facts, Section};
use crate::color::Color;
use crate::game::Game;
use crate::moves::Move;
use crate::square::Square;

/// A first move of Red, and what came of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Opening {
    /// The move.
    pub mv: Move,
    /// How many games began with it.
    pub games: u64,
    /// How many of those Red won.
    pub wins: u64,
}

pub(super) fn count(game: &Game, counts: &mut Counts) {
    let Some(first) = game.log.get(0) else {
        return;
    };
    let key = key(first.turn.mv);
    counts.add(key, 1);
    let winner = game.outcome().and_then(|outcome| outcome.winner);
    if winner == Some(Color::Red) {
        counts.add(key + 1, 1);
    }
}

/// Kinds: a move, and whether it is all games or those won.
const fn key(mv: Move) -> usize {
    (mv.from.index() as usize * Square::COUNT + mv.to.index() as usize) * 2
}

impl Facts {
    /// Red's first moves, the most frequent first; of equal ones in the order of squares.
    pub fn openings(&self) -> Vec<Opening> {
        let counts = self.section(Section::Openings);
        let opening = |(key, _): (usize, i64)| {
            let square = |index: usize| u8::try_from(index).ok().and_then(Square::new);
            let (from, to) = (key / 2 / Square::COUNT, key / 2 % Square::COUNT);
            let mv = Move {
                from: square(from)?,
                to: square(to)?,
            };
            Some(Opening {
                mv,
                games: counts.number(key),
                wins: counts.number(key + 1),
            })
        };
        let moves = counts.iter().filter(|(key, _)| key % 2 == 0);
        let mut openings: Vec<Opening> = moves.filter_map(opening).collect();
        openings.sort_by_key(|opening| std::cmp::Reverse(opening.games));
        openings
    }
}
