use crate::color::Color;
use crate::game::{Offer, OfferId};
use crate::moves::Move;
use crate::outcome::Outcome;
use crate::rescue::Rescue;
use crate::setup::Setup;
use crate::time::Timestamp;

/// Something that happened in a game; a game is the fold of its events.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event {
    /// A side placed its army, or replaced it before the start.
    SetupPlaced {
        /// Whose.
        by: Color,
        /// The arrangement: its owner's alone until the end.
        setup: Setup,
        /// When.
        at: Timestamp,
    },
    /// Both armies stand; Red's clock runs.
    Started {
        /// When.
        at: Timestamp,
    },
    /// The side to move made a move, or forfeited its turn with one.
    Moved {
        /// The move as it was sent.
        mv: Move,
        /// The rescue as it was sent, taken up or not.
        rescue: Option<Rescue>,
        /// When.
        at: Timestamp,
    },
    /// A side offered a draw.
    OfferMade {
        /// The offer.
        offer: Offer,
        /// When.
        at: Timestamp,
    },
    /// The open offer is no more.
    OfferClosed {
        /// Which.
        id: OfferId,
        /// Why.
        closing: OfferClosing,
        /// When.
        at: Timestamp,
    },
    /// The game is over.
    Ended {
        /// The result.
        outcome: Outcome,
        /// When.
        at: Timestamp,
    },
}

/// Why an offer is no longer open.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum OfferClosing {
    /// The receiver took it, or made the same offer.
    Accepted,
    /// The receiver said no.
    Declined,
    /// The receiver moved.
    Lapsed,
    /// The game ended in another way.
    GameOver,
}

impl OfferClosing {
    /// Every way.
    pub const ALL: [Self; 4] = [Self::Accepted, Self::Declined, Self::Lapsed, Self::GameOver];

    /// The `snake_case` name on the wire and in the database.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Accepted => "accepted",
            Self::Declined => "declined",
            Self::Lapsed => "lapsed",
            Self::GameOver => "game_over",
        }
    }

    /// The value of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|value| value.name() == name)
    }
}

/// Events that are no game: one of them cannot follow on those before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the log of the game is not sound at ply {ply}")]
pub struct CorruptLog {
    /// How many moves had been made.
    pub ply: u32,
}
