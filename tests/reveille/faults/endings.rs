//! C15: a game that has ended has ended everywhere, also when the server dies with the answer.

use serde_json::{Value, json};
use tests::dice::Dice;
use tests::script::Script;
use tests::table::Table;
use tests::{Backend, Client, TestServer, on_both, rounds};

const MOVES: usize = 4;

fn a_resignation_is_whole_after_a_kill(backend: Backend) {
    let mut server = TestServer::start(backend);
    let rounds = rounds::faults(3, 50);
    let mut dice = Dice::new(rounds::first_seed(83));
    let (mut answered, mut happened) = (0, 0);
    for round in 0..rounds {
        let mut table = Table::begin(server.url(), Script::random(1, MOVES));
        let nodes = tests::nodes::Nodes::new([server.url()]);
        while !table.is_played() {
            table.attempt(&nodes);
        }
        // At once after the answer, or, every second time, while it is under way.
        let told = if round % 2 == 0 {
            Some(table.red.post(&table.path("/resign"), &json!({})).ok(200))
        } else {
            std::thread::scope(|scope| {
                let resigning = scope.spawn(|| {
                    let request = table.red.request("POST", &table.path("/resign"));
                    request.json(&json!({})).try_send().ok()
                });
                for _ in 0..dice.below(200_000) {
                    std::hint::spin_loop();
                }
                server.kill();
                resigning.join().unwrap().map(|answer| answer.ok(200))
            })
        };
        if round % 2 == 0 {
            server.kill();
        }
        server.restart();
        let ended = assert_agreement(&table, server.url());
        assert!(
            ended || told.is_none(),
            "the resignation was answered and is gone"
        );
        answered += usize::from(told.is_some());
        happened += usize::from(ended);
    }
    println!(
        "{backend:?} killed at a resignation: rounds={rounds} answered={answered} there={happened} lost=0"
    );
}

/// The game, both lists, the log of a spectator and GraphQL say the same; whether it ended is returned.
fn assert_agreement(table: &Table, base: &str) -> bool {
    let (red, blue, other) = (table.red.at(base), table.blue.at(base), Client::new(base));
    let view = red.get(&table.path("")).ok(200);
    let ended = view["status"] == "finished";
    assert!(ended || view["status"] == "active", "{view}");
    let outcome = if ended {
        json!({"winner": "blue", "reason": "resignation"})
    } else {
        Value::Null
    };
    for viewer in [&red, &blue, &other] {
        let seen = viewer.get(&table.path("")).ok(200);
        for field in [
            "status",
            "ply",
            "turn",
            "finished_at",
            "updated_at",
            "deadline",
        ] {
            assert_eq!(seen[field], view[field], "{field}");
        }
        assert_eq!(seen["outcome"], outcome);
    }
    for player in [&red, &blue] {
        for (status, there) in [("active", !ended), ("finished", ended)] {
            let path = format!("/v1/games?player={}&status={status}", player.name);
            let page = other.get(&path).ok(200);
            let items = page["items"].as_array().unwrap();
            assert_eq!(items.len(), usize::from(there), "{path}: {page}");
            assert!(
                items.iter().all(|game| game["outcome"] == outcome),
                "{page}"
            );
        }
        other.get(&format!("/v1/players/{}", player.name)).ok(200);
    }
    let query =
        "query($id: ID!) { game(id: $id) { status plies finishedAt outcome { winner reason } } }";
    let game = &other.query(query, &json!({"id": table.id}))["game"];
    assert_eq!(game["status"], if ended { "FINISHED" } else { "ACTIVE" });
    assert_eq!(game["plies"], MOVES);
    assert_eq!(game["finishedAt"].is_null(), !ended);
    let winner = json!({"winner": "BLUE", "reason": "RESIGNATION"});
    assert_eq!(game["outcome"], if ended { winner } else { Value::Null });
    ended
}

on_both! {
    a_resignation_is_whole_after_a_kill,
}
