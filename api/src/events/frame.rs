use actix_web::web::Bytes;
use domain::{Color, Timestamp};
use serde::Serialize;

use super::channel::Channel;
use crate::problem::ApiError;

/// The kinds, each with its name on the wire.
macro_rules! kinds {
    ($($(#[$doc:meta])+ $kind:ident $name:literal)+) => {
        /// The kinds of events.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Kind {
            $($(#[$doc])+ $kind,)+
        }

        impl Kind {
            /// Every kind.
            pub const ALL: &[Self] = &[$(Self::$kind),+];

            /// The name on the wire.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$kind => $name),+
                }
            }
        }
    };
}

kinds! {
    /// Both armies stand.
    GameStarted "game.started"
    /// A side placed its army.
    GameSetupPlaced "game.setup_placed"
    /// A move was made.
    GameMove "game.move"
    /// An offer was made, or is no longer open.
    GameOffer "game.offer"
    /// A game is over.
    GameFinished "game.finished"
    /// A clock was stopped: by both players, or for a vacation.
    GamePaused "game.paused"
    /// A clock that was stopped goes on.
    GameResumed "game.resumed"
    /// Time is nearly up.
    DeadlineNear "deadline.near"
    /// A prepared reply was not allowed.
    ConditionalDropped "conditional.dropped"
    /// A challenge was made.
    ChallengeCreated "challenge.created"
    /// A challenge no longer stands.
    ChallengeClosed "challenge.closed"
}

impl Kind {
    /// The kind of a name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|kind| kind.name() == name)
    }
}

/// What stands before the data of an event, on the last of its lines.
const DATA: &str = "\ndata: ";

/// An event of a topic, written for each kind of viewer.
#[derive(Debug)]
pub struct Frame {
    /// Its place among the events of the topic: 1, 2, 3, …
    pub position: u64,
    /// What it is.
    pub kind: Kind,
    /// The move that it is about.
    pub ply: Option<u32>,
    /// When it happened.
    pub at: Timestamp,
    /// As Red, Blue and all others see it; in a player's own channel the first alone.
    written: [Option<Written>; 3],
}

/// An event as a viewer sees it.
#[derive(Debug, Clone)]
pub struct Written {
    /// Its number among those that the viewer sees.
    pub number: u64,
    /// The lines of the stream.
    pub text: Bytes,
}

impl Frame {
    pub(super) const fn new(
        position: u64,
        kind: Kind,
        ply: Option<u32>,
        at: Timestamp,
        written: [Option<Written>; 3],
    ) -> Self {
        Self {
            position,
            kind,
            ply,
            at,
            written,
        }
    }

    /// As the reader of a channel sees it; `None` when it is not for him.
    pub fn seen_by(&self, channel: Channel) -> Option<&Written> {
        self.written[class(channel)].as_ref()
    }
}

impl Written {
    /// The data of the event alone: JSON.
    pub fn data(&self) -> &str {
        let text = std::str::from_utf8(&self.text).unwrap_or_default();
        let data = text.split_once(DATA).map_or("", |(_, data)| data);
        data.trim_end_matches('\n')
    }
}

const fn class(channel: Channel) -> usize {
    match channel {
        Channel::Player(_)
        | Channel::Game {
            side: Some(Color::Red),
            ..
        } => 0,
        Channel::Game {
            side: Some(Color::Blue),
            ..
        } => 1,
        Channel::Game { side: None, .. } => 2,
    }
}

/// Writes an event as the lines of a stream.
///
/// # Errors
/// 500 when its data cannot be written.
pub(super) fn write(number: u64, name: &str, data: &impl Serialize) -> Result<Bytes, ApiError> {
    // JSON has no line breaks of its own, so that the data is one line.
    let data = serde_json::to_string(data).map_err(|fault| ApiError::internal(&fault))?;
    Ok(format!("id: {number}\nevent: {name}{DATA}{data}\n\n").into())
}
