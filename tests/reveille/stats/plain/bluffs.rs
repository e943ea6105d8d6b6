//! Pieces that made believe they were others.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use tests::client::text;

use super::{RANKS, Told, own};

/// Whether a rank that attacks another takes its place.
fn beats(attacker: &str, defender: &str, advantage: bool) -> bool {
    let place = |letter: &str| {
        RANKS
            .iter()
            .position(|(known, _)| *known == letter)
            .unwrap()
    };
    match (attacker, defender) {
        ("3", "B") | ("S", "M") | (_, "F") => true,
        (_, "B") => false,
        (one, other) if one == other => advantage,
        (one, other) => place(one) > place(other),
    }
}

pub(super) fn count(games: &[&Told]) -> Value {
    let mut figures = BTreeMap::from(
        [
            "bluffs",
            "called",
            "believed",
            "ignored",
            "disguisedScouts",
            "bombMimicry",
        ]
        .map(|key| (key, 0_u64)),
    );
    for game in games {
        count_bluffs(game, &mut figures);
        for [id, _, _, rank] in &game.initial {
            let acts: Vec<&Value> = game
                .moves
                .iter()
                .filter(|step| step["piece_id"] == *id || step["attack"]["defender_id"] == *id)
                .collect();
            let shows =
                |step: &&Value| step["attack"].is_object() || step["distance"].as_u64() > Some(1);
            let is_move = |step: &&Value| step["piece_id"] == *id && step["forfeited"] == false;
            let first = acts.iter().position(shows);
            if rank == "2" && first.is_some_and(|first| acts[..first].iter().any(is_move)) {
                *figures.get_mut("disguisedScouts").unwrap() += 1;
            }
            let moved = acts.iter().any(is_move);
            if !["F", "B"].contains(&rank.as_str()) && !moved && game.moves.len() >= 50 {
                *figures.get_mut("bombMimicry").unwrap() += 1;
            }
        }
    }
    json!(figures)
}

fn count_bluffs(game: &Told, figures: &mut BTreeMap<&str, u64>) {
    let mut board: BTreeMap<(u8, u8), String> = BTreeMap::new();
    for [id, _, square, _] in &game.initial {
        board.insert(own("red", square), id.clone());
    }
    for (step, ply) in game.moves.iter().zip(1_u64..) {
        let (from, to) = (
            own("red", step["from"].as_str().unwrap()),
            own("red", step["to"].as_str().unwrap()),
        );
        if step["forfeited"] == true {
            continue;
        }
        let id = text(&step["piece_id"]);
        let outcome = step["attack"]["outcome"].as_str();
        board.remove(&from);
        match outcome {
            Some("defender_wins") => {}
            Some("both_removed") => drop(board.remove(&to)),
            None | Some(_) => drop(board.insert(to, id.clone())),
        }
        if let Some(square) = step["rescue"]["square"].as_str() {
            board.insert(own("red", square), text(&step["rescue"]["piece_id"]));
        }
        let known = |id: &str| game.known_since(id).is_some_and(|since| since <= ply);
        if step["attack"].is_object() || known(&id) {
            continue;
        }
        let (row, column) = to;
        let around = [
            (row + 1, column),
            (row.wrapping_sub(1), column),
            (row, column + 1),
            (row, column.wrapping_sub(1)),
        ];
        for enemy in around.iter().filter_map(|place| board.get(place)) {
            let (own_rank, rank) = (game.rank(&id), game.rank(enemy));
            let is_enemy = enemy[..3] != id[..3];
            let attacks = !["F", "B"].contains(&&*rank);
            let would_lose = attacks && beats(&rank, &own_rank, game.advantage);
            let would_win = beats(&own_rank, &rank, game.advantage);
            if !is_enemy || !known(enemy) || !would_lose || would_win {
                continue;
            }
            let next = game.moves.get(usize::try_from(ply).unwrap());
            let next = next.filter(|next| next["piece_id"] == *enemy && next["forfeited"] == false);
            let answer = match next {
                None => "ignored",
                Some(next) if next["attack"]["defender_id"] == id => "called",
                Some(_) => "believed",
            };
            *figures.get_mut("bluffs").unwrap() += 1;
            *figures.get_mut(answer).unwrap() += 1;
        }
    }
}
