use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

use storage::archive::{self, BATCH_ROWS, RefusedRow, Row, TABLES, Table, Value};
use storage::{Connection, Database};

use super::error::{ArchiveError, LineFault};
use super::export::write_rows;
use super::format::{self, AnyHeader, FORMAT, Footer, Header, NAME, RowSum, TableEnd, TableHead};
use super::lines::Lines;
use super::{Carried, STANDARD, open_existing};
use crate::config::Config;
use crate::progress::Progress;

/// Rows are put into the database when they take this many bytes, if they are not many before.
const BATCH_BYTES: usize = 1 << 20;

/// Reads a whole archive into an empty database; `-` is the standard input.
///
/// # Errors
/// An [`ArchiveError`]; the database is as it was then.
pub fn import(config: &Config, from: &Path) -> Result<Carried, ArchiveError> {
    if from == Path::new(STANDARD) {
        let progress = Progress::bytes("importing", None);
        let source = io::stdin().lock();
        return read(
            &open_existing(config)?,
            source,
            "the standard input",
            &progress,
        );
    }
    let name = from.display().to_string();
    let fault = |cause| ArchiveError::Read {
        name: name.clone(),
        cause,
    };
    let file = File::open(from).map_err(fault)?;
    let metadata = file.metadata().map_err(fault)?;
    let length = metadata.is_file().then_some(metadata.len());
    let progress = Progress::bytes("importing", length);
    read(
        &open_existing(config)?,
        BufReader::new(file),
        &name,
        &progress,
    )
}

/// Reads an archive within one transaction, which is committed only when all that the database then
/// gives is what the archive says.
pub(super) fn read(
    database: &Database,
    source: impl BufRead,
    name: &str,
    progress: &Progress,
) -> Result<Carried, ArchiveError> {
    let schema = archive::read(database, archive::schema)?.ok_or(ArchiveError::OtherSchema)?;
    let mut lines = Lines::new(source, name.to_owned());
    read_header(&mut lines, &schema)?;
    let carried = archive::write(database, |conn| {
        if let Some(table) = archive::first_occupied(conn)? {
            return Err(ArchiveError::NotEmpty { table: table.name });
        }
        let mut ends = Vec::new();
        for table in TABLES {
            ends.push(read_table(conn, &mut lines, table, progress)?);
        }
        let rows = ends.iter().map(|end| end.rows).sum();
        read_footer(&mut lines, rows)?;
        verify(conn, &ends, rows)?;
        Ok(Carried {
            tables: TABLES.len(),
            rows,
        })
    })?;
    if let Err(fault) = database.settle() {
        tracing::warn!(
            error = &fault as &dyn std::error::Error,
            "the database was not settled"
        );
    }
    Ok(carried)
}

fn read_header(lines: &mut Lines<impl BufRead>, schema: &[String]) -> Result<(), ArchiveError> {
    let line = lines.expect()?;
    let fault = match format::read_object::<AnyHeader>(line) {
        Some(any) if any.archive == NAME && any.format == FORMAT => {
            match format::read_object::<Header>(line) {
                Some(header) if header.schema == schema => return Ok(()),
                Some(_) => LineFault::OtherSchema,
                None => LineFault::NotAnArchive,
            }
        }
        Some(any) if any.archive == NAME => LineFault::Format(any.format),
        _ => LineFault::NotAnArchive,
    };
    Err(lines.fault(fault))
}

/// Reads the lines of a table into the database; gives its last line, which is right.
fn read_table(
    conn: &mut Connection,
    lines: &mut Lines<impl BufRead>,
    table: &'static Table,
    progress: &Progress,
) -> Result<TableEnd, ArchiveError> {
    lines.enter(Some(table.name));
    let head = format::read_object::<TableHead>(lines.expect()?);
    if head != Some(TableHead::of(table)) {
        let what = "the beginning of the table, with its columns".to_owned();
        return Err(lines.fault(LineFault::Expected(what)));
    }
    let mut sum = RowSum::default();
    let mut batch = Batch::new(table);
    while format::is_row(lines.expect()?) {
        sum.add(lines.current());
        let row = format::read_row(lines.current(), table).map_err(|fault| lines.fault(fault))?;
        batch.add(row, lines.number());
        if batch.is_full() {
            batch.put(conn, lines)?;
        }
        progress.set(lines.bytes());
    }
    batch.put(conn, lines)?;
    check_table_end(lines, sum.end(table))
}

/// Holds the line that closes a table against the rows that came before it.
fn check_table_end(lines: &Lines<impl BufRead>, found: TableEnd) -> Result<TableEnd, ArchiveError> {
    let fault = match format::read_object::<TableEnd>(lines.current()) {
        Some(told) if told == found => return Ok(found),
        Some(told) if told.table == found.table && told.rows != found.rows => LineFault::Count {
            told: told.rows,
            found: found.rows,
        },
        Some(told) if told.table == found.table => LineFault::Hash,
        _ => LineFault::Expected("a row, or the end of the table".to_owned()),
    };
    Err(lines.fault(fault))
}

/// Reads the last line, which must be the last.
fn read_footer(lines: &mut Lines<impl BufRead>, rows: u64) -> Result<(), ArchiveError> {
    lines.enter(None);
    let fault = match format::read_object::<Footer>(lines.expect()?) {
        Some(footer) if footer.end == NAME && footer.tables == TABLES.len() => {
            if footer.rows != rows {
                LineFault::Count {
                    told: footer.rows,
                    found: rows,
                }
            } else if footer.sha256 != lines.sha256_before() {
                LineFault::Hash
            } else if lines.next()?.is_some() {
                LineFault::Trailing
            } else {
                return Ok(());
            }
        }
        _ => LineFault::Expected("the end of the archive".to_owned()),
    };
    Err(lines.fault(fault))
}

/// Exports what was imported, to nowhere, and holds it against the archive.
fn verify(conn: &mut Connection, ends: &[TableEnd], rows: u64) -> Result<(), ArchiveError> {
    let progress = Progress::rows("verifying", rows);
    for (table, end) in TABLES.iter().zip(ends) {
        if archive::count(conn, table)? != end.rows
            || write_rows(conn, table, &progress, |_| Ok(()))? != *end
        {
            return Err(ArchiveError::Differs { table: table.name });
        }
    }
    Ok(())
}

/// Rows that are put into their table together.
struct Batch<'a> {
    table: &'a Table,
    rows: Vec<Row>,
    bytes: usize,
    /// The line of the first of them; the others follow it.
    first_line: u64,
}

impl<'a> Batch<'a> {
    const fn new(table: &'a Table) -> Self {
        Self {
            table,
            rows: Vec::new(),
            bytes: 0,
            first_line: 0,
        }
    }

    fn add(&mut self, row: Row, line: u64) {
        if self.rows.is_empty() {
            self.first_line = line;
        }
        self.bytes += row.iter().map(Value::size).sum::<usize>();
        self.rows.push(row);
    }

    const fn is_full(&self) -> bool {
        self.rows.len() >= BATCH_ROWS || self.bytes >= BATCH_BYTES
    }

    /// Puts what there is into the table.
    fn put(
        &mut self,
        conn: &mut Connection,
        lines: &Lines<impl BufRead>,
    ) -> Result<(), ArchiveError> {
        let put = archive::insert(conn, self.table, &self.rows);
        put.map_err(|RefusedRow { index, fault }| {
            let line = self.first_line + u64::try_from(index).unwrap_or(0);
            lines.fault_at(line, LineFault::Refused(fault))
        })?;
        self.rows.clear();
        self.bytes = 0;
        Ok(())
    }
}
