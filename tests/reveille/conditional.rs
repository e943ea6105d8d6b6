//! Conditional moves: prepared, played, dropped, and nobody else's to know.

mod form;
mod hidden;
mod play;
mod races;
mod statements;
mod times;

use serde_json::{Value, json};
use tests::game::move_body;
use tests::{Client, Game, Response};

const PATH: &str = "/conditional-moves";

/// A line: if `opponent` moves so, as in `e7-e6` or, with the outcome, `e7-e6=both_removed`, then `own`.
pub(crate) fn line(opponent: &str, own: &str, next: &[Value]) -> Value {
    let (step, outcome) = match opponent.split_once('=') {
        Some((step, outcome)) => (step, Some(outcome)),
        None => (opponent, None),
    };
    let (from, to) = step.split_once('-').unwrap();
    let mut reply = move_body(0, own);
    reply.as_object_mut().unwrap().remove("ply");
    if reply.get("rescue").is_none() {
        reply["rescue"] = Value::Null;
    }
    json!({
        "if": {"opponent": {"from": from, "to": to}, "attack_outcome": outcome},
        "then": reply,
        "next": next,
    })
}

/// Lines of which each waits for the one before: `e4-e5 e7-e6 e5-e6 f7-f6`, the opponent's first.
fn chain(moves: &str) -> Vec<Value> {
    let moves: Vec<&str> = moves.split_whitespace().collect();
    moves
        .chunks_exact(2)
        .rev()
        .fold(Vec::new(), |next, pair| vec![line(pair[0], pair[1], &next)])
}

pub(crate) fn prepare(game: &Game, player: &Client, lines: &[Value]) -> Response {
    player.put(&game.path(PATH), &json!({"lines": lines}))
}

/// What a player has prepared, and what was dropped.
fn prepared(game: &Game, player: &Client) -> (Value, Value) {
    let answer = player.get(&game.path(PATH)).ok(200);
    (answer["lines"].clone(), answer["dropped"].clone())
}
