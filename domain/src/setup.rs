use std::fmt;

use crate::bitboard::Bitboard;
use crate::color::Color;
use crate::rank::{ByRank, Rank};
use crate::ruleset::Ruleset;
use crate::square::Square;

/// The number of squares of a side's four home rows.
const CELLS: usize = 40;

/// One side's arrangement, valid for the army it was parsed for.
///
/// Written as its owner sees it: front row first, each row from the owner's left to right, `.` for
/// an empty square (`rules.md` 1).
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Setup([Option<Rank>; CELLS]);

/// One thing that is wrong with an arrangement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
pub enum SetupFault {
    /// Not forty characters.
    #[error("a setup is 40 characters, front row first; this one has {found}")]
    WrongLength {
        /// Characters that came, white space and `/` left out.
        found: usize,
    },
    /// A character that stands for no rank.
    #[error("`{found}` stands for no piece; known are F B S 2 3 4 5 6 7 8 9 M and `.` for empty")]
    UnknownPiece {
        /// The character.
        found: char,
    },
    /// Too many or too few pieces of a rank.
    #[error("the army has {expected} of `{}`, this setup has {found}", piece.to_char())]
    WrongCount {
        /// Which.
        piece: Rank,
        /// What the army has.
        expected: u8,
        /// What came.
        found: usize,
    },
    /// No piece could make a first move.
    #[error("no piece could make a first move: each is boxed in by its own side or a lake")]
    NoOpeningMove,
}

impl SetupFault {
    /// The `snake_case` name on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            Self::WrongLength { .. } => "wrong_length",
            Self::UnknownPiece { .. } => "unknown_piece",
            Self::WrongCount { .. } => "wrong_count",
            Self::NoOpeningMove => "no_opening_move",
        }
    }
}

/// Every fault of an arrangement, gravest first; never empty.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.0.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))]
pub struct SetupErrors(Vec<SetupFault>);

impl SetupErrors {
    /// The faults.
    pub fn faults(&self) -> &[SetupFault] {
        &self.0
    }
}

impl Setup {
    /// Reads an arrangement and checks it against the army of a ruleset.
    ///
    /// # Errors
    /// Every fault at once.
    pub fn parse(ruleset: Ruleset, text: &str) -> Result<Self, SetupErrors> {
        let characters = || text.chars().filter(|ch| !ch.is_whitespace() && *ch != '/');
        let mut faults = Vec::new();
        let mut cells = [None; CELLS];
        let mut found = ByRank::<usize>::default();
        let mut length = 0;
        for ch in characters() {
            let rank = Rank::from_char(ch);
            if let Some(rank) = rank {
                found[rank] += 1;
            } else if ch != '.' {
                let fault = SetupFault::UnknownPiece { found: ch };
                // A text full of nonsense needs no endless list.
                if faults.len() < CELLS && !faults.contains(&fault) {
                    faults.push(fault);
                }
            }
            if let Some(cell) = cells.get_mut(length) {
                *cell = rank;
            }
            length += 1;
        }
        if length != CELLS {
            faults.insert(0, SetupFault::WrongLength { found: length });
        }
        for (piece, &expected) in ruleset.army().iter() {
            let found = found[piece];
            if found != usize::from(expected) {
                faults.push(SetupFault::WrongCount {
                    piece,
                    expected,
                    found,
                });
            }
        }
        let setup = Self(cells);
        if faults.is_empty() && !setup.has_opening_move() {
            faults.push(SetupFault::NoOpeningMove);
        }
        if faults.is_empty() {
            Ok(setup)
        } else {
            Err(SetupErrors(faults))
        }
    }

    pub(crate) const fn from_cells(cells: [Option<Rank>; CELLS]) -> Self {
        Self(cells)
    }

    /// Each piece with the square where `owner` deploys it.
    pub(crate) fn pieces(self, owner: Color) -> impl Iterator<Item = (Square, Rank)> {
        let placed = squares(owner).zip(self.0);
        placed.filter_map(|(square, rank)| rank.map(|rank| (square, rank)))
    }

    /// How pieces on the squares where `owner` deploys them are written, valid or not; those on
    /// other squares are left out.
    pub(crate) fn text(
        owner: Color,
        pieces: impl IntoIterator<Item = (Square, Option<Rank>)>,
    ) -> String {
        let mut board = [None; Square::COUNT];
        for (square, rank) in pieces {
            board[usize::from(square.index())] = rank;
        }
        squares(owner)
            .map(|square| board[usize::from(square.index())].map_or('.', Rank::to_char))
            .collect()
    }

