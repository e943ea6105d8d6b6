//! A whole server: bound, started, stopped. The program runs one; tests run many in their own process.

use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use actix_web::dev::{Server as ActixServer, ServerHandle};
use actix_web::rt::System;
use actix_web::{App, HttpResponse, HttpServer, web};
use secrecy::ExposeSecret;
use storage::{Database, PlayerId, PoolOptions, StorageError};
use thiserror::Error;
use tokio::sync::oneshot;

use crate::auth::{
    AccessTokens, Ended, HeldTokens, KeyError, PasswordError, Passwords, SigningKeys,
};
use crate::blocking::Blocking;
use crate::bot::house::{self, HouseBot, HouseBotError};
use crate::bot::mind::Level;
use crate::clock::Clock;
use crate::config::Config;
use crate::deliveries::push::VapidError;
use crate::deliveries::{self, Deliveries};
use crate::events::{self, Hub};
use crate::exports::{self, Places};
use crate::graphql::{GraphqlService, SchemaError};
use crate::heart::{self, Heart};
use crate::http::openapi::Document;
use crate::http::rate_limit::RateLimiters;
use crate::http::routes;
use crate::mail::{self, MailError, Mailer};
use crate::metrics::{self, Metrics};
use crate::state::{AppState, Lifecycle};
use crate::sweep;
use crate::timekeeper;
use crate::turns::Turns;
use crate::usecase::games::GameCache;
use crate::usecase::imports;

/// How long an idle connection is kept.
const KEEP_ALIVE: Duration = Duration::from_secs(75);
/// How long a caller may take to send the head of a request.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(10);
/// How long a connection may take to close.
const DISCONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// How much work on the database goes on at once, at the least. More than an embedded database has
/// readers: most of it waits for the one writer, and reads must not wait behind that.
const DATABASE_CONCURRENCY: usize = 32;
/// How long work on the database waits for a connection.
const CHECKOUT_TIMEOUT: Duration = Duration::from_secs(5);
/// How much work on the database may wait before more is refused.
const DATABASE_QUEUE: usize = 1_024;
/// How many statistics are worked out at once, and how many wait.
const STATISTICS_CONCURRENCY: usize = 2;
const STATISTICS_QUEUE: usize = 64;
/// How many passwords may wait to be hashed: at tens of milliseconds each, some seconds' worth.
const PASSWORD_QUEUE: usize = 64;

/// How many imports are received or wait. One goes on at a time.
const IMPORT_QUEUE: usize = 8;

