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

/// For each square the squares in each direction, up to a lake or the edge.
const RAYS: [[Bitboard; 4]; Square::COUNT] = {
    let mut rays = [[Bitboard::EMPTY; 4]; Square::COUNT];
    let mut from = 0;
    while from < Square::COUNT {
        let mut d = 0;
        while d < 4 {
            let mut here = Bitboard(1 << from);
            loop {
                here = Bitboard(here.shift(Direction::ALL[d]).0 & Bitboard::DRY.0);
                if here.is_empty() {
                    break;
                }
                rays[from][d].0 |= here.0;
            }
            d += 1;
        }
        from += 1;
    }
    rays
};

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

    /// The opposite direction.
    pub(crate) const fn back(self) -> Self {
        match self {
            Self::Up => Self::Down,
            Self::Down => Self::Up,
            Self::Left => Self::Right,
            Self::Right => Self::Left,
        }
    }

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

    pub(crate) const fn len(self) -> u32 {
        self.0.count_ones()
    }

    pub(crate) const fn insert(&mut self, square: Square) {
        self.0 |= 1 << square.index();
    }

    pub(crate) const fn remove(&mut self, square: Square) {
        self.0 &= !(1 << square.index());
    }

    /// The squares below 64 and the rest: a processor counts zeros by the word.
    #[expect(clippy::cast_possible_truncation, reason = "the two halves")]
    pub(crate) const fn halves(self) -> [u64; 2] {
        [self.0 as u64, (self.0 >> 64) as u64]
    }

    /// Calls `visit` with each square, in index order.
    #[inline]
    pub(crate) fn for_each(self, mut visit: impl FnMut(Square)) {
        let [mut low, mut high] = self.halves();
        while low != 0 {
            visit(Square::at(first(low)));
            low &= low - 1;
        }
        while high != 0 {
            visit(Square::at(64 + first(high)));
            high &= high - 1;
        }
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

    /// The squares that a scout on a square could reach if `occupied` stand on the board: up to a
    /// lake, the edge, or the first piece of each line, which is among them.
    #[inline]
    pub(crate) const fn lines(from: Square, occupied: Self) -> Self {
        let [up, down, left, right] = RAYS[from.index() as usize];
        Self(
            up.0 & up_to_lowest(up.0 & occupied.0)
                | right.0 & up_to_lowest(right.0 & occupied.0)
                | down.0 & down_to_highest(down.0 & occupied.0)
                | left.0 & down_to_highest(left.0 & occupied.0),
        )
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

/// The lowest bit and all below it; everything when there is none.
const fn up_to_lowest(bits: u128) -> u128 {
    bits ^ bits.wrapping_sub(1)
}

/// The highest bit and all above it; everything when there is none.
const fn down_to_highest(bits: u128) -> u128 {
    u128::MAX << (bits | 1).ilog2()
}

#[expect(clippy::cast_possible_truncation, reason = "at most 64")]
const fn first(word: u64) -> u8 {
    word.trailing_zeros() as u8
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
    fn lines_end_at_a_lake_the_edge_or_the_first_piece() {
        let from = "e4".parse().unwrap();
        let reach = set(&[
            "e1", "e2", "e3", "e5", "e6", "e7", "e8", "e9", "e10", "a4", "b4", "c4", "d4", "f4",
            "g4", "h4", "i4", "j4",
        ]);
        assert_eq!(Bitboard::lines(from, Bitboard::EMPTY), reach);
        let pieces = set(&["e6", "e8", "e2", "e1", "d4", "a4", "i4", "j4"]);
        let reach = set(&["e5", "e6", "e3", "e2", "d4", "f4", "g4", "h4", "i4"]);
        assert_eq!(Bitboard::lines(from, pieces), reach);
        let corner = "a1".parse().unwrap();
        assert_eq!(
            Bitboard::lines(corner, set(&["a1", "b1", "a3"])),
            set(&["b1", "a2", "a3"])
        );
        let by_a_lake = "b5".parse().unwrap();
        assert_eq!(
            Bitboard::lines(by_a_lake, set(&["b4", "b6"])),
            set(&["a5", "b4", "b6"])
        );
    }

    #[test]
    fn each_square_is_visited_in_order() {
        let mut seen = Vec::new();
        set(&["j10", "e7", "d7", "a1"]).for_each(|square| seen.push(square.to_string()));
        assert_eq!(seen, ["a1", "d7", "e7", "j10"]);
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
        assert_eq!(
            between("a1", "a10"),
            set(&["a2", "a3", "a4", "a5", "a6", "a7", "a8", "a9"])
        );
    }
}
