//! What the program is told from outside: defaults, then a file, then the environment, then flags.
//!
//! Every key of the file is also an environment variable, `REVEILLE_` and the key in capitals.

mod error;
mod layers;
mod values;

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use ipnet::IpNet;
use secrecy::{ExposeSecret, SecretString};

use crate::bot::mind::Level;
pub use error::ConfigError;
pub use layers::Flags;
use layers::Layers;
pub use values::{CorsOrigins, Quota};

/// The file read when `--config` names none and it is there.
pub const DEFAULT_FILE: &str = "reveille.toml";

/// The settings of one server, all checked.
#[derive(Debug, Clone)]
pub struct Config {
    /// Where the API listens; port 0 picks a free one.
    pub listen: SocketAddr,
    /// `sqlite://PATH` or `postgres://…`. Secret, since it may hold a password.
    pub database_url: SecretString,
    /// Where statistics are read, if not there; of the same kind. Secret as well.
    pub database_read_url: Option<SecretString>,
    /// How many connections the database pool holds; none leaves it to the kind of database.
    pub database_pool_size: Option<u32>,
    /// How much memory the games take that are played now, in MiB; with 0 none is kept.
    pub game_cache: u32,
    /// The folder of the embedded database and of the signing keys made at first start.
    pub data_dir: PathBuf,
    /// PEM files of Ed25519 keys, newest first; empty means a key of the data folder.
    pub signing_keys: Vec<PathBuf>,
    /// The least time per move that a challenge may ask for.
    pub min_time_per_move: Duration,
    /// Whether and how requests are limited.
    pub rate_limits: RateLimits,
    /// Where `/metrics` listens, if anywhere.
    pub metrics_listen: Option<SocketAddr>,
    /// How well the house bot plays, if there is one.
    pub house_bot: Option<Level>,
    /// The web origins whose pages may call the API.
    pub cors_origins: CorsOrigins,
    /// The proxies whose `X-Forwarded-For` is believed.
    pub trusted_proxies: Vec<IpNet>,
    /// The networks that webhooks and push messages may go to although they are not public, and
    /// without TLS.
    pub webhook_networks: Vec<IpNet>,
    /// The PEM file of the key that push services know the server by; none means one of the data folder.
    pub vapid_key: Option<PathBuf>,
    /// Whom push services may turn to: `mailto:` or `https:`.
    pub vapid_contact: Option<String>,
    /// The limits of GraphQL.
    pub graphql: GraphqlLimits,
    /// How mail is sent; none for a server that sends none.
    pub mail: Option<MailSettings>,
    /// The log filter, e.g. `info` or `info,api=debug`.
    pub log: String,
    /// How long a shutdown waits for requests under way.
    pub shutdown_timeout: Duration,
    /// Sentences to log at start: settings that were understood but look mistaken.
    pub warnings: Vec<String>,
}

/// The rate limits, each a number of requests in a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RateLimits {
    /// Off for tests and benchmarks.
    pub enabled: bool,
    /// All requests of one address, with or without a token.
    pub address: Quota,
    /// All requests of one account.
    pub caller: Quota,
    /// Requests of one address to the routes that take passwords or refresh tokens.
    pub auth: Quota,
    /// Login attempts for one account name, from any address.
    pub account: Quota,
}

/// How mail is sent.
#[derive(Debug, Clone)]
pub struct MailSettings {
    /// The server, as `smtp://` or `smtps://`. Secret, since it may hold a password.
    pub smtp_url: SecretString,
    /// The sender: an address, or a name and an address in angle brackets.
    pub from: String,
    /// Where this server is found from outside, e.g. `https://reveille.example.org`: links in mails begin
    /// with it.
    pub public_url: String,
}

/// What one GraphQL request may cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GraphqlLimits {
    /// How deep selections may nest.
    pub max_depth: usize,
    /// The greatest sum of the costs of all fields.
    pub max_complexity: usize,
    /// The same for tokens with the scope `analysis`, if that is more.
    pub max_complexity_analysis: usize,
    /// How many fields may be renamed.
    pub max_aliases: usize,
    /// How many fields the query itself may have.
    pub max_root_fields: usize,
    /// How long the text of a query may be, in bytes.
    pub max_query_bytes: usize,
    /// How many queries one request may carry.
    pub max_batch: usize,
    /// Whether the schema can be asked for.
    pub introspection: bool,
    /// Whether browsers get a page to write queries in.
    pub page: bool,
}

impl Config {
    /// Reads the configuration of a start of the program.
    ///
    /// # Errors
    /// A sentence for the first setting that cannot be taken, or an unknown key of the file.
    pub fn load(flags: Flags) -> Result<Self, ConfigError> {
        let default_file = Path::new(DEFAULT_FILE);
        let file = match &flags.config {
            Some(path) => Some(path.clone()),
            None => default_file.exists().then(|| default_file.to_owned()),
        };
        Self::from_sources(file.as_deref(), std::env::vars_os(), flags)
    }

