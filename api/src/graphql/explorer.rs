//! The page that a browser gets: a place to write queries, and the schema beside it.
//!
//! It is one text of ours without anything from elsewhere, and its policy admits nothing else.

use actix_web::HttpResponse;
use actix_web::http::header;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

const STYLE: &str = include_str!("../../web/graphql.css");
const SCRIPT: &str = include_str!("../../web/graphql.js");
const BODY: &str = include_str!("../../web/graphql.html");

/// The page.
pub(super) fn page() -> HttpResponse {
    HttpResponse::Ok()
        .content_type("text/html; charset=utf-8")
        .insert_header((header::CONTENT_SECURITY_POLICY, policy()))
        .insert_header((header::CACHE_CONTROL, "no-cache"))
        .insert_header((header::VARY, "Accept"))
        .body(text())
}

fn text() -> String {
    let head = "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
                <meta name=\"viewport\" content=\"width=device-width\">\n<title>GraphQL</title>\n";
    format!("{head}<style>{STYLE}</style>\n{BODY}<script>{SCRIPT}</script>\n</html>\n")
}

/// Nothing but the style and the script above, and no connection but to this server.
fn policy() -> String {
    let hash = |text: &str| STANDARD.encode(Sha256::digest(text));
    format!(
        "default-src 'none'; style-src 'sha256-{}'; script-src 'sha256-{}'; connect-src 'self'; \
         form-action 'none'; frame-ancestors 'none'; base-uri 'none'",
        hash(STYLE),
        hash(SCRIPT)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_needs_nobody_else() {
        let page = text();
        for foreign in [
            "http:",
            "https:",
            "src=",
            "href=",
            "url(",
            "import ",
            "innerHTML",
        ] {
            assert!(!page.contains(foreign), "{foreign}");
        }
        // Else the browser would see another script than the one whose hash is admitted.
        assert!(!SCRIPT.contains("</script") && !STYLE.contains("</style"));
    }

    #[test]
    fn the_query_that_it_begins_with_is_taken() {
        let (_, query) = BODY
            .split_once("<textarea id=\"query\" spellcheck=\"false\">")
            .unwrap();
        let (query, _) = query.split_once("</textarea>").unwrap();
        let (_, schema) = SCRIPT.split_once("const SCHEMA = `").unwrap();
        let (schema, _) = schema.split_once('`').unwrap();
        for query in [query, schema] {
            crate::graphql::limits::assert_taken(query);
        }
    }
}
