use actix_web::http::header;
use actix_web::{HttpResponse, post};
use domain::Setup;
use rand::RngExt;

use crate::auth::MaybeCaller;
use crate::http::extract::RawBody;
use crate::problem::ApiError;
use crate::wire::setups::{RandomSetupRequest, RandomSetupResponse};

/// Make up a setup
///
/// A valid one, another each time. Nothing is stored.
#[utoipa::path(
    tag = "rules",
    request_body = RandomSetupRequest,
    responses((status = 200, description = "A setup.", body = RandomSetupResponse)),
    security((), ("bearer" = [])),
)]
#[post("/v1/setups/random")]
pub(crate) async fn random_setup(
    _caller: MaybeCaller,
    body: RawBody,
) -> Result<HttpResponse, ApiError> {
    let RandomSetupRequest { ruleset, style } = body.parse()?;
    let mut dice = rand::rng();
    let setup = Setup::random(ruleset.into(), style.into(), |n| dice.random_range(0..n));
    Ok(HttpResponse::Ok()
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .json(RandomSetupResponse {
            ruleset,
            style,
            setup: setup.to_string(),
        }))
}
