use async_graphql::SimpleObject;

use super::names::Rank;
use crate::wire::why::in_words;

/// Something that was seen of a piece.
#[derive(Debug, SimpleObject)]
pub(super) struct Observation {
    /// The number of moves after which it was seen.
    ply: u32,
    /// What was seen: `own`, `army`, `moved`, `scout_move`, `attacked`, `was_attacked`, `withstood`,
    /// `fell_to`, `rescuer`, `rescued`, `returned`, `elimination` or `game_over`.
    kind: &'static str,
    /// The same in words.
    text: String,
    /// What the piece could still be then.
    leaves: Vec<Rank>,
}

impl From<domain::Observation> for Observation {
    fn from(seen: domain::Observation) -> Self {
        Self {
            ply: seen.ply,
            kind: seen.evidence.name(),
            text: in_words(seen.evidence),
            leaves: seen.leaves.iter().map(Into::into).collect(),
        }
    }
}
