//! The command line.

mod bot;
mod export;
mod import;
mod simulate;

use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use actix_web::rt::System;
use clap::{Args, Parser, Subcommand};
use domain::{ByColor, Commitment};
use secrecy::ExposeSecret;
use thiserror::Error;
use tokio::signal::unix::{SignalKind, signal};

use crate::admin::{self, AdminCommand, AdminError};
use crate::archive::{self, ArchiveError, open_existing};
use crate::bot::Fault;
use crate::clock::SystemClock;
use crate::config::{Config, ConfigError, Flags};
use crate::http::openapi::Document;
use crate::server::{Server, StartError, open_database};
use crate::statistics;
use crate::verify::{self, VerifyError};

use export::ExportError;
use simulate::SimulateError;

/// The exit status for settings that cannot be taken, as for flags that clap refuses.
const BAD_CONFIGURATION: u8 = 2;

/// The framework calls it an error when a client sends nonsense, which any client can do all day.
/// The configured filter comes after this one, so that it can ask for these lines again.
const FRAMEWORK_LOG: &str = "actix_http=off,actix_server=warn";

/// An open server for correspondence Stratego.
#[derive(Debug, Parser)]
#[command(name = "reveille", version, about, after_help = CONFIGURATION_HELP)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    settings: Settings,
}

const CONFIGURATION_HELP: &str = "\
Settings come from defaults, then reveille.toml (or --config), then the environment, then flags.
Every key of the file is also an environment variable: listen is REVEILLE_LISTEN.";

#[derive(Debug, Subcommand)]
enum Command {
    /// Serve the API (the default command)
    #[command(after_help = CONFIGURATION_HELP)]
    Serve(Settings),
    /// Bring the schema of the database up to date, and end
    #[command(after_help = CONFIGURATION_HELP)]
    Migrate(Settings),
    /// Write finished games for other programs, or everything that the server keeps into one file
    #[command(after_help = export::HELP)]
    Export(Box<export::Arguments>),
    /// Read games that were recorded elsewhere, or what `export` wrote into an empty database
    #[command(after_help = import::HELP)]
    Import(import::Import),
    /// Work out anew what statistics are made of, from the logs of all games
    #[command(after_help = REBUILD_HELP)]
    RebuildFacts(Settings),
    /// Copy the SQLite database into one file while the server runs
    #[command(after_help = BACKUP_HELP)]
    Backup(Backup),
    /// Say who administers the server, suspend players, give passwords, read the audit log
    #[command(after_help = ADMIN_HELP)]
    Admin(Admin),
    /// Print the OpenAPI document
    Openapi,
    /// Print the GraphQL schema
    GraphqlSchema,
    /// Check the proofs of a game that is over: that both armies are those of the first move
    #[command(after_help = VERIFY_HELP)]
    Verify(Proofs),
    /// Have two bots play many games, and store them for statistics
    #[command(after_help = simulate::HELP)]
    Simulate(Box<simulate::Arguments>),
    /// Play for an account, on this server or another, until told to stop
    #[command(after_help = bot::HELP)]
    Bot(bot::Arguments),
}

const VERIFY_HELP: &str = "\
FILE is the answer of GET /v1/games/GAME/proofs, or - for the standard input. It is checked offline,
with nothing but the file.

It proves that nothing was changed after the start: each piece stood where its owner was bound to
have it by the commitment that was public before the first move. Compare that one with --red and
--blue. It does not prove that the server did not look: it knew both armies all along.";

const REBUILD_HELP: &str = "\
Servers may run: statistics stay complete, and are slower until it is done. It is needed when a release says
so, or when statistics and games were found to differ.";

const BACKUP_HELP: &str = "\
FILE is an SQLite database by itself, as it was when the command began, checked and on disk. To restore
it, stop the server, take away reveille.db, reveille.db-wal and reveille.db-shm, and put FILE in the
place of reveille.db.

It holds secrets: hidden armies, password hashes, digests of tokens. The file is made for your account
alone; keep it so. The keys that sign tokens are not in it: they are files of the data folder.";

const ADMIN_HELP: &str = "\
It works on the database itself; servers may run and hear of it within 10 seconds. What is done is noted
in the audit log as done by the command line.";

