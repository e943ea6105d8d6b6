mod legal;
mod play;
#[cfg(test)]
mod tests;
mod turn;

use std::fmt;

use crate::bitboard::Bitboard;
use crate::color::{ByColor, Color};
use crate::outcome::{EndReason, Outcome};
use crate::piece::PieceId;
use crate::rank::Rank;
use crate::repetition::{Chase, Placements, Run};
use crate::rescue::Keeping;
use crate::ruleset::Options;
use crate::setup::Setup;
use crate::square::Square;

pub use turn::Turn;
pub(crate) use turn::{Battle, Rescued};

/// The board and all that the rules of moving, repetition, battle, rescue and the end need to know.
///
/// It holds every rank and therefore tells none: ranks leave a game through a
/// [`View`](crate::View) alone.
#[derive(Clone)]
pub struct Position {
    options: Options,
    /// Played elsewhere by another repetition rule (`rules.md` 8): that one bars no move and ends no game.
    recorded: bool,
    turn: Color,
    ply: u32,
    /// Plies in a row without an attack.
    quiet: u32,
    outcome: Option<Outcome>,
    /// The piece on each square, or `EMPTY`.
    board: [u8; Square::COUNT],
    /// The square of each piece, or `NOWHERE`.
    squares: [u8; PieceId::COUNT],
    ranks: [Option<Rank>; PieceId::COUNT],
    /// One bit a piece: it has left the square it appeared on.
    moved: u128,
    sides: ByColor<Side>,
    placements: Placements,
}

const EMPTY: u8 = u8::MAX;
const NOWHERE: u8 = u8::MAX;

#[derive(Clone, Copy, Default)]
struct Side {
    all: Bitboard,
    movable: Bitboard,
    scouts: Bitboard,
    run: Run,
    chase: Chase,
    keeping: Keeping,
}

impl fmt::Debug for Position {
    /// Without any rank: a position may end up in a log.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Position")
            .field("ply", &self.ply)
            .finish_non_exhaustive()
    }
}

impl Position {
    /// Both armies as deployed, Red to move.
    pub fn new(options: Options, setups: &ByColor<Setup>) -> Self {
        let mut position = Self {
            options,
            recorded: false,
            turn: Color::Red,
            ply: 0,
            quiet: 0,
            outcome: None,
            board: [EMPTY; Square::COUNT],
            squares: [NOWHERE; PieceId::COUNT],
            ranks: [None; PieceId::COUNT],
            moved: 0,
            sides: ByColor::default(),
            placements: Placements::new(std::iter::empty()),
        };
        for owner in Color::ALL {
            for (square, rank) in setups[owner].pieces(owner) {
                if let Some(piece) = PieceId::deployed_on(square) {
                    position.ranks[piece.index()] = Some(rank);
                    position.put(piece, rank, square);
                }
            }
        }
        position.placements = Placements::new(position.standing());
        position
    }

    /// As [`new`](Self::new), of a game that was recorded elsewhere: moves that only repetition forbids are
    /// played and called [`Irregular`](crate::Verdict::Irregular) (`rules.md` 8).
    pub fn recorded(options: Options, setups: &ByColor<Setup>) -> Self {
        Self {
            recorded: true,
            ..Self::new(options, setups)
        }
    }

    /// The options it is played with.
    pub const fn options(&self) -> &Options {
        &self.options
    }

    /// The side to move; that of the last mover's opponent when the game is over.
    pub const fn turn(&self) -> Color {
        self.turn
    }

    /// How many plies were played.
    pub const fn ply(&self) -> u32 {
        self.ply
    }

    /// How the rules ended the game, if they did.
    pub const fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// Whether no move may follow. In a game that was played elsewhere the flag alone ends it: what else
    /// the rules end here was played on there (`rules.md` 8).
    pub(crate) fn is_over(&self) -> bool {
        self.outcome
            .is_some_and(|end| !self.recorded || end.reason == EndReason::FlagCaptured)
    }

    /// The piece on a square.
    pub fn piece_on(&self, square: Square) -> Option<PieceId> {
        let index = self.board[usize::from(square.index())];
        (index != EMPTY).then(|| PieceId::at(index))
    }

    /// The square of a piece; `None` when it was removed or never stood on the board.
    pub fn square_of(&self, piece: PieceId) -> Option<Square> {
        Square::new(self.squares[piece.index()])
    }

    /// Whether a piece has left the square it appeared on.
    pub const fn has_moved(&self, piece: PieceId) -> bool {
        self.moved >> piece.index() & 1 == 1
    }

    /// Every piece on the board with its square, in the order of identities.
    pub fn standing(&self) -> impl Iterator<Item = (PieceId, Square)> {
        PieceId::all().filter_map(|piece| self.square_of(piece).map(|square| (piece, square)))
    }

    /// How many pieces stand on the board.
    pub(crate) const fn count(&self) -> usize {
        (self.sides.red.all.len() + self.sides.blue.all.len()) as usize
    }

    pub(crate) fn rank(&self, piece: PieceId) -> Option<Rank> {
        self.ranks[piece.index()]
    }

    pub(crate) fn keeping(&self, owner: Color) -> &Keeping {
        &self.sides[owner].keeping
    }

    pub(crate) fn occupied(&self) -> Bitboard {
        self.sides.red.all | self.sides.blue.all
    }

    fn put(&mut self, piece: PieceId, rank: Rank, square: Square) {
        #[expect(clippy::cast_possible_truncation, reason = "an identity is below 84")]
        let index = piece.index() as u8;
        self.board[usize::from(square.index())] = index;
        self.squares[piece.index()] = square.index();
        self.placements.toggle(piece, square);
        let side = &mut self.sides[piece.owner()];
        side.all.insert(square);
        if rank.is_movable() {
            side.movable.insert(square);
        }
        if rank == Rank::Scout {
            side.scouts.insert(square);
        }
    }

    fn lift(&mut self, piece: PieceId, square: Square) {
        self.board[usize::from(square.index())] = EMPTY;
        self.squares[piece.index()] = NOWHERE;
        self.placements.toggle(piece, square);
        let side = &mut self.sides[piece.owner()];
        side.all.remove(square);
        side.movable.remove(square);
        side.scouts.remove(square);
    }
}
