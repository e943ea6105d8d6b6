use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Not};

use crate::square::Square;

/// A set of squares, one bit each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(crate) struct Bitboard(u128);

const BOARD: u128 = (1 << 100) - 1;
const COLUMN_A: u128 = {
    let mut bits = 0;
    let mut row = 0;
    while row < 10 {
        bits |= 1 << (row * 10);
        row += 1;
    }
    bits
};
const COLUMN_J: u128 = COLUMN_A << 9;

/// The four directions of a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Direction {
    Up,
    Down,
    Left,
    Right,
}

impl Direction {
    pub(crate) const ALL: [Self; 4] = [Self::Up, Self::Down, Self::Left, Self::Right];

    /// What a step adds to the index of a square.
    pub(crate) const fn step(self) -> i8 {
        match self {
            Self::Up => 10,
            Self::Down => -10,
            Self::Left => -1,
            Self::Right => 1,
        }
    }
}

impl Bitboard {
    pub(crate) const EMPTY: Self = Self(0);
    /// `c5 d5 c6 d6 g5 h5 g6 h6`
    pub(crate) const LAKES: Self = Self(0b11 << 42 | 0b11 << 46 | 0b11 << 52 | 0b11 << 56);
    /// Every square on which a piece may stand.
    pub(crate) const DRY: Self = Self(BOARD & !Self::LAKES.0);

    pub(crate) const fn contains(self, square: Square) -> bool {
        self.0 >> square.index() & 1 == 1
    }

    pub(crate) const fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub(crate) const fn insert(&mut self, square: Square) {
        self.0 |= 1 << square.index();
    }

    pub(crate) const fn remove(&mut self, square: Square) {
        self.0 &= !(1 << square.index());
    }

    /// Every square moved by one step; those that would leave the board are dropped.
    pub(crate) const fn shift(self, direction: Direction) -> Self {
        Self(match direction {
            Direction::Up => self.0 << 10 & BOARD,
            Direction::Down => self.0 >> 10,
            Direction::Left => (self.0 & !COLUMN_A) >> 1,
            Direction::Right => (self.0 & !COLUMN_J) << 1,
        })
    }

    /// The squares next to any of these.
    pub(crate) const fn neighbours(self) -> Self {
        Self(
            self.shift(Direction::Up).0
                | self.shift(Direction::Down).0
                | self.shift(Direction::Left).0
                | self.shift(Direction::Right).0,
        )
    }

    /// The squares next to one square.
    pub(crate) const fn around(square: Square) -> Self {
        const TABLE: [Bitboard; 100] = {
            let mut table = [Bitboard::EMPTY; 100];
            let mut index = 0;
            while index < 100 {
                table[index] = Bitboard(1 << index).neighbours();
                index += 1;
            }
            table
        };
        TABLE[square.index() as usize]
    }

    /// The squares strictly between two squares of one line.
    pub(crate) const fn between(from: Square, to: Square) -> Self {
        let (low, high) = if from.index() < to.index() {
            (from.index(), to.index())
        } else {
            (to.index(), from.index())
        };
        let within = ((1_u128 << high) - (1_u128 << low)) & !(1_u128 << low);
        if high - low < 10 && low / 10 == high / 10 {
            Self(within)
        } else {
            Self(within & COLUMN_A << (low % 10))
        }
    }
}

impl Iterator for Bitboard {
    type Item = Square;

    fn next(&mut self) -> Option<Square> {
        if self.0 == 0 {
            return None;
        }
        // Two halves: a 128-bit count of trailing zeros costs a branch anyway.
        #[expect(clippy::cast_possible_truncation, reason = "below 100")]
        let index = self.0.trailing_zeros() as u8;
        self.0 &= self.0 - 1;
        Some(Square::at(index))
    }
}

impl BitAnd for Bitboard {
    type Output = Self;
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl BitOr for Bitboard {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitAndAssign for Bitboard {
    fn bitand_assign(&mut self, other: Self) {
        self.0 &= other.0;
    }
}

impl BitOrAssign for Bitboard {
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

impl Not for Bitboard {
    type Output = Self;
    fn not(self) -> Self {
        Self(!self.0 & BOARD)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(names: &[&str]) -> Bitboard {
        let mut board = Bitboard::EMPTY;
        for name in names {
            board.insert(name.parse().unwrap());
        }
        board
    }

    #[test]
    fn neighbours_stay_on_the_board() {
        assert_eq!(Bitboard::around("a1".parse().unwrap()), set(&["a2", "b1"]));
        assert_eq!(
            Bitboard::around("j10".parse().unwrap()),
            set(&["j9", "i10"])
        );
        assert_eq!(
            Bitboard::around("a5".parse().unwrap()),
            set(&["a4", "a6", "b5"])
        );
        assert_eq!(
            Bitboard::around("j5".parse().unwrap()),
            set(&["j4", "j6", "i5"])
        );
    }

    #[test]
    fn between_is_open_at_both_ends() {
        let between =
            |from: &str, to: &str| Bitboard::between(from.parse().unwrap(), to.parse().unwrap());
        assert_eq!(between("a1", "d1"), set(&["b1", "c1"]));
        assert_eq!(between("d1", "a1"), set(&["b1", "c1"]));
        assert_eq!(between("e2", "e5"), set(&["e3", "e4"]));
        assert_eq!(between("e5", "e2"), set(&["e3", "e4"]));
        assert_eq!(between("e4", "e5"), Bitboard::EMPTY);
        assert_eq!(between("i1", "j1"), Bitboard::EMPTY);
        assert_eq!(between("a1", "a10").count(), 8);
    }
}