/// Why a server could not start.
#[derive(Debug, Error)]
pub enum StartError {
    /// The signing keys.
    #[error(transparent)]
    Keys(#[from] KeyError),
    /// The key that push services know the server by.
    #[error(transparent)]
    Vapid(#[from] VapidError),
    /// The database, with the cause beneath it.
    #[error("the database: {fault}{}", cause_of(fault))]
    Database {
        /// What storage said.
        #[from]
        fault: StorageError,
    },
    /// The database that statistics are read from.
    #[error(
        "the database of the setting `database_read_url`: {fault}{}",
        cause_of(fault)
    )]
    Statistics {
        /// What storage said.
        fault: StorageError,
    },
    /// Its schema is older than this program.
    #[error(
        "the database of the setting `database_read_url` lacks migrations that the main one has; \
         start again when it has caught up, or take the setting away"
    )]
    StatisticsBehind,
    /// Password hashing.
    #[error(transparent)]
    Passwords(#[from] PasswordError),
    /// Mail.
    #[error(transparent)]
    Mail(#[from] MailError),
    /// The figures.
    #[error("cannot set up metrics: {0}")]
    Metrics(#[from] prometheus::Error),
    /// The GraphQL schema.
    #[error(transparent)]
    Graphql(#[from] SchemaError),
    /// The OpenAPI document.
    #[error("cannot write the OpenAPI document: {0}")]
    Document(#[from] serde_json::Error),
    /// The house bot.
    #[error(transparent)]
    HouseBot(#[from] HouseBotError),
    /// An address that cannot be listened on.
    #[error("cannot listen on {address}, which is the setting `{key}`: {cause}")]
    Listen {
        /// The setting that names it.
        key: &'static str,
        /// The address.
        address: SocketAddr,
        /// What the system said.
        cause: io::Error,
    },
}

impl StartError {
    /// Whether it is the settings, which no other start will take either.
    pub const fn is_of_settings(&self) -> bool {
        matches!(self, Self::Keys(_) | Self::Vapid(_) | Self::Mail(_))
    }
}

/// What lies beneath a fault, for the person who starts the program.
fn cause_of(fault: &StorageError) -> String {
    std::error::Error::source(fault)
        .map(|cause| format!(": {cause}"))
        .unwrap_or_default()
}

/// A server that is bound to its addresses and not started yet.
pub struct Server {
    state: web::Data<AppState>,
    api: Listener,
    metrics: Option<Listener>,
    house_bot: Option<(PlayerId, Level)>,
}

/// A bound socket and its address, with the port that was picked.
struct Listener {
    address: SocketAddr,
    socket: TcpListener,
}

/// A server that takes requests.
pub struct RunningServer {
    state: web::Data<AppState>,
    api: ActixServer,
    metrics: Option<ActixServer>,
    house_bot: Option<HouseBot>,
}

/// A server that runs on a thread of its own, for tests. Dropping it stops it.
pub struct SpawnedServer {
    state: web::Data<AppState>,
    address: SocketAddr,
    metrics_address: Option<SocketAddr>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<io::Result<()>>>,
}

impl Server {
    /// Makes ready all parts of a server and binds its addresses.
    ///
    /// # Errors
    /// A sentence for the part that failed.
    pub fn bind(config: Config, clock: Arc<dyn Clock>) -> Result<Self, StartError> {
        let state = web::Data::new(AppState::new(config, clock)?);
        let api = Listener::bind("listen", state.config.listen)?;
        let metrics = state
            .config
            .metrics_listen
            .map(|address| Listener::bind("metrics_listen", address))
            .transpose()?;
        let account = |level| house::account(&state.db, state.now()).map(|player| (player, level));
        let house_bot = state.config.house_bot.map(account).transpose()?;
        Ok(Self {
            state,
            api,
            metrics,
            house_bot,
        })
    }

    /// Where the API listens, with the port that was picked.
    pub fn address(&self) -> SocketAddr {
        self.api.address
    }

    /// Where `/metrics` listens, if anywhere.
    pub fn metrics_address(&self) -> Option<SocketAddr> {
        self.metrics.as_ref().map(|listener| listener.address)
    }

    /// Begins to take requests. To be called within an actix runtime.
    ///
    /// # Errors
    /// When a socket cannot be listened on after all.
    pub fn start(self) -> io::Result<RunningServer> {
        let api = serve_api(&self.state, self.api.socket)?;
        let metrics = self
            .metrics
            .map(|listener| serve_metrics(&self.state, listener.socket));
        let house_bot = self.house_bot.map(|(player, level)| {
            HouseBot::start(self.state.clone(), player, level, self.api.address)
        });
        Ok(RunningServer {
            api,
            metrics: metrics.transpose()?,
            house_bot: house_bot.transpose()?,
            state: self.state,
        })
    }

    /// Starts the server on a thread of its own, for tests.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub fn spawn(self) -> io::Result<SpawnedServer> {
        let (address, metrics_address) = (self.address(), self.metrics_address());
        let state = self.state.clone();
        let (stop, stopped) = oneshot::channel::<()>();
        let thread = std::thread::Builder::new()
            .name("server".to_owned())
            .spawn(move || {
                System::new().block_on(async move {
                    self.start()?
                        .run_until(async { stopped.await.unwrap_or_default() })
                        .await
                })
            })?;
        Ok(SpawnedServer {
            state,
            address,
            metrics_address,
            stop: Some(stop),
            thread: Some(thread),
        })
    }
}

impl RunningServer {
    /// Serves until `stop` comes true, then answers what is under way, for as long as configured.
    ///
    /// # Errors
    /// When the server fails by itself.
    pub async fn run_until(mut self, stop: impl Future<Output = ()>) -> io::Result<()> {
        mail::spawn(self.state.clone())?;
        let sweeper = actix_web::rt::spawn(sweep::run(self.state.clone()));
        let timekeeper = actix_web::rt::spawn(timekeeper::run(self.state.clone()));
        let hub = actix_web::rt::spawn(events::run(self.state.clone()));
        let deliveries = actix_web::rt::spawn(deliveries::run(self.state.clone()));
        let ended = actix_web::rt::spawn(events::look_for_ended(self.state.clone()));
        let metrics_handle = self.metrics.as_ref().map(ActixServer::handle);
        let metrics = self.metrics.map(actix_web::rt::spawn);
        let failed = tokio::select! {
            outcome = &mut self.api => Some(outcome),
            () = stop => None,
        };
        if let Some(bot) = &self.house_bot {
            bot.stop();
        }
        let outcome = match failed {
            Some(outcome) => outcome,
            None => stop_gracefully(&self.state, self.api).await,
        };
        if let Some(mailer) = &self.state.mail {
            mailer.stop();
        }
        if let Some(bot) = self.house_bot {
            bot.ended().await;
        }
        sweeper.abort();
        timekeeper.abort();
        hub.abort();
        deliveries.abort();
        ended.abort();
        if let (Some(handle), Some(metrics)) = (metrics_handle, metrics) {
            handle.stop(false).await;
            metrics.await.map_err(io::Error::other)??;
        }
        outcome
    }
}

impl SpawnedServer {
    /// Where the API listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Where `/metrics` listens, if anywhere.
    pub fn metrics_address(&self) -> Option<SocketAddr> {
        self.metrics_address
    }

    /// Takes away what has had its time, as the server does each hour.
    ///
    /// # Errors
    /// When the database fails.
    pub fn sweep(&self) -> Result<(), StorageError> {
        sweep::everything(&self.state)
    }

    /// Notes that the server runs, as it does every 10 seconds.
    ///
    /// # Errors
    /// When the database fails.
    pub fn beat(&self) -> Result<(), StorageError> {
        heart::beat(&self.state)
    }

    /// Does what is due by the clock, as the server does each second.
    ///
    /// # Errors
    /// When the database fails.
    pub fn keep_time(&self) -> Result<(), StorageError> {
        timekeeper::keep_time(&self.state)
    }

    /// Sends the mail that is due, as the server does each minute; says how many.
    ///
    /// # Errors
    /// When the database fails.
    pub fn send_mail(&self) -> Result<usize, StorageError> {
        mail::run_due(&self.state, self.state.now())
    }

    /// Stops the server and waits until it is down.
    ///
    /// # Errors
    /// When the server failed by itself, or panicked.
    pub fn stop(mut self) -> io::Result<()> {
        self.shut_down()
    }

    /// Stops the server and waits until it is down; nothing when it is.
    ///
    /// # Errors
    /// When the server failed by itself, or panicked.
    pub fn shut_down(&mut self) -> io::Result<()> {
        if let Some(stop) = self.stop.take() {
            // Fails when the server is down already, which is what is wanted.
            let _down = stop.send(());
        }
        match self.thread.take() {
            Some(thread) => thread
                .join()
                .map_err(|_| io::Error::other("the server panicked"))?,
            None => Ok(()),
        }
    }
}

impl Drop for SpawnedServer {
    fn drop(&mut self) {
        if let Err(fault) = self.shut_down() {
            tracing::error!(%fault, "the server ended with a fault");
        }
    }
}

impl AppState {
    fn new(config: Config, clock: Arc<dyn Clock>) -> Result<Self, StartError> {
        for warning in &config.warnings {
            tracing::warn!("{warning}");
        }
        let keys = if config.signing_keys.is_empty() {
            SigningKeys::from_data_dir(&config.data_dir)?
        } else {
            SigningKeys::from_files(&config.signing_keys)?
        };
        let db = open_database(&config)?;
        db.migrate()?;
        let hub: Arc<Hub> = Arc::default();
        let hints = Arc::clone(&hub);
        let notifier = db.listen(move |heard| hints.hear(&heard))?;
        let statistics = if let Some(url) = &config.database_read_url {
            open_statistics(url.expose_secret(), &config)?
        } else {
            let url = config.database_url.expose_secret();
            Database::open_to_read(url, &statistics_options(&config))?
        };
        let pool_size = usize::try_from(config.pool_size()).unwrap_or(usize::MAX);
        let state = Self {
            db,
            statistics,
            tokens: AccessTokens::new(keys),
            held_tokens: HeldTokens::default(),
            ended: Ended::default(),
            passwords: Passwords::new()?,
            database_work: Blocking::new(pool_size.max(DATABASE_CONCURRENCY), DATABASE_QUEUE),
            statistics_work: Blocking::new(STATISTICS_CONCURRENCY, STATISTICS_QUEUE),
            import_work: Blocking::new(1, IMPORT_QUEUE),
            imports_of: Turns::new(imports::EACH),
            exports: Places::default(),
            notifier,
            hub,
            deliveries: Deliveries::new(&config)?,
            listeners: Arc::default(),
            games: GameCache::new(u64::from(config.game_cache) << 20),
            password_work: Blocking::new(cores(), PASSWORD_QUEUE),
            rate_limiters: RateLimiters::new(&config.rate_limits),
            mail: config.mail.as_ref().map(Mailer::new).transpose()?,
            metrics: Metrics::new()?,
            graphql: GraphqlService::new(config.graphql)?,
            document: Document::new()?,
            heart: Heart::default(),
            lifecycle: Lifecycle::default(),
            config,
            clock,
        };
        // What an outage took is given back before anybody can lose by it.
        heart::beat(&state)?;
        Ok(state)
    }
}

/// Opens the configured database, whose schema may be old still.
///
/// # Errors
/// When it cannot be opened or written.
pub fn open_database(config: &Config) -> Result<Database, StartError> {
    let url = config.database_url.expose_secret();
    storage::assert_writable(url)?;
    Ok(Database::open(url, &pool_options(config))?)
}

/// Opens the database that statistics are read from, as it is: nothing is written or migrated there.
fn open_statistics(url: &str, config: &Config) -> Result<Database, StartError> {
    let fault = |fault| StartError::Statistics { fault };
    let statistics = Database::open_to_read(url, &statistics_options(config)).map_err(fault)?;
    if statistics.is_ready().map_err(fault)? {
        Ok(statistics)
    } else {
        Err(StartError::StatisticsBehind)
    }
}

fn statistics_options(config: &Config) -> PoolOptions {
    let concurrency = STATISTICS_CONCURRENCY + exports::AT_ONCE;
    let concurrency = u32::try_from(concurrency).unwrap_or(u32::MAX);
    PoolOptions {
        // One more, to be asked whether it is there.
        connections: concurrency + 1,
        ..pool_options(config)
    }
}

fn pool_options(config: &Config) -> PoolOptions {
    PoolOptions {
        connections: config.pool_size(),
        checkout_timeout: CHECKOUT_TIMEOUT,
    }
}

async fn stop_gracefully(state: &AppState, api: ActixServer) -> io::Result<()> {
    state.lifecycle.stop();
    tracing::info!("stopping");
    let handle: ServerHandle = api.handle();
    // Who is told not to wait does not, not even for the next look at who is left.
    let waits = !state.config.shutdown_timeout.is_zero();
    let told = state.deliveries.settle(state.config.shutdown_timeout);
    let (outcome, (), ()) = tokio::join!(api, handle.stop(waits), told);
    if let Err(fault) = heart::beat(state).and_then(|()| state.db.settle()) {
        tracing::warn!(
            error = &fault as &dyn std::error::Error,
            "the database was not settled"
        );
    }
    outcome
}

impl Listener {
    fn bind(key: &'static str, address: SocketAddr) -> Result<Self, StartError> {
        let fault = |cause| StartError::Listen {
            key,
            address,
            cause,
        };
        let socket = TcpListener::bind(address).map_err(fault)?;
        Ok(Self {
            address: socket.local_addr().map_err(fault)?,
            socket,
        })
    }
}

fn serve_api(state: &web::Data<AppState>, socket: TcpListener) -> io::Result<ActixServer> {
    let app_state = state.clone();
    let server = HttpServer::new(move || routes::app(app_state.clone()))
        .workers(cores())
        .keep_alive(KEEP_ALIVE)
        .client_request_timeout(REQUEST_TIMEOUT)
        .client_disconnect_timeout(DISCONNECT_TIMEOUT)
        // Else the handlers of closed connections would linger.
        .h1_allow_half_closed(false)
        .shutdown_timeout(state.config.shutdown_timeout.as_secs())
        .disable_signals()
        .listen(socket)?;
    Ok(server.run())
}

fn serve_metrics(state: &web::Data<AppState>, socket: TcpListener) -> io::Result<ActixServer> {
    let app_state = state.clone();
    let app = move || {
        App::new()
            .app_data(app_state.clone())
            .default_service(web::to(render_metrics))
    };
    Ok(HttpServer::new(app)
        .workers(1)
        .disable_signals()
        .listen(socket)?
        .run())
}

async fn render_metrics(
    request: actix_web::HttpRequest,
    state: web::Data<AppState>,
) -> HttpResponse {
    if request.path() != "/metrics" {
        return HttpResponse::NotFound()
            .content_type("text/plain")
            .body("see /metrics\n");
    }
    match state.metrics.render(state.db.writer_figures()) {
        Ok(text) => HttpResponse::Ok()
            .content_type(metrics::CONTENT_TYPE)
            .body(text),
        Err(fault) => {
            tracing::error!(%fault, "cannot render metrics");
            HttpResponse::InternalServerError().finish()
        }
    }
}

/// How many cores there are to work on.
fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}
