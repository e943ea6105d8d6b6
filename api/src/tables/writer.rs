use std::io::{self, Write};
use std::sync::Arc;

use parquet::basic::{Compression, Encoding};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::{ColumnPath, Type};

use super::buffer::Buffer;
use super::column::{Column, ColumnType, Field};
use super::finished::Finished;
use super::{Table, battles, games, pieces, plies, reveals};

/// How many rows are written as one group at most: what a reader takes in at once, and this holds in memory.
pub(super) const GROUP_ROWS: usize = 100_000;
/// What the rows of a group take in memory at most, about.
const GROUP_BYTES: usize = 16 << 20;
/// After how many rows that is looked at.
const LOOK: usize = 256;

/// Why a table cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    /// What it is written to does not take it: a full disk, a pipe that nobody reads.
    #[error(transparent)]
    Write(io::Error),
    /// The format does not take it.
    #[error(transparent)]
    Format(ParquetError),
    /// A value does not fit its column.
    #[error("the game has no value for the column {column}")]
    Value {
        /// Which.
        column: &'static str,
    },
}

impl From<ParquetError> for TableError {
    fn from(error: ParquetError) -> Self {
        match error {
            ParquetError::External(cause) => match cause.downcast::<io::Error>() {
                Ok(cause) => Self::Write(*cause),
                Err(cause) => Self::Format(ParquetError::External(cause)),
            },
            error => Self::Format(error),
        }
    }
}

/// How the columns are written: whole numbers by how they differ from the row before, for most of them
/// grow by one or not at all; all else as places in a dictionary, as long as that is small.
fn properties(columns: &[Column]) -> WriterProperties {
    let whole = columns.iter().filter(|column| {
        use ColumnType::{Int32, Int64, Timestamp};
        matches!(column.r#type, Int32 | Int64 | Timestamp)
    });
    let all = WriterProperties::builder().set_compression(Compression::SNAPPY);
    let properties = whole.fold(all, |properties, column| {
        let path = ColumnPath::from(column.name);
        properties
            .set_column_dictionary_enabled(path.clone(), false)
            .set_column_encoding(path, Encoding::DELTA_BINARY_PACKED)
    });
    properties.build()
}

/// Writes a table as Parquet, a group of rows at a time; what it writes to need not be a file.
///
/// Nothing but [`finish`](Self::finish) makes it whole: without, no reader takes it.
pub struct TableWriter<W: Write + Send> {
    table: Table,
    buffers: Vec<Buffer>,
    rows: usize,
    pub(super) group_rows: usize,
    file: SerializedFileWriter<W>,
}

impl<W: Write + Send> TableWriter<W> {
    /// Begins a table.
    ///
    /// # Errors
    /// What it is written to does not take it.
    pub fn new(table: Table, to: W) -> Result<Self, TableError> {
        let columns = table.columns();
        let fields = columns.iter().map(|column| column.schema().map(Arc::new));
        let schema = Type::group_type_builder(table.name())
            .with_fields(fields.collect::<Result<_, _>>()?)
            .build()?;
        let properties = Arc::new(properties(&columns));
        let file = SerializedFileWriter::new(to, Arc::new(schema), properties)?;
        Ok(Self {
            table,
            buffers: columns.into_iter().map(Buffer::new).collect(),
            rows: 0,
            group_rows: GROUP_ROWS,
            file,
        })
    }

    /// Which it is.
    pub const fn table(&self) -> Table {
        self.table
    }

    /// Adds the rows of a game.
    ///
    /// # Errors
    /// What it is written to does not take them; the table is then of no use.
    pub fn push(&mut self, game: &Finished<'_>) -> Result<(), TableError> {
        match self.table {
            Table::Games => self.add(games::FIELDS, games::rows(game)),
            Table::Plies => self.add(plies::FIELDS, plies::rows(game)),
            Table::Pieces => self.add(pieces::FIELDS, pieces::rows(game)),
            Table::Battles => self.add(battles::FIELDS, battles::rows(game)),
            Table::Reveals => self.add(reveals::FIELDS, reveals::rows(game)),
        }
    }

    /// Ends the table, and gives back what it was written to.
    ///
    /// # Errors
    /// As [`push`](Self::push).
    pub fn finish(mut self) -> Result<W, TableError> {
        self.flush()?;
        let mut to = self.file.into_inner()?;
        to.flush().map_err(TableError::Write)?;
        Ok(to)
    }

    fn add<R>(
        &mut self,
        fields: &[Field<R>],
        rows: impl Iterator<Item = R>,
    ) -> Result<(), TableError> {
        for row in rows {
            for (field, buffer) in fields.iter().zip(&mut self.buffers) {
                if !buffer.push(field.value(&row)) {
                    let column = buffer.column.name;
                    return Err(TableError::Value { column });
                }
            }
            self.rows += 1;
            if self.is_full() {
                self.flush()?;
            }
        }
        Ok(())
    }

    fn is_full(&self) -> bool {
        self.rows >= self.group_rows
            || self.rows.is_multiple_of(LOOK)
                && self.buffers.iter().map(Buffer::bytes).sum::<usize>() >= GROUP_BYTES
    }

    /// Writes the rows that wait as a group.
    fn flush(&mut self) -> Result<(), TableError> {
        if self.rows == 0 {
            return Ok(());
        }
        let mut group = self.file.next_row_group()?;
        for buffer in &mut self.buffers {
            // There is one for each.
            let Some(mut column) = group.next_column()? else {
                break;
            };
            buffer.write(column.untyped())?;
            column.close()?;
        }
        group.close()?;
        self.rows = 0;
        Ok(())
    }
}
