use std::io::{self, BufWriter, IsTerminal, Stdout, Write};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::thread;

use clap::{ArgGroup, Args};
use thiserror::Error;

use super::{CliError, Settings, printable, start_log};
use crate::archive::{self, ArchiveError, Carried, open_existing};
use crate::clock::SystemClock;
use crate::config::{Config, Flags};
use crate::imports::{self, Bounds, ImportError, Names, NamesError, Outcome, Totals};
use crate::progress::Progress;
use crate::recorded::{Code, Documents, Rejection};

/// What `reveille import --help` says beyond its options.
pub(super) const HELP: &str = "\
PATH is a file or a folder of games that were recorded elsewhere: Gravon XML and GSN, and games as this
server writes them, as text, JSON and NDJSON; all of these also in zip archives and gzip. In folders and archives
files are read that end in .xml, .gsn, .txt, .json, .ndjson, .jsonl, .zip and .gz. Servers may run.
A line is printed for each game, in order:

  FILE: imported ID
  FILE: duplicate of ID
  FILE: rejected: CODE at ply N: detail

(`FILE game N` where a file has several), and at the end imported=N duplicates=N rejected=N. A rejected game
keeps no other from being imported, and the exit status is 0. What is there already stays as it is, so an
import that was cut off is begun anew.

With --all the database must be empty and of the release that wrote the file: make it with reveille
migrate, and start no server on it before. All of the file is read, checked and committed as one, or
nothing is: counts and hashes are held against the file, and then against what the database gives.";

/// Where an import comes from.
#[derive(Debug, Args)]
#[command(group(ArgGroup::new("from").required(true).args(["all", "paths"])))]
pub(super) struct Import {
    /// Import the whole server from this file, or - for the standard input
    #[arg(long, value_name = "FILE")]
    all: Option<PathBuf>,
    /// Store a pseudonym in the place of each player's name
    #[arg(long, conflicts_with = "all")]
    pseudonymise: bool,
    /// Import the games in this file or folder
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    #[command(flatten)]
    settings: Settings,
}

