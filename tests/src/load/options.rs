use std::time::Duration;

use clap::{Parser, ValueEnum};

/// What is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Mode {
    /// Durable moves of many games at once.
    Moves,
    /// Reads of a running game by its players.
    Reads,
    /// Idle event streams: memory of each, and how soon they hear of a move.
    Streams,
    /// What a move costs late in a long game, against one at its beginning.
    Long,
    /// Memory with many running games.
    Memory,
}

/// Presses a server with many games at once. It starts one on an empty data folder, unless --url names
/// one that runs; `REVEILLE_BIN` names another program than the one beside this.
#[derive(Debug, Clone, Parser)]
#[command(name = "load")]
pub struct Options {
    /// What is measured
    #[arg(value_enum, default_value_t = Mode::Moves)]
    pub mode: Mode,
    /// Games at once, each on a connection of its own; in `memory` and `streams` games that run
    /// [default: 64; long 128, streams 100, memory 100000]
    #[arg(long, value_parser = at_least_one)]
    pub games: Option<usize>,
    /// How long to measure
    #[arg(long, default_value_t = 20)]
    pub seconds: u64,
    /// Event streams that are open at once
    #[arg(long, default_value_t = 10_000)]
    pub streams: usize,
    /// Accounts, two to a game
    #[arg(long, default_value_t = 16)]
    pub accounts: usize,
    /// The database of the server that is started, which must be empty [default: a new SQLite file]
    #[arg(long)]
    pub database_url: Option<String>,
    /// A server that runs already; its processor time and memory are told only with --pid
    #[arg(long)]
    pub url: Option<String>,
    /// The process of the server that --url names
    #[arg(long)]
    pub pid: Option<u32>,
    /// PostgreSQL's first process [default: looked for by the socket or port of --database-url]
    #[arg(long)]
    pub postgres_pid: Option<u32>,
    /// Count syncs by strace, which slows the server down
    #[arg(long)]
    pub trace: bool,
    /// A further setting of the server that is started, as NAME=VALUE
    #[arg(long = "env", value_name = "NAME=VALUE")]
    pub environment: Vec<String>,
    /// The first seed of the games that are made up
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}

impl Options {
    /// How many games.
    pub fn games(&self) -> usize {
        self.games.unwrap_or(match self.mode {
            Mode::Moves | Mode::Reads => 64,
            Mode::Long => 128,
            Mode::Streams => 100,
            Mode::Memory => 100_000,
        })
    }

    /// How long to measure.
    pub fn duration(&self) -> Duration {
        Duration::from_secs(self.seconds)
    }
}

fn at_least_one(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(0) => Err("expected at least one".to_owned()),
        Ok(count) => Ok(count),
        Err(fault) => Err(fault.to_string()),
    }
}
