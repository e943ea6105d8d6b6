//! What winners and losers hide, ply by ply.

use std::fmt::Write as _;

use domain::facts::MeanInformation;
use svg::node::element::Path;

use super::{Games, TOP, Titles, number};
use crate::pictures::scale::Scale;
use crate::pictures::sheet::{Picture, text, units};

const LEFT: f64 = 38.0;
const RIGHT: f64 = 332.0;
const BOTTOM: f64 = 262.0;
/// The curve ends where fewer than one of so many games goes on: beyond it speaks of the longest alone.
const FEW: u64 = 50;
/// More points than this are not seen apart.
const POINTS: usize = 300;

/// What the winners and the losers hid from each other after each ply, on average.
pub fn information(games: &Games<'_>) -> Picture {
    let curve = games.facts.information();
    let all = curve.first().map_or(0, |point| point.games);
    let told: Vec<MeanInformation> = curve
        .into_iter()
        .take_while(|point| point.games * FEW >= all)
        .collect();
    let titles = Titles {
        head: "What winners and losers keep hidden",
        line: "mean hidden bits by ply in games won, while 2 % go on",
        description: &description(&told),
    };
    let mut sheet = games.sheet(308, &titles);
    let last = told.last().map_or(0, |point| point.ply);
    let most = told.iter().fold(0.0, |most: f64, point| {
        most.max(point.winners).max(point.losers)
    });
    let plies = Scale::exact(LEFT, RIGHT, f64::from(last));
    let bits = Scale::round(BOTTOM, TOP, most);
    let mut grid = String::new();
    for tick in bits.ticks() {
        let y = units(bits.at(tick));
        // Writing to a string cannot fail.
        let _ = write!(grid, "M{LEFT} {y}H{RIGHT}");
        sheet.add(text("tick high", (LEFT - 6.0, y + 4.5), tick.to_string()));
    }
    sheet.add(Path::new().set("class", "grid").set("d", grid));
    for tick in plies.ticks() {
        let x = units(plies.at(tick));
        sheet.add(text("tick wide", (x, BOTTOM + 18.0), tick.to_string()));
    }
    sheet.add(text(
        "tick wide",
        (f64::midpoint(LEFT, RIGHT), BOTTOM + 35.0),
        "plies",
    ));
    for class in ["losers", "winners"] {
        let value = |point: &MeanInformation| match class {
            "losers" => point.losers,
            _ => point.winners,
        };
        let place = |point: &MeanInformation| {
            (
                units(plies.at(f64::from(point.ply))),
                units(bits.at(value(point))),
            )
        };
        sheet.add(line(class, told.iter().map(place)));
    }
    if let Some(end) = told.last() {
        let ends = [("winners", end.winners), ("losers", end.losers)];
        let places = ends.map(|(_, value)| units(bits.at(value)));
        let gap = (15.0 - (places[0] - places[1]).abs()).max(0.0) / 2.0;
        let above = places[0] <= places[1];
        let shifts = if above { [-gap, gap] } else { [gap, -gap] };
        for (((name, value), y), shift) in ends.into_iter().zip(places).zip(shifts) {
            let class = format!("label {name}");
            let words = format!("{name} {value:.1}");
            sheet.add(text(&class, (RIGHT + 6.0, y + shift + 4.5), words));
        }
    }
    sheet.done()
}

fn line(class: &str, points: impl ExactSizeIterator<Item = (f64, f64)>) -> Path {
    let step = points.len().div_ceil(POINTS).max(1);
    let last = points.len().saturating_sub(1);
    let mut path = String::new();
    for (nth, (x, y)) in points.enumerate() {
        if nth.is_multiple_of(step) || nth == last {
            let letter = if path.is_empty() { 'M' } else { 'L' };
            let _ = write!(path, "{letter}{x} {y}");
        }
    }
    Path::new()
        .set("class", format!("line {class}"))
        .set("d", path)
}

fn description(curve: &[MeanInformation]) -> String {
    let (Some(first), Some(last)) = (curve.first(), curve.last()) else {
        return "No game was won.".to_owned();
    };
    format!(
        "{} games that somebody won begin with {:.1} hidden bits a side. After {} plies the winners hide \
         {:.1} and the losers {:.1}, in the {} games that last so long.",
        number(first.games),
        first.winners,
        last.ply,
        last.winners,
        last.losers,
        number(last.games),
    )
}
