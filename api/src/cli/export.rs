use std::fs;
use std::path::{Path, PathBuf};

use clap::{ArgGroup, Args};
use domain::{Color, EndReason, Ruleset, Timestamp};
use storage::StorageError;
use storage::games::GameFilter;
use thiserror::Error;

use super::{CliError, Settings, print, start_log};
use crate::archive::{self, ArchiveError, Carried, STANDARD, fault, open_existing};
use crate::config::{Config, Flags};
use crate::exports::{ExportFormat, Form, Output, Pages, WriteError, Writer};
use crate::progress::Progress;
use crate::tables::{Table, TableWriter};
use crate::usecase::selection::{Selection, check_rating, read_instant, read_source};

/// What `reveille export --help` says beyond its options.
pub(super) const HELP: &str = "\
Servers may run.

With --format finished games are written for other programs, all of them or those that the options name,
in the order of their end; private ones are left out. ndjson has a game a line, which `reveille import`
reads. parquet has tables, whose columns --columns lists: one into a file, or without --table all five
into a folder.

With --all everything is written that the server keeps: one state of the database, that of the beginning.
It is lines of JSON with counts and hashes, the same from SQLite and PostgreSQL, and is read again by
import --all. It holds secrets: hidden armies, password hashes, digests of tokens. The file is made for
your account alone; keep it so. The keys that sign tokens are not in it: they are files of the data folder.";

/// What is exported, and where it goes.
#[derive(Debug, Args)]
#[command(group(ArgGroup::new("what").required(true).args(["all", "format", "columns"])))]
pub(super) struct Arguments {
    /// Export the whole server into this new file, or - for the standard output
    #[arg(long, value_name = "FILE")]
    all: Option<PathBuf>,
    /// Export finished games in this format
    #[arg(long, value_enum, value_name = "FORMAT", requires = "file")]
    format: Option<ExportFormat>,
    /// List the columns of the tables, and end
    #[arg(long, exclusive = true)]
    columns: bool,
    /// One table alone: games, plies, pieces, battles or reveals
    #[arg(long, value_name = "TABLE", requires = "format")]
    table: Option<Table>,
    #[command(flatten)]
    games: Games,
    /// The new file, or - for the standard output; of all tables a folder
    #[arg(value_name = "FILE", requires = "format")]
    file: Option<PathBuf>,
    #[command(flatten)]
    settings: Settings,
}

/// Which games are exported.
#[derive(Debug, Args)]
struct Games {
    /// Played by this rule sheet; may be given several times
    #[arg(long, value_name = "RULESET", requires = "format")]
    ruleset: Vec<Ruleset>,
    /// From here: play, or the kind of an archive; may be given several times
    #[arg(long, value_name = "SOURCE", requires = "format", value_parser = read_source)]
    source: Vec<String>,
    /// Played by this account, or by `source:name` of an archive; may be given several times
    #[arg(long, value_name = "NAME", requires = "format")]
    player: Vec<String>,
    /// Ended at this instant or day (UTC) or later
    #[arg(long, value_name = "DATE", requires = "format", value_parser = read_instant)]
    from: Option<Timestamp>,
    /// Ended before this instant or day (UTC)
    #[arg(long, value_name = "DATE", requires = "format", value_parser = read_instant)]
    to: Option<Timestamp>,
    /// With so many moves or more
    #[arg(long, value_name = "NUMBER", requires = "format")]
    min_plies: Option<u32>,
    /// With so many moves or fewer
    #[arg(long, value_name = "NUMBER", requires = "format")]
    max_plies: Option<u32>,
    /// That count, and before which both sides had this rating or more
    #[arg(long, value_name = "RATING", requires = "format", value_parser = read_rating, allow_negative_numbers = true)]
    min_rating: Option<f64>,
    /// That count, and before which both sides had this rating or less
    #[arg(long, value_name = "RATING", requires = "format", value_parser = read_rating, allow_negative_numbers = true)]
    max_rating: Option<f64>,
    /// That count for ratings, or that do not: true or false
    #[arg(long, value_name = "SWITCH", requires = "format")]
    rated: Option<bool>,
    /// Won by red or blue
    #[arg(long, value_name = "COLOR", requires = "format")]
    winner: Option<Color>,
    /// Ended for this reason, such as `flag_captured`; may be given several times
    #[arg(long, value_name = "REASON", requires = "format", value_parser = read_reason)]
    reason: Vec<EndReason>,
}