/// Why games were not imported as they should have been.
#[derive(Debug, Error)]
pub(super) enum ImportFault {
    /// The key of pseudonyms.
    #[error("{0}")]
    Names(#[from] NamesError),
    /// The database.
    #[error("{0}; begin anew: what was imported is found again")]
    Import(#[from] ImportError),
    /// A path that was given.
    #[error("cannot read {path}: {detail}")]
    Path { path: String, detail: String },
    /// The report.
    #[error("the games were imported, but the report cannot be written: {0}")]
    Report(#[from] io::Error),
}

pub(super) fn run(flags: Flags, import: Import) -> Result<(), CliError> {
    let config = Config::load(flags.and(import.settings.into()))?;
    start_log(&config);
    match &import.all {
        Some(from) => import_all(&config, from),
        None => import_games(&config, import.paths, import.pseudonymise),
    }
}

fn import_all(config: &Config, from: &Path) -> Result<(), CliError> {
    let Carried { tables, rows } = archive::import(config, from)?;
    eprintln!(
        "imported {rows} rows of {tables} tables; their counts and hashes are those of the file"
    );
    Ok(())
}

fn import_games(config: &Config, paths: Vec<PathBuf>, hides: bool) -> Result<(), CliError> {
    let database = open_existing(config)?;
    if !database.is_ready().map_err(ArchiveError::from)? {
        return Err(ArchiveError::OtherSchema.into());
    }
    let names = Names::load(&database, hides).map_err(ImportFault::from)?;
    let mut report = Report::new(&paths);
    let documents = Documents::of_paths(paths);
    let tell = |outcome| report.tell(outcome);
    let bounds = Bounds {
        cores: thread::available_parallelism().map_or(1, NonZero::get),
        // Whoever may run this may import whatever there is.
        games: u64::MAX,
    };
    let totals = imports::import(&database, &SystemClock, &names, bounds, documents, tell);
    report.finish(totals.map_err(ImportFault::from))?;
    Ok(())
}

/// The lines of an import on the standard output.
struct Report {
    /// `None` when the reader has seen enough.
    out: Option<BufWriter<Stdout>>,
    /// On a terminal the lines themselves show how far it is.
    progress: Option<Progress>,
    /// The paths that were given, as they are told of.
    given: Vec<String>,
    /// The first game of a file, until it is known whether there is another.
    held: Option<Outcome>,
    /// The first path that was given in vain.
    missing: Option<ImportFault>,
    /// What kept the first line from being written that was not.
    fault: Option<io::Error>,
}

impl Report {
    fn new(paths: &[PathBuf]) -> Self {
        let out = io::stdout();
        let progress = (!out.is_terminal()).then(|| Progress::counting("importing"));
        let given = paths.iter().map(|path| path.display().to_string());
        Self {
            out: Some(BufWriter::new(out)),
            progress,
            given: given.collect(),
            held: None,
            missing: None,
            fault: None,
        }
    }

    fn tell(&mut self, outcome: Outcome) {
        if let Some(progress) = &self.progress {
            progress.advance();
        }
        if let Outcome::Rejected(rejection) = &outcome {
            self.look_for_missing(rejection);
        }
        let (file, game) = outcome.place();
        let is_another = game > 1;
        if let Some(held) = self.held.take() {
            let has_several = is_another && held.place().0 == file;
            self.write(&line(&held, has_several));
        }
        if is_another {
            self.write(&line(&outcome, true));
        } else {
            self.held = Some(outcome);
        }
    }

    fn look_for_missing(&mut self, rejection: &Rejection) {
        let Rejection {
            file, code, detail, ..
        } = rejection;
        if *code == Code::Unreadable
            && self.missing.is_none()
            && self.given.iter().any(|given| **given == **file)
        {
            self.missing = Some(ImportFault::Path {
                path: file.to_string(),
                detail: detail.clone(),
            });
        }
    }

    /// Writes what is left, and says whether all is well. Without totals the import was cut off.
    fn finish(mut self, totals: Result<Totals, ImportFault>) -> Result<(), ImportFault> {
        if let Some(held) = self.held.take() {
            self.write(&line(&held, false));
        }
        if let Ok(totals) = &totals {
            let Totals {
                imported,
                duplicates,
                rejected,
            } = totals;
            self.write(&format!(
                "imported={imported} duplicates={duplicates} rejected={rejected}"
            ));
        }
        let flushed = self.out.as_mut().map_or(Ok(()), Write::flush);
        self.keep(flushed);
        totals?;
        match (self.missing, self.fault) {
            (Some(missing), _) => Err(missing),
            (None, Some(fault)) => Err(fault.into()),
            (None, None) => Ok(()),
        }
    }

    fn write(&mut self, line: &str) {
        if let Some(out) = &mut self.out {
            let written = writeln!(out, "{}", on_one_line(line));
            self.keep(written);
        }
    }

    /// Keeps the fault after which nothing more is written; a reader that has seen enough is none.
    fn keep(&mut self, written: io::Result<()>) {
        if let Err(fault) = written {
            self.out = None;
            self.fault = Some(fault).filter(|fault| fault.kind() != io::ErrorKind::BrokenPipe);
        }
    }
}

/// What is said of a game.
fn line(outcome: &Outcome, has_several: bool) -> String {
    let (file, game) = outcome.place();
    let place = if has_several {
        format!("{file} game {game}")
    } else {
        file.to_owned()
    };
    match outcome {
        Outcome::Imported { id, .. } => format!("{place}: imported {id}"),
        Outcome::Duplicate { id, .. } => format!("{place}: duplicate of {id}"),
        Outcome::Rejected(Rejection {
            code, ply, detail, ..
        }) => match ply {
            Some(ply) => format!("{place}: rejected: {code} at ply {ply}: {detail}"),
            None => format!("{place}: rejected: {code}: {detail}"),
        },
    }
}

fn on_one_line(text: &str) -> String {
    printable(text).replace('\n', "\u{fffd}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rejected(file: &str, game: u32, ply: Option<u32>) -> Outcome {
        Outcome::Rejected(Rejection {
            file: file.into(),
            game,
            ply,
            code: Code::IllegalMove,
            detail: "a bomb does not move".to_owned(),
        })
    }

    #[test]
    fn a_game_is_a_line() {
        let first = rejected("a\nb.xml", 1, Some(3));
        let said = on_one_line(&line(&first, false));
        assert_eq!(
            said,
            "a\u{fffd}b.xml: rejected: illegal_move at ply 3: a bomb does not move"
        );
        let second = rejected("b.xml", 2, None);
        assert_eq!(
            line(&second, true),
            "b.xml game 2: rejected: illegal_move: a bomb does not move"
        );
    }
}
