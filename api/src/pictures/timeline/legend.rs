//! What the marks mean.

use domain::Color;
use svg::node::element::{Element, Path};

use super::marks::{class, sign, stroke};
use super::{BOTTOM, LANE};
use crate::pictures::sheet::{placed, text};

const FIRST_LINE: f64 = BOTTOM + LANE + 56.0;
const LINE: f64 = 21.0;

/// Two lines; the end is named when there is one.
pub(super) fn draw(is_over: bool) -> Vec<Element> {
    let (one, two) = (FIRST_LINE, FIRST_LINE + LINE);
    let mut parts = Vec::new();
    parts.extend(signs(14.0, one, false));
    parts.push(word(42.0, one, "Red's, Blue's rank disclosed"));
    parts.extend(signs(254.0, one, true));
    parts.push(word(282.0, one, "deduced"));
    let battle = placed("battle", (14.0, two - 4.5)).add(stroke());
    parts.push(battle.into());
    parts.push(word(26.0, two, "battle"));
    if is_over {
        let line = Path::new().set("d", "M0-7v14");
        parts.push(placed("end", (254.0, two - 4.5)).add(line).into());
        parts.push(word(266.0, two, "end of the game"));
    }
    parts
}

fn signs(x: f64, y: f64, deduced: bool) -> Vec<Element> {
    let sign = |(nth, owner): (u8, Color)| {
        let place = (x + 15.0 * f64::from(nth), y - 4.5);
        placed(&class(owner, deduced), place)
            .add(sign(owner))
            .into()
    };
    (0..).zip(Color::ALL).map(sign).collect()
}

fn word(x: f64, y: f64, words: &str) -> Element {
    text("word", (x, y), words).into()
}
