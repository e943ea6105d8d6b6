//! JSON that is what it should be: objects that are objects, words that are texts.

use std::fmt;
use std::marker::PhantomData;

use serde::de::value::MapAccessDeserializer;
use serde::de::{IntoDeserializer, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};

/// Something read from an object and from nothing else: serde itself takes an array of the fields'
/// values for a struct as well, which the contract does not have.
#[derive(Debug)]
pub struct Object<T>(pub T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(ObjectVisitor(PhantomData))
    }
}

struct ObjectVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for ObjectVisitor<T> {
    type Value = Object<T>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
        T::deserialize(MapAccessDeserializer::new(map)).map(Object)
    }
}

/// For a field that holds an object.
///
/// # Errors
/// Those of reading it.
pub fn object<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    Object::deserialize(deserializer).map(|object| object.0)
}

/// For a field that holds an object or `null`.
///
/// # Errors
/// Those of reading it.
pub fn optional_object<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    let object = Option::<Object<T>>::deserialize(deserializer)?;
    Ok(object.map(|object| object.0))
}

/// For a field that holds a list of objects.
///
/// # Errors
/// Those of reading it.
pub fn objects<'de, D, T>(deserializer: D) -> Result<Vec<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    let objects = Vec::<Object<T>>::deserialize(deserializer)?;
    Ok(objects.into_iter().map(|object| object.0).collect())
}

/// For a field that holds one of several words: serde itself takes `{"word": null}` as well.
///
/// # Errors
/// Those of reading it.
pub fn word<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    let word = String::deserialize(deserializer)?;
    T::deserialize(word.into_deserializer())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Inner {
        number: u8,
    }

    #[derive(Debug, Deserialize)]
    struct Outer {
        #[serde(deserialize_with = "object")]
        one: Inner,
        #[serde(default, deserialize_with = "optional_object")]
        other: Option<Inner>,
    }

    fn read(json: &str) -> Result<(u8, Option<u8>), String> {
        let read: Result<Object<Outer>, _> = serde_json::from_str(json);
        read.map(|Object(outer)| (outer.one.number, outer.other.map(|inner| inner.number)))
            .map_err(|fault| fault.to_string())
    }

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(rename_all = "snake_case")]
    enum Side {
        Red,
    }

    #[derive(Debug, Deserialize)]
    struct Chosen {
        #[serde(deserialize_with = "word")]
        side: Side,
    }

    #[test]
    fn a_word_is_a_text() {
        let read = serde_json::from_str::<Chosen>;
        assert_eq!(read(r#"{"side":"red"}"#).unwrap().side, Side::Red);
        for json in [
            r#"{"side":{"red":null}}"#,
            r#"{"side":["red"]}"#,
            r#"{"side":"green"}"#,
        ] {
            assert!(read(json).is_err(), "{json}");
        }
    }

    #[test]
    fn an_array_is_no_object() {
        assert_eq!(read(r#"{"one":{"number":1}}"#), Ok((1, None)));
        assert_eq!(read(r#"{"one":{"number":1},"other":null}"#), Ok((1, None)));
        assert_eq!(
            read(r#"{"one":{"number":1},"other":{"number":2}}"#),
            Ok((1, Some(2)))
        );
        for json in [
            r"[{}]",
            r#"{"one":[1]}"#,
            r#"{"one":{"number":1},"other":[2]}"#,
        ] {
            let fault = read(json).unwrap_err();
            assert!(fault.contains("expected an object"), "{json}: {fault}");
        }
    }
}
