use std::fmt;
use std::ops::Deref;

use crate::square::Square;

/// A step of one piece from a square to another; an attack when an enemy stands there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Move {
    /// Where the piece stands.
    pub from: Square,
    /// Where it goes.
    pub to: Square,
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.from, self.to)
    }
}

/// What the rules make of a move that they do not refuse.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// It is played.
    Played,
    /// It breaches two squares where that forfeits the turn (`rules.md` 5).
    Forfeits,
    /// It is played, for it was played elsewhere by another repetition rule (`rules.md` 8).
    Irregular(Irregular),
}

/// The repetition rule that a move of a recorded game breaches (`rules.md` 8).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Irregular {
    /// The two squares rule.
    TwoSquares,
    /// The more squares rule.
    MoreSquares,
}

impl Irregular {
    /// The `snake_case` name on the wire and in the database.
    pub const fn name(self) -> &'static str {
        match self {
            Self::TwoSquares => "two_squares",
            Self::MoreSquares => "more_squares",
        }
    }

    /// The one that a refusal is about.
    pub(crate) const fn of(fault: IllegalMove) -> Option<Self> {
        match fault {
            IllegalMove::TwoSquares => Some(Self::TwoSquares),
            IllegalMove::MoreSquares => Some(Self::MoreSquares),
            _ => None,
        }
    }
}

/// Why a move is refused: the first that applies, in the order of `http-api.md` 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
pub enum IllegalMove {
    /// A square is not on the board.
    #[error("both squares must be on the board, `a1` to `j10`")]
    NotOnBoard,
    /// A move goes somewhere.
    #[error("a move ends on another square than it begins")]
    SameSquare,
    /// Nothing stands on the first square.
    #[error("no piece stands there")]
    EmptySquare,
    /// An enemy stands on the first square; no more is ever said of it.
    #[error("the piece there is not yours")]
    NotYourPiece,
    /// Bombs and the flag never move.
    #[error("bombs and the flag never move")]
    Immovable,
    /// The target is a lake.
    #[error("the target is a lake")]
    Lake,
    /// An own piece stands on the target.
    #[error("a piece of your own stands on the target")]
    OccupiedByOwn,
    /// The squares share neither row nor column.
    #[error("a move goes along a row or a column")]
    NotStraight,
    /// Only a scout goes more than one square.
    #[error("only a scout moves more than one square")]
    TooFar,
    /// Something is in the way: a piece or a lake.
    #[error("the way is not free")]
    PathBlocked,
    /// The two squares rule (`rules.md` 5).
    #[error("that piece has crossed this border in too many moves running")]
    TwoSquares,
    /// The more squares rule (`rules.md` 5).
    #[error("the chase would come back to an earlier placement")]
    MoreSquares,
}

impl IllegalMove {
    /// The `snake_case` name on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            Self::NotOnBoard => "not_on_board",
            Self::SameSquare => "same_square",
            Self::EmptySquare => "empty_square",
            Self::NotYourPiece => "not_your_piece",
            Self::Immovable => "immovable",
            Self::Lake => "lake",
            Self::OccupiedByOwn => "occupied_by_own",
            Self::NotStraight => "not_straight",
            Self::TooFar => "too_far",
            Self::PathBlocked => "path_blocked",
            Self::TwoSquares => "two_squares",
            Self::MoreSquares => "more_squares",
        }
    }
}

/// Room for the moves of one position, to be used again and again without allocating.
#[derive(Clone)]
pub struct MoveBuffer {
    moves: [Move; Self::CAPACITY],
    len: usize,
}

impl MoveBuffer {
    /// Forty pieces, eight of them scouts with at most eighteen targets, have at most 272 moves;
    /// with a power of two a place is masked instead of checked.
    const CAPACITY: usize = 512;

    /// An empty buffer.
    pub const fn new() -> Self {
        let origin = Square::at(0);
        Self {
            moves: [Move {
                from: origin,
                to: origin,
            }; Self::CAPACITY],
            len: 0,
        }
    }

    pub(crate) const fn clear(&mut self) {
        self.len = 0;
    }

    /// Puts the moves that `write` hands over in the place of those that were there.
    #[inline]
    pub(crate) fn refill(&mut self, write: impl FnOnce(&mut Refill<'_>)) {
        let mut refill = Refill {
            moves: &mut self.moves,
            len: 0,
        };
        write(&mut refill);
        debug_assert!(refill.len < Self::CAPACITY);
        self.len = refill.len;
    }

    /// Keeps the moves for which `keep` says so, in order.
    pub(crate) fn retain(&mut self, mut keep: impl FnMut(Move) -> bool) {
        let mut kept = 0;
        for index in 0..self.len {
            if keep(self.moves[index]) {
                self.moves[kept] = self.moves[index];
                kept += 1;
            }
        }
        self.len = kept;
    }
}

/// Moves on their way into a buffer; their number is not in memory until all are there.
pub(crate) struct Refill<'b> {
    moves: &'b mut [Move; MoveBuffer::CAPACITY],
    len: usize,
}

impl Refill<'_> {
    #[inline]
    pub(crate) fn push(&mut self, mv: Move) {
        self.push_if(true, mv);
    }

    /// Notes a move, and keeps it only `when` it is one: without a branch.
    #[inline]
    pub(crate) fn push_if(&mut self, when: bool, mv: Move) {
        self.moves[self.len % MoveBuffer::CAPACITY] = mv;
        self.len += usize::from(when);
    }
}

impl Default for MoveBuffer {
    fn default() -> Self {
        Self::new()
    }
}

impl Deref for MoveBuffer {
    type Target = [Move];

    fn deref(&self) -> &[Move] {
        &self.moves[..self.len]
    }
}

impl fmt::Debug for MoveBuffer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list()
            .entries(self.iter().map(ToString::to_string))
            .finish()
    }
}
