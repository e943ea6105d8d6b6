//! Challenges: made, listed, answered.

pub mod accept;
pub mod create;
pub mod list;
pub mod refuse;
pub mod show;

use serde::Deserialize;
use storage::ChallengeId;
use uuid::Uuid;

/// The path of a challenge.
#[derive(Debug, Clone, Copy, Deserialize)]
pub struct ChallengePath {
    challenge_id: Uuid,
}

impl ChallengePath {
    const fn id(self) -> ChallengeId {
        ChallengeId::from_uuid(self.challenge_id)
    }
}
