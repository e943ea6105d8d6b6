use actix_web::{HttpResponse, post, web};
use storage::PlayerId;

use crate::auth::{Caller, Scope};
use crate::http::extract::RawBody;
use crate::problem::{ApiError, Problem};
use crate::state::AppState;
use crate::usecase::accounts;
use crate::wire::credentials::PasswordRequest;

/// Set another password
///
/// All other logins end, and all personal tokens, with the access tokens and streams that came of them:
/// at once on this node, within 10 s on others. The login that asks stays.
#[utoipa::path(
    tag = "accounts",
    request_body = PasswordRequest,
    responses(
        (status = 204, description = "The password is another."),
        (status = 401, description = "`invalid_credentials`: the current password is another; or \
            there is no valid access token.", body = Problem,
            content_type = "application/problem+json"),
        (status = 403, description = "A personal token may not do this.", body = Problem,
            content_type = "application/problem+json"),
        (status = 422, description = "`validation_failed`.", body = Problem,
            content_type = "application/problem+json"),
    ),
    security(("bearer" = [])),
)]
#[post("/v1/me/password")]
pub(crate) async fn change_password(
    caller: Caller,
    state: web::Data<AppState>,
    body: RawBody,
) -> Result<HttpResponse, ApiError> {
    let caller = caller.require_login()?.require(Scope::Play)?;
    let (current, new) = body.parse_valid::<PasswordRequest>()?.take();
    let player = PlayerId::from_uuid(caller.player_id);
    accounts::change_password(&state, player, caller.login(), current, new).await?;
    Ok(HttpResponse::NoContent().finish())
}
