//! Pieces. The sides differ in shape and in how they are filled: Red's are solid blocks, Blue's are
//! pale and arched.

use domain::{Color, PieceView, Rank, Viewpoint};
use svg::node::element::{Circle, Group, Path, Rectangle, Text};

use super::middle;
use crate::pictures::sheet::{class_of, text, titled};
use crate::pictures::words;

const BLOCK: &str = "M-14-17h28q3 0 3 3v28q0 3-3 3h-28q-3 0-3-3v-28q0-3 3-3Z";
const ARCH: &str = "M-17 17v-20a17 14 0 0 1 34 0v20Z";
/// Where the mark of a piece that never moved is, within both outlines.
pub(super) const UNMOVED: (f64, f64) = (-8.5, -9.5);
/// More would not be legible; the title has them all.
const MOST_RANKS: u32 = 4;

/// A piece on its square.
pub(super) fn draw(piece: &PieceView, viewpoint: Viewpoint) -> Group {
    let owner = piece.id.owner();
    let class = format!("piece {}", class_of(owner));
    let mut drawn = titled(&class, middle(piece.square), title(piece)).add(shape(owner));
    if !piece.moved {
        drawn = drawn.add(unmoved());
    }
    if is_given_away(piece, viewpoint) {
        drawn = drawn.add(given_away());
    }
    signs(piece).into_iter().fold(drawn, Group::add)
}

/// Its rank, or a question mark with the ranks that it can be: beside it in two lines, or below it
/// when they are so few that they fit.
fn signs(piece: &PieceView) -> Vec<Text> {
    if let Some(rank) = piece.rank {
        return vec![text("rank", (0.0, 8.0), rank.to_char())];
    }
    let possible = piece.possible.map(|possible| possible.ranks);
    let possible = possible.filter(|ranks| (1..=MOST_RANKS).contains(&ranks.len()));
    let Some(ranks) = possible else {
        return vec![text("rank", (0.0, 8.0), "?")];
    };
    let ranks: Vec<char> = ranks.iter().map(Rank::to_char).collect();
    match &ranks[..] {
        [a, b, c, d] => vec![
            text("asked", (-9.0, 9.5), "?"),
            text("ranks", (5.0, 1.0), format!("{a}{b}")),
            text("ranks", (5.0, 13.0), format!("{c}{d}")),
        ],
        few => vec![
            text("asked", (0.0, 3.5), "?"),
            text("ranks", (0.0, 14.0), few.iter().collect::<String>()),
        ],
    }
}

/// The outline of a side's pieces, about its middle.
pub(super) fn shape(owner: Color) -> Path {
    let outline = match owner {
        Color::Red => BLOCK,
        Color::Blue => ARCH,
    };
    Path::new().set("d", outline)
}

/// The mark of a piece that never moved: it may be a bomb or the flag.
pub(super) fn unmoved() -> Circle {
    let (x, y) = UNMOVED;
    Circle::new().set("cx", x).set("cy", y).set("r", 2.2)
}

/// Whether the viewpoint sees a piece as its owner does, and the other side knows it too.
pub(super) fn is_given_away(piece: &PieceView, viewpoint: Viewpoint) -> bool {
    let owns = [Viewpoint::Omniscient, Viewpoint::of(Some(piece.id.owner()))].contains(&viewpoint);
    owns && piece.revealed_ply.is_some()
}

/// The mark of a piece that the other side knows, under its rank.
pub(super) fn given_away() -> Rectangle {
    Rectangle::new()
        .set("x", -6)
        .set("y", 10.5)
        .set("width", 12)
        .set("height", 2)
}

fn title(piece: &PieceView) -> String {
    let what = match piece.possible {
        Some(possible) => {
            let ranks = possible.ranks.iter().map(|rank| rank.to_char().to_string());
            let ranks = ranks.collect::<Vec<_>>().join(", ");
            let fewer = if possible.exact {
                ""
            } else {
                " (perhaps fewer)"
            };
            format!("unknown, one of {ranks}{fewer}")
        }
        None => words::rank(piece.rank),
    };
    let moved = if piece.moved { "moved" } else { "never moved" };
    let known = piece.revealed_ply.map_or_else(String::new, |ply| {
        let other = words::side(!piece.id.owner());
        format!("; known to {other} since ply {ply}")
    });
    format!("{} on {}: {what}; {moved}{known}", piece.id, piece.square)
}
