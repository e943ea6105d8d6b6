//! The lines of an archive.
//!
//! ```text
//! {"archive":"reveille","format":1,"created_at":"…","schema":["20261129000001",…]}
//! {"table":"players","columns":["id bytes","username text",…]}
//! ["AZ…==","anna",…]
//! {"table":"players","rows":1,"sha256":"…"}
//! …
//! {"end":"reveille","tables":14,"rows":1,"sha256":"…"}
//! ```
//!
//! A row is an array of its values: numbers, `true` and `false`, texts, bytes in base64, `null`. Each
//! SHA-256 is over whole lines with their line feeds: those of the rows of a table, and for the last
//! line all that come before it.

use base64::prelude::{BASE64_STANDARD, Engine};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use storage::archive::{Column, Kind, Row, Table, Value};

use super::error::LineFault;

/// The form of an archive, counted up when it changes.
pub(super) const FORMAT: u64 = 1;

/// What stands in the first and the last line.
pub(super) const NAME: &str = "reveille";

/// The first line.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Header {
    pub(super) archive: String,
    pub(super) format: u64,
    pub(super) created_at: String,
    /// The migrations that had run.
    pub(super) schema: Vec<String>,
}

/// As much of the first line as every format has.
#[derive(Debug, Deserialize)]
pub(super) struct AnyHeader {
    pub(super) archive: String,
    pub(super) format: u64,
}

/// The line before the rows of a table.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TableHead {
    pub(super) table: String,
    pub(super) columns: Vec<String>,
}

/// The line after the rows of a table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TableEnd {
    pub(super) table: String,
    pub(super) rows: u64,
    pub(super) sha256: String,
}

/// The last line.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Footer {
    pub(super) end: String,
    pub(super) tables: usize,
    pub(super) rows: u64,
    pub(super) sha256: String,
}

impl TableHead {
    pub(super) fn of(table: &Table) -> Self {
        let column = |column: &Column| format!("{} {}", column.name, column.kind.name());
        Self {
            table: table.name.to_owned(),
            columns: table.columns.iter().map(column).collect(),
        }
    }
}

/// Counts and hashes the lines of the rows of a table.
#[derive(Default)]
pub(super) struct RowSum {
    rows: u64,
    digest: Sha256,
}

impl RowSum {
    pub(super) fn add(&mut self, line: &[u8]) {
        self.rows += 1;
        self.digest.update(line);
    }

    pub(super) fn end(self, table: &Table) -> TableEnd {
        TableEnd {
            table: table.name.to_owned(),
            rows: self.rows,
            sha256: hex(self.digest),
        }
    }
}

/// A digest in hexadecimal digits.
pub(super) fn hex(digest: Sha256) -> String {
    use std::fmt::Write;
    digest
        .finalize()
        .iter()
        .fold(String::new(), |mut text, byte| {
            // Writing to a text cannot fail.
            let _ = write!(text, "{byte:02x}");
            text
        })
}

/// Writes a line that is no row in place of what `line` had.
pub(super) fn write_object(line: &mut Vec<u8>, object: &impl Serialize) -> serde_json::Result<()> {
    line.clear();
    serde_json::to_writer(&mut *line, object)?;
    line.push(b'\n');
    Ok(())
}

/// Reads a line that is no row.
pub(super) fn read_object<T: DeserializeOwned>(line: &[u8]) -> Option<T> {
    serde_json::from_slice(line).ok()
}

/// Whether a line is a row, by its first byte.
pub(super) fn is_row(line: &[u8]) -> bool {
    line.first() == Some(&b'[')
}

/// Writes the line of a row in place of what `line` had.
pub(super) fn write_row(line: &mut Vec<u8>, row: &Row) -> serde_json::Result<()> {
    line.clear();
    line.push(b'[');
    for (index, value) in row.iter().enumerate() {
        if index > 0 {
            line.push(b',');
        }
        match value {
            Value::Null => line.extend_from_slice(b"null"),
            Value::Integer(number) => serde_json::to_writer(&mut *line, number)?,
            Value::Bool(flag) => serde_json::to_writer(&mut *line, flag)?,
            Value::Text(text) => serde_json::to_writer(&mut *line, text)?,
            Value::Bytes(bytes) => {
                serde_json::to_writer(&mut *line, &BASE64_STANDARD.encode(bytes))?;
            }
        }
    }
    line.extend_from_slice(b"]\n");
    Ok(())
}

/// Reads a row as [`write_row`] writes it, and in no other way: one row has one line.
pub(super) fn read_row(line: &[u8], table: &Table) -> Result<Row, LineFault> {
    // What the parser says may repeat what it read.
    let values: Vec<serde_json::Value> =
        serde_json::from_slice(line).map_err(|_| LineFault::NotARow)?;
    if values.len() != table.columns.len() {
        return Err(LineFault::NotARow);
    }
    let row = values
        .into_iter()
        .zip(table.columns)
        .map(|(value, column)| read_value(value, column).ok_or(LineFault::Value(column.name)))
        .collect::<Result<Row, _>>()?;
    let mut again = Vec::with_capacity(line.len());
    match write_row(&mut again, &row) {
        Ok(()) if again == line => Ok(row),
        _ => Err(LineFault::NotARow),
    }
}

fn read_value(value: serde_json::Value, column: &Column) -> Option<Value> {
    use serde_json::Value as Json;
    match (value, column.kind) {
        (Json::Null, _) => Some(Value::Null),
        (Json::Number(number), Kind::Integer) => number.as_i64().map(Value::Integer),
        (Json::Bool(flag), Kind::Bool) => Some(Value::Bool(flag)),
        (Json::String(text), Kind::Text) => Some(Value::Text(text)),
        (Json::String(text), Kind::Bytes) => BASE64_STANDARD.decode(text).ok().map(Value::Bytes),
        _ => None,
    }
}