/// What is to be administered.
#[derive(Debug, Args)]
struct Admin {
    #[command(subcommand)]
    command: AdminCommand,
    #[command(flatten)]
    settings: Settings,
}

/// Where a backup goes.
#[derive(Debug, Args)]
struct Backup {
    /// The new file
    file: PathBuf,
    #[command(flatten)]
    settings: Settings,
}

/// Which proofs are checked, and against what.
#[derive(Debug, Args)]
struct Proofs {
    /// The answer of GET /v1/games/GAME/proofs, or - for the standard input
    file: PathBuf,
    /// Red's `setup_commitment`, as you noted it before the first move
    #[arg(long, value_name = "HEX")]
    red: Option<Commitment>,
    /// Blue's `setup_commitment`, as you noted it before the first move
    #[arg(long, value_name = "HEX")]
    blue: Option<Commitment>,
}

/// Settings that can be given as flags. Each is named like its key in the file.
#[derive(Debug, Args)]
struct Settings {
    /// Read this file in place of reveille.toml
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Listen here; port 0 picks a free one [default: 127.0.0.1:8080]
    #[arg(long, value_name = "ADDRESS:PORT")]
    listen: Option<String>,
    /// `sqlite://PATH` or `postgres://USER@HOST/NAME` [default: reveille.db in the data folder]
    #[arg(long, value_name = "URL")]
    database_url: Option<String>,
    /// Keep the embedded database and the signing keys here [default: data]
    #[arg(long, value_name = "FOLDER")]
    data_dir: Option<String>,
    /// PEM files of Ed25519 keys, newest first, between commas
    #[arg(long, value_name = "FILES")]
    signing_keys: Option<String>,
    /// The shortest time per move a challenge may ask for [default: PT1M]
    #[arg(long, value_name = "DURATION")]
    min_time_per_move: Option<String>,
    /// Limit how many requests are taken: on or off [default: on]
    #[arg(long, value_name = "SWITCH")]
    rate_limits: Option<String>,
    /// Serve Prometheus metrics here, or off [default: 127.0.0.1:9090]
    #[arg(long, value_name = "ADDRESS:PORT")]
    metrics_listen: Option<String>,
    /// Also run a bot that anyone can challenge: its level from 1 to 3, or off [default: off]
    #[arg(long, value_name = "LEVEL")]
    house_bot: Option<String>,
    /// Web origins whose pages may call the API, between commas, or *
    #[arg(long, value_name = "ORIGINS")]
    cors_origins: Option<String>,
    /// Addresses or networks whose X-Forwarded-For is believed, between commas
    #[arg(long, value_name = "NETWORKS")]
    trusted_proxies: Option<String>,
    /// What to log, e.g. info or info,api=debug [default: info]
    #[arg(long, value_name = "FILTER")]
    log: Option<String>,
    /// Wait this many seconds for requests under way when stopping [default: 10]
    #[arg(long, value_name = "SECONDS")]
    shutdown_timeout: Option<String>,
}

