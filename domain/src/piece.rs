use std::fmt;
use std::str::FromStr;

use crate::color::Color;
use crate::square::Square;

/// The identity of a piece: its owner and the square it was deployed on, or, for a rescued piece,
/// its owner and which of his rescues it was (`http-api.md` 4).
///
/// Nothing in it, nor in its order, depends on a rank.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PieceId(u8);

impl PieceId {
    /// How many identities there are: forty home squares and two rescues a side.
    pub const COUNT: usize = 84;

    const FIRST_BLUE_HOME: u8 = 40;
    const FIRST_RESCUE: u8 = 80;

    /// The piece deployed on a home square; `None` for a square outside rows 1 to 4 and 7 to 10.
    pub const fn deployed_on(square: Square) -> Option<Self> {
        match square.index() {
            index @ 0..40 => Some(Self(index)),
            index @ 60..100 => Some(Self(index - 20)),
            _ => None,
        }
    }

    /// The piece of a side's first (0) or second (1) rescue.
    pub(crate) const fn rescued(owner: Color, nth: u8) -> Self {
        debug_assert!(nth < 2);
        Self(Self::FIRST_RESCUE + (owner as u8) * 2 + nth)
    }

    /// For indices that are below [`PieceId::COUNT`] by construction.
    pub(crate) const fn at(index: u8) -> Self {
        debug_assert!((index as usize) < Self::COUNT);
        Self(index)
    }

    /// Every identity, in order.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..84).map(Self)
    }

    /// Every identity that a side's deployed pieces can have, in order.
    pub(crate) fn deployed(owner: Color) -> impl Iterator<Item = Self> {
        let first = owner as u8 * Self::FIRST_BLUE_HOME;
        (first..first + Self::FIRST_BLUE_HOME).map(Self)
    }

    /// 0 to 83.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The side that the piece belongs to.
    pub const fn owner(self) -> Color {
        match self.0 {
            0..Self::FIRST_BLUE_HOME | 80 | 81 => Color::Red,
            _ => Color::Blue,
        }
    }

    /// The square it was deployed on; `None` for a rescued piece.
    pub const fn home(self) -> Option<Square> {
        match self.0 {
            index @ 0..Self::FIRST_BLUE_HOME => Some(Square::at(index)),
            index @ Self::FIRST_BLUE_HOME..Self::FIRST_RESCUE => Some(Square::at(index + 20)),
            _ => None,
        }
    }
}

impl fmt::Display for PieceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.home() {
            Some(square) => write!(f, "{}:{square}", self.owner()),
            None => write!(f, "{}:rescue{}", self.owner(), self.0 % 2 + 1),
        }
    }
}

/// The text is no piece identifier.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a piece is named by its owner and home square, for example `red:a4`, or `blue:rescue1`")]
pub struct ParsePieceIdError;

impl FromStr for PieceId {
    type Err = ParsePieceIdError;

    fn from_str(text: &str) -> Result<Self, ParsePieceIdError> {
        let (owner, place) = text.split_once(':').ok_or(ParsePieceIdError)?;
        let owner: Color = owner.parse().map_err(|_| ParsePieceIdError)?;
        match place {
            "rescue1" => Ok(Self::rescued(owner, 0)),
            "rescue2" => Ok(Self::rescued(owner, 1)),
            square => square
                .parse()
                .ok()
                .and_then(Self::deployed_on)
                .filter(|id| id.owner() == owner)
                .ok_or(ParsePieceIdError),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_identity_prints_and_parses_back() {
        for id in PieceId::all() {
            assert_eq!(id.to_string().parse(), Ok(id));
        }
        for text in [
            "red:a5",
            "red:a7",
            "blue:a1",
            "green:a1",
            "red:rescue3",
            "a1",
            "red:",
        ] {
            assert_eq!(text.parse::<PieceId>(), Err(ParsePieceIdError), "{text:?}");
        }
    }
}
