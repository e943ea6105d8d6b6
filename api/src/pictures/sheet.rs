//! What every picture has: its frame, its texts for those who do not see it, its marks of the sides.

use std::fmt;

use domain::Color;
use svg::Document;
use svg::node::element::{Description, Group, Rectangle, Style, Text, Title};
use svg::node::{self, Node};

/// A drawn picture; written, it is an SVG document.
#[derive(Debug)]
pub struct Picture(Document);

impl fmt::Display for Picture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A picture to be filled.
pub(super) struct Sheet {
    document: Document,
}

/// How a picture is named, told and styled.
pub(super) struct Headings<'a> {
    /// The class of the root.
    pub(super) kind: &'a str,
    /// What the identifiers begin with.
    pub(super) stem: &'a str,
    pub(super) title: &'a str,
    pub(super) description: &'a str,
    pub(super) style: &'a str,
}

impl Sheet {
    /// An empty one, of so many units: a unit is a pixel where it is shown that wide.
    pub(super) fn new(width: u32, height: u32, headings: &Headings<'_>) -> Self {
        let Headings {
            kind,
            stem,
            title,
            description,
            style,
        } = headings;
        let (title_id, description_id) = (format!("{stem}-title"), format!("{stem}-desc"));
        let description = Description::new()
            .set("id", description_id.as_str())
            .add(node::Text::new(*description));
        let paper = Rectangle::new()
            .set("class", "paper")
            .set("width", width)
            .set("height", height);
        let document = Document::new()
            .set("viewBox", (0, 0, width, height))
            .set("width", "100%")
            .set("class", *kind)
            .set("lang", "en")
            .set("role", "img")
            .set("aria-labelledby", format!("{title_id} {description_id}"))
            .add(Title::new(*title).set("id", title_id))
            .add(description)
            .add(Style::new(*style))
            .add(paper);
        Self { document }
    }

    pub(super) fn add(&mut self, node: impl Into<Box<dyn Node>>) {
        self.document.append(node);
    }

    pub(super) fn done(self) -> Picture {
        Picture(self.document)
    }
}

/// The class of what belongs to a side.
pub(super) const fn class_of(owner: Color) -> &'static str {
    owner.name()
}

/// A text at a place, by its base line.
pub(super) fn text(class: &str, (x, y): (f64, f64), words: impl Into<String>) -> Text {
    Text::new(words)
        .set("class", class)
        .set("x", units(x))
        .set("y", units(y))
}

/// A group that is drawn about a place, with a title to be read or pointed at.
pub(super) fn titled(class: &str, (x, y): (f64, f64), title: impl Into<String>) -> Group {
    placed(class, (x, y)).add(Title::new(title))
}

/// A group that is drawn about a place.
pub(super) fn placed(class: &str, (x, y): (f64, f64)) -> Group {
    let place = format!("translate({} {})", units(x), units(y));
    Group::new().set("class", class).set("transform", place)
}

/// To a hundredth, beyond which nobody sees anything.
pub(super) fn units(value: f64) -> f64 {
    (value * 100.0).round() / 100.0 + 0.0
}
