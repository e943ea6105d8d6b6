use actix_web::{HttpResponse, get, post, web};
use storage::PlayerId;

use super::{LinkQuery, page};
use crate::auth::{Caller, Scope};
use crate::http::extract::{Query, RawBody};
use crate::problem::{ApiError, Code, FieldFault, Problem};
use crate::state::AppState;
use crate::usecase::accounts::{self, Verification};
use crate::wire::account::VerifyEmailRequest;

/// Verify one's address
///
/// `{}` has a mail sent to the address of the account, with a link and a token that serve once and for
/// 24 hours; at most five a day for an account, and ten for an address, whoever asks. `{token}` shows
/// that the mail has come. Only a verified address gets other mail.
#[utoipa::path(
    tag = "accounts",
    security(("bearer" = [])),
    request_body = VerifyEmailRequest,
    responses(
        (status = 202, description = "A mail is sent."),
        (status = 204, description = "The address is verified."),
        (status = 403, description = "`insufficient_scope`.", body = Problem, content_type = "application/problem+json"),
        (status = 409, description = "`email_missing`: the account has no address. `mail_off`: this server sends no mail.",
            body = Problem, content_type = "application/problem+json"),
        (status = 422, description = "`validation_failed`: the token was used before, has run out, or is not of the \
            account's present address.", body = Problem, content_type = "application/problem+json"),
    ),
)]
#[post("/v1/me/email/verify")]
pub(crate) async fn verify_email(
    caller: Caller,
    state: web::Data<AppState>,
    body: RawBody,
) -> Result<HttpResponse, ApiError> {
    let player = PlayerId::from_uuid(caller.require(Scope::Play)?.player_id);
    let asked: VerifyEmailRequest = body.parse_or_empty()?;
    if let Some(token) = asked.token {
        let verified = accounts::verify_email(&state, Some(player), &token).await;
        verified.map_err(in_field)?;
        return Ok(HttpResponse::NoContent().finish());
    }
    Ok(
        match accounts::ask_for_verification(&state, player).await? {
            Verification::Asked => HttpResponse::Accepted().finish(),
            Verification::Done => HttpResponse::NoContent().finish(),
        },
    )
}

/// A token that does not hold is a value that cannot be taken: the caller himself is known.
fn in_field(refusal: ApiError) -> ApiError {
    if refusal.code() != Code::Unauthenticated {
        return refusal;
    }
    ApiError::validation(vec![FieldFault {
        field: "token".to_owned(),
        code: "invalid_token".to_owned(),
        detail: refusal.detail().to_owned(),
    }])
}

/// Confirm an address: the page
///
/// Where the link of a mail leads: a button that confirms. To look at it changes nothing.
#[utoipa::path(
    tag = "mail",
    params(LinkQuery),
    responses((status = 200, description = "The page.", body = String, content_type = "text/html")),
)]
#[get("/mail/verify")]
pub(crate) async fn show_verification(query: Query<LinkQuery>) -> HttpResponse {
    drop(query);
    page::ask(
        "Confirm your address",
        "Press the button if you gave this address for an account here.",
        "",
        "Confirm",
    )
}

/// Confirm an address
///
/// What the button of the page does.
#[utoipa::path(
    tag = "mail",
    params(LinkQuery),
    responses((status = 200, description = "A page that says what came of it.", body = String, content_type = "text/html")),
)]
#[post("/mail/verify")]
pub(crate) async fn confirm_verification(
    state: web::Data<AppState>,
    query: Query<LinkQuery>,
) -> Result<HttpResponse, ApiError> {
    match accounts::verify_email(&state, None, &query.0.token).await {
        Ok(_) => Ok(page::say(
            "Address confirmed",
            "Mail will come to this address from now on, as your preferences say.",
        )),
        Err(refusal) if refusal.code() == Code::Unauthenticated => Ok(page::say(
            "This link does not hold",
            "It was used before, has run out, or your account has another address by now. Ask for another mail.",
        )),
        Err(refusal) => Err(refusal),
    }
}
