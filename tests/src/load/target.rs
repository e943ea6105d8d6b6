//! The server under load.

use std::net::{SocketAddr, ToSocketAddrs};
use std::time::Duration;

use super::options::Options;
use super::postgres;
use super::process::{self, Memory};
use super::syncs;
use crate::backend::Backend;
use crate::metrics::Figures;
use crate::server::TestServer;

/// A server that was started here, or one that ran already.
pub(super) struct Target {
    server: Option<TestServer>,
    pub(super) url: String,
    pub(super) address: SocketAddr,
    pid: Option<u32>,
    postgres: Option<u32>,
    trace: bool,
}

/// What the machine spent up to a moment.
pub(super) struct Spent {
    server: Duration,
    postgres: Duration,
    own: Duration,
    syncs: syncs::Count,
}

/// What the machine spent between two moments.
#[derive(Debug)]
pub(super) struct Cost {
    /// `None` where the process is not known.
    pub(super) server: Option<Duration>,
    pub(super) postgres: Option<Duration>,
    /// Of this tool.
    pub(super) own: Duration,
    /// How many syncs, and who counted them.
    pub(super) syncs: Option<(u64, &'static str)>,
}

impl Target {
    pub(super) fn start(options: &Options) -> Self {
        let server = options.url.is_none().then(|| started(options));
        let url = match (&server, &options.url) {
            (Some(server), _) => server.url().to_owned(),
            (None, Some(url)) => url.trim_end_matches('/').to_owned(),
            (None, None) => String::new(),
        };
        let postgres = postgres::find(options);
        let wanted = options.database_url.as_deref().unwrap_or_default();
        if postgres.is_none() && wanted.starts_with("postgres") {
            println!("the processes of PostgreSQL were not found: --postgres-pid names the first");
        }
        Self {
            address: address(&url),
            pid: server.as_ref().map(TestServer::pid).or(options.pid),
            server,
            url,
            postgres,
            trace: options.trace,
        }
    }

    /// Starts the server again on its data; `false` when it is not ours to start.
    pub(super) fn restart(&mut self) -> bool {
        let Some(server) = &mut self.server else {
            return false;
        };
        server.stop();
        server.restart();
        server.url().clone_into(&mut self.url);
        self.address = address(&self.url);
        self.pid = Some(server.pid());
        true
    }

    pub(super) fn memory(&self) -> Option<Memory> {
        self.pid.map(process::memory)
    }

    /// Begins to measure.
    pub(super) fn spent(&self) -> Spent {
        Spent {
            syncs: syncs::Count::begin(self.pid.filter(|_| self.trace), self.figures().as_ref()),
            server: self.pid.map(process::processor_time).unwrap_or_default(),
            postgres: self
                .postgres
                .map(postgres::processor_time)
                .unwrap_or_default(),
            own: process::own_processor_time(),
        }
    }

    /// Ends what [`Self::spent`] began.
    pub(super) fn cost(&self, before: Spent) -> Cost {
        let since = |pid: Option<u32>, now: fn(u32) -> Duration, then: Duration| {
            pid.map(|pid| now(pid).saturating_sub(then))
        };
        Cost {
            server: since(self.pid, process::processor_time, before.server),
            postgres: since(self.postgres, postgres::processor_time, before.postgres),
            own: process::own_processor_time().saturating_sub(before.own),
            syncs: before.syncs.end(self.figures().as_ref()),
        }
    }

    /// The server's own figures, where it says on stderr that it serves them.
    fn figures(&self) -> Option<Figures> {
        self.server.as_ref()?.figures()
    }
}

fn started(options: &Options) -> TestServer {
    let mut settings = vec![("REVEILLE_METRICS_LISTEN", "127.0.0.1:0")];
    if let Some(url) = &options.database_url {
        settings.push(("REVEILLE_DATABASE_URL", url));
    }
    let more = options.environment.iter();
    settings.extend(more.map(|(name, value)| (&**name, &**value)));
    TestServer::start_with(Backend::Sqlite, &settings)
}

fn address(url: &str) -> SocketAddr {
    let host = url.trim_start_matches("http://");
    let found = host.to_socket_addrs().ok().and_then(|mut all| all.next());
    found.unwrap_or_else(|| panic!("{url:?} is not like http://HOST:PORT"))
}
