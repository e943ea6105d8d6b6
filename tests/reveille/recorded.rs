//! Recorded games, played whole over HTTP and compared with what was recorded.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use tests::fixtures::{Recorded, recorded_games};
use tests::game::piece;
use tests::problem::assert_reason;
use tests::{Game, Side, TestServer, assert_problem, on_both};

/// What a game's moves and battles disclose, worked out from the record alone.
struct Told {
    /// Every piece that ever stood on the board, with its true rank.
    ranks: BTreeMap<String, char>,
    /// The number of moves after which the other side knew it, by scout move or battle.
    known: BTreeMap<String, usize>,
    /// Where each piece stands at the end.
    squares: BTreeMap<String, String>,
}

impl Told {
    fn of(game: &Recorded) -> Self {
        let mut told = Self {
            ranks: BTreeMap::new(),
            known: BTreeMap::new(),
            squares: BTreeMap::new(),
        };
        for (side, setup) in [(Side::Red, &game.red_setup), (Side::Blue, &game.blue_setup)] {
            for (index, rank) in setup.chars().enumerate().filter(|(_, rank)| *rank != '.') {
                let id = format!("{}:{}", side.name(), side.square(index));
                told.ranks.insert(id.clone(), rank);
                told.squares.insert(side.square(index), id);
            }
        }
        let mut battles = game.battles.iter().peekable();
        for (ply, notation) in game.moves.iter().enumerate() {
            let (from, to) = notation.split_once(['-', 'x']).unwrap();
            let mover = told.squares.remove(from).unwrap();
            if distance(from, to) > 1 {
                told.known.entry(mover.clone()).or_insert(ply + 1);
            }
            let Some(battle) = battles.next_if(|battle| battle.ply == ply) else {
                told.squares.insert(to.to_owned(), mover);
                continue;
            };
            let target = told.squares.remove(to).unwrap();
            assert_eq!(
                (
                    told.ranks[&mover].to_string(),
                    told.ranks[&target].to_string()
                ),
                (battle.attacker.clone(), battle.defender.clone()),
                "{} at {ply}",
                game.id
            );
            for piece in [&mover, &target] {
                told.known.entry(piece.clone()).or_insert(ply + 1);
            }
            match battle.winner.as_deref() {
                Some("attacker") => told.squares.insert(to.to_owned(), mover),
                Some("defender") => told.squares.insert(to.to_owned(), target),
                _ => None,
            };
        }
        told
    }
}

fn distance(from: &str, to: &str) -> u32 {
    let place = |square: &str| {
        (
            u32::from(square.as_bytes()[0]),
            square[1..].parse::<u32>().unwrap(),
        )
    };
    let ((a, b), (c, d)) = (place(from), place(to));
    a.abs_diff(c) + b.abs_diff(d)
}

/// Ten games: the longest, the one that ends with the flag, and four of each ruleset, short to long.
struct Chosen {
    longest: Recorded,
    flag: Recorded,
    others: Vec<Recorded>,
}

fn chosen() -> Option<Chosen> {
    let mut games = recorded_games()?;
    games.sort_by_key(|game| game.moves.len());
    let longest = games.pop().expect("there are games");
    let flag = games.iter().position(|game| game.illegal_next.is_none());
    let flag = games.remove(flag.expect("a flag is captured"));
    let (barrage, original): (Vec<_>, Vec<_>) = games
        .into_iter()
        .partition(|game| game.ruleset == "barrage");
    let some = |games: Vec<Recorded>| games.into_iter().step_by(8).take(4);
    Some(Chosen {
        longest,
        flag,
        others: some(barrage).chain(some(original)).collect(),
    })
}

fn play(server: &TestServer, record: &Recorded) -> Game {
    let mut game = Game::begin(
        server,
        &record.ruleset,
        &record.red_setup,
        &record.blue_setup,
    );
    for notation in &record.moves {
        game.line(notation);
    }
    game
}

/// Every battle of the record, as the replay shows it to `viewpoint`.
fn assert_battles(record: &Recorded, replay: &Value, viewpoint: &str) {
    let moves = replay["moves"].as_array().unwrap();
    assert_eq!(moves.len(), record.moves.len(), "{} {viewpoint}", record.id);
    let fought: Vec<(usize, &Value)> = moves
        .iter()
        .map(|step| &step["attack"])
        .enumerate()
        .filter(|(_, attack)| attack.is_object())
        .collect();
    assert_eq!(
        fought.len(),
        record.battles.len(),
        "{} {viewpoint}",
        record.id
    );
    for (battle, (ply, attack)) in record.battles.iter().zip(fought) {
        let outcome = match battle.winner.as_deref() {
            Some("attacker") if battle.defender == "F" => "flag_captured",
            Some("attacker") => "attacker_wins",
            Some("defender") => "defender_wins",
            _ => "both_removed",
        };
        let expected = (
            battle.ply,
            json!(battle.attacker),
            json!(battle.defender),
            json!(outcome),
        );
        let got = (
            ply,
            attack["attacker"].clone(),
            attack["defender"].clone(),
            attack["outcome"].clone(),
        );
        assert_eq!(got, expected, "{} {viewpoint}", record.id);
    }
}

