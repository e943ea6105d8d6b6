//! `/graphql`.

use std::sync::Arc;

use actix_web::http::{StatusCode, header};
use actix_web::{HttpRequest, HttpResponse, get, post, web};
use serde::{Deserialize, Serialize};
use storage::PlayerId;
use utoipa::IntoParams;

use super::answer::GraphqlAnswer;
use super::context::{Reader, RequestContext, Viewer};
use super::explorer;
use super::limits::Audience;
use super::request::{GraphqlBody, GraphqlRequest};
use crate::auth::{MaybeCaller, Scope};
use crate::http::accept::preferred;
use crate::http::extract::{Query, RawBody};
use crate::problem::ApiError;
use crate::state::AppState;

const JSON: &str = "application/json";
const HTML: &str = "text/html";
/// The media type of answers whose status tells whether the query itself was at fault.
pub const GRAPHQL_RESPONSE: &str = "application/graphql-response+json";

/// Ask in GraphQL
///
/// Read only; the schema is `openapi/schema.graphql`. One query, or a batch of at most 10. Answers
/// are `application/json` with 200 whatever became of the query, or, when asked for,
/// `application/graphql-response+json` with 400 for a query that was not executed. Depth,
/// complexity, aliases, root fields and the length of a query are limited; a refusal says which
/// limit and the figure. A token with the scope `analysis` may ask for ten times the complexity. What takes
/// longer than 10 s is ended: a batch has as long as a query.
#[utoipa::path(
    tag = "graphql",
    request_body(content = GraphqlBody, content_type = "application/json"),
    security((), ("bearer" = [])),
    responses(
        (status = 200, description = "The result.", content(
            (GraphqlAnswer = "application/json"),
            (GraphqlAnswer = "application/graphql-response+json"),
        )),
        (status = 400, description = "The body is no query, or the query was not executed.", content(
            (crate::problem::Problem = "application/problem+json"),
            (GraphqlAnswer = "application/graphql-response+json"),
        )),
    ),
)]
#[post("/graphql")]
pub(crate) async fn post_graphql(
    state: web::Data<AppState>,
    caller: MaybeCaller,
    request: HttpRequest,
    body: RawBody,
) -> Result<HttpResponse, ApiError> {
    let body: GraphqlBody = body.parse_any()?;
    body.check(state.graphql.max_batch())?;
    let context = context(&state, caller);
    match body {
        GraphqlBody::Single(query) => {
            let answer = state.graphql.answer(query, context).await;
            Ok(respond_to_one(&request, &answer))
        }
        GraphqlBody::Batch(queries) => {
            let mut answers = Vec::with_capacity(queries.len());
            for query in queries {
                answers.push(state.graphql.answer(query, Arc::clone(&context)).await);
            }
            Ok(respond(&request, StatusCode::OK, &answers))
        }
    }
}

/// A query in the address.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
pub(crate) struct GraphqlParameters {
    /// The document.
    #[param(example = "{ games(first: 2) { edges { node { uuid status } } } }")]
    query: Option<String>,
    /// Which of its operations, if it has several.
    operation_name: Option<String>,
    /// The values of its variables, a JSON object.
    variables: Option<String>,
    /// Not used; a JSON object.
    extensions: Option<String>,
}

/// Ask in GraphQL by address
///
/// The same as by POST, for one query. A browser that asks for no query gets a page to write one,
/// unless it is switched off.
#[utoipa::path(
    tag = "graphql",
    params(GraphqlParameters),
    security((), ("bearer" = [])),
    responses(
        (status = 200, description = "The result, or the page.", content(
            (GraphqlAnswer = "application/json"),
            (GraphqlAnswer = "application/graphql-response+json"),
            (String = "text/html"),
        )),
        (status = 400, description = "There is no query, or it was not executed.", content(
            (crate::problem::Problem = "application/problem+json"),
            (GraphqlAnswer = "application/graphql-response+json"),
        )),
    ),
)]
#[get("/graphql")]
pub(crate) async fn get_graphql(
    state: web::Data<AppState>,
    caller: MaybeCaller,
    request: HttpRequest,
    parameters: Query<GraphqlParameters>,
) -> Result<HttpResponse, ApiError> {
    let parameters = parameters.0;
    if state.config.graphql.page && parameters.query.is_none() && is_browser(&request) {
        return Ok(explorer::page());
    }
    let query = parameters.into_request()?;
    let answer = state.graphql.answer(query, context(&state, caller)).await;
    Ok(respond_to_one(&request, &answer))
}

impl GraphqlParameters {
    fn into_request(self) -> Result<GraphqlRequest, ApiError> {
        let query = self.query.ok_or_else(|| {
            let detail = "expected a GraphQL document, here or in the body of a POST";
            ApiError::malformed_field("query", detail)
        })?;
        Ok(GraphqlRequest {
            query,
            operation_name: self.operation_name,
            variables: object("variables", self.variables)?,
            extensions: object("extensions", self.extensions)?,
        })
    }
}

type JsonObject = serde_json::Map<String, serde_json::Value>;

fn object(name: &str, text: Option<String>) -> Result<Option<JsonObject>, ApiError> {
    let read = |text: String| {
        serde_json::from_str::<Option<JsonObject>>(&text)
            .map_err(|fault| ApiError::malformed_field(name, fault.to_string()))
    };
    Ok(text.map(read).transpose()?.flatten())
}

fn is_browser(request: &HttpRequest) -> bool {
    preferred(request.headers(), &[JSON, GRAPHQL_RESPONSE, HTML]) == Some(HTML)
}

fn context(state: &AppState, caller: MaybeCaller) -> Arc<RequestContext> {
    let viewer = Viewer(caller.player_id().map(PlayerId::from_uuid));
    Arc::new(context_of(state, viewer, audience_of(caller)))
}

/// By which limits a caller asks.
pub(super) fn audience_of(caller: MaybeCaller) -> Audience {
    if caller.allows(Scope::Analysis) {
        Audience::Analysts
    } else {
        Audience::Public
    }
}

/// What the fields of a viewer's request share.
pub(super) fn context_of(state: &AppState, viewer: Viewer, audience: Audience) -> RequestContext {
    let reader = Reader {
        database: state.db.clone(),
        work: state.database_work.clone(),
    };
    let statistics = Reader {
        database: state.statistics.clone(),
        work: state.statistics_work.clone(),
    };
    RequestContext::new(
        viewer,
        audience,
        reader,
        statistics,
        Arc::clone(&state.clock),
    )
}

fn respond_to_one(request: &HttpRequest, answer: &GraphqlAnswer) -> HttpResponse {
    let refused = answer.is_refused() && media_type(request) == GRAPHQL_RESPONSE;
    let status = if refused {
        StatusCode::BAD_REQUEST
    } else {
        StatusCode::OK
    };
    respond(request, status, answer)
}

fn respond(request: &HttpRequest, status: StatusCode, body: &impl Serialize) -> HttpResponse {
    HttpResponse::build(status)
        .insert_header((header::CONTENT_TYPE, media_type(request)))
        .insert_header((header::VARY, "Accept, Authorization"))
        .json(body)
}

fn media_type(request: &HttpRequest) -> &'static str {
    match preferred(request.headers(), &[JSON, GRAPHQL_RESPONSE]) {
        Some(GRAPHQL_RESPONSE) => GRAPHQL_RESPONSE,
        _ => JSON,
    }
}
