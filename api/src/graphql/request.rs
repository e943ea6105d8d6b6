//! What a client sends: one query, or a batch of them.

use std::fmt;

use async_graphql::Variables;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};
use utoipa::openapi::schema::OneOfBuilder;
use utoipa::openapi::{ArrayBuilder, Ref, RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use crate::problem::ApiError;

/// More queries than any configuration admits are not even read.
const MOST_QUERIES: usize = 1_000;

/// A query.
#[derive(Debug, Clone, serde::Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct GraphqlRequest {
    /// The document.
    #[schema(example = "{ games(first: 2) { edges { node { uuid status } } } }")]
    pub(super) query: String,
    /// Which of its operations, if it has several.
    pub(super) operation_name: Option<String>,
    /// The values of its variables.
    #[schema(value_type = Option<Object>)]
    pub(super) variables: Option<Map<String, Value>>,
    /// Not used.
    #[expect(
        dead_code,
        reason = "clients may send it, and nothing else that is unknown"
    )]
    #[schema(value_type = Option<Object>)]
    pub(super) extensions: Option<Map<String, Value>>,
}

impl GraphqlRequest {
    /// The variables as the engine has them.
    pub(super) fn take_variables(&mut self) -> Variables {
        let variables = self.variables.take().unwrap_or_default();
        Variables::from_json(Value::Object(variables))
    }
}

/// One query, or a batch that is answered in its order.
#[derive(Debug)]
pub(crate) enum GraphqlBody {
    /// One query.
    Single(GraphqlRequest),
    /// A batch.
    Batch(Vec<GraphqlRequest>),
}

impl GraphqlBody {
    /// Refuses a batch that is empty or too long.
    ///
    /// # Errors
    /// 400 with the figure.
    pub(super) fn check(&self, max_batch: usize) -> Result<(), ApiError> {
        match self {
            Self::Batch(queries) if queries.is_empty() || queries.len() > max_batch => {
                let detail = format!(
                    "the limit batch is {max_batch}: expected 1 to {max_batch} queries, got {}",
                    queries.len()
                );
                Err(ApiError::malformed(detail)
                    .with("limit", "batch")
                    .with("maximum", max_batch))
            }
            _ => Ok(()),
        }
    }
}

impl<'de> Deserialize<'de> for GraphqlBody {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(BodyVisitor)
    }
}

impl PartialSchema for GraphqlBody {
    fn schema() -> RefOr<Schema> {
        let query = Ref::from_schema_name(GraphqlRequest::name());
        OneOfBuilder::new()
            .item(query.clone())
            .item(ArrayBuilder::new().items(query).min_items(Some(1)))
            .description(Some("One query, or a batch that is answered in its order."))
            .into()
    }
}

impl ToSchema for GraphqlBody {
    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        schemas.push((
            GraphqlRequest::name().into_owned(),
            GraphqlRequest::schema(),
        ));
        GraphqlRequest::schemas(schemas);
    }
}

/// Told apart by their brackets, so that a fault within either is named.
struct BodyVisitor;

impl<'de> Visitor<'de> for BodyVisitor {
    type Value = GraphqlBody;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object with a query, or an array of such objects")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<GraphqlBody, A::Error> {
        GraphqlRequest::deserialize(MapAccessDeserializer::new(map)).map(GraphqlBody::Single)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut queries: A) -> Result<GraphqlBody, A::Error> {
        let mut batch = Vec::new();
        while let Some(query) = queries.next_element()? {
            if batch.len() == MOST_QUERIES {
                return Err(serde::de::Error::invalid_length(
                    MOST_QUERIES + 1,
                    &"fewer queries",
                ));
            }
            batch.push(query);
        }
        Ok(GraphqlBody::Batch(batch))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(body: &str) -> Result<GraphqlBody, serde_json::Error> {
        serde_json::from_str(body)
    }

    #[test]
    fn one_query_or_a_batch() {
        let one = read(r#"{"query":"{a}","operationName":"A","variables":{"x":1}}"#).unwrap();
        let GraphqlBody::Single(one) = one else {
            panic!("a batch");
        };
        assert_eq!(
            (one.query.as_str(), one.operation_name.as_deref()),
            ("{a}", Some("A"))
        );
        let GraphqlBody::Batch(batch) = read(r#"[{"query":"{a}"},{"query":"{b}"}]"#).unwrap()
        else {
            panic!("no batch");
        };
        assert_eq!(batch.len(), 2);
        let nulls = r#"{"query":"{a}","operationName":null,"variables":null,"extensions":null}"#;
        assert!(read(nulls).is_ok());
    }

    #[test]
    fn anything_else_is_no_query() {
        for body in [
            "1",
            "null",
            "\"{a}\"",
            "{}",
            r#"{"query":1}"#,
            r#"{"query":"{a}","operation_name":"A"}"#,
            r#"{"query":"{a}","query":"{b}"}"#,
            r#"{"query":"{a}","variables":[]}"#,
            r#"{"query":"{a}","variables":"{}"}"#,
            r#"[{"query":"{a}"},1]"#,
        ] {
            assert!(read(body).is_err(), "{body}");
        }
    }

    #[test]
    fn a_batch_has_its_limit() {
        let batch = |length: usize| {
            let queries = vec![r#"{"query":"{a}"}"#; length].join(",");
            read(&format!("[{queries}]"))
        };
        assert!(batch(1).unwrap().check(2).is_ok());
        assert!(batch(2).unwrap().check(2).is_ok());
        for length in [0, 3, 100] {
            let refusal = batch(length).unwrap().check(2).unwrap_err();
            assert_eq!(refusal.members()["maximum"], 2, "{}", refusal.detail());
        }
        assert!(batch(MOST_QUERIES).is_ok());
        assert!(batch(MOST_QUERIES + 1).is_err());
    }
}