    pub(crate) fn has_opening_move(self) -> bool {
        let mut occupied = Bitboard::EMPTY;
        let mut movable = Bitboard::EMPTY;
        for (square, rank) in self.pieces(Color::Red) {
            occupied.insert(square);
            if rank.is_movable() {
                movable.insert(square);
            }
        }
        !(movable.neighbours() & Bitboard::DRY & !occupied).is_empty()
    }
}

/// The squares that the characters of a setup stand for.
fn squares(owner: Color) -> impl Iterator<Item = Square> {
    (0_u8..40).map(move |cell| {
        let (row, column) = (cell / 10, cell % 10);
        Square::at(match owner {
            Color::Red => (3 - row) * 10 + column,
            Color::Blue => (6 + row) * 10 + (9 - column),
        })
    })
}

impl fmt::Debug for Setup {
    /// Without any rank: a setup may end up in a log.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Setup(..)")
    }
}

impl fmt::Display for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0
            .iter()
            .try_for_each(|cell| write!(f, "{}", cell.map_or('.', Rank::to_char)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = "6527M3538B/36228B74462B/245622795FB4/3S3B2B";
    const ORIGINAL: &str = "6527M3538B36228B74462B245622795FB43S3B2B";

    fn faults(ruleset: Ruleset, text: &str) -> Vec<SetupFault> {
        Setup::parse(ruleset, text)
            .expect_err("refused")
            .faults()
            .to_vec()
    }

    #[test]
    fn a_setup_prints_as_it_was_read() {
        let setup = Setup::parse(Ruleset::Original, ORIGINAL).expect("valid");
        assert_eq!(setup.to_string(), ORIGINAL);
        assert_eq!(Setup::parse(Ruleset::Original, GOOD), Ok(setup));
    }

    #[test]
    fn cells_stand_as_the_owner_sees_them() {
        let setup = Setup::parse(Ruleset::Original, ORIGINAL).expect("valid");
        let at = |owner, name: &str| {
            setup
                .pieces(owner)
                .find(|(square, _)| square.to_string() == name)
                .map(|(_, r)| r)
        };
        assert_eq!(at(Color::Red, "a4"), Some(Rank::Captain));
        assert_eq!(at(Color::Red, "j1"), Some(Rank::Bomb));
        assert_eq!(at(Color::Blue, "j7"), Some(Rank::Captain));
        assert_eq!(at(Color::Blue, "a10"), Some(Rank::Bomb));
        assert_eq!(at(Color::Blue, "j10"), Some(Rank::Lieutenant));
    }

    #[test]
    fn all_faults_come_at_once() {
        // A16: forty marshals, two flags, 39 and 41 pieces, unknown ranks.
        let marshals = faults(Ruleset::Original, &"M".repeat(40));
        assert_eq!(marshals.len(), 12);
        assert!(marshals.contains(&SetupFault::WrongCount {
            piece: Rank::Marshal,
            expected: 1,
            found: 40
        }));
        assert_eq!(
            faults(Ruleset::Original, &ORIGINAL.replacen('6', "F", 1)),
            [
                SetupFault::WrongCount {
                    piece: Rank::Flag,
                    expected: 1,
                    found: 2
                },
                SetupFault::WrongCount {
                    piece: Rank::Captain,
                    expected: 4,
                    found: 3
                },
            ]
        );
        assert_eq!(
            faults(Ruleset::Original, &ORIGINAL[1..])[0],
            SetupFault::WrongLength { found: 39 }
        );
        let long = format!("{ORIGINAL}x");
        assert_eq!(
            faults(Ruleset::Original, &long),
            [
                SetupFault::WrongLength { found: 41 },
                SetupFault::UnknownPiece { found: 'x' }
            ]
        );
        assert_eq!(
            faults(Ruleset::Original, "")[0],
            SetupFault::WrongLength { found: 0 }
        );
        let barrage = "29...M..33...................F...B2.S...";
        assert_eq!(
            faults(Ruleset::Barrage, barrage),
            [SetupFault::WrongCount {
                piece: Rank::Miner,
                expected: 1,
                found: 2
            }]
        );
    }

    #[test]
    fn a_boxed_in_army_is_refused() {
        // Bombs before every open square of row 5; the lakes do the rest.
        let mut cells = vec!['B', 'B', '2', '2', 'B', 'B', '2', '2', 'B', 'B'];
        let rest: String = "F2222S33333444455556666777889M".chars().collect();
        cells.extend(rest.chars());
        let text: String = cells.into_iter().collect();
        assert_eq!(
            faults(Ruleset::Original, &text),
            [SetupFault::NoOpeningMove]
        );
    }
}
