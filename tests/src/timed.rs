//! A server in the process of the test, on real sockets, and on a clock that the test moves.

use std::ffi::OsString;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use api::clock::TestClock;
use api::config::{Config, Flags};
use api::server::{Server, SpawnedServer};
use chrono::{DateTime, Utc};
use serde_json::json;
use tempfile::TempDir;

use crate::backend::Backend;
use crate::client::{Client, PASSWORD, text};
use crate::database::Database;

/// A server whose time stands still until it is moved.
pub struct Timed {
    // Before the database and the folder, so that it ends first.
    server: SpawnedServer,
    settings: Vec<(OsString, OsString)>,
    /// Its time.
    pub clock: Arc<TestClock>,
    database: Database,
    _folder: TempDir,
}

impl Timed {
    /// Starts one with the settings of tests: no rate limits, no metrics.
    pub fn start(backend: Backend) -> Self {
        Self::start_with(backend, &[])
    }

    /// Starts one with other settings as well.
    pub fn start_with(backend: Backend, settings: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let database = Database::create(backend, folder.path());
        let data = folder.path().display().to_string();
        let own = [
            ("REVEILLE_LISTEN", "127.0.0.1:0"),
            ("REVEILLE_METRICS_LISTEN", "off"),
            ("REVEILLE_RATE_LIMITS", "off"),
            ("REVEILLE_DATA_DIR", &data),
            ("REVEILLE_DATABASE_URL", database.url()),
        ];
        let kept = own
            .iter()
            .filter(|(name, _)| settings.iter().all(|(other, _)| other != name));
        let all = kept
            .chain(settings)
            .map(|(name, value)| ((*name).into(), (*value).into()));
        let settings: Vec<(OsString, OsString)> = all.collect();
        let start: DateTime<Utc> = "2026-11-29T21:00:00Z".parse().unwrap();
        let clock = Arc::new(TestClock::at(start));
        Self {
            server: spawn(&settings, &clock),
            settings,
            clock,
            database,
            _folder: folder,
        }
    }

    /// Starts another server on the same database, keys and clock. It ends when dropped, and all that
    /// it kept in memory with it.
    pub fn another_node(&self) -> SpawnedServer {
        // The clock was moved faster than this one says that it runs.
        self.server.beat().unwrap();
        spawn(&self.settings, &self.clock)
    }

    /// `http://ADDRESS`.
    pub fn url(&self) -> String {
        format!("http://{}", self.server.address())
    }

    /// Where `/metrics` listens, if anywhere.
    pub fn metrics_address(&self) -> Option<SocketAddr> {
        self.server.metrics_address()
    }

    /// Its database.
    pub fn database(&self) -> &Database {
        &self.database
    }

    /// A new account whose name begins with `prefix`.
    pub fn register(&self, prefix: &str) -> Client {
        Client::register(&self.url(), prefix)
    }

    /// Takes away what has had its time, as the server does each hour.
    pub fn sweep(&self) {
        self.server.sweep().unwrap();
    }

    /// Does what is due by the clock, as the server does each second.
    pub fn keep_time(&self) {
        self.server.keep_time().unwrap();
    }

    /// Stops the server, and starts it again after a while.
    pub fn restart_after(&mut self, away: Duration) {
        self.server.shut_down().unwrap();
        self.clock.advance(away);
        self.server = spawn(&self.settings, &self.clock);
    }

    /// Sends the mail that is due, as the server does each minute.
    pub fn send_mail(&self) -> usize {
        self.server.send_mail().unwrap()
    }

    /// Moves the clock and gives players new tokens, since theirs may have run out by then.
    pub fn advance<'c>(&self, players: impl IntoIterator<Item = &'c mut Client>, by: Duration) {
        self.clock.advance(by);
        for player in players {
            let body = json!({"username": player.name, "password": PASSWORD});
            let tokens = player
                .with_token(None)
                .post("/v1/auth/login", &body)
                .ok(200);
            player.token = Some(text(&tokens["tokens"]["access_token"]));
        }
    }
}

fn spawn(settings: &[(OsString, OsString)], clock: &Arc<TestClock>) -> SpawnedServer {
    let config = Config::from_sources(None, settings.iter().cloned(), Flags::default()).unwrap();
    let server = Server::bind(config, clock.clone()).unwrap();
    server.spawn().unwrap()
}
