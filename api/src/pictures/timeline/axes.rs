//! The axes: bits upwards, plies to the right.

use std::fmt::Write as _;

use svg::node::element::{Element, Path, Text};

use super::{BOTTOM, LANE, LEFT, Plane, RIGHT, TOP};
use crate::pictures::sheet::{text, units};

/// Lines, ticks and their values.
pub(super) fn draw(plane: &Plane, plies: u32) -> Vec<Element> {
    let floor = BOTTOM + LANE;
    let mut lines = String::new();
    let mut parts: Vec<Element> = Vec::new();
    for bits in plane.bits.ticks() {
        let y = units(plane.bits.at(bits));
        // Writing to a string cannot fail.
        let _ = write!(lines, "M{LEFT} {y}H{RIGHT}");
        parts.push(text("tick high", (LEFT - 6.0, y + 4.5), bits.to_string()).into());
    }
    parts.push(text("tick high", (LEFT - 6.0, TOP - 10.0), "bits").into());
    let mut axis = format!("M{LEFT} {TOP}V{floor}H{RIGHT}");
    for ply in named_plies(plane, plies) {
        let x = units(plane.plies.at(ply));
        let _ = write!(axis, "M{x} {floor}v4");
        parts.push(wide((x, floor + 17.0), ply.to_string()).into());
    }
    parts.push(wide((f64::midpoint(LEFT, RIGHT), floor + 33.0), "plies").into());
    let path = |class, lines: String| Path::new().set("class", class).set("d", lines).into();
    parts.insert(0, path("grid", lines));
    parts.insert(1, path("axis", axis));
    parts
}

fn wide(place: (f64, f64), words: impl Into<String>) -> Text {
    text("tick wide", place, words)
}

/// Round values, and the last ply instead of those that its own name would touch.
fn named_plies(plane: &Plane, plies: u32) -> Vec<f64> {
    let last = f64::from(plies);
    let room = plane.plies.step() * 0.6;
    let ticks = plane.plies.ticks();
    let mut named: Vec<f64> = ticks.filter(|tick| tick + room <= last).collect();
    named.push(last);
    named
}
