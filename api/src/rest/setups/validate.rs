use actix_web::{HttpResponse, post};

use crate::auth::MaybeCaller;
use crate::http::extract::RawBody;
use crate::problem::{ApiError, Problem};
use crate::wire::setups::{SetupResponse, ValidateSetupRequest, parse_setup};

/// Check a setup
///
/// Whether the army is complete and can make a first move. Nothing is stored.
#[utoipa::path(
    tag = "rules",
    request_body = ValidateSetupRequest,
    responses(
        (status = 200, description = "It is valid; here it is in its normal form.",
            body = SetupResponse),
        (status = 422, description = "It does not fit the army: `reason` is the gravest fault, \
            `errors` lists all; `wrong_count` comes with `piece`, `expected` and `found`.",
            body = Problem, content_type = "application/problem+json"),
    ),
    security((), ("bearer" = [])),
)]
#[post("/v1/setups/validate")]
pub(crate) async fn validate_setup(
    _caller: MaybeCaller,
    body: RawBody,
) -> Result<HttpResponse, ApiError> {
    let request: ValidateSetupRequest = body.parse()?;
    let setup = parse_setup(request.ruleset.into(), &request.setup)?;
    Ok(HttpResponse::Ok().json(SetupResponse {
        ruleset: request.ruleset,
        setup: setup.to_string(),
    }))
}
