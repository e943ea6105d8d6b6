//! When ranks become known.

use std::fmt::Write as _;

use domain::facts::{RevealCounts, rate};
use svg::node::element::{Group, Path, Rectangle};

use super::{Games, TOP, Titles, percent};
use crate::pictures::scale::Scale;
use crate::pictures::sheet::{Picture, placed, text, titled, units};

const LINE: f64 = 25.0;
const LEFT: f64 = 96.0;
const RIGHT: f64 = 360.0;

/// After how many plies the pieces of each rank become known, and how many ever do.
pub fn reveals(games: &Games<'_>) -> Picture {
    let ranks = games.facts.reveals(None);
    let present: Vec<&RevealCounts> = ranks.iter().filter(|rank| rank.pieces > 0).collect();
    let titles = Titles {
        head: "When ranks become known",
        line: "from the 10th to the 90th percentile of plies, and the median",
        description: &description(&present),
    };
    let mut sheet = games.sheet(438, &titles);
    let last = present.iter().filter_map(|rank| rank.plies.p90).max();
    let scale = Scale::round(LEFT, RIGHT, plies(last.unwrap_or(0)));
    let floor = TOP + 16.0 + LINE * 12.0;
    let mut grid = String::new();
    for tick in scale.ticks() {
        let x = units(scale.at(tick));
        // Writing to a string cannot fail.
        let _ = write!(grid, "M{x} {}V{floor}", TOP + 8.0);
        sheet.add(text("tick wide", (x, floor + 17.0), tick.to_string()));
    }
    sheet.add(Path::new().set("class", "grid").set("d", grid));
    sheet.add(text(
        "tick wide",
        (f64::midpoint(LEFT, RIGHT), floor + 34.0),
        "plies",
    ));
    sheet.add(text("tick high", (428.0, TOP + 2.0), "known"));
    for (rank, line) in ranks.iter().rev().zip(0..) {
        let y = TOP + 16.0 + LINE * (f64::from(line) + 0.5);
        let name = format!("{} {}", rank.rank, rank.rank.to_char());
        sheet.add(text("tick high", (LEFT - 10.0, y + 4.5), name));
        let share = rate(rank.revealed, rank.pieces);
        let known = share.map_or_else(|| "–".to_owned(), |share| format!("{} %", percent(share)));
        sheet.add(text("share high", (428.0, y + 4.5), known));
        if let Some(bar) = bar(rank, y, &scale) {
            sheet.add(bar);
        }
    }
    sheet.done()
}

fn bar(counts: &RevealCounts, y: f64, scale: &Scale) -> Option<Group> {
    let (p10, p50, p90) = (counts.plies.p10?, counts.plies.p50?, counts.plies.p90?);
    let place = |ply: u64| units(scale.at(plies(ply)));
    let (from, to) = (place(p10), place(p90));
    let title = format!(
        "{}: half of those that become known do by ply {p50}, a tenth by {p10}, nine tenths by {p90}.",
        counts.rank
    );
    let range = Rectangle::new()
        .set("class", "range")
        .set("x", from)
        .set("y", -5)
        .set("width", units((to - from).max(1.0)))
        .set("height", 10);
    let median = Path::new()
        .set("class", "median")
        .set("d", format!("M{} -8v16", place(p50)));
    Some(titled("bar", (0.0, y), title).add(placed("", (0.0, 0.0)).add(range).add(median)))
}

#[expect(clippy::cast_precision_loss, reason = "plies are few")]
const fn plies(ply: u64) -> f64 {
    ply as f64
}

fn description(ranks: &[&RevealCounts]) -> String {
    let sentences = ranks.iter().filter_map(|rank| {
        let median = rank.plies.p50?;
        let share = percent(rate(rank.revealed, rank.pieces)?);
        Some(format!(
            "{}: {share} per cent, at ply {median} in the median.",
            rank.rank
        ))
    });
    let sentences: Vec<String> = sentences.collect();
    if sentences.is_empty() {
        return "No rank became known.".to_owned();
    }
    sentences.join(" ")
}
