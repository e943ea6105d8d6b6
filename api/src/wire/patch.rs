//! Fields of a PATCH, which may be absent, `null` or given.

use serde::{Deserialize, Deserializer};

/// One field. To be read with `#[serde(default)]`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Patch<T> {
    /// Not there: the value stays as it is.
    #[default]
    Absent,
    /// `null`: the value goes.
    Null,
    /// Another value.
    Value(T),
}

impl<T> Patch<T> {
    /// What the value is after the change, when it was `current`.
    pub fn apply(self, current: Option<T>) -> Option<T> {
        match self {
            Self::Absent => current,
            Self::Null => None,
            Self::Value(value) => Some(value),
        }
    }

    /// The value, if one is given.
    pub const fn value(&self) -> Option<&T> {
        match self {
            Self::Value(value) => Some(value),
            Self::Absent | Self::Null => None,
        }
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Patch<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Option::deserialize(deserializer)?.map_or(Self::Null, Self::Value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Deserialize)]
    struct Request {
        #[serde(default)]
        field: Patch<u8>,
    }

    #[test]
    fn absent_null_and_given_are_told_apart() {
        for (json, expected, after) in [
            (r"{}", Patch::Absent, Some(1)),
            (r#"{"field":null}"#, Patch::Null, None),
            (r#"{"field":2}"#, Patch::Value(2), Some(2)),
        ] {
            let read = serde_json::from_str::<Request>(json).unwrap().field;
            assert_eq!((read, read.apply(Some(1))), (expected, after), "{json}");
        }
    }
}
