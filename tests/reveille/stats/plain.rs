//! The figures of statistics by the plainest reading of `graphql.md`, Meaning, over replays as REST gives them.
#![expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::float_cmp,
    reason = "some games of some plies"
)]

mod bluffs;
mod periods;
mod told;

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};
use tests::client::text;

pub(super) use told::Told;

const RANKS: [(&str, &str); 12] = [
    ("F", "FLAG"),
    ("B", "BOMB"),
    ("S", "SPY"),
    ("2", "SCOUT"),
    ("3", "MINER"),
    ("4", "SERGEANT"),
    ("5", "LIEUTENANT"),
    ("6", "CAPTAIN"),
    ("7", "MAJOR"),
    ("8", "COLONEL"),
    ("9", "GENERAL"),
    ("M", "MARSHAL"),
];
const CAUSES: [&str; 6] = [
    "attacked",
    "was_attacked",
    "scout_move",
    "deduced",
    "rescue",
    "game_over",
];

fn share(part: u64, of: u64) -> Value {
    if of == 0 {
        Value::Null
    } else {
        json!(part as f64 / of as f64)
    }
}

/// The value of the nearest rank, and the mean.
fn spread(mut values: Vec<f64>) -> Map<String, Value> {
    values.sort_by(f64::total_cmp);
    let nearest = |percent: f64| {
        let place = (percent / 100.0 * values.len() as f64).ceil() as usize;
        values.get(place.max(1) - 1).copied()
    };
    let mean = (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64);
    let figures = json!({
        "mean": mean, "p10": nearest(10.0), "p50": nearest(50.0), "p90": nearest(90.0),
    });
    figures.as_object().unwrap().clone()
}

fn wilson(part: u64, of: u64) -> Value {
    if of == 0 {
        return Value::Null;
    }
    let (n, z) = (of as f64, 1.959_963_984_540_054_f64);
    let p = part as f64 / n;
    let root = (p * (1.0 - p) / n + (z / (2.0 * n)).powi(2)).sqrt();
    let bound = |sign: f64| (p + z * z / (2.0 * n) + sign * z * root) / (1.0 + z * z / n);
    json!({"low": bound(-1.0), "high": bound(1.0)})
}

/// The statistics of games; `left` are those that match and are not finished.
pub(super) fn statistics(games: &[&Told], left: &[&Told], [player, archived]: [&str; 2]) -> Value {
    let of_status = |aborted: bool| {
        let these = left
            .iter()
            .filter(|game| (game.status == "aborted") == aborted);
        these.count()
    };
    let lengths: Vec<f64> = games.iter().map(|game| game.moves.len() as f64).collect();
    let mut figures = json!({
        "games": games.len(),
        "excluded": {"aborted": of_status(true), "unfinished": of_status(false)},
        "results": results(games),
        "gameLength": histogram(&lengths, 4),
        "thinkTime": think_time(games),
        "battleMatrix": battle_matrix(games),
        "reveals": reveals(games, None),
        "blue": reveals(games, Some("blue")),
        "survival": survival(games),
        "exchange": exchange(games),
        "flags": deployment(games, "F", false),
        "scouts": deployment(games, "2", true),
        "information": information(games),
        "bluffs": bluffs::count(games),
        "days": periods::count(games, "%Y-%m-%d", 0),
        "months": periods::count(games, "%Y-%m", 9),
        "behind": periods::count(games, "%Y-%m-%d", -5),
        "playerSummary": summary(games, player),
        "archived": summary(games, archived),
    });
    // Equal ones may come in any order for whoever reads: by the name of the move here as there.
    figures["firstMoves"] = first_moves(games);
    figures
}

fn wins(games: &[&Told], side: Option<&str>) -> usize {
    games
        .iter()
        .filter(|game| game.winner.as_deref() == side)
        .count()
}

fn counts(games: &[&Told]) -> Value {
    json!({
        "redWins": wins(games, Some("red")), "blueWins": wins(games, Some("blue")), "draws": wins(games, None),
    })
}

fn results(games: &[&Told]) -> Value {
    let mut results = counts(games);
    let order = [
        "flag_captured",
        "no_mobile_pieces",
        "no_legal_move",
        "resignation",
        "timeout",
        "draw_agreed",
        "both_immobile",
        "no_progress",
        "other",
    ];
    let reasons = order.into_iter().filter_map(|reason| {
        let these: Vec<&Told> = games
            .iter()
            .copied()
            .filter(|game| game.reason == reason)
            .collect();
        let mut count = counts(&these);
        count["reason"] = json!(reason.to_uppercase());
        count["games"] = json!(these.len());
        (!these.is_empty()).then_some(count)
    });
    results["byReason"] = reasons.collect();
    results
}

