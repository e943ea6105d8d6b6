//! What events tell.

use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::challenge::ChallengeResponse;
use super::game::{OfferResponse, OutcomeResponse};
use super::moves::MoveResponse;
use super::names::Color;
use super::pause::{PauseKind, PauseResponse};
use crate::time::Timestamp;

/// The data of an event.
#[derive(Debug, Serialize, ToSchema)]
#[serde(untagged)]
pub enum Told {
    /// `game.setup_placed`
    SetupPlaced {
        /// The game.
        game_id: Uuid,
        /// Whose army stands.
        side: Color,
    },
    /// `game.started`
    Started {
        /// The game.
        game_id: Uuid,
        /// When.
        started_at: Timestamp,
    },
    /// `game.move`
    Move {
        /// The game.
        game_id: Uuid,
        /// The move, as the viewer may see it.
        r#move: Box<MoveResponse>,
    },
    /// `game.offer`: the players' alone
    Offer {
        /// The game.
        game_id: Uuid,
        /// The offer: `open` when it was made, then what became of it.
        offer: OfferResponse,
    },
    /// `game.finished`
    Finished {
        /// The game.
        game_id: Uuid,
        /// The result.
        outcome: OutcomeResponse,
        /// How many moves were made.
        ply: u32,
        /// When.
        finished_at: Timestamp,
    },
    /// `game.paused`
    Paused {
        /// The game.
        game_id: Uuid,
        /// Why, and until when. For a vacation: the clock of that player, whenever it would run.
        paused: PauseResponse,
    },
    /// `game.resumed`; a move ends a pause as well, without saying so.
    Resumed {
        /// The game.
        game_id: Uuid,
        /// What is over.
        kind: PauseKind,
        /// Who goes on, or is back.
        by: Color,
    },
    /// `deadline.near`: the players' alone
    Near {
        /// The game.
        game_id: Uuid,
        /// Whose time is nearly up; `null` while the armies are placed.
        side: Option<Color>,
        /// When it is.
        deadline: Timestamp,
    },
    /// `conditional.dropped`: its owner's alone, in his own stream. Why it was dropped stands with the
    /// lines.
    ReplyDropped {
        /// The game.
        game_id: Uuid,
        /// The ply at which the reply would have been played.
        ply: u32,
    },
    /// `challenge.created` and `challenge.closed`
    Challenge {
        /// The challenge.
        challenge_id: Uuid,
        /// As it is now.
        challenge: Box<ChallengeResponse>,
    },
}
