use std::sync::Arc;

use domain::{Color, View, Viewpoint};
use storage::games::StoredGame;
use storage::{Connection, GameId, PlayerId, StorageError};

use super::cache::GameCache;
use crate::problem::{ApiError, Code};
use crate::usecase::accounts::erased;

/// A game and the side of the caller in it.
pub struct Seen {
    /// The game.
    pub stored: Arc<StoredGame>,
    /// The caller's side, if he plays it.
    pub side: Option<Color>,
}

impl Seen {
    /// The game from a viewpoint, or from the one that the caller gets who asks for none.
    ///
    /// # Errors
    /// 403 for a viewpoint that the caller may not take, 401 when nobody in particular asks.
    pub fn view(
        &self,
        caller: Option<PlayerId>,
        viewpoint: Option<Viewpoint>,
    ) -> Result<View<'_>, ApiError> {
        let game = &self.stored.game;
        let Some(viewpoint) = viewpoint else {
            return Ok(game.view_for(self.side));
        };
        game.view(self.side, viewpoint).ok_or_else(|| {
            let detail = format!(
                "the viewpoint {} is closed to you while the game runs; public is open to all",
                viewpoint.name()
            );
            let code = if caller.is_none() {
                Code::Unauthenticated
            } else {
                Code::Forbidden
            };
            ApiError::new(code, detail)
        })
    }
}

/// A game that the caller may know of: a private one is there for its players alone.
///
/// # Errors
/// 404 when there is none.
pub fn find(
    connection: &mut Connection,
    games: &GameCache,
    id: GameId,
    caller: Option<PlayerId>,
) -> Result<Seen, ApiError> {
    let stored = games.load(connection, id).map_err(|error| match error {
        StorageError::NotFound => ApiError::not_found("game"),
        error => error.into(),
    })?;
    let side = caller.and_then(|player| stored.side_of(player));
    if stored.summary.private && side.is_none() {
        return Err(ApiError::not_found("game"));
    }
    Ok(Seen { stored, side })
}

/// A game and the caller's side in it, for what only its players may do.
///
/// # Errors
/// 404 when there is none that the caller may know of, 403 when he does not play it, 401 when his
/// account was erased since.
pub fn find_for_player(
    connection: &mut Connection,
    games: &GameCache,
    id: GameId,
    caller: PlayerId,
) -> Result<(Arc<StoredGame>, Color), ApiError> {
    let Seen { stored, side } = find(connection, games, id, Some(caller))?;
    let side = side.ok_or_else(|| {
        ApiError::new(
            Code::Forbidden,
            "only the two players of this game may do this",
        )
    })?;
    if stored.summary.players[side].erased_at.is_some() {
        return Err(erased());
    }
    Ok((stored, side))
}
