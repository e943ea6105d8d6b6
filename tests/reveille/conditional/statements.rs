//! What a move costs the database, whatever its receiver has prepared.

use std::sync::Mutex;

use diesel::connection::{Instrumentation, InstrumentationEvent, set_default_instrumentation};
use serde_json::{Value, json};
use tests::{Backend, Client, Game, Timed, on_both};

use super::{line, prepare};
use crate::lines::EVEN;

static STATEMENTS: Mutex<Vec<String>> = Mutex::new(Vec::new());

#[expect(clippy::unnecessary_wraps, reason = "as diesel wants it")]
fn note() -> Option<Box<dyn Instrumentation>> {
    Some(Box::new(|event: InstrumentationEvent<'_>| {
        if let InstrumentationEvent::StartQuery { query, .. } = event {
            STATEMENTS.lock().unwrap().push(query.to_string());
        }
    }))
}

/// The statements about a game that a request takes, without their values. The server looks after other
/// games meanwhile.
fn taken(game: &str, request: impl FnOnce()) -> Vec<String> {
    STATEMENTS.lock().unwrap().clear();
    request();
    let taken = std::mem::take(&mut *STATEMENTS.lock().unwrap());
    let own = taken.iter().filter(|text| text.contains(game));
    own.map(|text| {
        text.split(" -- binds")
            .next()
            .unwrap_or_default()
            .to_owned()
    })
    .collect()
}

fn begin(timed: &Timed) -> Game {
    let (red, blue): (Client, Client) = (timed.register("red"), timed.register("blue"));
    let game = Game::between(red, blue, "barrage", &Value::Null);
    let (red, blue) = EVEN.setups();
    game.place(tests::Side::Red, &red).ok(200);
    game.place(tests::Side::Blue, &blue).ok(200);
    game
}

fn a_move_costs_the_same_whatever_was_prepared_for_it(backend: Backend) {
    set_default_instrumentation(note).unwrap();
    // With the game at hand, and without.
    for cache in ["64", "0"] {
        let timed = Timed::start_with(
            backend,
            &[
                ("REVEILLE_GAME_CACHE", cache),
                ("REVEILLE_DATABASE_POOL_SIZE", "1"),
            ],
        );
        let many: Vec<Value> = (5..10)
            .map(|row| line(&format!("a4-b{row}"), "a7-a6", &[]))
            .collect();
        let prepared = [
            Vec::new(),
            vec![line("b4-b5", "a7-a6", &[])],
            many,
            vec![line("a4-a5", "a7-a1", &[])],
            vec![line("a4-a5", "a1-a2", &[line("b4-b5", "b7-b6", &[])])],
        ];
        let mut costs = Vec::new();
        for lines in &prepared {
            let mut game = begin(&timed);
            game.line("e4-e5 e7-e6");
            prepare(&game, &game.blue, lines).ok(200);
            let (id, path) = (game.id.clone(), game.path("/moves"));
            let body = json!({"ply": 2, "from": "a4", "to": "a5"});
            let first = taken(&id, || drop(game.red.post(&path, &body).ok(201)));
            // And the next ones, when what was prepared is over.
            game.ply = 3;
            let next = taken(&id, || drop(game.line("a7-a6")));
            let after = taken(&id, || drop(game.line("b4-b5")));
            costs.push([first, next, after]);
        }
        assert!(!costs[0][0].is_empty(), "nothing was counted");
        for cost in &costs {
            assert_eq!(cost, &costs[0], "cache {cache}");
        }
    }
}

on_both! { a_move_costs_the_same_whatever_was_prepared_for_it }
