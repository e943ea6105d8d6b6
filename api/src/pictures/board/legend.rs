//! What stands below the board: who plays, what is shown, what the marks mean.

use domain::{ByColor, Color};
use svg::node::element::{Element, Group};

use super::last_move::{cross, frame};
use super::pieces::{shape, unmoved};
use super::{CELL, LEFT, TOP};
use crate::pictures::sheet::{class_of, placed, text};
use crate::pictures::words;

const LINE: f64 = 22.0;

/// Four lines.
pub(super) fn draw(names: ByColor<&str>, moment: &str) -> Vec<Element> {
    let line = |nth: u32| TOP + 10.0 * CELL + 44.0 + LINE * f64::from(nth);
    let mut parts = Vec::new();
    for (nth, owner) in (0..).zip(Color::ALL) {
        parts.push(sample(owner, (LEFT + 8.0, line(nth) - 4.5)).into());
        let words = format!("{} ({})", words::short(names[owner]), words::side(owner));
        parts.push(text("player", (LEFT + 24.0, line(nth)), words).into());
    }
    parts.push(text("moment", (LEFT, line(2)), capitalised(moment)).into());
    parts.extend(marks(line(3)));
    parts
}

fn marks(y: f64) -> Vec<Element> {
    let middle = y - 4.5;
    let word = |x: f64, words: &str| Element::from(text("word", (x, y), words));
    let dot = placed("dot", (LEFT + 16.0, middle + 9.0)).add(unmoved());
    let battle = placed("battle", (LEFT + 263.0, middle)).add(cross());
    vec![
        dot.into(),
        word(LEFT + 14.0, "never moved"),
        frame("from", (LEFT + 122.0, middle), 16.0).into(),
        frame("to", (LEFT + 142.0, middle), 16.0).into(),
        word(LEFT + 156.0, "last move"),
        battle.into(),
        word(LEFT + 275.0, "a piece was lost"),
    ]
}

fn sample(owner: Color, place: (f64, f64)) -> Group {
    let class = format!("piece {}", class_of(owner));
    let small = Group::new().set("transform", "scale(.45)");
    placed(&class, place).add(small.add(shape(owner)))
}

fn capitalised(words: &str) -> String {
    let mut chars = words.chars();
    let first = chars.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(chars).collect()
}
