//! Pieces. The sides differ in shape and in how they are filled: Red's are solid blocks, Blue's are
//! pale and arched.

use domain::{Color, PieceView, Rank};
use svg::node::element::{Circle, Group, Path};

use super::middle;
use crate::pictures::sheet::{class_of, text, titled};
use crate::pictures::words;

const BLOCK: &str = "M-14-17h28q3 0 3 3v28q0 3-3 3h-28q-3 0-3-3v-28q0-3 3-3Z";
const ARCH: &str = "M-17 17v-20a17 14 0 0 1 34 0v20Z";
/// More would not be legible; the title has them all.
const MOST_RANKS: u32 = 4;

/// A piece on its square.
pub(super) fn draw(piece: &PieceView) -> Group {
    let owner = piece.id.owner();
    let possible: Option<String> = piece
        .possible
        .filter(|possible| (1..=MOST_RANKS).contains(&possible.ranks.len()))
        .map(|possible| possible.ranks.iter().map(Rank::to_char).collect());
    let sign = piece.rank.map_or('?', Rank::to_char).to_string();
    let class = format!("piece {}", class_of(owner));
    let mut drawn = titled(&class, middle(piece.square), title(piece)).add(shape(owner));
    if !piece.moved {
        drawn = drawn.add(unmoved());
    }
    match possible {
        Some(ranks) => {
            drawn
                .add(text("rank", (0.0, 1.0), sign))
                .add(text("ranks", (0.0, 13.5), ranks))
        }
        None => drawn.add(text("rank", (0.0, 7.0), sign)),
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
    Circle::new().set("cx", -11).set("cy", -9).set("r", 2.2)
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
