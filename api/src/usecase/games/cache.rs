//! Games as they were loaded last, so that a move costs the same at any ply.
//!
//! The database is the truth: each use asks it for the [`Stamp`](games::Stamp) of the game, and a game
//! that has changed in any way is loaded anew. Only what is committed is kept.

use std::sync::Arc;

use domain::Color;
use quick_cache::Weighter;
use quick_cache::sync::Cache;
use storage::games::{self, Stamp, StoredGame, StoredLines};
use storage::{Connection, GameId, StorageError};

use crate::http::etag::Tagged;
use crate::problem::ApiError;

/// What a game takes in memory beside its log, in bytes, and each ply of the log.
const GAME_BYTES: u64 = 2_500;
const PLY_BYTES: u64 = 128;
/// And each line that a player has prepared.
const LINE_BYTES: u64 = 64;
/// How large a game is that is played now, to guess how many there will be room for.
const USUAL_BYTES: u64 = 12_000;

/// Games, and how each kind of viewer sees them, bounded by bytes.
pub struct GameCache {
    games: Option<Cache<GameId, Arc<StoredGame>, GameWeight>>,
    views: Option<Views>,
}

type Views = Cache<(GameId, Option<Color>), Arc<Shown>, ViewWeight>;

/// A game as it was written for a kind of viewer.
struct Shown {
    stamp: Stamp,
    tagged: Tagged,
}

#[derive(Clone)]
struct GameWeight;

impl Weighter<GameId, Arc<StoredGame>> for GameWeight {
    fn weight(&self, _: &GameId, stored: &Arc<StoredGame>) -> u64 {
        let lines = stored.lines.as_ref().map_or(0, StoredLines::count) as u64;
        GAME_BYTES + PLY_BYTES * u64::from(stored.summary.ply) + LINE_BYTES * lines
    }
}

#[derive(Clone)]
struct ViewWeight;

impl Weighter<(GameId, Option<Color>), Arc<Shown>> for ViewWeight {
    fn weight(&self, _: &(GameId, Option<Color>), shown: &Arc<Shown>) -> u64 {
        shown.tagged.len() as u64
    }
}

impl GameCache {
    /// One that takes so many bytes; with none nothing is kept.
    pub fn new(bytes: u64) -> Self {
        let half = bytes / 2;
        let items = usize::try_from(half / USUAL_BYTES).unwrap_or(usize::MAX);
        let has_room = items > 0;
        Self {
            games: has_room.then(|| Cache::with_weighter(items, half, GameWeight)),
            views: has_room.then(|| Cache::with_weighter(items, half, ViewWeight)),
        }
    }

    /// A game as it is in the database, or as the write that `connection` is within has made it: so it
    /// is for the caller to [`keep`](Self::keep) it once it is known to stay.
    ///
    /// # Errors
    /// [`NotFound`](StorageError::NotFound), and as [`games::load`].
    pub fn load(
        &self,
        connection: &mut Connection,
        id: GameId,
    ) -> Result<Arc<StoredGame>, StorageError> {
        if let Some(kept) = self.kept(id)
            && games::stamp(connection, id)? == Stamp::of(&kept.summary)
        {
            return Ok(kept);
        }
        Ok(Arc::new(games::load(connection, id)?))
    }

    /// A game as it was when it was last kept, if it still is: for who will see by a guard whether it
    /// has changed since.
    pub fn kept(&self, id: GameId) -> Option<Arc<StoredGame>> {
        self.games.as_ref()?.get(&id)
    }

    /// As [`kept`](Self::kept), for whoever makes a move: with what the players have prepared.
    pub fn ready(&self, id: GameId) -> Option<Arc<StoredGame>> {
        self.kept(id).filter(|kept| kept.lines.is_some())
    }

    /// Keeps a game that is in the database as it is here, for good.
    pub fn keep(&self, stored: &Arc<StoredGame>) {
        if let Some(games) = &self.games {
            games.insert(stored.summary.id, Arc::clone(stored));
        }
    }

    /// A game as it is written for the player of a colour, or for anyone else; written by `write`
    /// unless it is known.
    ///
    /// # Errors
    /// Those of `write`.
    pub fn shown(
        &self,
        stored: &StoredGame,
        side: Option<Color>,
        write: impl FnOnce() -> Result<Tagged, ApiError>,
    ) -> Result<Tagged, ApiError> {
        let Some(views) = &self.views else {
            return write();
        };
        let (key, stamp) = ((stored.summary.id, side), Stamp::of(&stored.summary));
        if let Some(shown) = views.get(&key)
            && shown.stamp == stamp
        {
            return Ok(shown.tagged.clone());
        }
        let tagged = write()?;
        let shown = Shown {
            stamp,
            tagged: tagged.clone(),
        };
        views.insert(key, Arc::new(shown));
        Ok(tagged)
    }
}
