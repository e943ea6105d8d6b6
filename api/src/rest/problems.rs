//! What the `type` of a problem document leads to.

use actix_web::http::header;
use actix_web::{HttpRequest, HttpResponse, get};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::http::accept::preferred;
use crate::http::extract::PathParams;
use crate::problem::{ApiError, Code};

const JSON: &str = "application/json";
const HTML: &str = "text/html";

/// An error code explained.
#[derive(Debug, Serialize, ToSchema)]
pub struct ProblemTypeResponse {
    /// The reference that problem documents carry as `type`.
    #[serde(rename = "type")]
    #[schema(example = "/problems/stale-ply")]
    kind: String,
    /// The code.
    #[schema(example = "stale_ply")]
    code: &'static str,
    /// The HTTP status it comes with.
    #[schema(example = 409)]
    status: u16,
    /// Its short title.
    #[schema(example = "Stale ply")]
    title: &'static str,
    /// What it means and what a client can do about it.
    explanation: &'static str,
}

/// Which code is asked for.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Path)]
pub struct ProblemPath {
    /// The code with dashes for underscores.
    #[param(example = "stale-ply")]
    code: String,
}

/// Explain an error code
///
/// The page that the `type` of a problem document leads to, for people (HTML) or programs (JSON).
#[utoipa::path(
    tag = "server",
    params(ProblemPath),
    responses(
        (status = 200, description = "The explanation.", content(
            (ProblemTypeResponse = "application/json"),
            (String = "text/html"),
        )),
        (status = 404, description = "There is no such code.",
            body = crate::problem::Problem, content_type = "application/problem+json"),
    ),
)]
#[get("/problems/{code}")]
pub(crate) async fn explain_problem(
    request: HttpRequest,
    path: PathParams<ProblemPath>,
) -> Result<HttpResponse, ApiError> {
    let code = Code::from_slug(&path.0.code).ok_or_else(|| ApiError::not_found("error code"))?;
    let mut response = HttpResponse::Ok();
    response.insert_header((header::CACHE_CONTROL, "public, max-age=3600"));
    response.insert_header((header::VARY, "Accept"));
    Ok(match preferred(request.headers(), &[JSON, HTML]) {
        Some(HTML) => response
            .content_type("text/html; charset=utf-8")
            .body(page(code)),
        _ => response.json(ProblemTypeResponse {
            kind: code.type_reference(),
            code: code.as_str(),
            status: code.status().as_u16(),
            title: code.title(),
            explanation: code.explanation(),
        }),
    })
}

/// All parts are constants of ours and free of `<` and `&`, which a test holds.
fn page(code: Code) -> String {
    let (title, name, status) = (code.title(), code.as_str(), code.status().as_u16());
    let explanation = code.explanation();
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\"><title>{title}</title></head>\n\
         <body>\n<h1>{title}</h1>\n<p><code>{name}</code>, status {status}</p>\n<p>{explanation}</p>\n\
         </body>\n</html>\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_hold_plain_text_alone() {
        for code in Code::ALL {
            let text = format!("{}{}{}", code.title(), code.as_str(), code.explanation());
            assert!(!text.contains(['<', '>', '&']), "{text}");
            assert!(page(*code).contains(code.explanation()));
        }
    }
}
