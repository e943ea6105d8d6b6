//! A light check of JSON against the schemas of an OpenAPI 3.1 document.
//!
//! It knows the keywords that the document uses; a keyword that it does not know is a fault, so that
//! nothing passes because it was not looked at.

use serde_json::{Map, Value};

/// Says nothing about what is valid.
const ANNOTATIONS: [&str; 12] = [
    "description",
    "title",
    "example",
    "examples",
    "default",
    "format",
    "deprecated",
    "readOnly",
    "writeOnly",
    "discriminator",
    "$comment",
    "contentMediaType",
];

/// Every way in which `value` breaks `schema`, each with the place; references are looked up in
/// `document`. A field that the schema of an object does not name is a fault as well.
pub fn faults(document: &Value, schema: &Value, value: &Value) -> Vec<String> {
    let mut check = Check {
        document,
        faults: Vec::new(),
    };
    check.value(schema, value, "", true);
    check.faults
}

struct Check<'a> {
    document: &'a Value,
    faults: Vec<String>,
}

impl Check<'_> {
    fn fault(&mut self, place: &str, what: &str) {
        self.faults.push(format!(
            "{}: {what}",
            if place.is_empty() { "/" } else { place }
        ));
    }

    /// `closed`: fields without a schema are faults (not inside `allOf`, where others name them).
    fn value(&mut self, schema: &Value, value: &Value, place: &str, closed: bool) {
        let Some(schema) = schema.as_object() else {
            if schema == &Value::Bool(false) {
                self.fault(place, "nothing is allowed here");
            }
            return;
        };
        for (keyword, argument) in schema {
            match keyword.as_str() {
                "$ref" => self.reference(argument, value, place, closed),
                "type" => self.kind(argument, value, place),
                "enum" => {
                    if !argument
                        .as_array()
                        .is_some_and(|values| values.contains(value))
                    {
                        self.fault(place, &format!("{value} is none of {argument}"));
                    }
                }
                "const" => {
                    if argument != value {
                        self.fault(place, &format!("{value} is not {argument}"));
                    }
                }
                "required" => self.required(argument, value, place),
                "properties" => self.properties(schema, value, place, closed),
                "additionalProperties" => self.additional(schema, argument, value, place),
                "items" => {
                    for (index, item) in value.as_array().into_iter().flatten().enumerate() {
                        self.value(argument, item, &format!("{place}/{index}"), true);
                    }
                }
                "allOf" => {
                    for part in argument.as_array().into_iter().flatten() {
                        self.value(part, value, place, false);
                    }
                }
                "oneOf" | "anyOf" => self.one_of(keyword, argument, value, place),
                "minimum" | "maximum" | "minLength" | "maxLength" | "minItems" | "maxItems" => {
                    self.bound(keyword, argument, value, place);
                }
                // Patterns are for the server to keep.
                "propertyNames" | "pattern" => {}
                known if ANNOTATIONS.contains(&known) => {}
                unknown => self.fault(place, &format!("the check does not know {unknown:?}")),
            }
        }
    }

    fn reference(&mut self, reference: &Value, value: &Value, place: &str, closed: bool) {
        let pointer = reference
            .as_str()
            .unwrap_or_default()
            .trim_start_matches('#');
        match self.document.pointer(pointer) {
            Some(schema) => self.value(schema, value, place, closed),
            None => self.fault(place, &format!("{reference} is not in the document")),
        }
    }

    fn kind(&mut self, kind: &Value, value: &Value, place: &str) {
        let is = |kind: &str| match kind {
            "null" => value.is_null(),
            "boolean" => value.is_boolean(),
            "integer" => value.is_i64() || value.is_u64(),
            "number" => value.is_number(),
            "string" => value.is_string(),
            "array" => value.is_array(),
            "object" => value.is_object(),
            _ => false,
        };
        let fits = match kind {
            Value::String(kind) => is(kind),
            Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).any(is),
            _ => false,
        };
        if !fits {
            self.fault(place, &format!("{value} is no {kind}"));
        }
    }

    fn required(&mut self, names: &Value, value: &Value, place: &str) {
        let Some(object) = value.as_object() else {
            return;
        };
        for name in names
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
        {
            if !object.contains_key(name) {
                self.fault(place, &format!("{name:?} is missing"));
            }
        }
    }

    fn properties(
        &mut self,
        schema: &Map<String, Value>,
        value: &Value,
        place: &str,
        closed: bool,
    ) {
        let Some(object) = value.as_object() else {
            return;
        };
        let open = schema.contains_key("additionalProperties") || schema.contains_key("allOf");
        for (name, field) in object {
            match schema["properties"].get(name) {
                Some(part) => self.value(part, field, &format!("{place}/{name}"), true),
                None if closed && !open => {
                    self.fault(place, &format!("{name:?} is not documented"));
                }
                None => {}
            }
        }
    }

    fn additional(
        &mut self,
        schema: &Map<String, Value>,
        rest: &Value,
        value: &Value,
        place: &str,
    ) {
        let named = schema.get("properties");
        for (name, field) in value.as_object().into_iter().flatten() {
            if named.and_then(|named| named.get(name)).is_none() {
                self.value(rest, field, &format!("{place}/{name}"), true);
            }
        }
    }

    fn one_of(&mut self, keyword: &str, parts: &Value, value: &Value, place: &str) {
        let all: Vec<Vec<String>> = parts
            .as_array()
            .into_iter()
            .flatten()
            .map(|part| faults(self.document, part, value))
            .collect();
        let fitting = all.iter().filter(|faults| faults.is_empty()).count();
        if fitting == 0 {
            self.fault(
                place,
                &format!("{value} fits no part of {keyword}: {all:?}"),
            );
        } else if keyword == "oneOf" && fitting > 1 {
            self.fault(place, &format!("{value} fits {fitting} parts of oneOf"));
        }
    }

    fn bound(&mut self, keyword: &str, bound: &Value, value: &Value, place: &str) {
        let size = match value {
            Value::Number(number) if keyword.ends_with("imum") => number.as_f64(),
            Value::String(text) if keyword.ends_with("Length") => count(text.chars().count()),
            Value::Array(items) if keyword.ends_with("Items") => count(items.len()),
            _ => None,
        };
        let (Some(size), Some(bound)) = (size, bound.as_f64()) else {
            return;
        };
        if (keyword.starts_with("min") && size < bound)
            || (keyword.starts_with("max") && size > bound)
        {
            self.fault(place, &format!("{size} is beyond {keyword} {bound}"));
        }
    }
}

fn count(length: usize) -> Option<f64> {
    u32::try_from(length).ok().map(f64::from)
}
