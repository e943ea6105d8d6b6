use std::sync::Arc;

use async_graphql::futures_util::stream::{self, BoxStream, StreamExt};
use async_graphql::parser::types::{ExecutableDocument, OperationType};
use async_graphql::{
    EmptyMutation, Request, Response, SDLExportOptions, Schema, SchemaBuilder, parser,
};
use thiserror::Error;
use tokio::time::timeout_at;
use uuid::Uuid;

use super::answer::{GraphqlAnswer, presented, too_slow};
use super::context::RequestContext;
use super::limits::Limits;
use super::query::Query;
use super::request::GraphqlRequest;
use super::subscription::SubscriptionRoot;
use crate::config::GraphqlLimits;

type ReadOnlySchema = Schema<Query, EmptyMutation, SubscriptionRoot>;

/// The schema as text: what `reveille graphql-schema` prints.
pub fn sdl() -> String {
    let options = SDLExportOptions::new()
        .include_specified_by()
        .prefer_single_line_descriptions()
        .use_space_ident();
    builder().finish().sdl_with_options(options)
}

fn builder() -> SchemaBuilder<Query, EmptyMutation, SubscriptionRoot> {
    Schema::build(Query, EmptyMutation, SubscriptionRoot)
        .override_output_type_description::<Uuid>("The identifier of a thing, as in REST.")
}

/// The schema does not read back: a fault of this program.
#[derive(Debug, Error)]
#[error("the GraphQL schema cannot be read: {0}")]
pub struct SchemaError(#[from] parser::Error);

/// Answers queries, each within its limits.
pub struct GraphqlService {
    schema: ReadOnlySchema,
    limits: Limits,
    max_batch: usize,
}

impl GraphqlService {
    /// The service with these limits.
    ///
    /// # Errors
    /// See [`SchemaError`].
    pub fn new(config: GraphqlLimits) -> Result<Self, SchemaError> {
        let mut schema = builder();
        if !config.introspection {
            // Suggestions would tell what introspection does not.
            schema = schema.disable_introspection().disable_suggestions();
        }
        Ok(Self {
            schema: schema.finish(),
            limits: Limits::new(config, &sdl())?,
            max_batch: config.max_batch,
        })
    }

    /// How many queries one request may carry.
    pub(super) const fn max_batch(&self) -> usize {
        self.max_batch
    }

    /// Answers a query.
    pub(super) async fn answer(
        &self,
        mut query: GraphqlRequest,
        context: Arc<RequestContext>,
    ) -> GraphqlAnswer {
        let variables = query.take_variables();
        let audience = context.audience;
        let document = match self.limits.read(&query.query, &variables, audience) {
            Ok(document) => document,
            Err(refusal) => return refusal.into(),
        };
        let until = context.until.into();
        let mut request = Request::new(query.query).variables(variables).data(context);
        request.operation_name = query.operation_name;
        request.set_parsed_query(document);
        match timeout_at(until, self.schema.execute(request)).await {
            Ok(response) => response.into(),
            Err(_) => too_slow(),
        }
    }

    /// Answers an operation by as many answers as it has: a subscription by one for each event, for as
    /// long as it goes on.
    ///
    /// # Errors
    /// The answer to one beyond the limits.
    pub(super) fn follow(
        &self,
        mut request: Request,
        context: Arc<RequestContext>,
    ) -> Result<BoxStream<'static, Response>, GraphqlAnswer> {
        let document = self
            .limits
            .read(&request.query, &request.variables, context.audience)?;
        let goes_on = is_subscription(&document, request.operation_name.as_deref());
        let until = context.until.into();
        request = request.data(context);
        request.set_parsed_query(document);
        let answers = self.schema.execute_stream(request).map(presented);
        if goes_on {
            return Ok(answers.boxed());
        }
        let answer = timeout_at(until, answers.into_future());
        Ok(stream::once(answer)
            .filter_map(async |answer| match answer {
                Ok((answer, _)) => answer,
                Err(_) => Some(too_slow().into()),
            })
            .boxed())
    }
}

/// Whether the operation that is asked for may have more than one answer; without a name there is but one.
fn is_subscription(document: &ExecutableDocument, name: Option<&str>) -> bool {
    let mut operations = document.operations.iter();
    operations.any(|(its, operation)| {
        let is_asked = name.is_none() || its.map(async_graphql::Name::as_str) == name;
        is_asked && operation.node.ty == OperationType::Subscription
    })
}