/// The board after `ply` moves as `viewpoint` knew it: own ranks, and others' once disclosed. What was
/// worked out by elimination is in the reveals, and must be true.
fn assert_board(
    record: &Recorded,
    told: &Told,
    game: &Game,
    viewpoint: &str,
    reveals: &Value,
    ply: usize,
) {
    let board = game.replay(&game.red, &format!("?viewpoint={viewpoint}&ply={ply}"));
    for piece in board["pieces"].as_array().unwrap() {
        let id = piece["id"].as_str().unwrap();
        let deduced = reveals.as_array().unwrap().iter().any(|reveal| {
            reveal["piece_id"] == id
                && reveal["cause"] == "deduced"
                && reveal["ply"].as_u64() <= u64::try_from(ply).ok()
        });
        let open = viewpoint == "omniscient"
            || id.starts_with(viewpoint)
            || told.known.get(id).is_some_and(|known| *known <= ply)
            || deduced;
        let rank = if open { told.ranks[id] } else { '?' };
        assert_eq!(
            piece["piece"],
            rank.to_string(),
            "{} {viewpoint} after {ply}: {piece}",
            record.id
        );
    }
}

fn check(server: &TestServer, record: &Recorded) {
    let told = Told::of(record);
    let game = play(server, record);
    if let Some((notation, reason)) = &record.illegal_next {
        assert_reason(&game.attempt(notation), "illegal_move", reason);
        let side = Side::of_ply(game.ply);
        let legal = game.player(side).get(&game.path("/legal-moves")).ok(200);
        let (from, to) = notation.split_once(['-', 'x']).unwrap();
        let moves = legal["moves"].as_array().unwrap();
        assert!(
            !moves
                .iter()
                .any(|step| step["from"] == from && step["to"] == to),
            "{}",
            record.id
        );
        game.resign(Side::Red).ok(200);
    } else {
        assert_problem(&game.attempt("a1-a2"), 409, "game_over");
        assert_eq!(game.view(&game.red)["outcome"]["reason"], "flag_captured");
    }
    let view = game.view(&game.red);
    assert_eq!(view["pieces"].as_array().unwrap().len(), told.squares.len());
    for (square, id) in &told.squares {
        let piece = piece(&view["pieces"], id);
        assert_eq!(
            (&piece["square"], &piece["piece"]),
            (&json!(square), &json!(told.ranks[id].to_string()))
        );
    }
    let last = record.moves.len();
    for viewpoint in ["red", "blue", "public", "omniscient"] {
        let replay = game.replay(&game.blue, &format!("?viewpoint={viewpoint}"));
        assert_battles(record, &replay, viewpoint);
        for ply in [0, 1, last / 4, last / 2, last * 3 / 4, last - 1, last] {
            assert_board(record, &told, &game, viewpoint, &replay["reveals"], ply);
        }
    }
    let all = game.replay(&game.red, "?viewpoint=omniscient");
    let reveals = all["reveals"].as_array().unwrap();
    for (id, known) in &told.known {
        let reveal = reveals
            .iter()
            .find(|reveal| reveal["piece_id"] == json!(id))
            .unwrap();
        let ply = reveal["ply"].as_u64().unwrap();
        let early = reveal["cause"] == "deduced";
        let known = u64::try_from(*known).unwrap();
        assert!(
            if early { ply <= known } else { ply == known },
            "{} {id}: {reveal}",
            record.id
        );
    }
}

fn the_longest_recorded_game_is_played_whole_and_replays(server: &TestServer) {
    if let Some(chosen) = chosen() {
        check(server, &chosen.longest);
    }
}

fn the_recorded_flag_capture_is_played_whole_and_replays(server: &TestServer) {
    if let Some(chosen) = chosen() {
        check(server, &chosen.flag);
    }
}

fn recorded_games_of_both_rulesets_are_played_whole_and_replay(server: &TestServer) {
    if let Some(chosen) = chosen() {
        assert_eq!(chosen.others.len(), 8);
        for game in &chosen.others {
            check(server, game);
        }
    }
}

on_both! {
    the_longest_recorded_game_is_played_whole_and_replays,
    the_recorded_flag_capture_is_played_whole_and_replays,
    recorded_games_of_both_rulesets_are_played_whole_and_replay,
}
