use std::collections::HashMap;

use parquet::column::writer::ColumnWriter;
use parquet::data_type::ByteArray;
use parquet::errors::ParquetError;

use super::column::{Column, ColumnType, Value};

/// The values of a column that wait to be written: the format wants one column after the other.
pub(super) struct Buffer {
    pub(super) column: Column,
    /// Of each row whether it has a value: 1, or 0.
    levels: Vec<i16>,
    values: Values,
}

enum Values {
    Text(Texts),
    Int(Vec<i32>),
    Long(Vec<i64>),
    Double(Vec<f64>),
    Boolean(Vec<bool>),
}

/// Texts, each kept once.
#[derive(Default)]
struct Texts {
    places: HashMap<Box<str>, u32>,
    distinct: Vec<ByteArray>,
    rows: Vec<u32>,
    /// What the distinct ones take.
    bytes: usize,
}

/// What a distinct text takes beside itself twice.
const TEXT_OVERHEAD: usize = 64;

impl Buffer {
    pub(super) fn new(column: Column) -> Self {
        let values = match column.r#type {
            ColumnType::Text => Values::Text(Texts::default()),
            ColumnType::Int32 => Values::Int(Vec::new()),
            ColumnType::Int64 | ColumnType::Timestamp => Values::Long(Vec::new()),
            ColumnType::Double => Values::Double(Vec::new()),
            ColumnType::Boolean => Values::Boolean(Vec::new()),
        };
        Self {
            column,
            levels: Vec::new(),
            values,
        }
    }

    /// Adds the value of a row; says whether the column may have it.
    pub(super) fn push(&mut self, value: Option<Value<'_>>) -> bool {
        let Some(value) = value else {
            self.levels.push(0);
            return self.column.nullable;
        };
        self.levels.push(1);
        match (&mut self.values, value) {
            (Values::Text(texts), Value::Text(text)) => return texts.push(text),
            (Values::Int(values), Value::Int(value)) => values.push(value),
            (Values::Long(values), Value::Long(value)) => values.push(value),
            (Values::Double(values), Value::Double(value)) => values.push(value),
            (Values::Boolean(values), Value::Boolean(value)) => values.push(value),
            _ => return false,
        }
        true
    }

    /// What it takes in memory, about.
    pub(super) fn bytes(&self) -> usize {
        let values = match &self.values {
            Values::Text(texts) => size_of_val(texts.rows.as_slice()) + texts.bytes,
            Values::Int(values) => size_of_val(values.as_slice()),
            Values::Long(values) => size_of_val(values.as_slice()),
            Values::Double(values) => size_of_val(values.as_slice()),
            Values::Boolean(values) => size_of_val(values.as_slice()),
        };
        size_of_val(self.levels.as_slice()) + values
    }

    /// Writes the values, and has none any more.
    pub(super) fn write(&mut self, writer: &mut ColumnWriter<'_>) -> Result<(), ParquetError> {
        use ColumnWriter::{
            BoolColumnWriter, ByteArrayColumnWriter, DoubleColumnWriter, Int32ColumnWriter,
            Int64ColumnWriter,
        };
        let levels = self.column.nullable.then_some(self.levels.as_slice());
        match (&self.values, writer) {
            (Values::Text(texts), ByteArrayColumnWriter(writer)) => {
                writer.write_batch(&texts.all(), levels, None)
            }
            (Values::Int(values), Int32ColumnWriter(writer)) => {
                writer.write_batch(values, levels, None)
            }
            (Values::Long(values), Int64ColumnWriter(writer)) => {
                writer.write_batch(values, levels, None)
            }
            (Values::Double(values), DoubleColumnWriter(writer)) => {
                writer.write_batch(values, levels, None)
            }
            (Values::Boolean(values), BoolColumnWriter(writer)) => {
                writer.write_batch(values, levels, None)
            }
            _ => Err(ParquetError::General(format!(
                "column {} is of another type",
                self.column.name
            ))),
        }?;
        *self = Self::new(self.column);
        Ok(())
    }
}

impl Texts {
    /// Whether there was room.
    fn push(&mut self, text: &str) -> bool {
        let Some(place) = self.place(text) else {
            return false;
        };
        self.rows.push(place);
        true
    }

    /// Where a text is among the distinct ones, from now on; `None` when they are too many.
    fn place(&mut self, text: &str) -> Option<u32> {
        // Most often it is that of the row before.
        let last = self.rows.last().copied();
        let same = |place: &u32| {
            let there = self.at(*place);
            there.is_some_and(|it| it.data() == text.as_bytes())
        };
        let known = last.filter(same).or_else(|| self.places.get(text).copied());
        if known.is_some() {
            return known;
        }
        let place = u32::try_from(self.distinct.len()).ok()?;
        self.places.insert(text.into(), place);
        self.distinct.push(text.into());
        self.bytes += 2 * text.len() + TEXT_OVERHEAD;
        Some(place)
    }

    fn at(&self, place: u32) -> Option<&ByteArray> {
        self.distinct.get(usize::try_from(place).ok()?)
    }

    /// The text of each row that has one; they share what they hold.
    fn all(&self) -> Vec<ByteArray> {
        let texts = self.rows.iter().filter_map(|place| self.at(*place));
        texts.cloned().collect()
    }
}
