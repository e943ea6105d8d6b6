//! Several nodes on one database.

use std::time::Duration;

use serde_json::Value;
use tests::{Backend, Game, Received, Receiver, on_both};

use super::{begin, place, start, webhook};
use crate::lines::EVEN;

/// Moves on both nodes, at the same time: each event comes once, and in order.
fn two_nodes_do_not_tell_twice(backend: Backend) {
    let timed = start(backend);
    let other = timed.another_node();
    let elsewhere = format!("http://{}", other.address());
    let receiver = Receiver::start();
    let first = begin(&timed.url());
    let watcher = first.red.clone();
    let mut games = vec![first];
    for _ in 0..3 {
        let opponent = timed.register("blue");
        let game = Game::between(watcher.clone(), opponent, "barrage", &Value::Null);
        place(&game);
        games.push(game);
    }
    webhook(&watcher, &receiver.url("/"), &Value::Null);
    std::thread::scope(|scope| {
        for game in &mut games {
            game.blue = game.blue.at(&elsewhere);
            scope.spawn(move || game.line(EVEN.moves));
        }
    });
    let all = 4 * (EVEN.plies() + 1);
    let told = receiver.take(all);
    let numbers: Vec<u64> = told.iter().map(Received::number).collect();
    let expected: Vec<u64> = (numbers[0]..).take(all).collect();
    assert_eq!(numbers, expected);
    assert!(receiver.is_quiet(Duration::from_millis(500)));
}

on_both! { two_nodes_do_not_tell_twice }
