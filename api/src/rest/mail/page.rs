use actix_web::HttpResponse;
use actix_web::http::header;

/// Nothing but the text and its form, which may be sent to this server alone.
const POLICY: &str =
    "default-src 'none'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

/// A page that says something. Both texts are of ours, or were escaped.
pub(super) fn say(title: &str, text: &str) -> HttpResponse {
    answer(title, &format!("<p>{text}</p>\n"))
}

/// A page with a button that does what the title says: sends the form back to where the page came from.
pub(super) fn ask(title: &str, text: &str, fields: &str, button: &str) -> HttpResponse {
    // Without an action a form goes to the address of the page, with the token in its query.
    let form = format!(
        "<p>{text}</p>\n<form method=\"post\">\n{fields}<p><button>{button}</button></p>\n</form>\n"
    );
    answer(title, &form)
}

fn answer(title: &str, body: &str) -> HttpResponse {
    let page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width\"><meta name=\"robots\" content=\"noindex\">\
         <title>{title}</title></head>\n<body>\n<h1>{title}</h1>\n{body}</body>\n</html>\n"
    );
    HttpResponse::Ok()
        .content_type("text/html; charset=utf-8")
        .insert_header((header::CONTENT_SECURITY_POLICY, POLICY))
        .body(page)
}
