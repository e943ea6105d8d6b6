use actix_web::http::header;
use actix_web::{HttpRequest, HttpResponse, post, web};
use serde_json::json;
use sha2::{Digest, Sha256};

use crate::http::client_address::{client_address, user_agent};
use crate::http::extract::RawBody;
use crate::http::idempotency::Idempotency;
use crate::problem::{ApiError, Problem};
use crate::state::AppState;
use crate::usecase::accounts::{self, Registration};
use crate::wire::account::{RegisterRequest, SignedInResponse};

/// Register an account
///
/// Makes an account and logs it in. With an `Idempotency-Key` a retry finds the account that the
/// first attempt made and answers with new tokens.
#[utoipa::path(
    tag = "accounts",
    request_body = RegisterRequest,
    params(("Idempotency-Key" = Option<String>, Header, description = "Makes a retry safe for 24 hours.")),
    responses(
        (status = 201, description = "The account, logged in.", body = SignedInResponse,
            headers(("Location" = String, description = "The player."))),
        (status = 409, description = "`username_taken`.", body = Problem, content_type = "application/problem+json"),
        (status = 410, description = "`gone`: the account that this key made was erased.",
            body = Problem, content_type = "application/problem+json"),
        (status = 422, description = "`validation_failed` or `idempotency_key_reused`.",
            body = Problem, content_type = "application/problem+json"),
    ),
)]
#[post("/v1/auth/register")]
pub(crate) async fn register_account(
    request: HttpRequest,
    state: web::Data<AppState>,
    body: RawBody,
) -> Result<HttpResponse, ApiError> {
    let mut asked: RegisterRequest = body.parse_valid()?;
    // Without the password: its digest must not lie about, and a retry is checked against it anyway.
    let print = json!({"username": asked.username, "email": asked.email});
    let address = client_address(&request, &state.config.trusted_proxies);
    let origin = address
        .map(|address| address.to_string())
        .unwrap_or_default();
    let registration = Registration {
        key: Idempotency::read(&request, &print)?,
        origin: Sha256::digest(origin).into(),
        password: asked.take_password(),
        username: asked.username,
        email: asked.email,
        user_agent: user_agent(&request),
    };
    let signed_in = accounts::register(&state, registration).await?;
    Ok(HttpResponse::Created()
        .insert_header((
            header::LOCATION,
            format!("/v1/players/{}", signed_in.player.username),
        ))
        .json(SignedInResponse::from(signed_in)))
}
