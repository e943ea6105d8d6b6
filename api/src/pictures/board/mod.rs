//! The board: Red's home rows below, as squares are named for everyone.

mod grid;
mod last_move;
mod legend;
mod pieces;

use domain::{Color, PieceView, Square, View};

use super::sheet::{Headings, Picture, Sheet};
use super::{Caption, words};
use legend::Mark;

const STYLE: &str = include_str!("style.css");
const WIDTH: u32 = 440;
const HEIGHT: u32 = 578;
/// The side of a square.
const CELL: f64 = 40.0;
/// The corner of the board at a10.
const LEFT: f64 = 24.0;
const TOP: f64 = 12.0;

/// The board after so many moves, or as it is now. Before the start there are only the armies that
/// the viewer placed. `None` when there is no such ply.
pub fn board(view: &View<'_>, caption: &Caption<'_>, ply: Option<u32>) -> Option<Picture> {
    let (pieces, last_move) = match ply {
        Some(ply) => {
            let before = ply.checked_sub(1);
            let last_move = before.and_then(|before| view.move_at(before));
            (view.frame(ply)?.pieces, last_move)
        }
        None => (view.pieces(), view.last_move()),
    };
    let moment = moment(view, ply);
    let standing = words::standing(view, ply, last_move.as_ref());
    let told = last_move.as_ref().map(last_move::sentence);
    let drawn_ply = ply.unwrap_or_else(|| view.game().ply());
    let mut sheet = Sheet::new(
        WIDTH,
        HEIGHT,
        &Headings {
            kind: "board",
            stem: &caption.stem("board", drawn_ply, view.viewpoint()),
            title: &format!("The board of {}, {moment}", words::players(caption.names)),
            description: &description(view, &pieces, &standing, told.as_deref()),
            style: STYLE,
        },
    );
    for part in grid::draw() {
        sheet.add(part);
    }
    if let Some(last_move) = &last_move {
        sheet.add(last_move::marks(last_move));
    }
    for piece in &pieces {
        sheet.add(pieces::draw(piece, view.viewpoint()));
    }
    if let Some(battle) = last_move.as_ref().and_then(last_move::battle) {
        sheet.add(battle);
    }
    let marks = Mark::of(&pieces, last_move.as_ref(), view.viewpoint());
    for part in legend::draw(caption.names, &moment, &standing, &marks) {
        sheet.add(part);
    }
    Some(sheet.done())
}

fn moment(view: &View<'_>, ply: Option<u32>) -> String {
    let game = view.game();
    let eyes = words::eyes(view.viewpoint());
    if !game.has_begun() {
        return format!("before the start, {eyes}");
    }
    let ply = ply.unwrap_or_else(|| game.ply());
    format!("after {}, {eyes}", words::plies(ply))
}

fn description(
    view: &View<'_>,
    pieces: &[PieceView],
    standing: &str,
    last_move: Option<&str>,
) -> String {
    let strength = |owner| strength(view, pieces, owner);
    let mut sentences: Vec<String> = Color::ALL.map(strength).into();
    sentences.push(standing.to_owned());
    if let Some(last_move) = last_move {
        sentences.push(format!("The last move: {last_move}"));
    }
    sentences.join(" ")
}

fn strength(view: &View<'_>, pieces: &[PieceView], owner: Color) -> String {
    let own = pieces.iter().filter(|piece| piece.id.owner() == owner);
    let side = words::side(owner);
    if !view.game().has_begun() && own.clone().next().is_none() {
        return if view.game().has_placed(owner) {
            format!("{side}'s army is placed and not shown.")
        } else {
            format!("{side}'s army is not placed.")
        };
    }
    let unknown = own.clone().filter(|piece| piece.rank.is_none()).count();
    let shown = words::count(own.count(), "piece", "pieces");
    let unknown = if unknown == 0 {
        "none".to_owned()
    } else {
        unknown.to_string()
    };
    format!("{side} has {shown} on the board, {unknown} of them unknown.")
}

/// The middle of a square.
fn middle(square: Square) -> (f64, f64) {
    let (column, row) = (square.column().index(), square.row().index());
    let x = LEFT + CELL * (f64::from(column) + 0.5);
    let y = TOP + CELL * (9.5 - f64::from(row));
    (x, y)
}
