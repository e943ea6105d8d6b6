mod board;
mod statistics;
mod table;
mod timeline;

use domain::ByColor;
use roxmltree::{Document, Node};
use uuid::Uuid;

use super::Caption;

const NAMES: ByColor<&str> = ByColor {
    red: "ann",
    blue: "bob",
};

const CAPTION: Caption<'static> = Caption {
    game: Uuid::from_u128(0x019a_d5c8_4f0e_7c5f_8d3e_2f6f_1c6b_7a10),
    names: NAMES,
};

/// What every picture must be: well-formed, named for who does not see it, complete in itself.
#[track_caller]
fn checked(picture: &str) -> Document<'_> {
    let document = Document::parse(picture).unwrap_or_else(|error| panic!("{error}: {picture}"));
    let root = document.root_element();
    assert_eq!(root.tag_name().name(), "svg");
    assert_eq!(root.attribute("role"), Some("img"));
    let named: Vec<_> = root
        .attribute("aria-labelledby")
        .unwrap()
        .split(' ')
        .collect();
    let heads: Vec<_> = root
        .children()
        .filter(Node::is_element)
        .take(2)
        .map(|head| (head.tag_name().name(), head.attribute("id").unwrap()))
        .collect();
    assert_eq!(heads, [("title", named[0]), ("desc", named[1])]);
    for node in document.descendants() {
        let name = node.tag_name().name();
        assert!(
            !["script", "image", "foreignObject", "a", "use"].contains(&name),
            "{name}"
        );
        for attribute in node.attributes() {
            assert!(!attribute.name().starts_with("on"), "{attribute:?}");
            assert!(!attribute.name().contains("href"), "{attribute:?}");
            assert!(!attribute.value().contains("NaN"), "{attribute:?}");
        }
    }
    assert!(!picture.contains("url("), "{picture}");
    assert!(!picture.contains("@import"), "{picture}");
    document
}

/// An element's text; white space about it is not drawn.
fn words<'a>(node: Node<'a, '_>) -> &'a str {
    node.text().unwrap_or_default().trim()
}

/// The text of the first element of that name directly below.
fn child_text<'a>(node: Node<'a, '_>, name: &str) -> &'a str {
    let child = node.children().find(|child| child.has_tag_name(name));
    child.map(words).unwrap_or_default()
}

/// Every element of a class.
fn of_class<'a, 'd>(document: &'a Document<'d>, class: &'a str) -> Vec<Node<'a, 'd>> {
    let has_class = |node: &Node<'_, '_>| {
        let classes = node.attribute("class").unwrap_or_default();
        classes.split(' ').any(|one| one == class)
    };
    document
        .descendants()
        .filter(|node| has_class(node))
        .collect()
}

/// The texts directly below.
fn texts<'a>(node: Node<'a, '_>) -> Vec<&'a str> {
    let texts = node.children().filter(|child| child.has_tag_name("text"));
    texts.map(words).collect()
}
