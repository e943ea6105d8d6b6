//! Hidden armies, looked for in lines of the log.

use std::collections::{BTreeMap, BTreeSet};

use domain::Rank;
use tests::worlds::World;

use super::players::standing;
use super::table::Table;

/// How far from a square its rank is looked for, in words.
const NEAR: usize = 3;

/// The lines that hold a hidden army, or a hidden piece's rank beside where it stands or stood, as it
/// is in either world.
pub(super) fn telling(lines: &BTreeSet<String>, table: &Table, other: &World) -> Vec<String> {
    let worlds = [table.played.world(), other];
    let armies = worlds.map(|world| world.setups[table.secret].to_string());
    let hidden = hidden(table, &worlds);
    let tells =
        |line: &&String| armies.iter().any(|army| line.contains(army)) || holds_rank(line, &hidden);
    let telling = lines.iter().filter(tells);
    telling.map(|line| format!("log tells: {line}")).collect()
}

/// The words for the ranks that stand on each square unknown to the viewer.
fn hidden(table: &Table, worlds: &[&World]) -> BTreeMap<String, BTreeSet<String>> {
    let declared = table.played.story().declared;
    let mut hidden: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (piece, square) in standing(&table.played, table.secret) {
        let ranks = worlds.iter().filter_map(|world| world.rank(piece));
        if declared.contains(&piece) {
            continue;
        }
        let names: BTreeSet<String> = ranks.flat_map(words).collect();
        let home = piece.home().map(|home| home.to_string());
        for square in home.into_iter().chain([square.to_string()]) {
            hidden.entry(square).or_default().extend(names.clone());
        }
    }
    hidden
}

fn words(rank: Rank) -> [String; 2] {
    [rank.to_char().to_string(), rank.name().to_owned()]
}

fn holds_rank(line: &str, hidden: &BTreeMap<String, BTreeSet<String>>) -> bool {
    let words: Vec<&str> = line
        .split(|character: char| !character.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    words.iter().enumerate().any(|(place, word)| {
        let Some(ranks) = hidden.get(*word) else {
            return false;
        };
        let near = &words[place.saturating_sub(NEAR)..words.len().min(place + NEAR + 1)];
        near.iter().any(|word| ranks.contains(*word))
    })
}
