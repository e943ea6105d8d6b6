use std::net::ToSocketAddrs;
use std::path::Path;
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
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    pub seconds: u64,
    /// Event streams that are open at once
    #[arg(long, default_value_t = 10_000, value_parser = at_least_one)]
    pub streams: usize,
    /// Accounts, two to a game
    #[arg(long, default_value_t = 16, value_parser = at_least_one)]
    pub accounts: usize,
    /// The database of the server that is started, which must be empty [default: a new SQLite file]
    #[arg(long, value_parser = database_url, conflicts_with = "url")]
    pub database_url: Option<String>,
    /// A server that runs already; its processor time and memory are told only with --pid
    #[arg(long, value_name = "http://HOST:PORT", value_parser = server_url)]
    pub url: Option<String>,
    /// The process of the server that --url names
    #[arg(long, value_parser = process, requires = "url")]
    pub pid: Option<u32>,
    /// PostgreSQL's first process [default: looked for by the socket or port of --database-url]
    #[arg(long, value_parser = process)]
    pub postgres_pid: Option<u32>,
    /// Count syncs by strace, which slows the server down
    #[arg(long)]
    pub trace: bool,
    /// A further setting of the server that is started, as NAME=VALUE
    #[arg(long = "env", value_name = "NAME=VALUE", value_parser = setting, conflicts_with = "url")]
    pub environment: Vec<(String, String)>,
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

fn database_url(text: &str) -> Result<String, String> {
    let known = ["sqlite://", "postgres://", "postgresql://"];
    if known.iter().any(|scheme| text.starts_with(scheme)) {
        Ok(text.to_owned())
    } else {
        Err("expected sqlite://PATH or postgres://…".to_owned())
    }
}

fn server_url(text: &str) -> Result<String, String> {
    let url = text.trim_end_matches('/');
    let host = url
        .strip_prefix("http://")
        .ok_or("expected http://HOST:PORT")?;
    match host.to_socket_addrs().map(|mut all| all.next()) {
        Ok(Some(_)) => Ok(url.to_owned()),
        Ok(None) => Err("expected http://HOST:PORT; that host has no address".to_owned()),
        Err(fault) => Err(format!("expected http://HOST:PORT: {fault}")),
    }
}

fn process(text: &str) -> Result<u32, String> {
    let pid: u32 = text
        .parse()
        .map_err(|_| "expected the number of a process")?;
    if Path::new("/proc").join(text).exists() {
        Ok(pid)
    } else {
        Err("there is no such process".to_owned())
    }
}

fn setting(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err("expected NAME=VALUE".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_is_refused_with_a_sentence() {
        for (option, value, sentence) in [
            ("--games", "0", "at least one"),
            ("--streams", "0", "at least one"),
            ("--accounts", "none", "invalid digit"),
            ("--seconds", "0", "1..=86400"),
            ("--env", "REVEILLE_LOG", "NAME=VALUE"),
            ("--url", "localhost:80", "http://HOST:PORT"),
            ("--url", "http://localhost", "http://HOST:PORT"),
            ("--database-url", "reveille.db", "sqlite://PATH"),
            ("--postgres-pid", "x", "number of a process"),
        ] {
            let refused = Options::try_parse_from(["load", option, value]).unwrap_err();
            let said = refused.to_string();
            assert!(said.contains(option) && said.contains(sentence), "{said}");
        }
        let pid = std::process::id().to_string();
        let taken = ["load", "--url", "http://127.0.0.1:1/", "--pid", &pid];
        let options = Options::try_parse_from(taken).unwrap();
        assert_eq!(options.url.as_deref(), Some("http://127.0.0.1:1"));
        assert!(Options::try_parse_from(["load", "--pid", &pid]).is_err());
    }
}
