use crate::bitboard::Bitboard;
use crate::moves::Move;
use crate::piece::PieceId;
use crate::square::Square;

/// The borders between adjacent squares that a move crosses, along one row or column.
///
/// Border `k` of a line lies between its squares `k` and `k + 1`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Borders {
    line: Line,
    /// The first border.
    low: u8,
    /// One past the last border.
    high: u8,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Line {
    Row(u8),
    Column(u8),
}

impl Borders {
    fn of(mv: Move) -> Self {
        let (from_row, from_column) = (mv.from.row().index(), mv.from.column().index());
        let (to_row, to_column) = (mv.to.row().index(), mv.to.column().index());
        let (line, a, b) = if from_row == to_row {
            (Line::Row(from_row), from_column, to_column)
        } else {
            (Line::Column(from_column), from_row, to_row)
        };
        Self {
            line,
            low: a.min(b),
            high: a.max(b),
        }
    }

    fn common(self, other: Self) -> Option<Self> {
        let low = self.low.max(other.low);
        let high = self.high.min(other.high);
        (self.line == other.line && low < high).then_some(Self {
            line: self.line,
            low,
            high,
        })
    }
}

/// A side's last own moves, as far as they are all by one piece (two squares, `rules.md` 5).
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Run {
    piece: Option<PieceId>,
    /// How many moves in a row the piece has made.
    len: u32,
    /// The last of them: the `n`th stands at `n` modulo their number.
    moves: [Option<Move>; Self::LONGEST as usize],
    /// The borders that each of the last `limit` moves crossed.
    common: Option<Borders>,
}

impl Run {
    /// The largest `two_squares_limit`.
    const LONGEST: u32 = 5;

    /// Notes an own move.
    pub(crate) fn push(&mut self, piece: PieceId, mv: Move, limit: u8) {
        let limit = u32::from(limit);
        if self.piece != Some(piece) {
            self.piece = Some(piece);
            self.len = 0;
            self.common = None;
        }
        self.len += 1;
        self.moves[Self::place(self.len)] = Some(mv);
        if self.len >= limit {
            self.common = self.common_borders(limit);
        }
    }

    const fn place(n: u32) -> usize {
        (n % Self::LONGEST) as usize
    }

    fn common_borders(&self, limit: u32) -> Option<Borders> {
        let mut last = (0..limit).map(|back| self.moves[Self::place(self.len - back)]);
        let first = Borders::of(last.next()??);
        last.try_fold(first, |common, mv| common.common(Borders::of(mv?)))
    }

    /// Whether some move of this side may breach at all.
    pub(crate) const fn is_full(&self) -> bool {
        self.common.is_some()
    }

    /// Whether a move crosses a border that each of the last moves crossed.
    pub(crate) fn breaches(&self, piece: PieceId, mv: Move) -> bool {
        self.piece == Some(piece)
            && self
                .common
                .is_some_and(|common| common.common(Borders::of(mv)).is_some())
    }
}

/// One side's part in a chase (more squares, `rules.md` 5).
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Chase {
    /// The side's plies in the running chase.
    pub(crate) count: u32,
    /// The side's last move.
    pub(crate) last: Option<Move>,
}

/// The placements since the running chase began, newest last: which piece, by identity, stands
/// where. Ranks play no part.
#[derive(Debug)]
pub(crate) struct Placements {
    present: u64,
    keys: Vec<u64>,
}

