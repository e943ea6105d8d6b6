//! Amounts of information.

use serde::{Serialize, Serializer};
use utoipa::openapi::{ObjectBuilder, RefOr, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

/// Bits, to four decimals: what lies beyond is of no use, and would not be the same on every
/// machine.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bits(pub f64);

impl Bits {
    /// The number that is written.
    pub fn rounded(self) -> f64 {
        // Adding 0 makes a zero of a negative one.
        (self.0 * 1e4).round() / 1e4 + 0.0
    }
}

impl Serialize for Bits {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.rounded())
    }
}

impl PartialSchema for Bits {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::Number)
            .description(Some("Bits, to four decimals."))
            .into()
    }
}

impl ToSchema for Bits {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_have_four_decimals_and_no_sign_of_nothing() {
        for (bits, written) in [
            (110.123_456, "110.1235"),
            (0.0, "0.0"),
            (-1e-13, "0.0"),
            (2.0, "2.0"),
        ] {
            assert_eq!(
                serde_json::to_string(&Bits(bits)).expect("a number"),
                written
            );
        }
    }
}
