use actix_web::{HttpResponse, post, web};

use crate::http::extract::{Body, RawBody};
use crate::problem::{ApiError, Problem};
use crate::state::AppState;
use crate::usecase::accounts;
use crate::wire::account::{PasswordResetConfirmRequest, PasswordResetRequest};

/// Ask for a new password
///
/// A mail with a token goes to the address if it is the verified one of an account, within a minute or
/// so, to at most five a day for an account. The answer is the same whether there is such an account,
/// and where the server sends no mail at all.
#[utoipa::path(
    tag = "accounts",
    request_body = PasswordResetRequest,
    responses((status = 202, description = "Taken: a mail is sent if the address is the verified one of an account.")),
)]
#[post("/v1/auth/password-reset")]
pub(crate) async fn ask_for_password_reset(
    state: web::Data<AppState>,
    body: Body<PasswordResetRequest>,
) -> Result<HttpResponse, ApiError> {
    accounts::ask_for_password_reset(&state, &body.0.email).await?;
    Ok(HttpResponse::Accepted().finish())
}

/// Set a new password
///
/// By the token of a mail, which serves once and for an hour. Every login ends, and every other such
/// token.
#[utoipa::path(
    tag = "accounts",
    request_body = PasswordResetConfirmRequest,
    responses(
        (status = 204, description = "The password is set; log in with it."),
        (status = 401, description = "`unauthenticated`: the token was used before, has run out, or is none.",
            body = Problem, content_type = "application/problem+json"),
        (status = 422, description = "`validation_failed`.", body = Problem, content_type = "application/problem+json"),
    ),
)]
#[post("/v1/auth/password-reset/confirm")]
pub(crate) async fn confirm_password_reset(
    state: web::Data<AppState>,
    body: RawBody,
) -> Result<HttpResponse, ApiError> {
    let asked: PasswordResetConfirmRequest = body.parse_valid()?;
    accounts::reset_password(&state, &asked.token, asked.new_password.into()).await?;
    Ok(HttpResponse::NoContent().finish())
}
