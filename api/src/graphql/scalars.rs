//! Scalars of the schema.

use std::time::Duration as StdDuration;

use async_graphql::{InputValueError, InputValueResult, Scalar, ScalarType, Value};
use chrono::Utc;

use crate::{duration, time};

/// An instant in UTC with milliseconds (RFC 3339), e.g. `2026-11-29T21:00:00.000Z`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct DateTime(pub(super) domain::Timestamp);

#[Scalar(
    name = "DateTime",
    specified_by_url = "https://www.rfc-editor.org/rfc/rfc3339"
)]
impl ScalarType for DateTime {
    fn parse(value: Value) -> InputValueResult<Self> {
        let Value::String(text) = &value else {
            return Err(InputValueError::expected_type(value));
        };
        let instant = chrono::DateTime::parse_from_rfc3339(text).map_err(|_| {
            InputValueError::custom("expected an instant of RFC 3339 such as 2026-11-29T21:00:00Z")
        })?;
        Ok(Self(time::to_domain(instant.with_timezone(&Utc))))
    }

    fn to_value(&self) -> Value {
        Value::String(time::format(time::from_domain(self.0)))
    }
}

impl From<domain::Timestamp> for DateTime {
    fn from(instant: domain::Timestamp) -> Self {
        Self(instant)
    }
}

/// A span of time as ISO 8601 writes it, to the millisecond, e.g. `PT5H2M`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Duration(pub(super) StdDuration);

/// A span of time as ISO 8601 writes it, to the millisecond, e.g. `PT5H2M`.
#[Scalar(name = "Duration")]
impl ScalarType for Duration {
    fn parse(value: Value) -> InputValueResult<Self> {
        let Value::String(text) = &value else {
            return Err(InputValueError::expected_type(value));
        };
        duration::parse(text)
            .map(Self)
            .map_err(InputValueError::custom)
    }

    fn to_value(&self) -> Value {
        Value::String(duration::format(self.0))
    }
}

/// A square, `a1` to `j10`: the same for every viewer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Square(pub(super) domain::Square);

/// A square, `a1` to `j10`: the same for every viewer.
#[Scalar(name = "Square")]
impl ScalarType for Square {
    fn parse(value: Value) -> InputValueResult<Self> {
        let Value::String(text) = &value else {
            return Err(InputValueError::expected_type(value));
        };
        let square = text
            .parse()
            .map_err(|_| InputValueError::custom("expected a1 to j10"))?;
        Ok(Self(square))
    }

    fn to_value(&self) -> Value {
        Value::String(self.0.to_string())
    }
}

impl From<domain::Square> for Square {
    fn from(square: domain::Square) -> Self {
        Self(square)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text<T: ScalarType>(given: &str) -> Option<String> {
        match T::parse(Value::from(given)).ok()?.to_value() {
            Value::String(text) => Some(text),
            _ => None,
        }
    }

    #[test]
    fn scalars_are_written_as_everywhere_else() {
        for (given, expected) in [
            ("2026-11-29T21:00:00Z", Some("2026-11-29T21:00:00.000Z")),
            (
                "2026-11-29T23:00:00.1239+02:00",
                Some("2026-11-29T21:00:00.123Z"),
            ),
            ("2026-11-29", None),
            ("now", None),
        ] {
            assert_eq!(text::<DateTime>(given).as_deref(), expected, "{given}");
        }
        assert_eq!(text::<Duration>("PT1H1.5S").as_deref(), Some("PT1H1.5S"));
        assert_eq!(text::<Duration>("3 days"), None);
        assert_eq!(text::<Square>("j10").as_deref(), Some("j10"));
        for none in ["", "k1", "a11", "a0"] {
            assert_eq!(text::<Square>(none), None, "{none}");
        }
    }

    #[test]
    fn a_scalar_is_a_text() {
        for value in [Value::Null, Value::from(1), Value::from(true)] {
            assert!(DateTime::parse(value.clone()).is_err());
            assert!(Duration::parse(value.clone()).is_err());
            assert!(Square::parse(value).is_err());
        }
    }
}
