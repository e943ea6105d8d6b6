use std::fmt;

use crate::color::Color;
use crate::moves::Move;
use crate::piece::PieceId;
use crate::position::Position;
use crate::rank::{ByRank, Rank};
use crate::square::{Row, Square};

/// A rescue as it is sent with a move: which rank to take back, and where to put it.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Rescue {
    /// The rank of one of the owner's removed pieces.
    pub rank: Rank,
    /// An empty square of his own half.
    pub square: Square,
}

impl fmt::Debug for Rescue {
    /// Without the rank, which a silent defence may keep hidden: a rescue may end up in a log.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Rescue(..@{})", self.square)
    }
}

/// Why a rescue is refused: the first that applies, in the order of `http-api.md` 1.
///
/// Each rests only on what the owner knows before the move (`rules.md` 6).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
pub enum IllegalRescue {
    /// The game is played without rescue.
    #[error("this game is played without rescue")]
    NotEnabled,
    /// The move does not end on the enemy's back row.
    #[error("the move does not end on the enemy's back row")]
    NotOnBackRow,
    /// Scouts do not rescue.
    #[error("a scout cannot rescue")]
    ScoutCannotRescue,
    /// No piece but bombs has been removed.
    #[error("there is no removed piece to rescue")]
    NothingToRescue,
    /// None of that rank has been removed.
    #[error("no piece of that rank has been removed")]
    NotCaptured,
    /// Bombs stay out.
    #[error("a bomb cannot be rescued")]
    Bomb,
    /// Two in a game for each side.
    #[error("two rescues in a game are the most")]
    LimitReached,
    /// Not twice by the same piece.
    #[error("this piece has rescued before")]
    RescuerUsed,
    /// Something stands there.
    #[error("the square for the rescued piece is not empty")]
    SquareOccupied,
    /// Rows 1 to 5 for Red, 6 to 10 for Blue, no lake.
    #[error("the rescued piece goes on a square of your own half of the board")]
    NotOwnHalf,
}

impl IllegalRescue {
    /// The `snake_case` name on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            Self::NotEnabled => "not_enabled",
            Self::NotOnBackRow => "not_on_back_row",
            Self::ScoutCannotRescue => "scout_cannot_rescue",
            Self::NothingToRescue => "nothing_to_rescue",
            Self::NotCaptured => "not_captured",
            Self::Bomb => "bomb",
            Self::LimitReached => "limit_reached",
            Self::RescuerUsed => "rescuer_used",
            Self::SquareOccupied => "square_occupied",
            Self::NotOwnHalf => "not_own_half",
        }
    }
}

/// One side's rescues: the removed pieces in its keeping, and what it has used up.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Keeping {
    held: ByRank<u8>,
    rescuers: [Option<PieceId>; 2],
}

impl Keeping {
    pub(crate) fn receive(&mut self, rank: Rank) {
        self.held[rank] += 1;
    }

    /// How many rescues the side has made.
    fn made(&self) -> u8 {
        self.rescuers
            .iter()
            .map(|slot| u8::from(slot.is_some()))
            .sum()
    }

    /// Gives a piece back and says its new identity; nothing after two rescues.
    pub(crate) fn give_back(&mut self, rank: Rank, rescuer: PieceId) -> Option<PieceId> {
        let nth = self.made();
        let slot = self.rescuers.iter_mut().find(|slot| slot.is_none())?;
        *slot = Some(rescuer);
        self.held[rank] = self.held[rank].saturating_sub(1);
        Some(PieceId::rescued(rescuer.owner(), nth))
    }
}

impl Position {
    /// Whether the rescue that is sent with a move may be asked for, whatever becomes of the move.
    ///
    /// `square` is `None` when it is not on the board, and never then in the own half.
    ///
    /// # Errors
    /// The first reason that applies.
    pub(crate) fn check_rescue(
        &self,
        mv: Move,
        rank: Rank,
        square: Option<Square>,
    ) -> Result<(), IllegalRescue> {
        let Some(rescuer) = self.piece_on(mv.from) else {
            return Err(IllegalRescue::NotOnBackRow);
        };
        let owner = rescuer.owner();
        let keeping = self.keeping(owner);
        let refuse = |when: bool, why: IllegalRescue| if when { Err(why) } else { Ok(()) };
        refuse(!self.options().rescue, IllegalRescue::NotEnabled)?;
        refuse(!ends_on_back_row(owner, mv), IllegalRescue::NotOnBackRow)?;
        refuse(
            self.rank(rescuer) == Some(Rank::Scout),
            IllegalRescue::ScoutCannotRescue,
        )?;
        let something = keeping
            .held
            .iter()
            .any(|(rank, held)| rank != Rank::Bomb && *held > 0);
        refuse(!something, IllegalRescue::NothingToRescue)?;
        refuse(keeping.held[rank] == 0, IllegalRescue::NotCaptured)?;
        refuse(rank == Rank::Bomb, IllegalRescue::Bomb)?;
        refuse(keeping.made() == 2, IllegalRescue::LimitReached)?;
        refuse(
            keeping.rescuers.contains(&Some(rescuer)),
            IllegalRescue::RescuerUsed,
        )?;
        let Some(square) = square else {
            return Err(IllegalRescue::NotOwnHalf);
        };
        let mut after = self.occupied();
        after.remove(mv.from);
        after.insert(mv.to);
        refuse(after.contains(square), IllegalRescue::SquareOccupied)?;
        refuse(!square.is_own_half(owner), IllegalRescue::NotOwnHalf)
    }
}

const fn ends_on_back_row(owner: Color, mv: Move) -> bool {
    mv.to.row().index() == Row::back_row_facing(owner).index()
}
