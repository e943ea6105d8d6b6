//! A line of steps for each side, and its name at its end.

use std::fmt::Write as _;

use domain::{ByColor, Color, InformationPoint};
use svg::node::element::{Path, Text};

use super::{BOTTOM, Plane, TOP, bits};
use crate::pictures::sheet::{class_of, text, units};
use crate::pictures::words;

/// Names are no nearer to each other.
const APART: f64 = 15.0;
/// The least that two places differ by.
const SEEN: f64 = 0.005;

/// Both lines; Blue's is dashed, so that it is told apart where it lies over Red's.
pub(super) fn draw(plane: &Plane, information: &[InformationPoint]) -> Vec<Path> {
    let line = |side: Color| {
        Path::new()
            .set("class", format!("line {}", class_of(side)))
            .set("d", steps(plane, information, side))
    };
    Color::ALL.map(line).into()
}

/// What each side hid at the end.
pub(super) fn labels(plane: &Plane, last: &InformationPoint) -> Vec<Text> {
    let places = last
        .hidden_bits
        .map(|bits| units(plane.at(last.ply, bits).1));
    let places = kept_apart(places);
    let x = plane.at(last.ply, 0.0).0 + 9.0;
    let label = |side: Color| {
        let class = format!("label {}", class_of(side));
        let words = format!("{} {}", words::side(side), bits(last.hidden_bits[side]));
        text(&class, (x, places[side] + 4.5), words)
    };
    Color::ALL.map(label).into()
}

fn steps(plane: &Plane, information: &[InformationPoint], side: Color) -> String {
    let mut path = String::new();
    let mut height = None;
    let mut end = 0.0;
    for point in information {
        let (x, y) = plane.at(point.ply, point.hidden_bits[side]);
        let (x, y) = (units(x), units(y));
        // Writing to a string cannot fail.
        let _ = match height {
            None => write!(path, "M{x} {y}"),
            Some(height) if f64::abs(height - y) >= SEEN => write!(path, "H{x}V{y}"),
            Some(_) => Ok(()),
        };
        height = Some(y);
        end = x;
    }
    path + &format!("H{end}")
}

/// Two heights moved away from each other until two lines of text fit, within the plane.
fn kept_apart(places: ByColor<f64>) -> ByColor<f64> {
    let gap = (places.red - places.blue).abs();
    if gap >= APART {
        return places;
    }
    let half = APART / 2.0;
    let middle = f64::midpoint(places.red, places.blue).clamp(TOP + half, BOTTOM - half);
    let (above, below) = (middle - half, middle + half);
    if places.red <= places.blue {
        ByColor {
            red: above,
            blue: below,
        }
    } else {
        ByColor {
            red: below,
            blue: above,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_do_not_lie_over_each_other() {
        for (red, blue) in [(100.0, 100.0), (TOP, TOP), (BOTTOM, BOTTOM), (90.0, 99.0)] {
            let placed = kept_apart(ByColor { red, blue });
            let gap = placed.blue - placed.red;
            assert!((gap - APART).abs() < SEEN, "{red} {blue}: {gap}");
            assert!(placed.red >= TOP && placed.blue <= BOTTOM);
        }
        let far = ByColor {
            red: 200.0,
            blue: 100.0,
        };
        assert_eq!(kept_apart(far), far);
    }
}
