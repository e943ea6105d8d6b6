use actix_web::{HttpResponse, post, web};

use crate::http::extract::Body;
use crate::problem::ApiError;
use crate::state::AppState;
use crate::usecase::accounts;
use crate::wire::account::RefreshRequest;

/// Log out
///
/// Ends the login of a refresh token. Access tokens that it gave run out by themselves. A token that
/// is not valid has nothing to end, and gets the same answer.
#[utoipa::path(
    tag = "accounts",
    request_body = RefreshRequest,
    responses((status = 204, description = "The login has ended.")),
)]
#[post("/v1/auth/logout")]
pub(crate) async fn log_out(
    state: web::Data<AppState>,
    body: Body<RefreshRequest>,
) -> Result<HttpResponse, ApiError> {
    accounts::logout(&state, &body.0.refresh_token).await?;
    Ok(HttpResponse::NoContent().finish())
}
