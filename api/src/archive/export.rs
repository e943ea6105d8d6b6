use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::Path;

use chrono::{DateTime, Utc};
use sha2::{Digest, Sha256};
use storage::archive::{self, TABLES, Table};
use storage::{Connection, Database};

use super::error::ArchiveError;
use super::file::{self, NewFile};
use super::format::{self, FORMAT, Footer, Header, NAME, RowSum, TableEnd, TableHead};
use super::{Carried, STANDARD, open_existing};
use crate::clock::{Clock, SystemClock};
use crate::config::Config;
use crate::progress::Progress;
use crate::time;

/// Writes the whole database into a new file; `-` is the standard output. The server may run.
///
/// # Errors
/// An [`ArchiveError`]; no file is left then.
pub fn export(config: &Config, into: &Path) -> Result<Carried, ArchiveError> {
    let now = SystemClock.now();
    if into == Path::new(STANDARD) {
        let stdout = io::stdout();
        if stdout.is_terminal() {
            return Err(ArchiveError::Terminal);
        }
        return write(&open_existing(config)?, stdout.lock(), into, now);
    }
    let database = open_existing(config)?;
    let file = NewFile::create(into)?;
    let carried = write(&database, file.file(), into, now)?;
    file.keep()?;
    Ok(carried)
}

/// Writes the archive of one state of a database.
pub(super) fn write(
    database: &Database,
    target: impl Write,
    name: &Path,
    now: DateTime<Utc>,
) -> Result<Carried, ArchiveError> {
    archive::read(database, |conn| {
        let schema = archive::schema(conn)?.ok_or(ArchiveError::OtherSchema)?;
        let counts = TABLES.iter().map(|table| archive::count(conn, table));
        let counts = counts.collect::<Result<Vec<_>, _>>()?;
        let progress = Progress::rows("exporting", counts.iter().sum());
        let mut output = Output::new(target, name);
        output.object(&Header {
            archive: NAME.to_owned(),
            format: FORMAT,
            created_at: time::format(now),
            schema,
        })?;
        let mut rows = 0;
        for (table, counted) in TABLES.iter().zip(counts) {
            output.object(&TableHead::of(table))?;
            let end = write_rows(conn, table, &progress, |line| output.line(line))?;
            if end.rows != counted {
                return Err(ArchiveError::Miscounted {
                    table: table.name,
                    counted,
                    given: end.rows,
                });
            }
            rows += end.rows;
            output.object(&end)?;
        }
        output.end(rows)
    })
}

/// Writes the rows of a table as lines; gives their count and hash.
pub(super) fn write_rows(
    conn: &mut Connection,
    table: &Table,
    progress: &Progress,
    mut write_line: impl FnMut(&[u8]) -> Result<(), ArchiveError>,
) -> Result<TableEnd, ArchiveError> {
    let mut sum = RowSum::default();
    let mut line = Vec::new();
    archive::for_each_row(conn, table, |row| {
        format::write_row(&mut line, row)
            .map_err(|cause| unwritten(Path::new(table.name), cause))?;
        sum.add(&line);
        progress.advance();
        write_line(&line)
    })?;
    Ok(sum.end(table))
}

/// Where an archive goes, and the hash of all that went there.
struct Output<'a, W: Write> {
    target: BufWriter<W>,
    name: &'a Path,
    line: Vec<u8>,
    digest: Sha256,
}

impl<'a, W: Write> Output<'a, W> {
    fn new(target: W, name: &'a Path) -> Self {
        Self {
            target: BufWriter::new(target),
            name,
            line: Vec::new(),
            digest: Sha256::new(),
        }
    }

    fn line(&mut self, line: &[u8]) -> Result<(), ArchiveError> {
        self.digest.update(line);
        self.target
            .write_all(line)
            .map_err(|cause| file::fault(self.name, cause))
    }

    fn object(&mut self, object: &impl serde::Serialize) -> Result<(), ArchiveError> {
        let mut line = std::mem::take(&mut self.line);
        format::write_object(&mut line, object).map_err(|cause| unwritten(self.name, cause))?;
        self.line(&line)?;
        self.line = line;
        Ok(())
    }

    /// Writes the last line, and all that is not written yet.
    fn end(mut self, rows: u64) -> Result<Carried, ArchiveError> {
        let tables = TABLES.len();
        let sha256 = format::hex(self.digest.clone());
        self.object(&Footer {
            end: NAME.to_owned(),
            tables,
            rows,
            sha256,
        })?;
        let written = self.target.flush();
        written.map_err(|cause| file::fault(self.name, cause))?;
        Ok(Carried { tables, rows })
    }
}

fn unwritten(name: &Path, cause: serde_json::Error) -> ArchiveError {
    file::fault(name, cause.into())
}
