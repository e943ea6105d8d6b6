use std::fmt;

use domain::Timestamp;
use parquet::basic::{LogicalType, Repetition, TimeUnit, Type as Physical};
use parquet::errors::ParquetError;
use parquet::schema::types::Type;

/// What values a column has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ColumnType {
    /// UTF-8; most are names of which there are few, so all are written as places in a dictionary.
    Text,
    /// A signed number of 32 bits.
    Int32,
    /// A signed number of 64 bits.
    Int64,
    /// A number of 64 bits with a fraction.
    Double,
    /// Yes or no.
    Boolean,
    /// An instant in UTC, to the microsecond.
    Timestamp,
}

/// A column, as its reader sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Column {
    /// What it is called.
    pub name: &'static str,
    /// What it has.
    pub r#type: ColumnType,
    /// Whether it may have nothing.
    pub nullable: bool,
    /// What it means.
    pub doc: &'static str,
}

impl Column {
    /// How the format describes it.
    pub(super) fn schema(&self) -> Result<Type, ParquetError> {
        let (physical, logical) = match self.r#type {
            ColumnType::Text => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
            ColumnType::Int32 => (Physical::INT32, None),
            ColumnType::Int64 => (Physical::INT64, None),
            ColumnType::Double => (Physical::DOUBLE, None),
            ColumnType::Boolean => (Physical::BOOLEAN, None),
            ColumnType::Timestamp => {
                let in_utc = LogicalType::timestamp(true, TimeUnit::MICROS);
                (Physical::INT64, Some(in_utc))
            }
        };
        let repetition = if self.nullable {
            Repetition::OPTIONAL
        } else {
            Repetition::REQUIRED
        };
        Type::primitive_type_builder(self.name, physical)
            .with_repetition(repetition)
            .with_logical_type(logical)
            .build()
    }
}

impl fmt::Display for ColumnType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Text => "text",
            Self::Int32 => "int32",
            Self::Int64 => "int64",
            Self::Double => "double",
            Self::Boolean => "boolean",
            Self::Timestamp => "timestamp",
        })
    }
}

/// A column of a table with such rows, and how it is read from one.
pub(super) struct Field<R> {
    name: &'static str,
    doc: &'static str,
    nullable: bool,
    get: Get<R>,
}

/// A value of a row.
#[derive(Debug, Clone, Copy)]
pub(super) enum Value<'r> {
    Text(&'r str),
    Int(i32),
    Long(i64),
    Double(f64),
    Boolean(bool),
}

enum Get<R> {
    Text(fn(&R) -> Option<&str>),
    Int(fn(&R) -> Option<u32>),
    Long(fn(&R) -> Option<i64>),
    Double(fn(&R) -> Option<f64>),
    Boolean(fn(&R) -> Option<bool>),
    Instant(fn(&R) -> Option<Timestamp>),
}

impl<R> Field<R> {
    const fn new(name: &'static str, doc: &'static str, get: Get<R>) -> Self {
        let nullable = false;
        Self {
            name,
            doc,
            nullable,
            get,
        }
    }

    pub(super) const fn text(
        name: &'static str,
        doc: &'static str,
        get: fn(&R) -> Option<&str>,
    ) -> Self {
        Self::new(name, doc, Get::Text(get))
    }

    pub(super) const fn int(
        name: &'static str,
        doc: &'static str,
        get: fn(&R) -> Option<u32>,
    ) -> Self {
        Self::new(name, doc, Get::Int(get))
    }

    pub(super) const fn long(
        name: &'static str,
        doc: &'static str,
        get: fn(&R) -> Option<i64>,
    ) -> Self {
        Self::new(name, doc, Get::Long(get))
    }

    pub(super) const fn double(
        name: &'static str,
        doc: &'static str,
        get: fn(&R) -> Option<f64>,
    ) -> Self {
        Self::new(name, doc, Get::Double(get))
    }

    pub(super) const fn boolean(
        name: &'static str,
        doc: &'static str,
        get: fn(&R) -> Option<bool>,
    ) -> Self {
        Self::new(name, doc, Get::Boolean(get))
    }

    pub(super) const fn instant(
        name: &'static str,
        doc: &'static str,
        get: fn(&R) -> Option<Timestamp>,
    ) -> Self {
        Self::new(name, doc, Get::Instant(get))
    }

    /// The column may have nothing.
    pub(super) const fn nullable(mut self) -> Self {
        self.nullable = true;
        self
    }

    pub(super) const fn column(&self) -> Column {
        let r#type = match self.get {
            Get::Text(_) => ColumnType::Text,
            Get::Int(_) => ColumnType::Int32,
            Get::Long(_) => ColumnType::Int64,
            Get::Double(_) => ColumnType::Double,
            Get::Boolean(_) => ColumnType::Boolean,
            Get::Instant(_) => ColumnType::Timestamp,
        };
        Column {
            name: self.name,
            r#type,
            nullable: self.nullable,
            doc: self.doc,
        }
    }

    pub(super) fn value<'r>(&self, row: &'r R) -> Option<Value<'r>> {
        match self.get {
            Get::Text(get) => get(row).map(Value::Text),
            Get::Int(get) => get(row).and_then(|it| i32::try_from(it).ok().map(Value::Int)),
            Get::Long(get) => get(row).map(Value::Long),
            Get::Double(get) => get(row).map(Value::Double),
            Get::Boolean(get) => get(row).map(Value::Boolean),
            Get::Instant(get) => get(row).map(|at| Value::Long(at.as_micros())),
        }
    }
}
