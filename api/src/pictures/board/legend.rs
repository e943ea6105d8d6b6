//! What stands below the board: who plays, what is shown, whose turn it is or how the game ended, and
//! what the marks mean.

use domain::{ByColor, Color, MoveView, PieceView, Viewpoint};
use svg::node::element::{Element, Group};

use super::last_move::{cross, frame};
use super::pieces::{UNMOVED, given_away, is_given_away, shape, unmoved};
use super::{CELL, LEFT, TOP};
use crate::pictures::sheet::{class_of, placed, text};
use crate::pictures::words;

const LINE: f64 = 22.0;
/// Marks stand in two columns, each so wide.
const COLUMN: f64 = 206.0;

/// A mark that may be in the picture.
pub(super) enum Mark {
    Unmoved,
    /// With the side whose pieces it is on, or on those of both.
    GivenAway(Option<Color>),
    LastMove,
    Battle,
}

/// Four lines, and two for the marks.
pub(super) fn draw(
    names: ByColor<&str>,
    moment: &str,
    standing: &str,
    marks: &[Mark],
) -> Vec<Element> {
    let mut lines = (0..).map(|nth| TOP + 10.0 * CELL + 44.0 + LINE * f64::from(nth));
    let mut parts = Vec::new();
    for (owner, y) in Color::ALL.into_iter().zip(&mut lines) {
        parts.push(sample(owner, (LEFT + 8.0, y - 4.5)).into());
        let words = format!("{} ({})", words::short(names[owner]), words::side(owner));
        parts.push(text("player", (LEFT + 24.0, y), words).into());
    }
    let told = [
        ("moment", capitalised(moment)),
        ("standing", standing.to_owned()),
    ];
    for ((class, words), y) in told.into_iter().zip(&mut lines) {
        parts.push(text(class, (LEFT, y), words).into());
    }
    for (two, y) in marks.chunks(2).zip(&mut lines) {
        for (mark, x) in two.iter().zip([LEFT, LEFT + COLUMN]) {
            parts.push(mark.sample((x + 18.0, y - 4.5)).into());
            parts.push(text("word", (x + 42.0, y), mark.words()).into());
        }
    }
    parts
}

impl Mark {
    /// Those that a board shows.
    pub(super) fn of(
        pieces: &[PieceView],
        last_move: Option<&MoveView>,
        viewpoint: Viewpoint,
    ) -> Vec<Self> {
        let owner = match viewpoint {
            Viewpoint::Red => Some(Color::Red),
            Viewpoint::Blue => Some(Color::Blue),
            Viewpoint::Public | Viewpoint::Omniscient => None,
        };
        let shown = [
            (pieces.iter().any(|piece| !piece.moved), Self::Unmoved),
            (
                pieces.iter().any(|piece| is_given_away(piece, viewpoint)),
                Self::GivenAway(owner),
            ),
            (last_move.is_some(), Self::LastMove),
            (
                last_move.is_some_and(|step| step.attack.is_some()),
                Self::Battle,
            ),
        ];
        let shown = shown.into_iter().filter(|(is_shown, _)| *is_shown);
        shown.map(|(_, mark)| mark).collect()
    }

    fn sample(&self, (x, y): (f64, f64)) -> Group {
        match self {
            Self::Unmoved => placed("dot", (x - UNMOVED.0, y - UNMOVED.1)).add(unmoved()),
            Self::GivenAway(_) => placed("bar", (x, y - 11.5)).add(given_away()),
            Self::LastMove => placed("last", (x, y))
                .add(frame("from", (-10.0, 0.0), 16.0))
                .add(frame("to", (10.0, 0.0), 16.0)),
            Self::Battle => placed("battle", (x, y)).add(cross()),
        }
    }

    fn words(&self) -> String {
        match self {
            Self::Unmoved => "never moved".to_owned(),
            Self::GivenAway(None) => "known to both sides".to_owned(),
            Self::GivenAway(Some(owner)) => format!("known to {}", words::side(!*owner)),
            Self::LastMove => "last move".to_owned(),
            Self::Battle => "a piece was lost".to_owned(),
        }
    }
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
