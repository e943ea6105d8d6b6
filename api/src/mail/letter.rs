//! One mail: what it says, as plain text and as HTML.

use storage::Digest;

/// A mail before it is sent.
pub(super) struct Letter {
    /// The address.
    pub(super) to: String,
    /// The subject.
    pub(super) subject: String,
    /// What it says.
    pub(super) blocks: Vec<Block>,
    /// Where the mails of this kind are stopped; none for a mail that was asked for.
    pub(super) stop: Option<String>,
    /// What makes it this mail and no other: tried again, it has the same identifier.
    pub(super) identity: Digest,
}

/// A part of a mail.
pub(super) enum Block {
    /// A paragraph.
    Text(String),
    /// A link by itself.
    Link(String),
    /// A list, each item with a link.
    List(Vec<(String, String)>),
}

const BYE: &str = "Reveille, correspondence Stratego";

impl Letter {
    /// As plain text.
    pub(super) fn plain(&self) -> String {
        let mut parts: Vec<String> = self.blocks.iter().map(Block::plain).collect();
        parts.push(format!("-- \n{BYE}"));
        if let Some(stop) = &self.stop {
            parts.push(format!("To get no more of these mails:\n{stop}"));
        }
        parts.join("\n\n") + "\n"
    }

    /// As HTML.
    pub(super) fn html(&self) -> String {
        let mut body: String = self.blocks.iter().map(Block::html).collect();
        body.extend(["<p>", BYE, "</p>\n"]);
        if let Some(stop) = &self.stop {
            let link = escaped(stop);
            body.extend([
                "<p><a href=\"",
                &link,
                "\">Get no more of these mails</a></p>\n",
            ]);
        }
        format!(
            "<!doctype html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\"><title>{}</title></head>\n\
             <body>\n{body}</body>\n</html>\n",
            escaped(&self.subject)
        )
    }
}

impl Block {
    fn plain(&self) -> String {
        match self {
            Self::Text(text) | Self::Link(text) => text.clone(),
            Self::List(items) => {
                let items: Vec<String> = items
                    .iter()
                    .map(|(text, link)| format!("- {text}\n  {link}"))
                    .collect();
                items.join("\n")
            }
        }
    }

    fn html(&self) -> String {
        match self {
            Self::Text(text) => format!("<p>{}</p>\n", escaped(text)),
            Self::Link(link) => {
                let link = escaped(link);
                format!("<p><a href=\"{link}\">{link}</a></p>\n")
            }
            Self::List(items) => {
                let mut list = "<ul>\n".to_owned();
                for (text, link) in items {
                    let (text, link) = (escaped(text), escaped(link));
                    list.extend(["<li><a href=\"", &link, "\">", &text, "</a></li>\n"]);
                }
                list + "</ul>\n"
            }
        }
    }
}

/// A text as it may stand in HTML, in an attribute too.
pub(crate) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            other => escaped.push(other),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn html_holds_no_more_than_the_text() {
        let letter = Letter {
            to: "a@example.org".to_owned(),
            subject: "<b>&".to_owned(),
            blocks: vec![
                Block::Text("<script>\"'".to_owned()),
                Block::List(vec![("a<b".to_owned(), "https://x/?a=\"&b".to_owned())]),
            ],
            stop: Some("https://x/stop".to_owned()),
            identity: Digest([0; 32]),
        };
        let html = letter.html();
        assert!(html.contains("<p>&lt;script&gt;&quot;&#39;</p>"), "{html}");
        assert!(
            html.contains("<a href=\"https://x/?a=&quot;&amp;b\">a&lt;b</a>"),
            "{html}"
        );
        assert!(html.contains("<title>&lt;b&gt;&amp;</title>"), "{html}");
        let plain = letter.plain();
        assert!(plain.contains("- a<b\n  https://x/?a=\"&b\n"), "{plain}");
        assert!(plain.ends_with("https://x/stop\n"), "{plain}");
    }
}