/// Why games were not exported.
#[derive(Debug, Error)]
pub(super) enum ExportError {
    #[error("all tables go into a folder: name one, or one of them with --table")]
    TablesToOutput,
    #[error("--table goes with --format parquet; ndjson has whole games")]
    TableOfLines,
    #[error(transparent)]
    File(#[from] ArchiveError),
    #[error("its schema is not of this release: run reveille migrate, or start the server once")]
    OtherSchema,
    #[error("the database: {0}")]
    Storage(#[from] StorageError),
    #[error(transparent)]
    Write(#[from] WriteError),
}

impl ExportError {
    /// Whether it is what was asked for.
    pub(super) const fn is_of_arguments(&self) -> bool {
        matches!(self, Self::TablesToOutput | Self::TableOfLines)
    }
}

/// Exports what the arguments say.
pub(super) fn export(flags: Flags, arguments: Arguments) -> Result<(), CliError> {
    if arguments.columns {
        return print(&columns());
    }
    let config = Config::load(flags.and(arguments.settings.into()))?;
    start_log(&config);
    if let Some(into) = &arguments.all {
        let Carried { tables, rows } = archive::export(&config, into)?;
        // Standard output may be the archive.
        eprintln!("exported {rows} rows of {tables} tables");
        return Ok(());
    }
    let (Some(format), Some(file)) = (arguments.format, &arguments.file) else {
        // The command line has one of the three.
        return Ok(());
    };
    let games = games(&config, arguments.games, format, arguments.table, file)?;
    eprintln!("exported {games} games");
    Ok(())
}

fn games(
    config: &Config,
    games: Games,
    format: ExportFormat,
    table: Option<Table>,
    file: &Path,
) -> Result<u64, ExportError> {
    if (format, table) == (ExportFormat::Parquet, None) && file == Path::new(STANDARD) {
        return Err(ExportError::TablesToOutput);
    }
    if format == ExportFormat::Ndjson && table.is_some() {
        return Err(ExportError::TableOfLines);
    }
    let database = open_existing(config)?;
    if !database.is_ready()? {
        return Err(ExportError::OtherSchema);
    }
    let pages = Pages::new(database, games.selection());
    let progress = Progress::games("exporting", pages.total()?);
    let mut writer = match (format, table) {
        (ExportFormat::Ndjson, _) => Writer::new(Form::Lines, Output::create(file)?)?,
        (ExportFormat::Parquet, Some(table)) => {
            Writer::new(Form::Table(table), Output::create(file)?)?
        }
        (ExportFormat::Parquet, None) => tables(file)?,
    };
    let mut written = 0;
    for page in pages {
        for stored in page? {
            writer.push(&stored)?;
            progress.advance();
            written += 1;
        }
    }
    Output::keep_all(writer.finish()?)?;
    Ok(written)
}

/// All tables, each a file of a folder.
fn tables(folder: &Path) -> Result<Writer<Output>, ExportError> {
    fs::create_dir_all(folder).map_err(|cause| fault(folder, cause))?;
    let table = |table: Table| {
        let file = folder.join(Form::Table(table).file_name());
        let table = TableWriter::new(table, Output::create(&file)?);
        Ok::<_, ExportError>(table.map_err(WriteError::from)?)
    };
    let tables = Table::ALL.into_iter().map(table);
    Ok(Writer::Tables(tables.collect::<Result<_, _>>()?))
}

impl Games {
    fn selection(self) -> Selection {
        let some = |names: Vec<String>| Some(names).filter(|names| !names.is_empty());
        let filter = GameFilter {
            rulesets: Some(self.ruleset).filter(|some| !some.is_empty()),
            sources: some(self.source),
            finished_from: self.from,
            finished_to: self.to,
            min_plies: self.min_plies,
            max_plies: self.max_plies,
            min_rating: self.min_rating,
            max_rating: self.max_rating,
            rated: self.rated,
            winner: self.winner,
            reasons: Some(self.reason).filter(|some| !some.is_empty()),
            ..GameFilter::default()
        };
        Selection {
            filter,
            players: some(self.player),
        }
    }
}

fn read_rating(text: &str) -> Result<f64, String> {
    let rating = text.parse().map_err(|_| "expected a number".to_owned());
    check_rating(rating?)
}

fn read_reason(text: &str) -> Result<EndReason, String> {
    EndReason::from_name(text).ok_or_else(|| {
        let names = EndReason::ALL.map(EndReason::name).join(", ");
        format!("expected one of {names}")
    })
}

/// The columns of all tables, one a line.
fn columns() -> String {
    let line = |table: Table| {
        let lines = table.columns().into_iter().map(move |column| {
            let null = if column.nullable { " or null" } else { "" };
            let (name, r#type, doc) = (column.name, column.r#type, column.doc);
            format!("{table}.{name}\t{type}{null}\t{doc}\n")
        });
        lines.collect::<String>()
    };
    Table::ALL.map(line).concat()
}
