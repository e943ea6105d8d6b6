use std::time::Duration;

use crate::color::Color;
use crate::moves::Move;
use crate::offer::{Offer, OfferId};
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
    /// A side offered something.
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
    /// Both agreed to stop the clocks.
    Paused {
        /// Who proposed it.
        by: Color,
        /// When.
        at: Timestamp,
    },
    /// A side ended the pause that both had agreed on. A move does so too, without this event.
    Resumed {
        /// Who.
        by: Color,
        /// When.
        at: Timestamp,
    },
    /// A player went on vacation, or his vacation ends at another time: his clock does not run.
    Left {
        /// Who.
        by: Color,
        /// When it ends by itself.
        until: Timestamp,
        /// When.
        at: Timestamp,
    },
    /// A player's vacation is over.
    Returned {
        /// Whose.
        by: Color,
        /// When.
        at: Timestamp,
    },
    /// The time that an outage took was given back to the side to move.
    Credited {
        /// How much.
        span: Duration,
        /// When.
        at: Timestamp,
    },
    /// The side to move was told that only a fifth of its time is left.
    Warned {
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

impl Event {
    /// When it happened.
    pub const fn at(&self) -> Timestamp {
        match *self {
            Self::SetupPlaced { at, .. }
            | Self::Started { at }
            | Self::Moved { at, .. }
            | Self::OfferMade { at, .. }
            | Self::OfferClosed { at, .. }
            | Self::Paused { at, .. }
            | Self::Resumed { at, .. }
            | Self::Left { at, .. }
            | Self::Returned { at, .. }
            | Self::Credited { at, .. }
            | Self::Warned { at }
            | Self::Ended { at, .. } => at,
        }
    }
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
