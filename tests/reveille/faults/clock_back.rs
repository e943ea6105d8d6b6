//! The clock of the machine is set back in the middle of games.

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::Value;
use tests::client::text;
use tests::nodes::Nodes;
use tests::pressure::verify;
use tests::script::Script;
use tests::table::{Attempt, Table};
use tests::{Backend, Timed, on_both};

const PLIES: usize = 24;

/// Moves go on, no instant of a game is before one that was told earlier, and nothing is lost.
fn a_clock_that_is_set_back_harms_no_game(backend: Backend) {
    let timed = Timed::start(backend);
    let (red, blue) = (timed.register("red"), timed.register("blue"));
    timed.clock.advance(Duration::from_mins(1));
    let mut table = Table::between(red, blue, Script::random(61, PLIES));
    let url = timed.url();
    let nodes = Nodes::new([url.as_str()]);
    let mut latest = DateTime::<Utc>::MIN_UTC;
    for ply in 0..PLIES {
        // Back by some seconds now and then, each time to before the move that was just made; not so far
        // that the players' tokens would not be valid yet.
        if ply % 4 == 3 {
            use api::clock::Clock;
            timed
                .clock
                .set(timed.clock.now() - TimeDelta::milliseconds(1_500));
        } else {
            timed.clock.advance(Duration::from_millis(100));
        }
        let attempt = table.attempt(&nodes);
        assert!(matches!(attempt, Attempt::Made), "at {ply}: {attempt:?}");
        let view = table.red.get(&table.path("")).ok(200);
        let told = [
            instant(&view["started_at"]),
            instant(&view["last_move"]["played_at"]),
            instant(&view["updated_at"]),
        ];
        assert!(told.is_sorted(), "at {ply}: {told:?}");
        assert!(told[1] >= latest, "at {ply}: {} after {latest}", told[1]);
        latest = told[1];
        let think_time = text(&view["last_move"]["think_time"]);
        assert!(!think_time.contains('-'), "at {ply}: {think_time}");
    }
    assert_eq!(verify(&[table], &url), 0);
    println!("{backend:?} clock set back: moves={PLIES} lost=0 made_twice=0");
}

fn instant(value: &Value) -> DateTime<Utc> {
    text(value).parse().unwrap()
}

on_both! {
    a_clock_that_is_set_back_harms_no_game,
}
