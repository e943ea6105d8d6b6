//! What all requests share.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use storage::Database;

use crate::auth::{AccessTokens, Passwords};
use crate::blocking::Blocking;
use crate::clock::Clock;
use crate::config::Config;
use crate::graphql::GraphqlService;
use crate::http::openapi::Document;
use crate::http::rate_limit::RateLimiters;
use crate::metrics::Metrics;

/// The parts of one server.
pub struct AppState {
    /// The settings.
    pub config: Config,
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// Issues and verifies access tokens.
    pub tokens: AccessTokens,
    /// Hashes and verifies passwords; use it within [`password_work`](Self::password_work) alone.
    pub passwords: Passwords,
    /// The database; use it within [`database_work`](Self::database_work) alone.
    pub db: Database,
    /// Where work on the database runs.
    pub database_work: Blocking,
    /// Where passwords are hashed.
    pub password_work: Blocking,
    /// The rate limits, unless they are off.
    pub rate_limiters: Option<RateLimiters>,
    /// The figures.
    pub metrics: Metrics,
    /// Answers queries in GraphQL.
    pub graphql: GraphqlService,
    /// The description of all routes.
    pub document: Document,
    /// Whether the server is going down.
    pub lifecycle: Lifecycle,
}

impl AppState {
    /// The present instant, as the domain and the database have it.
    pub fn now(&self) -> domain::Timestamp {
        crate::time::to_domain(self.clock.now())
    }
}

/// Whether the server is going down.
#[derive(Debug, Default)]
pub struct Lifecycle {
    stopping: AtomicBool,
}

impl Lifecycle {
    /// From now on the server is not ready for more.
    pub fn stop(&self) {
        self.stopping.store(true, Ordering::SeqCst);
    }

    /// Whether the server is going down.
    pub fn is_stopping(&self) -> bool {
        self.stopping.load(Ordering::SeqCst)
    }
}
