//! Who asks, and the way to the database for one request.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use async_graphql::Context;
use async_graphql::dataloader::{DataLoader, HashMapCache, Loader};
use domain::{Color, Timestamp};
use storage::games::{self, GameSummary, StoredGame};
use storage::ratings::{self, Standing};
use storage::{Connection, Database, GameId, PlayerId};
use tracing::Instrument;

use super::counts::Counts;
use super::limits::Audience;
use crate::blocking::Blocking;
use crate::clock::Clock;
use crate::problem::ApiError;
use crate::statistics::PATIENCE;
use crate::time;

/// The account that asks, if any.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Viewer(pub(super) Option<PlayerId>);

impl Viewer {
    /// The viewer's side in a game.
    pub(super) fn side_in(self, game: &GameSummary) -> Option<Color> {
        game.side_of(self.0?)
    }
}

/// Reads the database off the async threads.
#[derive(Clone)]
pub(super) struct Reader {
    pub(super) database: Database,
    pub(super) work: Blocking,
}

impl Reader {
    /// Reads within one transaction.
    ///
    /// # Errors
    /// What `read` says; `unavailable` when too much waits.
    pub(super) async fn read<T: Send + 'static>(
        &self,
        read: impl FnOnce(&mut Connection) -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let database = self.database.clone();
        self.work.try_run(move || database.read(read)).await
    }
}

/// Loads whole games, all that are asked for at once by one set of statements. It knows no viewer:
/// only a [`GameNode`](super::game::GameNode), which was seen to be visible, asks it.
struct WholeGames(Reader);

impl Loader<GameId> for WholeGames {
    type Value = Arc<StoredGame>;
    type Error = ApiError;

    async fn load(&self, ids: &[GameId]) -> Result<HashMap<GameId, Arc<StoredGame>>, ApiError> {
        let ids = ids.to_vec();
        let loaded = self
            .0
            .read(move |connection| Ok(games::load_many(connection, &ids)?))
            .await?;
        let by_id = loaded
            .into_iter()
            .map(|stored| (stored.summary.id, Arc::new(stored)));
        Ok(by_id.collect())
    }
}

/// Loads how players stand, all that are asked for at once by one statement.
struct Ratings(Reader);

impl Loader<PlayerId> for Ratings {
    type Value = Arc<Vec<Standing>>;
    type Error = ApiError;

    async fn load(
        &self,
        ids: &[PlayerId],
    ) -> Result<HashMap<PlayerId, Arc<Vec<Standing>>>, ApiError> {
        let ids = ids.to_vec();
        let found = self
            .0
            .read(move |connection| Ok(ratings::of_players(connection, &ids)?))
            .await?;
        let mut by_player: HashMap<PlayerId, Vec<Standing>> = HashMap::new();
        for (player, standing) in found {
            by_player.entry(player).or_default().push(standing);
        }
        let shared = by_player
            .into_iter()
            .map(|(player, standings)| (player, Arc::new(standings)));
        Ok(shared.collect())
    }
}

/// How long a loader waits for more to load. It loads in a task of its own, and so once all fields that are
/// resolved together have asked.
const DELAY: Duration = Duration::ZERO;

/// What the fields of one request share.
pub(super) struct RequestContext {
    pub(super) viewer: Viewer,
    pub(super) audience: Audience,
    pub(super) reader: Reader,
    /// Where statistics are read.
    pub(super) statistics: Reader,
    pub(super) counts: Counts,
    /// When a query is ended.
    pub(super) until: Instant,
    clock: Arc<dyn Clock>,
    whole_games: DataLoader<WholeGames, HashMapCache>,
    ratings: DataLoader<Ratings, HashMapCache>,
}

impl RequestContext {
    pub(super) fn new(
        viewer: Viewer,
        audience: Audience,
        reader: Reader,
        statistics: Reader,
        clock: Arc<dyn Clock>,
    ) -> Self {
        let spawn = |load: async_graphql::futures_util::future::BoxFuture<'static, ()>| {
            tokio::spawn(load.in_current_span())
        };
        let games = WholeGames(reader.clone());
        let ratings = Ratings(reader.clone());
        Self {
            viewer,
            audience,
            counts: Counts::new(reader.work.clone()),
            until: Instant::now() + PATIENCE,
            whole_games: DataLoader::with_cache(games, spawn, HashMapCache::default()).delay(DELAY),
            ratings: DataLoader::with_cache(ratings, spawn, HashMapCache::default()).delay(DELAY),
            reader,
            statistics,
            clock,
        }
    }

    /// The present instant.
    pub(super) fn now(&self) -> Timestamp {
        time::to_domain(self.clock.now())
    }

    /// For a request that goes on while games do: each is loaded anew when it is looked at.
    pub(super) fn for_a_long_time(self) -> Self {
        self.whole_games.enable_all_cache(false);
        self.ratings.enable_all_cache(false);
        self
    }

    /// The context of the request that a field belongs to.
    ///
    /// # Errors
    /// Never: each request is executed with one.
    pub(super) fn of<'c>(context: &Context<'c>) -> async_graphql::Result<&'c Self> {
        context.data::<Arc<Self>>().map(AsRef::as_ref)
    }

    /// A whole game that is known to be visible.
    ///
    /// # Errors
    /// When the database fails.
    pub(super) async fn whole_game(&self, id: GameId) -> Result<Arc<StoredGame>, ApiError> {
        let loaded = self.whole_games.load_one(id).await?;
        loaded.ok_or_else(|| ApiError::not_found("game"))
    }

    /// How a player stands, in every pool that he has a game in.
    ///
    /// # Errors
    /// When the database fails.
    pub(super) async fn ratings_of(&self, id: PlayerId) -> Result<Arc<Vec<Standing>>, ApiError> {
        Ok(self.ratings.load_one(id).await?.unwrap_or_default())
    }
}
