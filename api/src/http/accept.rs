//! What a caller accepts: the `Accept` header against the media types there are.

use actix_web::http::header::{self, HeaderMap};

/// The best of `offered` for a request with these headers, by quality and then by the order offered;
/// none when the caller accepts none of them. Without the header everything is accepted.
pub fn preferred<'a>(headers: &HeaderMap, offered: &[&'a str]) -> Option<&'a str> {
    let accepted: Vec<&str> = headers
        .get_all(header::ACCEPT)
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .map(str::trim)
        .filter(|range| !range.is_empty())
        .collect();
    if accepted.is_empty() {
        return offered.first().copied();
    }
    let mut best: Option<(&str, f32)> = None;
    for media_type in offered {
        let quality = quality_of(media_type, &accepted);
        if quality > best.map_or(0.0, |(_, quality)| quality) {
            best = Some((media_type, quality));
        }
    }
    best.map(|(media_type, _)| media_type)
}

/// The quality that the most specific matching range gives to a media type, 0 when none matches.
fn quality_of(media_type: &str, accepted: &[&str]) -> f32 {
    let mut best = (0, 0.0);
    for range in accepted {
        let mut parts = range.split(';').map(str::trim);
        let specificity = specificity(parts.next().unwrap_or_default(), media_type);
        if specificity > best.0 {
            let quality = parts
                .find_map(|parameter| {
                    parameter
                        .strip_prefix("q=")
                        .or(parameter.strip_prefix("Q="))
                })
                .map_or(1.0, |quality| quality.parse().unwrap_or(0.0));
            best = (specificity, quality);
        }
    }
    best.1
}

fn specificity(range: &str, media_type: &str) -> u8 {
    let main = media_type.split('/').next().unwrap_or_default();
    if range.eq_ignore_ascii_case(media_type) {
        3
    } else if range
        .strip_suffix("/*")
        .is_some_and(|range| range.eq_ignore_ascii_case(main))
    {
        2
    } else {
        u8::from(range == "*/*")
    }
}

#[cfg(test)]
mod tests {
    use actix_web::http::header::HeaderValue;

    use super::*;

    #[test]
    fn the_best_of_what_is_offered() {
        let offered = ["application/json", "text/html"];
        for (accept, expected) in [
            (None, Some("application/json")),
            (Some(""), Some("application/json")),
            (Some("*/*"), Some("application/json")),
            (Some("text/html"), Some("text/html")),
            (
                Some("text/html,application/xhtml+xml,*/*;q=0.8"),
                Some("text/html"),
            ),
            (Some("text/*, application/json;q=0.5"), Some("text/html")),
            (Some("*/*, application/json;q=0"), Some("text/html")),
            (Some("application/json;q=0"), None),
            (Some("application/xml"), None),
            (Some("application/json;q=nonsense"), None),
            (Some("APPLICATION/JSON"), Some("application/json")),
        ] {
            let mut headers = HeaderMap::new();
            if let Some(accept) = accept {
                headers.insert(header::ACCEPT, HeaderValue::from_static(accept));
            }
            assert_eq!(preferred(&headers, &offered), expected, "{accept:?}");
        }
    }
}
