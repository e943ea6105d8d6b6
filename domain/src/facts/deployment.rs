use super::{Counts, Facts, Section};
use crate::color::Color;
use crate::game::Game;
use crate::rank::Rank;
use crate::square::Square;

/// The squares of a side, and the pairs of them that are each other's mirror images.
const HOME: usize = 40;
const PAIRS: usize = HOME / 2;

/// Kinds: the sides; behind them, for each rank and own square, how many sides that did not win had one
/// there, and how many that won; behind those the same for each rank and both squares of a pair.
const SQUARES: usize = 1;
const BOTH: usize = SQUARES + Rank::ALL.len() * HOME * 2;

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

/// How the armies stood at the start as their owners saw them, forty characters each, Red's first
/// (`rules.md` 1).
pub fn armies(game: &Game) -> String {
    let army = |side| game.setups[side].map_or_else(|| ".".repeat(HOME), |setup| setup.to_string());
    Color::ALL.map(army).concat()
}

/// Adds what an army adds, so many times.
fn count_army(counts: &mut Counts, army: &[u8], won: bool, times: i64) {
    let mut ranks = [None; HOME];
    for (cell, character) in army.iter().enumerate().take(HOME) {
        if let Some(rank) = Rank::from_char(char::from(*character)) {
            let square = own_square_of(cell);
            ranks[square] = Some(rank);
            counts.add(key(SQUARES, HOME, rank, square) + usize::from(won), times);
        }
    }
    for pair in 0..PAIRS {
        let (left, right) = squares_of(pair);
        if let (Some(rank), true) = (ranks[left], ranks[left] == ranks[right]) {
            counts.add(key(BOTH, PAIRS, rank, pair) + usize::from(won), times);
        }
    }
    if ranks.iter().any(Option::is_some) {
        counts.add(0, times);
    }
}

/// The own square of a character of a setup, whose front row comes first.
const fn own_square_of(cell: usize) -> usize {
    (3 - cell / 10) * 10 + cell % 10
}

/// The squares of a pair.
const fn squares_of(pair: usize) -> (usize, usize) {
    let (row, column) = (pair / 5, pair % 5);
    (row * 10 + column, row * 10 + 9 - column)
}

const fn key(first: usize, places: usize, rank: Rank, place: usize) -> usize {
    first + (rank as usize * places + place) * 2
}

impl Facts {
    /// How many sides were deployed.
    pub fn sides(&self) -> u64 {
        self.section(Section::Deployment).number(0)
    }

    /// Adds where two [armies] stood, so many times.
    pub fn add_armies(&mut self, armies: &str, winner: Option<Color>, times: i64) {
        let counts = self.section_mut(Section::Deployment);
        for (side, army) in Color::ALL.into_iter().zip(armies.as_bytes().chunks(HOME)) {
            count_army(counts, army, winner == Some(side), times);
        }
    }

    /// How often a rank stood on each square of its side, those alone where it ever did; with the left
    /// half folded onto the right if so asked. A rank on both squares of a pair is there once for its side.
    pub fn deployment(&self, rank: Rank, fold: bool) -> Vec<Placed> {
        let counts = self.section(Section::Deployment);
        let number = |key: usize| [counts.number(key), counts.number(key + 1)];
        let on = |square| number(key(SQUARES, HOME, rank, square));
        let mut stood = [[0; 2]; HOME];
        if fold {
            for pair in 0..PAIRS {
                let (left, right) = squares_of(pair);
                let (here, there) = (on(left), on(right));
                let twice = number(key(BOTH, PAIRS, rank, pair));
                stood[right] = [0, 1].map(|won| here[won] + there[won] - twice[won]);
            }
        } else {
            stood = std::array::from_fn(on);
        }
        let placed = Square::all()
            .zip(stood)
            .map(|(square, [lost, won])| Placed {
                square,
                sides: lost + won,
                wins: won,
            });
        placed.filter(|placed| placed.sides > 0).collect()
    }
}