    /// Reads the configuration from the given file, environment and flags, and from nothing else.
    ///
    /// # Errors
    /// As [`load`](Self::load).
    pub fn from_sources(
        file: Option<&Path>,
        environment: impl IntoIterator<Item = (std::ffi::OsString, std::ffi::OsString)>,
        flags: Flags,
    ) -> Result<Self, ConfigError> {
        let layers = Layers::new(file, environment, flags)?;
        let data_dir = PathBuf::from(layers.text("data_dir")?);
        let database_url = match layers.optional("database_url")? {
            Some(url) => values::database_url(&layers, "database_url", url)?,
            None => format!("sqlite://{}/reveille.db", data_dir.display()),
        };
        let database_read_url = layers
            .optional("database_read_url")?
            .map(|url| values::read_url(&layers, url, &database_url))
            .transpose()?;
        let mut config = Self {
            listen: layers.parse("listen", "an address and port such as 127.0.0.1:8080")?,
            database_url: database_url.into(),
            database_read_url: database_read_url.map(SecretString::from),
            database_pool_size: layers.parse_optional(
                "database_pool_size",
                "a number, 1 to 1000",
                |n| (1..=1_000).contains(n),
            )?,
            game_cache: layers
                .parse_optional("game_cache", "a number of MiB, 0 to 65536", |n| {
                    *n <= 65_536
                })?
                .unwrap_or_default(),
            data_dir,
            signing_keys: layers
                .list("signing_keys")?
                .into_iter()
                .map(PathBuf::from)
                .collect(),
            min_time_per_move: values::time_per_move(&layers, "min_time_per_move")?,
            rate_limits: RateLimits {
                enabled: values::switch(&layers, "rate_limits")?,
                address: layers.parse("rate_limit_address", Quota::EXPECTED)?,
                caller: layers.parse("rate_limit_caller", Quota::EXPECTED)?,
                auth: layers.parse("rate_limit_auth", Quota::EXPECTED)?,
                account: layers.parse("rate_limit_account", Quota::EXPECTED)?,
            },
            metrics_listen: values::address_or_off(&layers, "metrics_listen")?,
            house_bot: values::level_or_off(&layers, "house_bot")?,
            cors_origins: values::cors_origins(&layers, "cors_origins")?,
            trusted_proxies: values::networks(&layers, "trusted_proxies")?,
            webhook_networks: values::networks(&layers, "webhook_networks")?,
            vapid_key: layers.optional("vapid_key")?.map(PathBuf::from),
            vapid_contact: values::contact(&layers, "vapid_contact")?,
            graphql: GraphqlLimits {
                max_depth: layers.parse("graphql_max_depth", "a number")?,
                max_complexity: layers.parse("graphql_max_complexity", "a number")?,
                max_complexity_analysis: layers
                    .parse("graphql_max_complexity_analysis", "a number")?,
                max_aliases: layers.parse("graphql_max_aliases", "a number")?,
                max_root_fields: layers.parse("graphql_max_root_fields", "a number")?,
                max_query_bytes: layers.parse("graphql_max_query_bytes", "a number")?,
                max_batch: layers.parse("graphql_max_batch", "a number")?,
                introspection: values::switch(&layers, "graphql_introspection")?,
                page: values::switch(&layers, "graphql_page")?,
            },
            mail: values::mail(&layers)?,
            log: values::log_filter(&layers, "log")?,
            shutdown_timeout: values::seconds(&layers, "shutdown_timeout")?,
            warnings: layers.warnings(),
        };
        if config.uses_postgres() && config.signing_keys.is_empty() {
            config.warnings.push(
                "signing_keys is not set: other nodes on this database will refuse this node's tokens"
                    .to_owned(),
            );
        }
        if config.uses_postgres() && config.vapid_key.is_none() {
            config.warnings.push(
                "vapid_key is not set: what other nodes on this database push, browsers that subscribed \
                 by this node do not get"
                    .to_owned(),
            );
        }
        Ok(config)
    }

    /// Whether the database is PostgreSQL, which several nodes can share.
    pub fn uses_postgres(&self) -> bool {
        self.database_url.expose_secret().starts_with("postgres")
    }

    /// How many connections the database pool holds: as configured, else what suits the database.
    pub fn pool_size(&self) -> u32 {
        // On PostgreSQL many, so that its own group commit has something to group; on SQLite the
        // pool serves readers alone.
        let suitable = if self.uses_postgres() { 32 } else { 4 };
        self.database_pool_size.unwrap_or(suitable)
    }
}

#[cfg(test)]
mod tests;
