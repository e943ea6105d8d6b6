//! What the domain refuses, in the words of the contract.

use domain::{Command, IllegalMove, Move, PlayError};

use crate::problem::{ApiError, Code};

/// The refusal of a command. One of a move names the squares that were sent, and nothing of what
/// stands on them that its reason does not say.
pub(super) fn refused(fault: PlayError, command: &Command) -> ApiError {
    if let (PlayError::IllegalMove(why), Command::Move(request)) = (fault, command)
        && let (Some(from), Some(to)) = (request.from, request.to)
    {
        let detail = sentence(why, Move { from, to });
        return ApiError::new(Code::IllegalMove, detail).reason(why.name());
    }
    fault.into()
}

fn sentence(why: IllegalMove, mv: Move) -> String {
    let Move { from, to } = mv;
    match why {
        IllegalMove::SameSquare => format!("a move from {from} ends on another square"),
        IllegalMove::EmptySquare => format!("no piece stands on {from}"),
        IllegalMove::NotYourPiece => format!("the piece on {from} is not yours"),
        IllegalMove::Immovable => format!("nothing moves from {from}: {why}"),
        IllegalMove::Lake => format!("{to} is a lake"),
        IllegalMove::OccupiedByOwn => format!("a piece of your own stands on {to}"),
        IllegalMove::NotStraight => format!("{mv} is not straight: {why}"),
        IllegalMove::TooFar => format!("{mv} goes too far: {why}"),
        IllegalMove::PathBlocked => format!("the way from {from} to {to} is not free"),
        IllegalMove::NotOnBoard | IllegalMove::TwoSquares | IllegalMove::MoreSquares => {
            format!("{mv}: {why}")
        }
    }
}

impl From<PlayError> for ApiError {
    fn from(error: PlayError) -> Self {
        let detail = error.to_string();
        match error {
            // The deadline was looked at a moment ago and with the same instant.
            PlayError::OutOfTime | PlayError::GameOver => ApiError::new(Code::GameOver, detail),
            PlayError::NotActive | PlayError::TooLateToAbort => {
                ApiError::new(Code::GameNotActive, detail)
            }
            PlayError::StalePly { current } => {
                ApiError::new(Code::StalePly, detail).with("current_ply", current)
            }
            PlayError::NotYourTurn => ApiError::new(Code::NotYourTurn, detail),
            PlayError::IllegalMove(why) => {
                ApiError::new(Code::IllegalMove, detail).reason(why.name())
            }
            PlayError::IllegalRescue(why) => {
                ApiError::new(Code::IllegalRescue, detail).reason(why.name())
            }
            PlayError::SetupAlreadyPlaced => ApiError::new(Code::SetupAlreadyPlaced, detail),
            PlayError::OfferClosed | PlayError::OfferedTooSoon | PlayError::AlreadyPaused => {
                ApiError::new(Code::OfferClosed, detail)
            }
            PlayError::OwnOffer => ApiError::new(Code::OwnOffer, detail),
        }
    }
}
