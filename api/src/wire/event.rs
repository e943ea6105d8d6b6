//! What events tell.

use std::sync::LazyLock;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use utoipa::openapi::{ObjectBuilder, RefOr, Schema, Type};
use utoipa::{PartialSchema, ToSchema};
use uuid::Uuid;

use super::challenge::ChallengeResponse;
use super::game::{OfferResponse, OutcomeResponse};
use super::moves::MoveResponse;
use super::names::Color;
use super::pause::{PauseKind, PauseResponse};
use crate::events::Kind;
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

/// The names of all kinds of events.
static NAMES: LazyLock<Vec<&str>> = LazyLock::new(|| {
    let kinds = Kind::ALL.iter();
    kinds.map(|kind| kind.name()).collect()
});

/// A kind of event by its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EventKind(pub Kind);

impl Serialize for EventKind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0.name())
    }
}

impl<'de> Deserialize<'de> for EventKind {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        let unknown = || de::Error::unknown_variant(&name, &NAMES);
        Kind::from_name(&name).map(Self).ok_or_else(unknown)
    }
}

impl PartialSchema for EventKind {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::String)
            .enum_values(Some(NAMES.iter().copied()))
            .description(Some("A kind of event."))
            .into()
    }
}

impl ToSchema for EventKind {}
