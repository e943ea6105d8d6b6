use actix_web::{HttpResponse, get, post, web};
use secrecy::SecretString;
use serde::Deserialize;

use super::{LinkQuery, page};
use crate::http::extract::Query;
use crate::http::validate::rules;
use crate::problem::{ApiError, Code};
use crate::state::AppState;
use crate::usecase::accounts;

const TITLE: &str = "Set a new password";
const FIELDS: &str = "<p><label>New password, 8 to 256 characters: <input type=\"password\" name=\"new_password\" \
     autocomplete=\"new-password\" minlength=\"8\" maxlength=\"256\" required></label></p>\n";

/// What the form sends.
// Not printable: it holds a password.
#[derive(Deserialize)]
struct Form {
    new_password: String,
}

/// Set a new password: the page
///
/// Where the link of a mail leads: a form for the new password.
#[utoipa::path(
    tag = "mail",
    params(LinkQuery),
    responses((status = 200, description = "The page.", body = String, content_type = "text/html")),
)]
#[get("/mail/reset")]
pub(crate) async fn show_reset(query: Query<LinkQuery>) -> HttpResponse {
    drop(query);
    page::ask(TITLE, "All logins end with it.", FIELDS, "Set it")
}

/// Set a new password by the page
///
/// What the form does: as `POST /v1/auth/password-reset/confirm`, with a body of the type
/// `application/x-www-form-urlencoded`.
#[utoipa::path(
    tag = "mail",
    params(LinkQuery),
    responses((status = 200, description = "A page that says what came of it.", body = String, content_type = "text/html")),
)]
#[post("/mail/reset")]
pub(crate) async fn confirm_reset(
    state: web::Data<AppState>,
    query: Query<LinkQuery>,
    body: String,
) -> Result<HttpResponse, ApiError> {
    let form = web::Query::<Form>::from_query(&body).map(web::Query::into_inner);
    let password = form
        .map(|form| form.new_password)
        .ok()
        .filter(|password| rules::password(password, &()).is_ok());
    let Some(password) = password else {
        let text = "That was no password: it must have 8 to 256 characters.";
        return Ok(page::ask(TITLE, text, FIELDS, "Set it"));
    };
    let password = SecretString::from(password);
    match accounts::reset_password(&state, &query.0.token, password).await {
        Ok(()) => Ok(page::say(
            "The password is set",
            "All logins have ended; log in with the new one.",
        )),
        Err(refusal) if refusal.code() == Code::Unauthenticated => Ok(page::say(
            "This link does not hold",
            "It was used before, has run out, or your account has another address by now. Ask for another mail.",
        )),
        Err(refusal) => Err(refusal),
    }
}