fn histogram(values: &[f64], buckets: usize) -> Value {
    let mut figures = spread(values.to_vec());
    figures.insert("count".to_owned(), json!(values.len()));
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let buckets = match values.len() {
        0 => 0,
        _ if least == most => 1,
        _ => buckets,
    };
    let bucket = |nth: usize| {
        let edge = |nth: usize| least + (most - least) * nth as f64 / buckets as f64;
        let (from, to, is_last) = (edge(nth), edge(nth + 1), nth + 1 == buckets);
        let within = |value: &&f64| **value >= from && (**value < to || is_last);
        let count = values.iter().filter(within).count() as u64;
        json!({"from": from, "to": to, "count": count, "share": share(count, values.len() as u64)})
    };
    figures.insert("buckets".to_owned(), (0..buckets).map(bucket).collect());
    Value::Object(figures)
}

/// Of the moves that were timed: those of games from elsewhere were not.
fn think_time(games: &[&Told]) -> Value {
    let moves = games.iter().flat_map(|game| &game.moves);
    let times: Vec<f64> = moves
        .filter_map(|step| step["think_time"].as_str())
        .map(seconds)
        .collect();
    histogram(&times, 3)
}

/// A duration such as `PT1M2.005S` in seconds.
fn seconds(duration: &str) -> f64 {
    let (mut total, mut number) = (0.0, String::new());
    for letter in duration.chars() {
        let unit = match letter {
            'D' => 86_400.0,
            'H' => 3_600.0,
            'M' => 60.0,
            'S' => 1.0,
            'P' | 'T' => continue,
            digit => {
                number.push(digit);
                continue;
            }
        };
        total += number.parse::<f64>().unwrap() * unit;
        number.clear();
    }
    total
}

fn battle_matrix(games: &[&Told]) -> Value {
    let mut cells = Vec::new();
    for (attacker, attacker_name) in RANKS {
        for (defender, defender_name) in RANKS {
            let of_pair: Vec<String> = games
                .iter()
                .flat_map(|game| game.battles())
                .filter(|battle| battle.1 == attacker && battle.2 == defender)
                .map(|battle| battle.5)
                .collect();
            let number = |outcomes: &[&str]| {
                of_pair
                    .iter()
                    .filter(|outcome| outcomes.contains(&outcome.as_str()))
                    .count()
            };
            if !of_pair.is_empty() {
                cells.push(json!({
                    "attacker": attacker_name, "defender": defender_name, "fought": of_pair.len(),
                    "attackerWins": number(&["attacker_wins", "flag_captured"]),
                    "defenderWins": number(&["defender_wins"]), "bothRemoved": number(&["both_removed"]),
                }));
            }
        }
    }
    Value::Array(cells)
}

fn reveals(games: &[&Told], by: Option<&str>) -> Value {
    let rank = |(letter, name): (&str, &str)| {
        let of_rank: Vec<&Value> = games
            .iter()
            .flat_map(|game| &game.reveals)
            .filter(|reveal| reveal["piece"] == letter)
            .filter(|reveal| by.is_none_or(|side| reveal["owner"] == side))
            .collect();
        // A piece that came back is another one.
        let pieces = games.iter().flat_map(|game| {
            let back = game.rescued().map(|(_, owner, rank)| (owner, rank));
            game.placed().chain(back)
        });
        let pieces = pieces
            .filter(|(owner, rank)| rank == letter && by.is_none_or(|side| owner == side))
            .count();
        let told: Vec<&&Value> = of_rank
            .iter()
            .filter(|reveal| reveal["cause"] != "game_over")
            .collect();
        let causes = CAUSES.map(|cause| {
            let count = of_rank
                .iter()
                .filter(|reveal| reveal["cause"] == cause)
                .count();
            json!({"cause": cause.to_uppercase(), "count": count})
        });
        let plies = told
            .iter()
            .map(|reveal| reveal["ply"].as_f64().unwrap())
            .collect();
        let bits: f64 = told
            .iter()
            .map(|reveal| reveal["bits"].as_f64().unwrap())
            .sum();
        let bits = (!told.is_empty()).then(|| bits / told.len() as f64);
        json!({
            "rank": name, "pieces": pieces, "revealed": told.len(), "byCause": causes,
            "plies": spread(plies), "bits": bits,
        })
    };
    RANKS.into_iter().map(rank).collect()
}

fn survival(games: &[&Told]) -> Value {
    let curve = |(letter, name): (&str, &str)| {
        let points = [0, 3, 20, 21, 1000].map(|ply: u64| {
            let (mut pieces, mut came, mut gone) = (0, 0, 0);
            for game in games {
                pieces += game.placed().filter(|(_, rank)| rank == letter).count() as u64;
                let back = game
                    .rescued()
                    .filter(|(at, _, rank)| *at <= ply && rank == letter);
                came += back.count() as u64;
                let fallen = game.fallen().into_iter();
                let fallen = fallen.filter(|(at, id)| *at <= ply && game.rank(id) == letter);
                gone += fallen.count() as u64;
            }
            let alive = pieces + came - gone;
            json!({"ply": ply, "pieces": pieces, "alive": alive, "share": share(alive, pieces)})
        });
        json!({"rank": name, "points": points})
    };
    RANKS.into_iter().map(curve).collect()
}

