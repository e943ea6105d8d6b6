use actix_web::{HttpRequest, HttpResponse, post, web};

use crate::http::client_address::user_agent;
use crate::http::extract::Body;
use crate::problem::{ApiError, Problem};
use crate::state::AppState;
use crate::usecase::accounts;
use crate::wire::account::{LoginRequest, SignedInResponse};

/// Log in
///
/// Gives tokens of a new login. An unknown username and a wrong password get the same answer.
#[utoipa::path(
    tag = "accounts",
    request_body = LoginRequest,
    responses(
        (status = 200, description = "The player, logged in.", body = SignedInResponse),
        (status = 401, description = "`invalid_credentials`.", body = Problem, content_type = "application/problem+json"),
        (status = 403, description = "`forbidden`: the account is suspended.", body = Problem, content_type = "application/problem+json"),
    ),
)]
#[post("/v1/auth/login")]
pub(crate) async fn log_in(
    state: web::Data<AppState>,
    request: HttpRequest,
    body: Body<LoginRequest>,
) -> Result<HttpResponse, ApiError> {
    let LoginRequest { username, password } = body.0;
    let signed_in =
        accounts::login(&state, &username, password.into(), user_agent(&request)).await?;
    Ok(HttpResponse::Ok().json(SignedInResponse::from(signed_in)))
}
