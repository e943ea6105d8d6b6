use std::fmt;
use std::io;
use std::path::PathBuf;

use storage::StorageError;
use storage::backup::BackupError;
use thiserror::Error;

use super::format::FORMAT;
use crate::server::StartError;

/// Why nothing was exported, imported or backed up. No value of the database is in it.
#[derive(Debug, Error)]
pub enum ArchiveError {
    /// The database cannot be opened.
    #[error(transparent)]
    Open(#[from] StartError),
    /// There is no database of that name.
    #[error("there is no database at {}: make one with `reveille migrate`", path.display())]
    NoDatabase {
        /// The SQLite file.
        path: PathBuf,
    },
    /// The database has other tables than this program.
    #[error(
        "the schema of the database is not that of this release: `reveille migrate` brings an older one up to date"
    )]
    OtherSchema,
    /// The database to import into has rows.
    #[error(
        "the database is not empty, it has {table}: import takes one that `reveille migrate` has just made"
    )]
    NotEmpty {
        /// The first table with a row.
        table: &'static str,
    },
    /// The database, with the cause beneath it.
    #[error("the database: {}", Caused(.0))]
    Storage(#[from] StorageError),
    /// The file to be written is there.
    #[error("{name} is there already, and nothing is written over")]
    Exists {
        /// The file.
        name: String,
    },
    /// An archive was to be written to a terminal.
    #[error(
        "an archive holds secrets and is not written to a terminal: name a file, or pipe it on"
    )]
    Terminal,
    /// A file cannot be read.
    #[error("cannot read {name}: {cause}")]
    Read {
        /// The file.
        name: String,
        /// What the system said.
        cause: io::Error,
    },
    /// A file cannot be written.
    #[error("cannot write {name}: {cause}")]
    Write {
        /// The file.
        name: String,
        /// What the system said.
        cause: io::Error,
    },
    /// A line of an archive is not as it must be.
    #[error("line {line}{}: {fault}; nothing was imported", Place(*.table))]
    Line {
        /// Which line, counted from 1.
        line: u64,
        /// The table that it belongs to, if it is within one.
        table: Option<&'static str>,
        /// What is wrong.
        fault: LineFault,
    },
    /// What was read is not what was counted, or what was stored not what was written.
    #[error(
        "the rows of `{table}` that the database gives are not those that it was given; nothing was imported"
    )]
    Differs {
        /// The table.
        table: &'static str,
    },
    /// The database counts other rows than it gives.
    #[error("the database counts {counted} rows in `{table}` and gives {given}: it is damaged")]
    Miscounted {
        /// The table.
        table: &'static str,
        /// How many it says there are.
        counted: u64,
        /// How many it gave.
        given: u64,
    },
    /// PostgreSQL has its own tools.
    #[error(
        "`backup` copies an SQLite file; of PostgreSQL take pg_dump, or `reveille export --all FILE`"
    )]
    NotAFile,
    /// The copy of an SQLite file failed.
    #[error("the copy: {}", Caused(.0))]
    Backup(#[source] BackupError),
}

/// What is wrong with a line of an archive.
#[derive(Debug, Error)]
pub enum LineFault {
    /// It begins otherwise.
    #[error("this is no archive of Reveille")]
    NotAnArchive,
    /// It is an archive, of a form that this program does not know.
    #[error("the archive is of format {0}, and this release reads format {FORMAT}")]
    Format(u64),
    /// It was written from another schema.
    #[error(
        "the archive was written by a release with another schema: import it with that release, then bring the database up to date with this one"
    )]
    OtherSchema,
    /// It ends too soon.
    #[error("the archive is cut short here")]
    CutShort,
    /// Longer than a line can be.
    #[error("the line is too long")]
    TooLong,
    /// Something else should stand here.
    #[error("here should be {0}")]
    Expected(String),
    /// It is no row.
    #[error("this is no row of the table as it is written by an export")]
    NotARow,
    /// A value is of another kind than its column.
    #[error("the value of `{0}` is of the wrong kind")]
    Value(&'static str),
    /// Rows are missing, or too many.
    #[error("{told} rows should have come before, and {found} did")]
    Count {
        /// What the archive says.
        told: u64,
        /// What it has.
        found: u64,
    },
    /// What came before was changed.
    #[error("what came before is not what was written: its SHA-256 differs")]
    Hash,
    /// The database does not take a row.
    #[error("the database does not take the row: {}", Caused(.0))]
    Refused(#[source] StorageError),
    /// It goes on after its end.
    #[error("something follows the end of the archive")]
    Trailing,
}

/// A fault, and those beneath it that it does not repeat.
struct Caused<'a, E>(&'a E);

impl<E: std::error::Error> fmt::Display for Caused<'_, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut told = self.0.to_string();
        f.write_str(&told)?;
        let mut cause = self.0.source();
        while let Some(fault) = cause {
            let next = fault.to_string();
            if !told.ends_with(&next) {
                write!(f, ": {next}")?;
            }
            told = next;
            cause = fault.source();
        }
        Ok(())
    }
}

/// Where a line is.
struct Place(Option<&'static str>);

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0
            .map_or(Ok(()), |table| write!(f, ", table `{table}`"))
    }
}
