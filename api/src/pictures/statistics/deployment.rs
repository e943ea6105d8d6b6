//! Where a rank stood at the start.

use domain::facts::{Placed, rate, wilson};
use domain::{Rank, Square};
use svg::node::element::{Group, Rectangle};

use super::{Games, TOP, Titles, darkness, is_dark, number, percent};
use crate::pictures::sheet::{Picture, text, titled};

const CELL: f64 = 38.0;
const LEFT: f64 = 40.0;

/// Where a rank stood at the start, by the squares of its side; with the left half folded onto the right if
/// so asked. The front row is above.
pub fn deployment(games: &Games<'_>, rank: Rank, fold: bool) -> Picture {
    let placed = games.facts.deployment(rank, fold);
    let sides = games.facts.sides();
    let most = placed.iter().map(|placed| placed.sides).max().unwrap_or(0);
    let head = format!("Where the {rank} stands");
    let line = if fold {
        "per cent of sides that have one there, left folded onto right"
    } else {
        "per cent of sides that have one there, front row above"
    };
    let description = description(rank, &placed, sides);
    let titles = Titles {
        head: &head,
        line,
        description: &description,
    };
    let mut sheet = games.sheet(274, &titles);
    let columns = if fold { 5..10 } else { 0..10 };
    for row in 0..4_u8 {
        let y = TOP + CELL * f64::from(3 - row);
        sheet.add(text(
            "tick high",
            (LEFT - 8.0, y + CELL / 2.0 + 4.5),
            (row + 1).to_string(),
        ));
        for column in columns.clone() {
            let Some(square) = Square::new(row * 10 + column) else {
                continue;
            };
            let found = placed.iter().find(|placed| placed.square == square);
            let x = LEFT + CELL * f64::from(column - columns.start);
            sheet.add(cell((x, y), square, found, (sides, most)));
        }
    }
    for column in columns.clone() {
        let x = LEFT + CELL * (f64::from(column - columns.start) + 0.5);
        let name = char::from(b'a' + column).to_string();
        sheet.add(text("tick wide", (x, TOP + 4.0 * CELL + 18.0), name));
    }
    sheet.done()
}

fn cell(
    at: (f64, f64),
    square: Square,
    placed: Option<&Placed>,
    (sides, most): (u64, u64),
) -> Group {
    let count = placed.map_or(0, |placed| placed.sides);
    let share = rate(count, sides).unwrap_or(0.0);
    let of_most = rate(count, most).unwrap_or(0.0);
    let mut square_of = Rectangle::new()
        .set("class", "cell")
        .set("width", CELL)
        .set("height", CELL);
    if count > 0 {
        square_of = square_of
            .set("class", "cell heat")
            .set("fill-opacity", darkness(of_most));
    }
    let title = match placed {
        None => format!("{square}: never."),
        Some(placed) => format!("{square}: {}", told(placed, share)),
    };
    let class = if is_dark(of_most) {
        "share wide light"
    } else {
        "share wide"
    };
    let words = if count == 0 {
        String::new()
    } else {
        percent(share)
    };
    let words = text(class, (CELL / 2.0, CELL / 2.0 + 4.5), words);
    titled("square", at, title).add(square_of).add(words)
}

fn told(placed: &Placed, share: f64) -> String {
    let won = percent(rate(placed.wins, placed.sides).unwrap_or(0.0));
    let interval = wilson(placed.wins, placed.sides);
    let [low, high] = interval.map_or([0.0, 1.0], |interval| [interval.low, interval.high]);
    format!(
        "{} sides, {} %; {won} % of them won (95 % interval {} to {}).",
        number(placed.sides),
        percent(share),
        percent(low),
        percent(high),
    )
}

fn description(rank: Rank, placed: &[Placed], sides: u64) -> String {
    let Some(most) = placed.iter().max_by_key(|placed| placed.sides) else {
        return format!("No side had a {rank}.");
    };
    let share = rate(most.sides, sides).unwrap_or(0.0);
    format!(
        "Of {} sides {} % had a {rank} on {}, the most frequent square.",
        number(sides),
        percent(share),
        most.square,
    )
}
