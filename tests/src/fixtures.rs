//! Recorded games and setups of others, which are not part of the source tree.

use std::fs;
use std::path::PathBuf;

use serde_json::Value;

/// Names the folder that holds them.
pub const VARIABLE: &str = "REVEILLE_FIXTURES";

/// A recorded game.
#[derive(Debug, Clone)]
pub struct Recorded {
    /// Its name in the file.
    pub id: String,
    /// The ruleset's id.
    pub ruleset: String,
    /// Both setups, as their owners see them.
    pub red_setup: String,
    /// See `red_setup`.
    pub blue_setup: String,
    /// The moves as text, Red's first.
    pub moves: Vec<String>,
    /// Every battle.
    pub battles: Vec<Battle>,
    /// The move that must be refused after all of `moves`, and why.
    pub illegal_next: Option<(String, String)>,
}

/// A battle of a recorded game.
#[derive(Debug, Clone)]
pub struct Battle {
    /// The number of moves before the attack.
    pub ply: usize,
    /// The attacker's rank.
    pub attacker: String,
    /// The defender's rank.
    pub defender: String,
    /// `attacker`, `defender`, or nobody.
    pub winner: Option<String>,
}

/// The folder, or `None` with a line saying that the test looks at nothing.
pub fn folder() -> Option<PathBuf> {
    let folder = std::env::var_os(VARIABLE).map(PathBuf::from);
    if folder.is_none() {
        println!("{VARIABLE} is not set: no recorded games or setups to test with");
    }
    folder
}

/// All recorded games.
pub fn recorded_games() -> Option<Vec<Recorded>> {
    let file = folder()?.join("recorded_games.jsonl");
    let text =
        fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    Some(
        text.lines()
            .map(|line| recorded(&serde_json::from_str(line).unwrap()))
            .collect(),
    )
}

/// The setups that people played in a ruleset (`original`, `barrage`).
pub fn setups(ruleset: &str) -> Option<Vec<String>> {
    let file = folder()?.join(format!("setups_{ruleset}.txt"));
    let text =
        fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    Some(text.lines().map(str::to_owned).collect())
}

fn recorded(game: &Value) -> Recorded {
    let text = |field: &str| game[field].as_str().unwrap_or_default().to_owned();
    let moves = game["moves"].as_array().into_iter().flatten();
    let battles = game["battles"].as_array().into_iter().flatten();
    let illegal = &game["illegal_next"];
    Recorded {
        id: text("id"),
        ruleset: text("ruleset"),
        red_setup: text("red_setup"),
        blue_setup: text("blue_setup"),
        moves: moves.filter_map(Value::as_str).map(str::to_owned).collect(),
        battles: battles.map(battle).collect(),
        illegal_next: illegal["move"].as_str().map(|notation| {
            (
                notation.to_owned(),
                illegal["reason"].as_str().unwrap_or_default().to_owned(),
            )
        }),
    }
}

fn battle(battle: &Value) -> Battle {
    let rank = |field: &str| battle[field].as_str().unwrap_or_default().to_owned();
    Battle {
        ply: battle["ply"]
            .as_u64()
            .and_then(|ply| ply.try_into().ok())
            .expect("a battle has a ply"),
        attacker: rank("attacker"),
        defender: rank("defender"),
        winner: battle["winner"].as_str().map(str::to_owned),
    }
}
