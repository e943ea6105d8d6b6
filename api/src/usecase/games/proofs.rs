use std::sync::Arc;

use domain::{ByColor, Commitment, SetupProof};
use storage::games::{self, StoredGame};
use storage::{Connection, GameId, PlayerId};

use super::cache::GameCache;
use super::find::find;
use crate::problem::{ApiError, Code};

/// Both armies of a game that is over, opened, and what they were committed to.
pub struct Proofs {
    /// The game.
    pub stored: Arc<StoredGame>,
    /// What was published before the first move.
    pub commitments: ByColor<Commitment>,
    /// What opens it.
    pub proofs: ByColor<SetupProof>,
}

/// The proofs of both armies.
///
/// # Errors
/// 404 when there is no such game that the caller may know of, or when its armies were placed
/// before commitments were made; 403 for everybody until it has been played and is over.
pub fn proofs(
    connection: &mut Connection,
    cache: &GameCache,
    id: GameId,
    caller: Option<PlayerId>,
) -> Result<Proofs, ApiError> {
    let seen = find(connection, cache, id, caller)?;
    if !seen.stored.game.is_open() {
        let detail = "the proofs are opened when a game that was played is over";
        return Err(ApiError::new(Code::Forbidden, detail));
    }
    let salts = games::salts(connection, id)?;
    let view = seen.stored.game.view_for(seen.side);
    let proofs = ByColor::from_fn(|side| view.setup_proof(side, salts[side].as_ref()?));
    let (Some(commitments), Some(proofs)) = (seen.stored.commitments.both(), proofs.both()) else {
        let detail =
            "an army of this game was placed before commitments were made: there are no proofs";
        return Err(ApiError::new(Code::NotFound, detail));
    };
    Ok(Proofs {
        stored: seen.stored,
        commitments,
        proofs,
    })
}
