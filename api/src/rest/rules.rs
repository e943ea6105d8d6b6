//! Rulesets, and the rules in words.

use actix_web::http::header::{self, HeaderValue};
use actix_web::{HttpRequest, HttpResponse, get};
use serde::{Deserialize, Serialize};
use utoipa::IntoParams;

use crate::auth::MaybeCaller;
use crate::http::etag::{Sharing, Tagged};
use crate::http::extract::PathParams;
use crate::problem::{ApiError, Problem};
use crate::rules::Language;
use crate::wire::rules::{RulesResponse, RulesetResponse, RulesetsResponse};

/// Which ruleset is asked for.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Path)]
pub struct RulesPath {
    /// The ruleset: `original`, `duel`, `classic`, `original_forfeit` or `barrage`.
    #[param(example = "original")]
    ruleset: String,
}

/// The languages that suit a caller best.
#[derive(Debug, Clone, Copy)]
struct Languages {
    names: Language,
    text: Language,
}

/// All rulesets
///
/// Armies, board, options and rank names; one ruleset's own address has the rules in words too.
/// Names are in the best language of `Accept-Language` among en, fr, es, el, ro, de and nl, other
/// words in the best among the first five.
#[utoipa::path(
    tag = "rules",
    params(("Accept-Language" = Option<String>, Header, description = "English when it is absent \
        or names no language that there is.")),
    responses(
        (status = 200, description = "The rulesets.", body = RulesetsResponse, headers(
            ("ETag" = String, description = "Of the rulesets in this language."),
            ("Content-Language" = String, description = "The language of the names."),
        )),
        (status = 304, description = "They are as the `ETag` in `If-None-Match` says."),
    ),
    security((), ("bearer" = [])),
)]
#[get("/v1/rules")]
pub(crate) async fn list_rulesets(
    _caller: MaybeCaller,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let languages = Languages::of(&request);
    let items = domain::Ruleset::ALL
        .map(|ruleset| RulesetResponse::new(ruleset, languages.names, languages.text));
    answer(
        &request,
        languages,
        &RulesetsResponse {
            items: items.into(),
        },
    )
}

/// A ruleset
///
/// Armies, board, options, rank names, the rules in words and advice on arranging the army. Names
/// are in the best language of `Accept-Language` among en, fr, es, el, ro, de and nl, other words in
/// the best among the first five.
#[utoipa::path(
    tag = "rules",
    params(
        RulesPath,
        ("Accept-Language" = Option<String>, Header, description = "English when it is absent or \
            names no language that there is."),
    ),
    responses(
        (status = 200, description = "The ruleset.", body = RulesResponse, headers(
            ("ETag" = String, description = "Of the ruleset in this language."),
            ("Content-Language" = String, description = "The language of the names."),
        )),
        (status = 304, description = "It is as the `ETag` in `If-None-Match` says."),
        (status = 404, description = "There is no such ruleset.", body = Problem,
            content_type = "application/problem+json"),
    ),
    security((), ("bearer" = [])),
)]
#[get("/v1/rules/{ruleset}")]
pub(crate) async fn show_rules(
    _caller: MaybeCaller,
    path: PathParams<RulesPath>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let ruleset = path
        .0
        .ruleset
        .parse()
        .map_err(|_| ApiError::not_found("ruleset"))?;
    let languages = Languages::of(&request);
    let rules = RulesResponse::new(ruleset, languages.names, languages.text);
    answer(&request, languages, &rules)
}

impl Languages {
    fn of(request: &HttpRequest) -> Self {
        Self {
            names: Language::of_request(request, &Language::ALL),
            text: Language::of_request(request, &Language::WITH_TEXT),
        }
    }
}

fn answer(
    request: &HttpRequest,
    languages: Languages,
    body: &impl Serialize,
) -> Result<HttpResponse, ApiError> {
    let mut answer = Tagged::new(body)?.answer(request, Sharing::Public);
    let headers = answer.headers_mut();
    let language = HeaderValue::from_static(languages.names.tag());
    headers.insert(header::CONTENT_LANGUAGE, language);
    headers.append(header::VARY, HeaderValue::from_static("Accept-Language"));
    Ok(answer)
}
