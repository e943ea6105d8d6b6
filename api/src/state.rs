//! What all requests share.

use std::sync::Arc;
use std::time::Instant;

use storage::games::{Step, StoredGame};
use storage::{Connection, CredentialId, Database, Notifier, Outage, PlayerId, StorageError};
use tokio::sync::{oneshot, watch};
use tokio::time::timeout_at;

use crate::auth::{AccessTokens, Ended, HeldTokens, Passwords};
use crate::blocking::Blocking;
use crate::clock::Clock;
use crate::config::Config;
use crate::deliveries::Deliveries;
use crate::events::{Hub, Listeners, Topic};
use crate::exports::Places;
use crate::graphql::GraphqlService;
use crate::heart::Heart;
use crate::http::openapi::Document;
use crate::http::rate_limit::RateLimiters;
use crate::mail::Mailer;
use crate::metrics::Metrics;
use crate::problem::ApiError;
use crate::statistics::PATIENCE;
use crate::turns::Turns;
use crate::usecase::games::GameCache;

/// The parts of one server.
pub struct AppState {
    /// The settings.
    pub config: Config,
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// Issues and verifies access tokens.
    pub tokens: AccessTokens,
    /// Personal tokens that were looked up of late.
    pub held_tokens: HeldTokens,
    /// Logins and personal tokens that have ended of late.
    pub ended: Ended,
    /// Hashes and verifies passwords; use it within [`password_work`](Self::password_work) alone.
    pub passwords: Passwords,
    /// The database; use it within [`database_work`](Self::database_work) alone.
    pub db: Database,
    /// Where statistics are read, by connections of their own: the main database, unless another is
    /// configured; use it within [`statistics_work`](Self::statistics_work) or at one of the [places](Self::exports)
    /// for exports alone. That one may be behind, so nothing is decided by it.
    pub statistics: Database,
    /// The games that are played now.
    pub games: GameCache,
    /// Who waits for events.
    pub hub: Arc<Hub>,
    /// Who is told of them by the server itself.
    pub deliveries: Deliveries,
    /// Whose accounts those are.
    pub listeners: Arc<Listeners>,
    /// Tells the other nodes, where there may be some.
    pub notifier: Option<Notifier>,
    /// Where work on the database runs.
    pub database_work: Blocking,
    /// Where statistics are worked out, so that nothing else waits behind them.
    pub statistics_work: Blocking,
    /// Where recorded games are imported, so that games that are played do not wait behind them.
    pub import_work: Blocking,
    /// Who has imports under way.
    pub imports_of: Turns,
    /// Places for exports, which read where statistics are read.
    pub exports: Places,
    /// Where passwords are hashed.
    pub password_work: Blocking,
    /// The rate limits, unless they are off.
    pub rate_limiters: Option<RateLimiters>,
    /// Sends mail, unless none is sent.
    pub mail: Option<Mailer>,
    /// The figures.
    pub metrics: Metrics,
    /// Answers queries in GraphQL.
    pub graphql: GraphqlService,
    /// The description of all routes.
    pub document: Document,
    /// This node's sign of life.
    pub heart: Heart,
    /// Whether the server is going down.
    pub lifecycle: Lifecycle,
}

impl AppState {
    /// Reads the database within one transaction, off the async threads.
    ///
    /// # Errors
    /// What `read` says; `unavailable` when too much waits.
    pub async fn read<T: Send + 'static>(
        &self,
        read: impl FnOnce(&mut Connection) -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let db = self.db.clone();
        self.database_work.try_run(move || db.read(read)).await
    }

    /// As [`read`](Self::read), where statistics are read: for answers over many finished games, which
    /// may be some seconds behind. `read` is told when it has to end.
    ///
    /// # Errors
    /// As [`read`](Self::read); `query_too_slow`.
    pub async fn read_statistics<T: Send + 'static>(
        &self,
        read: impl FnOnce(&mut Connection, Instant) -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let statistics = self.statistics.clone();
        let until = Instant::now() + PATIENCE;
        let read = move || statistics.read(|connection| read(connection, until));
        timeout_at(until.into(), self.statistics_work.try_run(read))
            .await
            .unwrap_or(Err(StorageError::TooSlow.into()))
    }

    /// Reads, decides and appends with a guard, off the async threads: see [`Database::guarded`].
    /// `told` hears what is committed, even when this future is dropped before.
    ///
    /// # Errors
    /// What `change` says; `unavailable` when too much waits; `internal` when the work panicked.
    pub async fn guarded<T: Send + 'static>(
        &self,
        change: impl FnMut(&mut Connection) -> Result<T, ApiError> + Send + 'static,
        told: impl FnOnce(&T) + Send + 'static,
    ) -> Result<T, ApiError> {
        let (answer, answered) = oneshot::channel();
        let done = answering(answer, told);
        if self.db.queues_writes() {
            self.db.guarded(change, done);
        } else {
            let db = self.db.clone();
            let work = self.database_work.run(move || db.guarded(change, done));
            work.await?;
        }
        answered
            .await
            .unwrap_or_else(|lost| Err(ApiError::internal(&lost)))
    }

    /// Has a move made, together with others that come at once: see [`Database::make_move`]. `told`
    /// hears of it, even when this future is dropped before.
    ///
    /// # Errors
    /// `Conflict` when the game is not as it was seen.
    pub async fn make_move(
        &self,
        step: Step,
        told: impl FnOnce(&Arc<StoredGame>) + Send + 'static,
    ) -> Result<Arc<StoredGame>, StorageError> {
        let (answer, answered) = oneshot::channel();
        self.db.make_move(step, answering(answer, told));
        answered
            .await
            .unwrap_or(Err(StorageError::Unavailable(Outage::Stopped)))
    }

    /// Tells that something may be new of these topics, once it is committed.
    pub fn announce(&self, topics: &[Topic]) {
        self.hub.wake(topics);
        self.deliveries.hint(topics);
        if let Some(notifier) = &self.notifier {
            notifier.tell(topics);
        }
    }

    /// Takes logins and personal tokens of a player for ended, once that is committed: what they gave
    /// out is refused, and the streams that were opened with them end.
    pub fn end_credentials(&self, player: PlayerId, ended: &[CredentialId]) {
        let now = self.now();
        for credential in ended {
            self.ended.note(*credential, now);
        }
        self.listeners.look(player);
    }

    /// The present instant, as the domain and the database have it.
    pub fn now(&self) -> domain::Timestamp {
        crate::time::to_domain(self.clock.now())
    }
}

/// What is called with an outcome: tells `told` what was done, also when whoever waits is gone by then,
/// and then whoever waits.
fn answering<T: Send + 'static, E: Send + 'static>(
    answer: oneshot::Sender<Result<T, E>>,
    told: impl FnOnce(&T) + Send + 'static,
) -> impl FnOnce(Result<T, E>) + Send + 'static {
    move |outcome| {
        if let Ok(value) = &outcome {
            told(value);
        }
        drop(answer.send(outcome));
    }
}

/// Whether the server is going down.
#[derive(Debug, Default)]
pub struct Lifecycle {
    stopping: watch::Sender<bool>,
}

impl Lifecycle {
    /// From now on the server is not ready for more.
    pub fn stop(&self) {
        self.stopping.send_replace(true);
    }

    /// Whether the server is going down.
    pub fn is_stopping(&self) -> bool {
        *self.stopping.borrow()
    }

    /// Tells whoever waits that the server goes down.
    pub fn watch(&self) -> watch::Receiver<bool> {
        self.stopping.subscribe()
    }
}
