//! The OpenAPI document: collected from the route table, completed with what all operations share.

use actix_web::App;
use actix_web::dev::ResourceDef;
use actix_web::http::Method;
use utoipa::openapi::path::{Operation, PathItem};
use utoipa::openapi::security::{Http, HttpAuthScheme, SecurityScheme};
use utoipa::openapi::{
    Components, ContentBuilder, HeaderBuilder, Info, License, OpenApi, Ref, RefOr, Response,
    ResponseBuilder, ServerBuilder, Type,
};
use utoipa::openapi::{ObjectBuilder, tag::TagBuilder};
use utoipa_actix_web::AppExt;

use super::routes;
use crate::problem::{PROBLEM_JSON, Problem};

/// The name of the security scheme, as handlers cite it: `security(("bearer" = []))`.
pub const BEARER: &str = "bearer";

/// The groups of operations, in the order they are shown.
const TAGS: &[(&str, &str)] = &[
    (
        "accounts",
        "Registering, logging in, tokens, and one's own account.",
    ),
    ("mail", "The pages that links in mails lead to."),
    ("players", "What everybody may know of a player."),
    (
        "ratings",
        "How strong players are, by rule sheet: now, over time, and who is the strongest.",
    ),
    (
        "challenges",
        "Finding an opponent: open challenges and challenges to one player.",
    ),
    (
        "games",
        "Setting up, moving, offering a draw, resigning; the game as the caller may see it.",
    ),
    (
        "replays",
        "A game over again, as each side knew it or with everything shown.",
    ),
    (
        "exports",
        "Finished games as files: one, or all that a filter finds.",
    ),
    (
        "events",
        "What happens, as it happens: of a game, and of one's own games and challenges.",
    ),
    (
        "statistics",
        "Pictures of many finished games; the figures are GraphQL's.",
    ),
    (
        "graphql",
        "Games, players and replays for analysts, in one query.",
    ),
    (
        "administration",
        "Suspending players, giving passwords, the audit log: scope `admin`.",
    ),
    (
        "imports",
        "Bringing in games that were recorded elsewhere: scope `import`.",
    ),
    ("rules", "Rulesets, and setups: saved, random, validated."),
    (
        "server",
        "The server itself: health, keys, error codes, this document.",
    ),
];

/// The shared refusals: status, name among the components, description.
const REFUSALS: &[(&str, &str, &str)] = &[
    (
        "400",
        "MalformedRequest",
        "The request could not be read; the field at fault is named.",
    ),
    ("401", "Unauthenticated", "There is no valid access token."),
    (
        "406",
        "NotAcceptable",
        "The answer exists in none of the media types of `Accept`.",
    ),
    ("413", "PayloadTooLarge", "The body is larger than 256 KiB."),
    (
        "415",
        "UnsupportedMediaType",
        "The body is not declared as `application/json`.",
    ),
    (
        "429",
        "RateLimited",
        "Too many requests; wait as long as `Retry-After` says.",
    ),
    (
        "503",
        "Unavailable",
        "The server cannot answer at this moment; try again after `Retry-After`.",
    ),
];

/// The document, and what the server itself asks of it.
pub struct Document {
    json: String,
    paths: Vec<PathRoutes>,
}

struct PathRoutes {
    pattern: ResourceDef,
    /// Each method with the media types of its answers.
    methods: Vec<(Method, Vec<String>)>,
}

impl Document {
    /// The document of the route table.
    ///
    /// # Errors
    /// When it cannot be written as JSON.
    pub fn new() -> Result<Self, serde_json::Error> {
        let document = document();
        let paths = document.paths.paths.iter().map(|(path, item)| PathRoutes {
            pattern: ResourceDef::new(path.as_str()),
            methods: operations(item)
                .into_iter()
                .map(|(method, operation)| (method, media_types(operation)))
                .collect(),
        });
        Ok(Self {
            paths: paths.collect(),
            json: pretty(&document)?,
        })
    }

    /// The document as JSON, indented, with a new line at its end: what `reveille openapi` prints.
    pub fn json(&self) -> &str {
        &self.json
    }

    /// The methods that a path has, none for a path that is not in the document.
    pub fn methods(&self, path: &str) -> Vec<Method> {
        let routes = self.routes(path).map(|(method, _)| method.clone());
        let mut methods: Vec<_> = routes.collect();
        if methods.contains(&Method::GET) {
            methods.push(Method::HEAD);
        }
        if !methods.is_empty() {
            methods.push(Method::OPTIONS);
        }
        methods
    }

    /// The media types of the answers of an operation, none when it has no content or is not there.
    pub fn media_types(&self, method: &Method, path: &str) -> Vec<&str> {
        let asked = if method == Method::HEAD {
            &Method::GET
        } else {
            method
        };
        let found = self.routes(path).find(|(method, _)| method == asked);
        found.map_or_else(Vec::new, |(_, types)| {
            types.iter().map(String::as_str).collect()
        })
    }

    fn routes(&self, path: &str) -> impl Iterator<Item = &(Method, Vec<String>)> {
        let matching = move |route: &&PathRoutes| route.pattern.is_match(path);
        self.paths
            .iter()
            .filter(matching)
            .flat_map(|route| &route.methods)
    }
}

