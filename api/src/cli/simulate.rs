use std::fs;
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::thread;

use clap::Args;
use domain::{ByColor, Game, Options, Ruleset, Viewpoint};
use storage::{Database, StorageError};
use thiserror::Error;

use super::{CliError, Settings, start_log};
use crate::archive::ArchiveError;
use crate::bot::mind::Level;
use crate::clock::SystemClock;
use crate::config::{Config, Flags};
use crate::exports::Output;
use crate::imports::{Names, NamesError, Outcome, Preparation, Store, Totals};
use crate::progress::Progress;
use crate::recorded::{ExportFault, Exported, GameFormat, Recording, Rejection, replay};
use crate::server::{StartError, open_database};
use crate::simulation::{Deployments, DeploymentsError, Simulation};

/// What `reveille simulate --help` says beyond its options.
pub(super) const HELP: &str = "\
Two bots play on all cores. The games go straight into the database, with the source `simulated` and
players named by their levels, and into its statistics; servers may run. The same seed gives the same
games on every machine, and what is stored already is not stored again.

Instants are made up: the first game counts as ended at 2000-01-01T00:00:00Z, each other one an hour after
the one before it, and moves have none. Without the option no_progress_plies it is 200.

A file of setups has one a line, 40 characters as its owner sees them, front row first, `.` for an empty
square; lines that begin with # count for nothing. Each game takes one by chance.";

/// What is simulated, and where it goes.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// How many games
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..))]
    games: u32,
    /// By which rule sheet: original, duel, classic, `original_forfeit` or barrage
    #[arg(long, value_name = "RULESET")]
    ruleset: Ruleset,
    /// What all chance comes from
    #[arg(long, value_name = "NUMBER")]
    seed: u64,
    /// How well Red plays, 1 to 3
    #[arg(long, value_name = "LEVEL", default_value = "1")]
    red_level: Level,
    /// How well Blue plays, 1 to 3
    #[arg(long, value_name = "LEVEL", default_value = "1")]
    blue_level: Level,
    /// Both deploy as this file says
    #[arg(long, value_name = "FILE", conflicts_with_all = ["red_setups", "blue_setups"])]
    setups: Option<PathBuf>,
    /// Red deploys as this file says, by advice without one
    #[arg(long, value_name = "FILE")]
    red_setups: Option<PathBuf>,
    /// Blue deploys as this file says, by advice without one
    #[arg(long, value_name = "FILE")]
    blue_setups: Option<PathBuf>,
    /// An option that is not the rule sheet's own, such as rescue=true
    #[arg(long = "option", value_name = "NAME=VALUE")]
    options: Vec<String>,
    /// Write the games into this new file as lines of JSON, or - for the standard output, and store none
    #[arg(long, value_name = "FILE")]
    ndjson: Option<PathBuf>,
    #[command(flatten)]
    settings: Settings,
}