fn exchange(games: &[&Told]) -> Value {
    let cell = |(letter, name): (&str, &str)| {
        let (mut captured, mut lost, mut scouting) = (0, 0, 0);
        for game in games {
            for (ply, attacker, defender, _, defender_id, outcome) in game.battles() {
                let defender_falls = outcome != "defender_wins";
                let attacker_falls = outcome == "defender_wins" || outcome == "both_removed";
                if attacker == letter {
                    captured += u64::from(defender_falls);
                    lost += u64::from(attacker_falls);
                    let knew = game
                        .known_since(&defender_id)
                        .is_some_and(|since| since <= ply);
                    scouting += u64::from(attacker_falls && !knew);
                }
                if defender == letter {
                    captured += u64::from(attacker_falls);
                    lost += u64::from(defender_falls);
                }
            }
        }
        json!({"rank": name, "captured": captured, "lost": lost, "scoutingDeaths": scouting})
    };
    RANKS.into_iter().map(cell).collect()
}

/// A square as its owner would name it if he were Red.
fn own(owner: &str, square: &str) -> (u8, u8) {
    let column = square.as_bytes()[0] - b'a';
    let row: u8 = square[1..].parse::<u8>().unwrap() - 1;
    if owner == "red" {
        (row, column)
    } else {
        (9 - row, 9 - column)
    }
}

fn deployment(games: &[&Told], letter: &str, fold: bool) -> Value {
    let mut squares: BTreeMap<(u8, u8), (u64, u64)> = BTreeMap::new();
    for game in games {
        for side in ["red", "blue"] {
            let of_side = game
                .initial
                .iter()
                .filter(|piece| piece[1] == side && piece[3] == letter);
            let mut places: Vec<(u8, u8)> = of_side
                .map(|piece| own(side, &piece[2]))
                .map(|(row, column)| (row, if fold { column.max(9 - column) } else { column }))
                .collect();
            places.sort_unstable();
            places.dedup();
            for place in places {
                let (sides, won) = squares.entry(place).or_default();
                *sides += 1;
                *won += u64::from(game.winner.as_deref() == Some(side));
            }
        }
    }
    let stat = |((row, column), (sides, won)): ((u8, u8), (u64, u64))| {
        json!({
            "square": format!("{}{}", char::from(b'a' + column), row + 1), "games": sides,
            "share": share(sides, 2 * games.len() as u64), "winRate": share(won, sides), "ci95": wilson(won, sides),
        })
    };
    squares.into_iter().map(stat).collect()
}

fn first_moves(games: &[&Told]) -> Value {
    let square = |name: &str| (name[1..].parse::<u8>().unwrap(), name.as_bytes()[0]);
    let mut moves: BTreeMap<_, (u64, u64)> = BTreeMap::new();
    for game in games {
        if let Some(first) = game.moves.first() {
            let (from, to) = (text(&first["from"]), text(&first["to"]));
            let key = (square(&from), square(&to), format!("{from}-{to}"));
            let (all, won) = moves.entry(key).or_default();
            *all += 1;
            *won += u64::from(game.winner.as_deref() == Some("red"));
        }
    }
    let begun: u64 = moves.values().map(|(all, _)| all).sum();
    let mut moves: Vec<_> = moves.into_iter().collect();
    moves.sort_by_key(|(_, (all, _))| std::cmp::Reverse(*all));
    let stat = |((_, _, name), (all, won)): ((_, _, String), (u64, u64))| {
        json!({
            "move": name, "games": all, "share": share(all, begun), "winRate": share(won, all),
            "ci95": wilson(won, all),
        })
    };
    moves.into_iter().map(stat).collect()
}

fn information(games: &[&Told]) -> Value {
    let won: Vec<&&Told> = games.iter().filter(|game| game.winner.is_some()).collect();
    let longest = won
        .iter()
        .map(|game| game.information.len())
        .max()
        .unwrap_or(0);
    let point = |ply: usize| {
        let lasting: Vec<&&&Told> = won
            .iter()
            .filter(|game| game.information.len() > ply)
            .collect();
        let hidden = |game: &Told, of_winner: bool| {
            let is_red = (game.winner.as_deref() == Some("red")) == of_winner;
            let key = if is_red {
                "red_hidden_bits"
            } else {
                "blue_hidden_bits"
            };
            game.information[ply][key].as_f64().unwrap()
        };
        let mean = |of_winner: bool| {
            lasting
                .iter()
                .map(|game| hidden(game, of_winner))
                .sum::<f64>()
                / lasting.len() as f64
        };
        json!({"ply": ply, "games": lasting.len(), "winners": mean(true), "losers": mean(false)})
    };
    (0..longest).map(point).collect()
}

fn summary(games: &[&Told], player: &str) -> Value {
    let (mut all, mut wins, mut draws) = (0, 0, 0);
    for game in games {
        for (side, name) in ["red", "blue"].into_iter().zip(&game.players) {
            if name == player {
                all += 1;
                wins += u64::from(game.winner.as_deref() == Some(side));
                draws += u64::from(game.winner.is_none());
            }
        }
    }
    json!({
        "games": all, "wins": wins, "draws": draws, "losses": all - wins - draws,
        "winRate": share(wins, all), "scoreRate": share(2 * wins + draws, 2 * all),
    })
}
