use std::fmt;
use std::str::FromStr;

use crate::bitboard::Bitboard;
use crate::color::Color;

/// A column, `a` to `j`, left to right for Red.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Column(u8);

/// A row, 1 (Red's back row) to 10 (Blue's back row).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Row(u8);

impl Column {
    /// 0 for `a` to 9 for `j`.
    pub const fn index(self) -> u8 {
        self.0
    }
}

impl Row {
    /// 0 for row 1 to 9 for row 10.
    pub const fn index(self) -> u8 {
        self.0
    }

    /// The enemy's back row, as `color` sees it.
    pub const fn back_row_facing(color: Color) -> Self {
        match color {
            Color::Red => Self(9),
            Color::Blue => Self(0),
        }
    }
}

impl fmt::Display for Column {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", char::from(b'a' + self.0))
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0 + 1)
    }
}

/// A square of the board; the index is (row - 1) * 10 + column, `a1` = 0 and `j10` = 99.
///
/// Coordinates are absolute: the same for every viewer (`rules.md` 1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Square(u8);

impl Square {
    /// How many squares there are, lakes included.
    pub const COUNT: usize = 100;

    /// The square of an index, if it is on the board.
    pub const fn new(index: u8) -> Option<Self> {
        if index < 100 { Some(Self(index)) } else { None }
    }

    /// For indices that are below 100 by construction.
    pub(crate) const fn at(index: u8) -> Self {
        debug_assert!(index < 100);
        Self(index)
    }

    /// For an index that may lie off the board, in a move that is not kept.
    pub(crate) const fn unchecked(index: u8) -> Self {
        Self(index)
    }

    /// Every square in index order, lakes included.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..100).map(Self)
    }

    /// 0 to 99.
    pub const fn index(self) -> u8 {
        self.0
    }

    /// The column.
    pub const fn column(self) -> Column {
        Column(self.0 % 10)
    }

    /// The row.
    pub const fn row(self) -> Row {
        Row(self.0 / 10)
    }

    /// Whether no piece may stand here.
    pub const fn is_lake(self) -> bool {
        Bitboard::LAKES.contains(self)
    }

    /// Whether the square lies in the half where `color` may put a rescued piece (rows 1 to 5 for
    /// Red, 6 to 10 for Blue, no lake; `rules.md` 6).
    pub const fn is_own_half(self, color: Color) -> bool {
        let low = self.0 < 50;
        !self.is_lake()
            && match color {
                Color::Red => low,
                Color::Blue => !low,
            }
    }

    /// Steps along a line to another square; `None` when the two share neither row nor column.
    pub const fn distance(self, to: Self) -> Option<u8> {
        let same_row = self.0 / 10 == to.0 / 10;
        let same_column = self.0 % 10 == to.0 % 10;
        match (same_row, same_column) {
            (true, _) => Some(self.0.abs_diff(to.0)),
            (_, true) => Some(self.0.abs_diff(to.0) / 10),
            _ => None,
        }
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.column(), self.row())
    }
}

/// The text names no square of the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a square is a column `a` to `j` and a row 1 to 10, for example `e4`")]
pub struct ParseSquareError;

impl FromStr for Square {
    type Err = ParseSquareError;

    fn from_str(text: &str) -> Result<Self, ParseSquareError> {
        let [column @ b'a'..=b'j', row @ ..] = text.as_bytes() else {
            return Err(ParseSquareError);
        };
        let row = match row {
            [digit @ b'1'..=b'9'] => digit - b'1',
            b"10" => 9,
            _ => return Err(ParseSquareError),
        };
        Ok(Self(row * 10 + (column - b'a')))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_square_prints_and_parses_back() {
        for square in Square::all() {
            assert_eq!(square.to_string().parse(), Ok(square));
        }
        assert_eq!("a1".parse::<Square>().map(Square::index), Ok(0));
        assert_eq!("j10".parse::<Square>().map(Square::index), Ok(99));
    }

    #[test]
    fn what_is_not_on_the_board_is_refused() {
        for text in [
            "", "a", "k4", "a0", "a11", "A4", "4a", "a04", "e4 ", "é4", "a1０",
        ] {
            assert_eq!(text.parse::<Square>(), Err(ParseSquareError), "{text:?}");
        }
    }

    #[test]
    fn lakes_are_where_the_sheets_print_them() {
        let lakes: Vec<String> = Square::all()
            .filter(|s| s.is_lake())
            .map(|s| s.to_string())
            .collect();
        assert_eq!(lakes, ["c5", "d5", "g5", "h5", "c6", "d6", "g6", "h6"]);
    }
}