/// Why not everything was simulated. What was stored by then stays.
#[derive(Debug, Error)]
pub(super) enum SimulateError {
    #[error(
        "expected options such as rescue=true, two_squares_limit=2 or no_progress_plies=100, got {0}"
    )]
    Options(String),
    #[error("{}: {fault}", file.display())]
    Setups {
        file: PathBuf,
        fault: DeploymentsError,
    },
    #[error("cannot read {}: {cause}", file.display())]
    Read { file: PathBuf, cause: io::Error },
    #[error(transparent)]
    Open(#[from] StartError),
    #[error("the database: {0}")]
    Storage(#[from] StorageError),
    #[error(transparent)]
    File(#[from] ArchiveError),
    #[error(transparent)]
    Format(#[from] ExportFault),
    #[error(transparent)]
    Names(#[from] NamesError),
    #[error(transparent)]
    Replay(#[from] Rejection),
    #[error("cannot write: {0}")]
    Write(#[from] io::Error),
}

impl SimulateError {
    /// Whether it is what was asked for, which no other run will take either.
    pub(super) const fn is_of_arguments(&self) -> bool {
        matches!(
            self,
            Self::Options(_) | Self::Setups { .. } | Self::Read { .. }
        )
    }
}

/// Simulates, and says how many games there are.
pub(super) fn simulate(flags: Flags, arguments: Arguments) -> Result<(), CliError> {
    let simulation = arguments.simulation()?;
    if let Some(file) = &arguments.ndjson {
        let games = write(&simulation, file)?;
        // Standard output may be the file.
        eprintln!("simulated={games}");
        return Ok(());
    }
    let config = Config::load(flags.and(arguments.settings.into()))?;
    start_log(&config);
    let database = open_database(&config)?;
    database.migrate().map_err(StartError::from)?;
    let Totals {
        imported,
        duplicates,
        ..
    } = store(&simulation, &database)?;
    let games = simulation.games;
    writeln!(
        io::stdout(),
        "simulated={games} stored={imported} duplicates={duplicates}"
    )?;
    Ok(())
}

impl Arguments {
    fn simulation(&self) -> Result<Simulation, SimulateError> {
        let ruleset = self.ruleset;
        let setups = ByColor {
            red: self.red_setups.as_ref().or(self.setups.as_ref()),
            blue: self.blue_setups.as_ref().or(self.setups.as_ref()),
        };
        let ByColor { red, blue } = setups.map(|file| deployments(ruleset, file));
        Ok(Simulation {
            ruleset,
            options: self.options()?,
            games: self.games,
            seed: self.seed,
            levels: ByColor {
                red: self.red_level,
                blue: self.blue_level,
            },
            setups: ByColor {
                red: red?,
                blue: blue?,
            },
        })
    }

    fn options(&self) -> Result<Options, SimulateError> {
        let text = self.options.join(" ");
        let options = self.ruleset.options_with(&text);
        options.ok_or(SimulateError::Options(text))
    }
}

fn deployments(ruleset: Ruleset, file: Option<&PathBuf>) -> Result<Deployments, SimulateError> {
    let Some(file) = file else {
        return Ok(Deployments::random());
    };
    let file = file.clone();
    let text = match fs::read_to_string(&file) {
        Ok(text) => text,
        Err(cause) => return Err(SimulateError::Read { file, cause }),
    };
    Deployments::parse(ruleset, &text).map_err(|fault| SimulateError::Setups { file, fault })
}

/// As many threads as there are cores.
fn threads() -> NonZeroUsize {
    thread::available_parallelism().unwrap_or(NonZeroUsize::MIN)
}

/// A game as it is kept.
fn recorded(simulation: &Simulation, nth: u32, game: &Game) -> Result<Recording, SimulateError> {
    let recording = simulation.recording(nth, game);
    Ok(recording.ok_or(ExportFault::NotOver)?)
}

/// Writes games as lines of JSON.
fn write(simulation: &Simulation, file: &Path) -> Result<u32, SimulateError> {
    let mut output = Output::create(file)?;
    let progress = Progress::games("simulating", simulation.games.into());
    let make = |nth, game| {
        let recording = recorded(simulation, nth, &game)?;
        line(simulation, &recording, &replay(&recording)?)
    };
    let mut written = 0;
    simulation.run(threads(), make, |_, line: Result<String, SimulateError>| {
        writeln!(output, "{}", line?)?;
        progress.advance();
        written += 1;
        Ok::<(), SimulateError>(())
    })?;
    output.keep()?;
    Ok(written)
}

fn line(
    simulation: &Simulation,
    recording: &Recording,
    game: &Game,
) -> Result<String, SimulateError> {
    let Simulation { ruleset, seed, .. } = simulation;
    let view = game.view(None, Viewpoint::Omniscient);
    let exported = Exported {
        id: &format!("{ruleset}-{seed}-{}", recording.game),
        source: &recording.source,
        view: view.ok_or(ExportFault::NotOver)?,
        players: recording.players.as_ref().map(String::as_str),
        ratings: ByColor::default(),
        started_at: recording.started_at,
        finished_at: recording.finished_at,
        raw_ending: None,
    };
    Ok(GameFormat::Json.write(&exported)?)
}

/// Stores games that are not there yet, as an import does.
fn store(simulation: &Simulation, database: &Database) -> Result<Totals, SimulateError> {
    let progress = Progress::games("simulating", simulation.games.into());
    let names = Names::load(database, false)?;
    let preparation = Preparation {
        names: &names,
        clock: &SystemClock,
    };
    let make = |nth, game| {
        let recording = recorded(simulation, nth, &game)?;
        Ok(preparation.ready(recording)?)
    };
    let mut rejected = None;
    let mut store = Store::new(database, |outcome| {
        if let Outcome::Rejected(rejection) = outcome {
            rejected.get_or_insert(rejection);
        }
    });
    simulation.run(threads(), make, |_, game: Result<_, SimulateError>| {
        progress.advance();
        Ok::<(), SimulateError>(store.add(Ok(game?))?)
    })?;
    let totals = store.finish()?;
    match rejected {
        Some(rejection) => Err(rejection.into()),
        None => Ok(totals),
    }
}
