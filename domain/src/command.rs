use std::fmt;

use crate::moves::IllegalMove;
use crate::offer::OfferId;
use crate::rank::Rank;
use crate::rescue::{IllegalRescue, Rescue};
use crate::setup::Setup;
use crate::square::Square;

/// What a player asks of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Command {
    /// Place the army, or another instead, before the start.
    PlaceSetup(Setup),
    /// Make a move.
    Move(MoveRequest),
    /// Give up.
    Resign,
    /// Call the game off while a side has made no move.
    Abort,
    /// Offer a draw; the identity is used if the offer is new.
    OfferDraw(OfferId),
    /// Offer to stop the clocks; the identity is used if the offer is new.
    OfferPause(OfferId),
    /// End the pause that both agreed on.
    Resume,
    /// Take the opponent's offer.
    AcceptOffer(OfferId),
    /// Refuse the opponent's offer.
    DeclineOffer(OfferId),
}

/// A move as a player sends it. A square that is not on the board is `None`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MoveRequest {
    /// The number of moves already made, as the player believes.
    pub ply: u32,
    /// Where the piece stands.
    pub from: Option<Square>,
    /// Where it goes.
    pub to: Option<Square>,
    /// A rescue with it.
    pub rescue: Option<RescueRequest>,
}

/// A rescue as a player sends it. A square that is not on the board is `None`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct RescueRequest {
    /// Which rank to take back.
    pub rank: Rank,
    /// Where to put it.
    pub square: Option<Square>,
}

impl fmt::Debug for RescueRequest {
    /// Without the rank: a request may end up in a log.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RescueRequest")
            .field("square", &self.square)
            .finish_non_exhaustive()
    }
}

impl RescueRequest {
    /// The rescue that is kept, once the square is known to be on the board.
    pub(crate) fn on_board(self) -> Option<Rescue> {
        self.square.map(|square| Rescue {
            rank: self.rank,
            square,
        })
    }
}

/// Where a move request stands before the rules look at it (`http-api.md` 4, exactly once).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// The same move by the same player is the one at that ply: a retry after a lost answer.
    Repeated,
    /// It is the player's turn, at that ply.
    Next,
}

/// Why a command is refused; the game is as it was.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PlayError {
    /// The deadline has passed: the game must [`expire`](crate::Game::expire) first.
    #[error("the deadline has passed")]
    OutOfTime,
    /// The result is decided.
    #[error("the game is over")]
    GameOver,
    /// Not both armies stand yet.
    #[error("the game has not begun: both armies must be placed first")]
    NotActive,
    /// Another number of moves has been made.
    #[error("the game is at ply {current}")]
    StalePly {
        /// How many.
        current: u32,
    },
    /// The other side is to move.
    #[error("it is the other side's turn")]
    NotYourTurn,
    /// The rules of moving or repetition.
    #[error(transparent)]
    IllegalMove(#[from] IllegalMove),
    /// The rules of rescue.
    #[error(transparent)]
    IllegalRescue(#[from] IllegalRescue),
    /// Both armies stand: they are not placed again.
    #[error("both armies are placed and the game has started")]
    SetupAlreadyPlaced,
    /// Both sides have made a move.
    #[error("both sides have moved: resign or offer a draw instead")]
    TooLateToAbort,
    /// No open offer has that identity.
    #[error("that offer is no longer open")]
    OfferClosed,
    /// The last offer of the kind was answered, and its maker has not moved since.
    #[error("your last offer of this kind was answered: make a move before you offer it again")]
    OfferedTooSoon,
    /// Both have agreed to pause already.
    #[error("the game is paused already")]
    AlreadyPaused,
    /// Only the receiver answers an offer.
    #[error("this offer is your own: only your opponent can answer it")]
    OwnOffer,
}
