use async_graphql::SimpleObject;

use super::names::{Color, EndReason};

/// The result of a game.
#[derive(Debug, SimpleObject)]
pub(super) struct Outcome {
    /// Null for a draw, and for a game that was aborted.
    winner: Option<Color>,
    /// Why it ended.
    reason: EndReason,
    /// The code of the ending in the archive that the game comes from.
    raw_ending: Option<u16>,
}

impl Outcome {
    pub(super) fn of(outcome: domain::Outcome, raw_ending: Option<u16>) -> Self {
        Self {
            raw_ending,
            winner: outcome.winner.map(Into::into),
            reason: outcome.reason.into(),
        }
    }
}
