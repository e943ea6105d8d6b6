//! What the marks mean.

use domain::{Cause, Color, WeighedReveal};
use svg::node::element::{Element, Group, Path};

use super::marks::{class, sign, stroke};
use super::{BOTTOM, LANE};
use crate::pictures::sheet::{placed, text};

const LEFT: f64 = 12.0;
const FIRST_LINE: f64 = BOTTOM + LANE + 58.0;
const LINE: f64 = 22.0;
/// Marks stand in two columns, each so wide.
const COLUMN: f64 = 218.0;

/// The marks that are in the picture, two to a line.
pub(super) fn draw(reveals: &[WeighedReveal], has_battles: bool, is_over: bool) -> Vec<Element> {
    let mut causes = reveals.iter().map(|weighed| weighed.reveal.cause);
    let was_deduced = causes.clone().any(|cause| cause == Cause::Deduced);
    let was_told = causes.any(|cause| !matches!(cause, Cause::Deduced | Cause::GameOver));
    let shown = [
        (was_told, signs(false), "disclosed (Red, Blue)"),
        (was_deduced, signs(true), "deduced"),
        (has_battles, battle(), "battle"),
        (is_over, end(), "end of the game"),
    ];
    let shown = shown.into_iter().filter(|(is_shown, ..)| *is_shown);
    let places = (0..).map(|nth: u32| {
        let (line, column) = (f64::from(nth / 2), f64::from(nth % 2));
        (LEFT + COLUMN * column, FIRST_LINE + LINE * line)
    });
    let entries = shown.zip(places).map(|((_, sample, words), (x, y))| {
        let sample = placed("sample", (x + 9.0, y - 4.5)).add(sample);
        [sample.into(), text("word", (x + 30.0, y), words).into()]
    });
    entries.flatten().collect()
}

fn signs(deduced: bool) -> Group {
    let places = [(-5.0, 0.0), (8.0, 0.0)];
    let signs = Color::ALL.into_iter().zip(places);
    signs.fold(Group::new(), |group, (owner, place)| {
        group.add(placed(&class(owner, deduced), place).add(sign(owner)))
    })
}

fn battle() -> Group {
    Group::new().set("class", "battle").add(stroke())
}

fn end() -> Group {
    let line = Path::new().set("d", "M0-7v14");
    Group::new().set("class", "end").add(line)
}
