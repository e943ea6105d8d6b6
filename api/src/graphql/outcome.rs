use async_graphql::SimpleObject;

use super::names::{Color, EndReason};

/// The result of a game.
#[derive(Debug, SimpleObject)]
pub(super) struct Outcome {
    /// Null for a draw, and for a game that was aborted.
    winner: Option<Color>,
    /// Why it ended.
    reason: EndReason,
}

impl From<domain::Outcome> for Outcome {
    fn from(outcome: domain::Outcome) -> Self {
        Self {
            winner: outcome.winner.map(Into::into),
            reason: outcome.reason.into(),
        }
    }
}
