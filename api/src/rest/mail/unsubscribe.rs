use actix_web::{HttpResponse, get, post, web};

use super::{LinkQuery, page};
use crate::http::extract::Query;
use crate::mail::Unsubscribe;
use crate::problem::{ApiError, Code};
use crate::state::AppState;
use crate::usecase::accounts;

/// Stop a kind of mail: the page
///
/// Where the link of a mail leads: a button that stops mails of its kind. To look at it changes nothing.
#[utoipa::path(
    tag = "mail",
    params(LinkQuery),
    responses((status = 200, description = "The page.", body = String, content_type = "text/html")),
)]
#[get("/mail/unsubscribe")]
pub(crate) async fn show_unsubscribe(query: Query<LinkQuery>) -> HttpResponse {
    let Some(shown) = Unsubscribe::parse(&query.0.token) else {
        return no_link();
    };
    let text = format!("Press the button to get no more of {}.", shown.kind.title());
    page::ask("Stop these mails", &text, "", "Stop them")
}

/// Stop a kind of mail
///
/// What the button of the page does, and what programs do by themselves (RFC 8058). The body does not
/// matter. `PATCH /v1/me` starts them again.
#[utoipa::path(
    tag = "mail",
    params(LinkQuery),
    responses((status = 200, description = "A page that says what came of it.", body = String, content_type = "text/html")),
)]
#[post("/mail/unsubscribe")]
pub(crate) async fn confirm_unsubscribe(
    state: web::Data<AppState>,
    query: Query<LinkQuery>,
) -> Result<HttpResponse, ApiError> {
    let Some(shown) = Unsubscribe::parse(&query.0.token) else {
        return Ok(no_link());
    };
    let text = format!("You get no more of {}.", shown.kind.title());
    match accounts::unsubscribe(&state, shown).await {
        Ok(()) => Ok(page::say("Stopped", &text)),
        Err(refusal) if refusal.code() == Code::NotFound => Ok(no_link()),
        Err(refusal) => Err(refusal),
    }
}

fn no_link() -> HttpResponse {
    page::say(
        "This link does not hold",
        "It is not whole, or the account is gone. Take the link of a newer mail.",
    )
}