/// A pseudo-random word for a piece on a square. A placement's key is the exclusive or of its
/// words, so a move changes it in two steps; that two placements of one chase share a key by
/// chance is less likely than a fault of the memory that holds them.
const fn word(piece: PieceId, square: Square) -> u64 {
    let mut z = (piece.index() as u64 * 100 + square.index() as u64 + 1)
        .wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

impl Clone for Placements {
    /// With the same room, so that play from a copy does not allocate either.
    fn clone(&self) -> Self {
        let mut keys = Vec::with_capacity(self.keys.capacity());
        keys.extend_from_slice(&self.keys);
        Self {
            present: self.present,
            keys,
        }
    }
}

impl Placements {
    /// Longer chases are rare.
    pub(crate) const ROOM: usize = 48;

    pub(crate) fn new(pieces: impl Iterator<Item = (PieceId, Square)>) -> Self {
        let present = pieces.fold(0, |key, (piece, square)| key ^ word(piece, square));
        let mut keys = Vec::with_capacity(Self::ROOM);
        keys.push(present);
        Self { present, keys }
    }

    #[cfg(test)]
    pub(crate) const fn room(&self) -> usize {
        self.keys.capacity()
    }

    /// A piece appears on, or leaves, a square.
    pub(crate) const fn toggle(&mut self, piece: PieceId, square: Square) {
        self.present ^= word(piece, square);
    }

    /// Ends a ply. Of the history as many plies are kept as the longer of the chases that run
    /// has: no rule looks further back.
    pub(crate) fn end_ply(&mut self, longest_chase: u32) {
        if longest_chase == 0 {
            self.keys.clear();
        } else if self.keys.len() == self.keys.capacity() {
            let kept = usize::try_from(longest_chase).unwrap_or(usize::MAX);
            self.keys.drain(..self.keys.len().saturating_sub(kept));
        }
        self.keys.push(self.present);
    }

    /// Whether a move would make the placement before any of the last `plies` plies.
    pub(crate) fn recurs(&self, piece: PieceId, mv: Move, plies: u32) -> bool {
        let key = self.present ^ word(piece, mv.from) ^ word(piece, mv.to);
        // The present placement stands last and is not among them.
        let plies = usize::try_from(plies).unwrap_or(usize::MAX);
        self.keys
            .iter()
            .rev()
            .skip(1)
            .take(plies)
            .any(|earlier| *earlier == key)
    }
}

/// Whether `mv` takes `last` back exactly.
pub(crate) fn reverses(mv: Move, last: Option<Move>) -> bool {
    last.is_some_and(|last| last.from == mv.to && last.to == mv.from)
}

/// Whether a piece of `enemies` stands next to a square.
pub(crate) fn threatens(square: Square, enemies: Bitboard) -> bool {
    !(Bitboard::around(square) & enemies).is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn walk(from: u8, to: u8) -> Move {
        Move {
            from: Square::at(from),
            to: Square::at(to),
        }
    }

    #[test]
    fn a_full_history_drops_what_no_chase_looks_at() {
        let piece = PieceId::at(0);
        let mut placements = Placements::new(std::iter::once((piece, Square::at(0))));
        let last = u8::try_from(placements.room()).expect("small");
        for step in 0..last {
            placements.toggle(piece, Square::at(step));
            placements.toggle(piece, Square::at(step + 1));
            // The last of these finds no room, in a chase of five plies.
            placements.end_ply(5);
        }
        assert_eq!(placements.keys.len(), 6);
        assert_eq!(placements.room(), usize::from(last));
        assert!(placements.recurs(piece, walk(last, last - 4), 4));
        assert!(!placements.recurs(piece, walk(last, last - 4), 3));
        // The present placement is not among them.
        assert!(!placements.recurs(piece, walk(last, last), 4));
    }

    #[test]
    fn borders_are_shared_along_one_line() {
        let borders = |from: &str, to: &str| {
            Borders::of(Move {
                from: from.parse().expect(from),
                to: to.parse().expect(to),
            })
        };
        let shared = |a: Borders, b: Borders| a.common(b).is_some();
        assert!(shared(borders("e4", "e9"), borders("e7", "e6")));
        assert!(shared(borders("a1", "j1"), borders("c1", "b1")));
        assert!(!shared(borders("e4", "e6"), borders("e6", "e9")));
        assert!(!shared(borders("e4", "e5"), borders("f4", "f5")));
        assert!(!shared(borders("d4", "e4"), borders("e4", "e5")));
        assert!(!shared(borders("a1", "b1"), borders("a1", "a2")));
    }
}
