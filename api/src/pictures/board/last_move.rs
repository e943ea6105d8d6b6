//! The last move: its squares, and the battle that it was.

use domain::{BattleOutcome, MoveView, Square};
use svg::node::element::{Circle, Group, Path, Rectangle, Title};

use super::{CELL, middle};
use crate::pictures::sheet::{titled, units};
use crate::pictures::words;

const CROSS: &str = "M-3-3 3 3M-3 3 3-3";

/// What was done, as a sentence.
pub(super) fn sentence(step: &MoveView) -> String {
    let side = words::side(step.side);
    let piece = words::piece(step.piece, step.rank);
    let (from, to) = (step.mv.from, step.mv.to);
    let told = match step.attack {
        _ if step.forfeited => {
            format!("{side} tried {piece}, from {from} to {to}, and forfeited the turn")
        }
        None => format!("{side} moved {piece}, from {from} to {to}"),
        Some(attack) => {
            let defender = words::piece(attack.defender_id, attack.defender);
            let outcome = words::outcome(attack.outcome);
            format!("{side} attacked {defender}, on {to}, from {from} with {piece}; {outcome}")
        }
    };
    let rescue = step.rescue.map_or_else(String::new, |rescue| {
        let back = words::piece(rescue.piece, rescue.rank);
        format!("; it brought back {back}, on {}", rescue.square)
    });
    format!("{told}{rescue}.")
}

/// Both squares, to be drawn under the pieces.
pub(super) fn marks(step: &MoveView) -> Group {
    Group::new()
        .set("class", "last")
        .add(Title::new(sentence(step)))
        .add(square("from", step.mv.from))
        .add(square("to", step.mv.to))
}

/// Where a piece was lost, to be drawn over the pieces: on the corner of the one that stands there,
/// or large where none does.
pub(super) fn battle(step: &MoveView) -> Option<Group> {
    let attack = step.attack?;
    let (x, y) = middle(step.mv.to);
    let (place, mark) = if attack.outcome == BattleOutcome::BothRemoved {
        ((x, y), cross().set("transform", "scale(1.8)"))
    } else {
        ((x + 13.0, y - 13.0), cross())
    };
    Some(titled("battle", place, sentence(step)).add(mark))
}

/// The frame of a square, of a size.
pub(super) fn frame(class: &str, (x, y): (f64, f64), size: f64) -> Rectangle {
    let inner = size - 2.5;
    Rectangle::new()
        .set("class", class)
        .set("x", units(x - inner / 2.0))
        .set("y", units(y - inner / 2.0))
        .set("width", inner)
        .set("height", inner)
}

/// The mark of a battle, about its middle.
pub(super) fn cross() -> Group {
    Group::new()
        .set("class", "cross")
        .add(Circle::new().set("r", 6))
        .add(Path::new().set("d", CROSS))
}

fn square(class: &str, square: Square) -> Rectangle {
    frame(class, middle(square), CELL)
}
