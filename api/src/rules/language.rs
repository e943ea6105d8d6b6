//! The languages there are, and which of them a caller reads best.

use actix_web::HttpRequest;
use actix_web::http::header::{AcceptLanguage, Header, Preference, Quality};

/// A language of rank names; those of [`Language::WITH_TEXT`] have the rules as text too.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Language {
    /// English: what a caller gets who asks for nothing else.
    English,
    /// French.
    French,
    /// Spanish.
    Spanish,
    /// Greek.
    Greek,
    /// Romanian.
    Romanian,
    /// German: rank names alone.
    German,
    /// Dutch: rank names alone.
    Dutch,
}

impl Language {
    /// Every language.
    pub const ALL: [Self; 7] = [
        Self::English,
        Self::French,
        Self::Spanish,
        Self::Greek,
        Self::Romanian,
        Self::German,
        Self::Dutch,
    ];

    /// The languages in which there is text and advice.
    pub const WITH_TEXT: [Self; 5] = [
        Self::English,
        Self::French,
        Self::Spanish,
        Self::Greek,
        Self::Romanian,
    ];

    /// The language tag, e.g. `fr`.
    pub const fn tag(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::French => "fr",
            Self::Spanish => "es",
            Self::Greek => "el",
            Self::Romanian => "ro",
            Self::German => "de",
            Self::Dutch => "nl",
        }
    }

    /// The first of what a request's `Accept-Language` ranks highest that is offered, English when
    /// it names none. A header that cannot be read counts as none: a language is a wish.
    pub fn of_request(request: &HttpRequest, offered: &[Self]) -> Self {
        AcceptLanguage::parse(request).map_or(Self::English, |wishes| best(&wishes, offered))
    }
}

/// By quality, then by the order in the header. `fr-CA` is served by `fr` (the lookup of RFC 4647),
/// `*` by the first that is offered and not refused with `q=0`.
fn best(wishes: &AcceptLanguage, offered: &[Language]) -> Language {
    let mut ranked: Vec<_> = wishes
        .iter()
        .filter(|wish| wish.quality > Quality::ZERO)
        .collect();
    ranked.sort_by_key(|wish| std::cmp::Reverse(wish.quality));
    let refused = |language: Language| {
        wishes.iter().any(|wish| {
            wish.quality == Quality::ZERO
                && matches!(&wish.item, Preference::Specific(tag) if tag.as_str().eq_ignore_ascii_case(language.tag()))
        })
    };
    ranked
        .into_iter()
        .find_map(|wish| {
            offered.iter().copied().find(|language| {
                let matches = match &wish.item {
                    Preference::Any => true,
                    Preference::Specific(tag) => {
                        tag.primary_language().eq_ignore_ascii_case(language.tag())
                    }
                };
                matches && !refused(*language)
            })
        })
        .unwrap_or(Language::English)
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    fn negotiated(header: &str, offered: &[Language]) -> &'static str {
        let request = TestRequest::default().insert_header(("Accept-Language", header));
        Language::of_request(&request.to_http_request(), offered).tag()
    }

    #[test]
    fn the_best_language_by_quality_then_order() {
        for (header, expected) in [
            ("", "en"),
            ("fr", "fr"),
            ("fr-CA", "fr"),
            ("FR-ca", "fr"),
            ("es-419", "es"),
            ("el-GR, en;q=0.5", "el"),
            ("en;q=0.5, ro;q=0.9", "ro"),
            ("nl, de", "nl"),
            ("de-AT,de;q=0.9,en;q=0.8", "de"),
            ("ja, fr;q=0.1", "fr"),
            ("ja", "en"),
            ("*", "en"),
            ("en;q=0, *", "fr"),
            ("ja, *;q=0.1", "en"),
            ("fr;q=0", "en"),
            ("fr;q=0, nl;q=0.001", "nl"),
            ("fr;q=nonsense, es;q=0.2", "es"),
            (",,;;q=,-, el", "el"),
            ("fra", "en"),
        ] {
            assert_eq!(negotiated(header, &Language::ALL), expected, "{header:?}");
        }
        let none = TestRequest::default().to_http_request();
        assert_eq!(
            Language::of_request(&none, &Language::ALL),
            Language::English
        );
        let latin =
            TestRequest::default().insert_header(("Accept-Language", b"fran\xe7ais".as_slice()));
        let latin = latin.to_http_request();
        assert_eq!(
            Language::of_request(&latin, &Language::ALL),
            Language::English
        );
    }

    #[test]
    fn text_is_in_the_next_best_language_that_has_it() {
        for (header, expected) in [
            ("de", "en"),
            ("nl", "en"),
            ("de, fr;q=0.8, en;q=0.5", "fr"),
            ("fr", "fr"),
            ("nl, *", "en"),
        ] {
            assert_eq!(
                negotiated(header, &Language::WITH_TEXT),
                expected,
                "{header:?}"
            );
        }
    }

    #[test]
    fn tags_are_all_different() {
        let tags: std::collections::HashSet<_> = Language::ALL.map(Language::tag).into();
        assert_eq!(tags.len(), Language::ALL.len());
    }
}
