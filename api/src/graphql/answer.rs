//! What a client gets for one query.

use async_graphql::{Error, ErrorExtensionValues, Pos, Response, ServerError, Value};
use serde::Serialize;
use storage::StorageError;
use utoipa::openapi::{ArrayBuilder, ObjectBuilder, RefOr, Schema, Type};

use super::limits::Refusal;
use crate::problem::{ApiError, Code};

/// The longest message sent: a query that is quoted in it may be as long as a query can be.
const MAX_MESSAGE_CHARS: usize = 400;
/// The code of a query that asks for too much.
const LIMIT_EXCEEDED: &str = "limit_exceeded";

/// The result of a query.
#[derive(Debug, Serialize)]
pub(crate) struct GraphqlAnswer {
    /// Absent when nothing was executed.
    #[serde(skip_serializing_if = "Option::is_none")]
    data: Option<Value>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    errors: Vec<ServerError>,
}

impl GraphqlAnswer {
    /// Whether nothing was executed, for the query itself is at fault.
    pub(super) const fn is_refused(&self) -> bool {
        self.data.is_none()
    }
}

impl From<Response> for GraphqlAnswer {
    fn from(response: Response) -> Self {
        let Response { data, errors, .. } = response;
        // What arises while a query is executed has a path.
        let refused = !errors.is_empty() && errors.iter().all(|error| error.path.is_empty());
        Self {
            data: (!refused).then_some(data),
            errors: errors.into_iter().map(present).collect(),
        }
    }
}

impl From<Refusal> for GraphqlAnswer {
    fn from(refusal: Refusal) -> Self {
        let error = match refusal {
            Refusal::Exceeded(exceeded) => {
                let mut error = coded(ServerError::new(exceeded.to_string(), None), LIMIT_EXCEEDED);
                let extensions = error.extensions.get_or_insert_default();
                extensions.set("limit", exceeded.limit.name());
                extensions.set("maximum", exceeded.maximum);
                error
            }
            Refusal::Cycle(name) => {
                let message = format!("the fragment {name} spreads itself");
                coded(
                    ServerError::new(message, None),
                    Code::MalformedRequest.as_str(),
                )
            }
            Refusal::Syntax(error) => present(error),
        };
        Self {
            data: None,
            errors: vec![error],
        }
    }
}

/// The answer to a query that takes longer than it may.
pub(super) fn too_slow() -> GraphqlAnswer {
    let refusal = Error::from(ApiError::from(StorageError::TooSlow));
    GraphqlAnswer {
        data: Some(Value::Null),
        errors: vec![present(refusal.into_server_error(Pos::default()))],
    }
}

/// One of the answers of a socket, with its errors as a client may see them.
pub(super) fn presented(mut answer: Response) -> Response {
    answer.errors = answer.errors.into_iter().map(present).collect();
    answer
}

impl From<GraphqlAnswer> for Response {
    /// Of an answer that was refused.
    fn from(answer: GraphqlAnswer) -> Self {
        Self::from_errors(answer.errors)
    }
}

/// An error as a client may see it: ours with their code, and the engine's, which are all about the
/// query, as a request that is malformed.
fn present(error: ServerError) -> ServerError {
    let Some(refusal) = error.source::<ApiError>().cloned() else {
        let message = shortened(error.message.clone());
        return coded(
            ServerError { message, ..error },
            Code::MalformedRequest.as_str(),
        );
    };
    let mut extensions = ErrorExtensionValues::default();
    for (name, value) in refusal.members() {
        if let Ok(value) = Value::from_json(value.clone()) {
            extensions.set(name, value);
        }
    }
    let message = refusal.detail().to_owned();
    let error = ServerError {
        message,
        extensions: Some(extensions),
        ..error
    };
    coded(error, refusal.code().as_str())
}

fn coded(mut error: ServerError, code: &str) -> ServerError {
    error.extensions.get_or_insert_default().set("code", code);
    error
}

fn shortened(message: String) -> String {
    // The parser draws the line at fault above what it says of it.
    let message = match message.rsplit_once("\n  = ") {
        Some((_, said)) => format!("the query is not GraphQL: {said}"),
        None => message,
    };
    match message.char_indices().nth(MAX_MESSAGE_CHARS) {
        Some((end, _)) => format!("{}…", &message[..end]),
        None => message,
    }
}

impl utoipa::PartialSchema for GraphqlAnswer {
    fn schema() -> RefOr<Schema> {
        let object = |description: &str| {
            ObjectBuilder::new()
                .schema_type(Type::Object)
                .description(Some(description))
        };
        let extensions = object(
            "`code`, as in problem documents, or `limit_exceeded` with `limit` and `maximum`.",
        );
        let error = object("What went wrong.")
            .property("message", ObjectBuilder::new().schema_type(Type::String))
            .property(
                "locations",
                ArrayBuilder::new().items(object("A place in the query.")),
            )
            .property("path", ArrayBuilder::new())
            .property("extensions", extensions)
            .required("message")
            .required("extensions");
        object("The result of a query.")
            .property(
                "data",
                object("What was asked for; absent when nothing was executed."),
            )
            .property("errors", ArrayBuilder::new().items(error))
            .into()
    }
}

impl utoipa::ToSchema for GraphqlAnswer {}
