//! Names with texts (a query, the parts of a path) into values, with the name of a faulty one given.

use serde::de::value::MapDeserializer;
use serde::de::{self, DeserializeOwned, Deserializer, IntoDeserializer, Visitor};
use serde::forward_to_deserialize_any;

use crate::problem::ApiError;

/// Reads a `T` from names and texts. Unknown and repeated names are faults where `T` says so, as
/// all query types of ours do with `deny_unknown_fields`.
pub(super) fn parse<T: DeserializeOwned>(pairs: &[(String, String)]) -> Result<T, ApiError> {
    let entries = pairs.iter().map(|(name, text)| (name.as_str(), Text(text)));
    let deserializer = MapDeserializer::<_, de::value::Error>::new(entries);
    serde_path_to_error::deserialize(deserializer).map_err(|fault| {
        let path = fault.path().to_string();
        let detail = fault.into_inner().to_string();
        let named = detail
            .split('`')
            .nth(1)
            .filter(|_| path == "." || path == "?");
        let field = named.unwrap_or(&path).to_owned();
        ApiError::malformed_field(field, detail)
    })
}

/// One text, read as whatever is asked of it.
struct Text<'a>(&'a str);

impl<'de> IntoDeserializer<'de> for Text<'de> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

/// Numbers and booleans are parsed from the text.
macro_rules! parsed {
    ($($method:ident $visit:ident $kind:ty, $expected:literal;)*) => {
        $(fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Self::Error> {
            match self.0.parse::<$kind>() {
                Ok(value) => visitor.$visit(value),
                Err(_) => Err(de::Error::custom(format_args!(
                    concat!("expected ", $expected, ", got {:?}"), self.0
                ))),
            }
        })*
    };
}

impl<'de> Deserializer<'de> for Text<'de> {
    type Error = de::value::Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Self::Error> {
        visitor.visit_borrowed_str(self.0)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Self::Error> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Self::Error> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Self::Error> {
        visitor.visit_enum(self.0.into_deserializer())
    }

    parsed! {
        deserialize_bool visit_bool bool, "true or false";
        deserialize_u8 visit_u8 u8, "a whole number from 0 to 255";
        deserialize_u16 visit_u16 u16, "a whole number from 0 to 65535";
        deserialize_u32 visit_u32 u32, "a whole number from 0 to 4294967295";
        deserialize_u64 visit_u64 u64, "a whole number, 0 or more";
        deserialize_i8 visit_i8 i8, "a whole number from -128 to 127";
        deserialize_i16 visit_i16 i16, "a whole number from -32768 to 32767";
        deserialize_i32 visit_i32 i32, "a whole number from -2147483648 to 2147483647";
        deserialize_i64 visit_i64 i64, "a whole number";
        deserialize_f64 visit_f64 f64, "a number";
    }

    forward_to_deserialize_any! {
        f32 char str string bytes byte_buf unit unit_struct seq tuple tuple_struct map struct
        identifier ignored_any
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;
    use uuid::Uuid;

    use super::*;

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(rename_all = "snake_case")]
    enum Direction {
        Open,
        Incoming,
    }

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Filter {
        id: Option<Uuid>,
        limit: Option<u8>,
        direction: Option<Direction>,
        rated: Option<bool>,
        text: Option<String>,
    }

    fn read(pairs: &[(&str, &str)]) -> Result<Filter, ApiError> {
        let pairs: Vec<_> = pairs
            .iter()
            .map(|(name, text)| ((*name).to_owned(), (*text).to_owned()))
            .collect();
        parse(&pairs)
    }

    #[test]
    fn texts_become_values() {
        let id = Uuid::now_v7();
        let read = read(&[
            ("id", &id.to_string()),
            ("limit", "20"),
            ("direction", "incoming"),
            ("rated", "true"),
            ("text", "1"),
        ]);
        let expected = Filter {
            id: Some(id),
            limit: Some(20),
            direction: Some(Direction::Incoming),
            rated: Some(true),
            text: Some("1".into()),
        };
        assert_eq!(read.unwrap(), expected);
    }

    #[test]
    fn faults_name_their_parameter() {
        for (name, text, said) in [
            ("id", "42", "UUID"),
            ("limit", "256", "0 to 255"),
            ("limit", "-1", "0 to 255"),
            ("limit", "2.0", "0 to 255"),
            ("limit", "", "0 to 255"),
            ("direction", "sideways", "sideways"),
            ("rated", "1", "true or false"),
            ("colour", "red", "unknown field"),
        ] {
            let fault = read(&[(name, text)]).unwrap_err();
            assert_eq!(fault.members()["field"], name, "{}", fault.detail());
            assert!(fault.detail().contains(said), "{}", fault.detail());
        }
        let twice = read(&[("limit", "1"), ("limit", "2")]).unwrap_err();
        assert_eq!(twice.members()["field"], "limit", "{}", twice.detail());
    }
}
