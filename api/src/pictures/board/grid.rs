//! The squares, the lakes and the names of columns and rows.

use domain::Square;
use svg::node::element::{Element, Group, Path, Rectangle, Text, Title};

use super::{CELL, LEFT, TOP, middle};
use crate::pictures::sheet::{placed, text};

/// From the middle of a square: two waves.
const WAVES: &str = "M-13-5q4.3-6 8.7 0t8.6 0 8.7 0M-13 7q4.3-6 8.7 0t8.6 0 8.7 0";

/// All that is the same in every game.
pub(super) fn draw() -> Vec<Element> {
    let lakes = Square::all().filter(|square| square.is_lake());
    let water = Group::new().add(Title::new("The lakes, where no piece may go"));
    let water = lakes.fold(water, |water, square| water.add(lake(square)));
    let mut parts = vec![field().into(), water.into(), lines().into()];
    parts.extend(names().into_iter().map(Element::from));
    parts
}

fn field() -> Rectangle {
    Rectangle::new()
        .set("class", "field")
        .set("x", LEFT)
        .set("y", TOP)
        .set("width", 10.0 * CELL)
        .set("height", 10.0 * CELL)
}

fn lake(square: Square) -> Group {
    let half = CELL / 2.0;
    let water = Rectangle::new()
        .set("class", "lake")
        .set("x", -half)
        .set("y", -half)
        .set("width", CELL)
        .set("height", CELL);
    placed("water", middle(square))
        .add(water)
        .add(Path::new().set("class", "wave").set("d", WAVES))
}

fn lines() -> Path {
    let inner = (1..10).map(|nth| CELL * f64::from(nth));
    let lines = inner.map(|at| {
        let (x, y) = (LEFT + at, TOP + at);
        let length = 10.0 * CELL;
        format!("M{x} {TOP}v{length}M{LEFT} {y}h{length}")
    });
    let lines: String = lines.collect();
    Path::new().set("class", "grid").set("d", lines)
}

fn names() -> Vec<Text> {
    let edge = |square: &Square| square.row().index() == 0 || square.column().index() == 0;
    let mut names = Vec::with_capacity(20);
    for square in Square::all().filter(edge) {
        let (x, y) = middle(square);
        if square.row().index() == 0 {
            let below = TOP + 10.0 * CELL + 17.0;
            names.push(text("name", (x, below), square.column().to_string()));
        }
        if square.column().index() == 0 {
            let beside = (LEFT - 12.0, y + 4.5);
            names.push(text("name", beside, square.row().to_string()));
        }
    }
    names
}