/// Why the program ended early.
#[derive(Debug, Error)]
enum CliError {
    #[error(transparent)]
    Config(#[from] ConfigError),
    #[error(transparent)]
    Start(#[from] StartError),
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    #[error(transparent)]
    Import(#[from] import::ImportFault),
    #[error(transparent)]
    Admin(#[from] AdminError),
    #[error(transparent)]
    Verify(#[from] VerifyError),
    #[error(transparent)]
    Bot(#[from] Fault),
    #[error(transparent)]
    Simulate(#[from] SimulateError),
    #[error(transparent)]
    Export(#[from] ExportError),
    #[error("cannot write the document: {0}")]
    Document(#[from] serde_json::Error),
    #[error("{0}")]
    Io(#[from] io::Error),
}

/// Runs the program with the arguments it was given.
pub fn run() -> ExitCode {
    let Cli { command, settings } = Cli::parse();
    let flags = Flags::from(settings);
    let outcome = match command {
        None => serve(flags),
        Some(Command::Serve(more)) => serve(flags.and(more.into())),
        Some(Command::Migrate(more)) => migrate(flags.and(more.into())),
        Some(Command::Export(arguments)) => export::export(flags, *arguments),
        Some(Command::Import(import)) => import::run(flags, import),
        Some(Command::RebuildFacts(more)) => rebuild_facts(flags.and(more.into())),
        Some(Command::Backup(copy)) => back_up(flags.and(copy.settings.into()), &copy.file),
        Some(Command::Admin(Admin { command, settings })) => {
            administer(flags.and(settings.into()), &command)
        }
        Some(Command::Openapi) => print_openapi(),
        Some(Command::GraphqlSchema) => print_graphql_schema(),
        Some(Command::Verify(proofs)) => verify_proofs(&proofs),
        Some(Command::Bot(arguments)) => bot::play(arguments),
        Some(Command::Simulate(arguments)) => simulate::simulate(flags, *arguments),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(fault) => {
            eprintln!("error: {}", printable(&fault.to_string()));
            match fault {
                CliError::Config(_) => BAD_CONFIGURATION.into(),
                CliError::Start(fault) if fault.is_of_settings() => BAD_CONFIGURATION.into(),
                CliError::Export(fault) if fault.is_of_arguments() => BAD_CONFIGURATION.into(),
                CliError::Simulate(fault) if fault.is_of_arguments() => BAD_CONFIGURATION.into(),
                _ => ExitCode::FAILURE,
            }
        }
    }
}

fn serve(flags: Flags) -> Result<(), CliError> {
    let config = Config::load(flags)?;
    start_log(&config);
    // Held to the end.
    let _claim = storage::claim(config.database_url.expose_secret()).map_err(StartError::from)?;
    let server = Server::bind(config, Arc::new(SystemClock))?;
    let (address, metrics) = (server.address(), server.metrics_address());
    System::new().block_on(async move {
        let running = server.start()?;
        if let Some(metrics) = metrics {
            tracing::info!("metrics at http://{metrics}/metrics");
        }
        writeln!(io::stdout(), "listening on http://{address}")?;
        running.run_until(told_to_stop()?).await
    })?;
    Ok(())
}

fn migrate(flags: Flags) -> Result<(), CliError> {
    let config = Config::load(flags)?;
    start_log(&config);
    let migrations = open_database(&config)?
        .migrate()
        .map_err(StartError::from)?;
    let done = if migrations == 0 { "is" } else { "was brought" };
    writeln!(io::stdout(), "the schema {done} up to date")?;
    Ok(())
}

fn rebuild_facts(flags: Flags) -> Result<(), CliError> {
    let config = Config::load(flags)?;
    start_log(&config);
    let database = open_existing(&config)?;
    if !database.is_ready().map_err(ArchiveError::from)? {
        return Err(ArchiveError::OtherSchema.into());
    }
    let games = statistics::rebuild(&database).map_err(StartError::from)?;
    writeln!(io::stdout(), "worked out the facts of {games} games")?;
    Ok(())
}

fn back_up(flags: Flags, into: &Path) -> Result<(), CliError> {
    let config = Config::load(flags)?;
    start_log(&config);
    archive::backup(&config, into)?;
    eprintln!(
        "backed up to {}, and checked",
        printable(&into.display().to_string())
    );
    Ok(())
}

fn administer(flags: Flags, command: &AdminCommand) -> Result<(), CliError> {
    let config = Config::load(flags)?;
    start_log(&config);
    Ok(admin::run(&config, command)?)
}

fn print_openapi() -> Result<(), CliError> {
    let document = Document::new()?;
    print(document.json())
}

fn print_graphql_schema() -> Result<(), CliError> {
    print(&crate::graphql::sdl())
}

fn verify_proofs(proofs: &Proofs) -> Result<(), CliError> {
    let noted = ByColor {
        red: proofs.red,
        blue: proofs.blue,
    };
    let verdict = verify::check(&verify::read(&proofs.file)?, noted)?;
    for line in &verdict.opened {
        print(&format!("{line}\n"))?;
    }
    Ok(verdict.outcome()?)
}

/// Writes a document; a reader that has seen enough is no fault.
fn print(document: &str) -> Result<(), CliError> {
    match io::stdout().write_all(document.as_bytes()) {
        Err(fault) if fault.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        outcome => Ok(outcome?),
    }
}

/// Comes true at SIGTERM or SIGINT.
fn told_to_stop() -> io::Result<impl Future<Output = ()>> {
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    Ok(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
    })
}

/// Logs to stderr: lines for people on a terminal, JSON for programs elsewhere.
fn start_log(config: &Config) {
    let filter = format!("{FRAMEWORK_LOG},{}", config.log);
    let log = tracing_subscriber::fmt()
        .with_env_filter(filter)
        // A line that cannot be written, on a full disk say, is lost. To tell of that on the same stderr
        // would panic, and take the request with it.
        .log_internal_errors(false)
        .with_writer(io::stderr);
    if io::stderr().is_terminal() {
        log.init();
    } else {
        log.json()
            .flatten_event(true)
            .with_current_span(true)
            .with_span_list(false)
            .init();
    }
}

impl From<Settings> for Flags {
    fn from(settings: Settings) -> Self {
        let values = [
            ("listen", settings.listen),
            ("database_url", settings.database_url),
            ("data_dir", settings.data_dir),
            ("signing_keys", settings.signing_keys),
            ("min_time_per_move", settings.min_time_per_move),
            ("rate_limits", settings.rate_limits),
            ("metrics_listen", settings.metrics_listen),
            ("house_bot", settings.house_bot),
            ("cors_origins", settings.cors_origins),
            ("trusted_proxies", settings.trusted_proxies),
            ("log", settings.log),
            ("shutdown_timeout", settings.shutdown_timeout),
        ];
        let given = values
            .into_iter()
            .filter_map(|(key, value)| Some((key, value?)));
        Self {
            config: settings.config,
            values: given.collect(),
        }
    }
}

/// A text of another's, such as a file that was read, without what a terminal would obey.
fn printable(text: &str) -> String {
    let seen = |ch: char| {
        if ch.is_control() && ch != '\n' {
            '\u{fffd}'
        } else {
            ch
        }
    };
    text.chars().map(seen).collect()
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_consistent_and_has_help() {
        Cli::command().debug_assert();
        for command in Cli::command().get_subcommands() {
            assert!(command.get_about().is_some(), "{}", command.get_name());
        }
    }

    #[test]
    fn flags_may_stand_before_or_after_the_command() {
        for line in [
            &["reveille", "--listen", "x", "serve"][..],
            &["reveille", "serve", "--listen", "x"],
        ] {
            let cli = Cli::try_parse_from(line).unwrap();
            let Some(Command::Serve(more)) = cli.command else {
                panic!("{line:?} does not serve");
            };
            let flags = Flags::from(cli.settings).and(more.into());
            assert_eq!(flags.values, [("listen", "x".to_owned())]);
        }
        assert!(Cli::try_parse_from(["reveille", "--unknown"]).is_err());
    }

    #[test]
    fn a_command_has_the_options_that_it_reads() {
        for (name, options) in [
            ("serve", &["config", "listen", "database-url"][..]),
            ("migrate", &["config", "listen", "database-url"]),
            (
                "export",
                &["all", "format", "table", "listen", "database-url"],
            ),
            (
                "import",
                &["all", "pseudonymise", "config", "listen", "database-url"],
            ),
            ("backup", &["config", "listen", "database-url"]),
            ("admin", &["config", "listen", "database-url"]),
            ("openapi", &[]),
            ("graphql-schema", &[]),
            ("verify", &["red", "blue"]),
            ("bot", &["level", "url", "token", "max-games"]),
            (
                "simulate",
                &["games", "seed", "ndjson", "listen", "database-url"],
            ),
        ] {
            let mut all = Cli::command();
            all.build();
            let command = all.find_subcommand(name).unwrap();
            let has = |option: &str| {
                let mut arguments = command.get_arguments();
                arguments.any(|argument| argument.get_long() == Some(option))
            };
            assert!(options.iter().all(|option| has(option)), "{name}");
            assert_eq!(has("listen"), options.contains(&"listen"), "{name}");
        }
        assert!(Cli::try_parse_from(["reveille", "openapi", "--listen", "x"]).is_err());
    }

    #[test]
    fn what_a_terminal_would_obey_is_not_printed() {
        assert_eq!(
            printable("\u{1b}[2Jred:\r\nok"),
            "\u{fffd}[2Jred:\u{fffd}\nok"
        );
    }
}
