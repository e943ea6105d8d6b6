//! Which rank attacked which, and what came of it.

use domain::Rank;
use domain::facts::{BattleCell, rate};
use svg::node::element::{Group, Rectangle};

use super::{Games, TOP, Titles, darkness, is_dark, number, percent};
use crate::pictures::sheet::{Picture, text, titled};

const CELL: f64 = 28.0;
const LEFT: f64 = 92.0;

/// The battle matrix: attackers down, defenders across.
pub fn battles(games: &Games<'_>) -> Picture {
    let cells = games.facts.battle_matrix();
    let fought: u64 = cells.iter().map(BattleCell::fought).sum();
    let most = cells.iter().map(BattleCell::fought).max().unwrap_or(0);
    let titles = Titles {
        head: "Who attacks whom",
        line: "attackers down, defenders across; per thousand battles",
        description: &description(&cells, fought),
    };
    let attackers: Vec<Rank> = Rank::ALL
        .into_iter()
        .filter(|rank| rank.is_movable())
        .collect();
    let mut sheet = games.sheet(440, &titles);
    for (defender, column) in Rank::ALL.into_iter().zip(0..) {
        let x = LEFT + CELL * (f64::from(column) + 0.5);
        sheet.add(text(
            "tick wide",
            (x, TOP + 10.0),
            defender.to_char().to_string(),
        ));
    }
    for (attacker, row) in attackers.into_iter().rev().zip(0..) {
        let y = TOP + 16.0 + CELL * f64::from(row);
        let name = format!("{attacker} {}", attacker.to_char());
        sheet.add(text("tick high", (LEFT - 6.0, y + CELL / 2.0 + 4.5), name));
        for (defender, column) in Rank::ALL.into_iter().zip(0..) {
            let is_pair =
                |cell: &&BattleCell| cell.attacker == attacker && cell.defender == defender;
            let x = LEFT + CELL * f64::from(column);
            let found = cells.iter().find(is_pair);
            sheet.add(cell((x, y), (attacker, defender), found, (fought, most)));
        }
    }
    let legend = [
        ("heat win", "attacker wins"),
        ("heat loss", "defender wins"),
        ("heat even", "even, or both go"),
    ];
    for ((class, words), nth) in legend.into_iter().zip(0..) {
        let (x, y) = (
            12.0 + 140.0 * f64::from(nth),
            TOP + 16.0 + CELL * 10.0 + 26.0,
        );
        let sample = Rectangle::new()
            .set("class", format!("cell {class}"))
            .set("x", x)
            .set("y", y - 11.0)
            .set("width", 14)
            .set("height", 14)
            .set("fill-opacity", 0.8);
        sheet.add(sample);
        sheet.add(text("word", (x + 20.0, y), words));
    }
    let note = "A cell has the colour of what mostly comes of it.";
    sheet.add(text("word", (12.0, TOP + 16.0 + CELL * 10.0 + 50.0), note));
    sheet.done()
}

fn cell(
    at: (f64, f64),
    (attacker, defender): (Rank, Rank),
    found: Option<&BattleCell>,
    (fought, most): (u64, u64),
) -> Group {
    let square = Rectangle::new()
        .set("class", "cell")
        .set("width", CELL)
        .set("height", CELL);
    let Some(battles) = found else {
        let title = format!("The {attacker} never attacked the {defender}.");
        return titled("square", at, title).add(square);
    };
    let of_most = rate(battles.fought(), most).unwrap_or(0.0);
    let share = rate(battles.fought(), fought).unwrap_or(0.0);
    let square = square
        .set("class", format!("cell heat {}", class_of(battles)))
        .set("fill-opacity", darkness(of_most));
    let title = format!(
        "The {attacker} attacked the {defender} {} times, {} % of all battles: it won {}, lost {}, \
         and both were removed {} times.",
        number(battles.fought()),
        percent(share),
        number(battles.attacker_wins),
        number(battles.defender_wins),
        number(battles.both_removed),
    );
    let class = if is_dark(of_most) {
        "share wide light"
    } else {
        "share wide"
    };
    // Per thousand.
    let words = percent(share * 10.0);
    let words = text(class, (CELL / 2.0, CELL / 2.0 + 4.0), words);
    titled("square", at, title).add(square).add(words)
}

/// What mostly comes of it.
const fn class_of(cell: &BattleCell) -> &'static str {
    let (wins, losses) = (cell.attacker_wins, cell.defender_wins);
    if cell.both_removed >= wins && cell.both_removed >= losses {
        "even"
    } else if wins > losses {
        "win"
    } else if wins < losses {
        "loss"
    } else {
        "even"
    }
}

fn description(cells: &[BattleCell], fought: u64) -> String {
    let Some(most) = cells.iter().max_by_key(|cell| cell.fought()) else {
        return "No battle was fought.".to_owned();
    };
    format!(
        "{} battles were fought; most often the {} attacked the {}, {} times.",
        number(fought),
        most.attacker,
        most.defender,
        number(most.fought())
    )
}
