use std::fmt;

use super::table::Kind;

/// A value of a column, as both databases have it.
#[derive(Clone, PartialEq, Eq)]
pub enum Value {
    /// No value.
    Null,
    /// A whole number, whatever the width of its column.
    Integer(i64),
    /// A text.
    Text(String),
    /// Bytes: an identifier, a digest, salts.
    Bytes(Vec<u8>),
    /// Yes or no.
    Bool(bool),
}

/// The values of a row, in the order of its table's columns.
pub type Row = Vec<Value>;

impl Value {
    /// Whether it can stand in a column of this kind, apart from the constraints of the column.
    pub const fn is_of(&self, kind: Kind) -> bool {
        matches!(
            (self, kind),
            (Self::Null, _)
                | (Self::Integer(_), Kind::Integer)
                | (Self::Text(_), Kind::Text)
                | (Self::Bytes(_), Kind::Bytes)
                | (Self::Bool(_), Kind::Bool)
        )
    }

    /// The bytes that it takes, about.
    pub const fn size(&self) -> usize {
        match self {
            Self::Text(text) => text.len(),
            Self::Bytes(bytes) => bytes.len(),
            Self::Null | Self::Integer(_) | Self::Bool(_) => size_of::<Self>(),
        }
    }
}

/// Says of what kind it is and no more: it may be a secret.
impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Null => "Null",
            Self::Integer(_) => "Integer(…)",
            Self::Text(_) => "Text(…)",
            Self::Bytes(_) => "Bytes(…)",
            Self::Bool(_) => "Bool(…)",
        })
    }
}