fn document() -> OpenApi {
    let (_, mut document) = App::new()
        .into_utoipa_app()
        .configure(routes::table)
        .split_for_parts();
    document.info = Info::new("Reveille", env!("CARGO_PKG_VERSION"));
    document.info.description = Some(DESCRIPTION.to_owned());
    let mut license = License::new(env!("CARGO_PKG_LICENSE"));
    license.identifier = Some(env!("CARGO_PKG_LICENSE").to_owned());
    document.info.license = Some(license);
    let server = ServerBuilder::new()
        .url("/")
        .description(Some("This server."))
        .build();
    document.servers = Some(vec![server]);
    document.tags = Some(
        TAGS.iter()
            .map(|(name, description)| {
                TagBuilder::new()
                    .name(*name)
                    .description(Some(*description))
                    .build()
            })
            .collect(),
    );
    add_components(document.components.get_or_insert_default());
    for item in document.paths.paths.values_mut() {
        for operation in operations_mut(item) {
            add_refusals(operation);
        }
    }
    document
}

const DESCRIPTION: &str = "An open server for correspondence Stratego. Field names are `snake_case`; \
instants are RFC 3339 in UTC with milliseconds; durations are ISO 8601; identifiers are UUIDv7. \
Every refusal is a problem document (RFC 9457) with a stable `code`, explained where its `type` leads. \
Whole numbers are written without a decimal point.";

fn add_components(components: &mut Components) {
    let mut bearer = Http::new(HttpAuthScheme::Bearer);
    bearer.bearer_format = Some("JWT".to_owned());
    bearer.description =
        Some("An access token from registering, logging in or refreshing.".to_owned());
    components.add_security_scheme(BEARER, SecurityScheme::Http(bearer));
    let mut schemas = vec![(
        <Problem as utoipa::ToSchema>::name().into_owned(),
        <Problem as utoipa::PartialSchema>::schema(),
    )];
    <Problem as utoipa::ToSchema>::schemas(&mut schemas);
    components.schemas.extend(schemas);
    for (status, name, description) in REFUSALS {
        let response = refusal(status, description);
        components
            .responses
            .insert((*name).to_owned(), RefOr::T(response));
    }
}

fn refusal(status: &str, description: &str) -> Response {
    let problem = Ref::from_schema_name(<Problem as utoipa::ToSchema>::name());
    let content = ContentBuilder::new().schema(Some(problem)).build();
    let response = ResponseBuilder::new()
        .description(description)
        .content(PROBLEM_JSON, content);
    let header = |kind, description: &str| {
        let schema = ObjectBuilder::new().schema_type(kind).build();
        HeaderBuilder::new()
            .schema(Some(schema))
            .description(Some(description))
            .build()
    };
    match status {
        "401" => response.header(
            "WWW-Authenticate",
            header(Type::String, "How to authenticate."),
        ),
        "429" => response
            .header("Retry-After", header(Type::Integer, "Seconds to wait."))
            .header(
                "RateLimit",
                header(Type::String, "What is left of the quota."),
            )
            .header(
                "RateLimit-Policy",
                header(Type::String, "The quota and its window."),
            ),
        "503" => response.header("Retry-After", header(Type::Integer, "Seconds to wait.")),
        _ => response,
    }
    .build()
}

/// Adds the refusals that follow from what an operation takes and gives, unless its handler
/// describes them itself.
fn add_refusals(operation: &mut Operation) {
    let has_body = operation.request_body.is_some();
    let reads = has_body
        || operation
            .parameters
            .as_ref()
            .is_some_and(|list| !list.is_empty());
    let authenticates = operation.security.is_some();
    let has_content = !media_types(operation).is_empty();
    for (status, name, _) in REFUSALS {
        let applies = match *status {
            "400" => reads,
            "401" => authenticates,
            "406" => has_content,
            "413" | "415" => has_body,
            _ => true,
        };
        if applies {
            let reference = RefOr::Ref(Ref::from_response_name(*name));
            operation
                .responses
                .responses
                .entry((*status).to_owned())
                .or_insert(reference);
        }
    }
}

/// The media types of the answers below 400.
fn media_types(operation: &Operation) -> Vec<String> {
    let successes = operation
        .responses
        .responses
        .iter()
        .filter(|(status, _)| status.as_str() < "400");
    let mut types = Vec::new();
    for (_, response) in successes {
        if let RefOr::T(response) = response {
            types.extend(response.content.keys().cloned());
        }
    }
    types
}

fn operations(item: &PathItem) -> Vec<(Method, &Operation)> {
    [
        (Method::GET, &item.get),
        (Method::POST, &item.post),
        (Method::PUT, &item.put),
        (Method::PATCH, &item.patch),
        (Method::DELETE, &item.delete),
    ]
    .into_iter()
    .filter_map(|(method, operation)| Some((method, operation.as_ref()?)))
    .collect()
}

fn operations_mut(item: &mut PathItem) -> impl Iterator<Item = &mut Operation> {
    [
        &mut item.get,
        &mut item.post,
        &mut item.put,
        &mut item.patch,
        &mut item.delete,
    ]
    .into_iter()
    .flatten()
}

fn pretty(document: &OpenApi) -> Result<String, serde_json::Error> {
    document.to_pretty_json().map(|json| json + "\n")
}

#[cfg(test)]
mod tests;
