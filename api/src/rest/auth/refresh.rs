use actix_web::{HttpResponse, post, web};

use crate::http::extract::Body;
use crate::problem::{ApiError, Problem};
use crate::state::AppState;
use crate::usecase::accounts;
use crate::wire::account::{RefreshRequest, RefreshedResponse};

/// Get new tokens
///
/// Spends a refresh token for new tokens. A token that was spent before is refused, and, unless that
/// was only a moment ago, ends its login: somebody else may hold it. Of two uses at the same time one
/// wins, and the login goes on with what that one got.
#[utoipa::path(
    tag = "accounts",
    request_body = RefreshRequest,
    responses(
        (status = 200, description = "New tokens.", body = RefreshedResponse),
        (status = 401, description = "`token_reused`, or `unauthenticated` for a token that is not valid.",
            body = Problem, content_type = "application/problem+json"),
    ),
)]
#[post("/v1/auth/refresh")]
pub(crate) async fn refresh_tokens(
    state: web::Data<AppState>,
    body: Body<RefreshRequest>,
) -> Result<HttpResponse, ApiError> {
    let tokens = accounts::refresh(&state, &body.0.refresh_token).await?;
    Ok(HttpResponse::Ok().json(RefreshedResponse::from(tokens)))
}
