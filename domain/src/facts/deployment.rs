use super::{Counts, Facts, Section};
use crate::color::Color;
use crate::game::Game;
use crate::rank::Rank;
use crate::square::Square;

/// Kinds: the sides; behind them, for each rank and own square, how many sides had one there and how many
/// of those won; behind those the same with the left half folded onto the right.
const HOME: usize = 40;
const SQUARES: usize = 1;
const FOLDED: usize = SQUARES + Rank::ALL.len() * HOME * 2;

/// How often a rank stood on a square at the start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Placed {
    /// The square, as Red would name it.
    pub square: Square,
    /// How many sides had one there.
    pub sides: u64,
    /// How many of those won.
    pub wins: u64,
}

/// A square as its side sees it: Blue's by half a turn of the board.
pub const fn own_square(owner: Color, square: Square) -> Square {
    match owner {
        Color::Red => square,
        Color::Blue => Square::at(99 - square.index()),
    }
}

/// A square of the left half as its mirror image on the right.
const fn folded(square: Square) -> Square {
    let column = square.column().index();
    if column < 5 {
        Square::at(square.index() + 9 - 2 * column)
    } else {
        square
    }
}

pub(super) fn count(game: &Game, counts: &mut Counts) {
    let winner = game.outcome().and_then(|outcome| outcome.winner);
    for side in Color::ALL {
        let Some(setup) = game.setups[side] else {
            continue;
        };
        counts.add(0, 1);
        let won = i64::from(winner == Some(side));
        // A rank on both squares of a pair is there once for its side.
        let mut met = [0_u64; Rank::ALL.len()];
        for (square, rank) in setup.pieces(side) {
            let square = own_square(side, square);
            add(counts, SQUARES, rank, square, won);
            let square = folded(square);
            let bit = 1 << square.index();
            if met[rank as usize] & bit == 0 {
                met[rank as usize] |= bit;
                add(counts, FOLDED, rank, square, won);
            }
        }
    }
}

fn add(counts: &mut Counts, first: usize, rank: Rank, square: Square, won: i64) {
    let key = key(first, rank, square);
    counts.add(key, 1);
    if won > 0 {
        counts.add(key + 1, won);
    }
}

const fn key(first: usize, rank: Rank, square: Square) -> usize {
    first + (rank as usize * HOME + square.index() as usize) * 2
}

impl Facts {
    /// How many sides were deployed.
    pub fn sides(&self) -> u64 {
        self.section(Section::Deployment).number(0)
    }

    /// How often a rank stood on each square of its side, those alone where it ever did; with the left
    /// half folded onto the right if so asked.
    pub fn deployment(&self, rank: Rank, fold: bool) -> Vec<Placed> {
        let counts = self.section(Section::Deployment);
        let first = if fold { FOLDED } else { SQUARES };
        let placed = Square::all().take(HOME).map(|square| {
            let key = key(first, rank, square);
            Placed {
                square,
                sides: counts.number(key),
                wins: counts.number(key + 1),
            }
        });
        placed.filter(|placed| placed.sides > 0).collect()
    }
}
