use std::collections::BTreeMap;
use std::fs;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Sender};
use std::thread;

use serde_json::Value;
use tempfile::TempDir;
use tests::{Backend, Game, Side, TestServer};

use super::{entries, run, signing_key};
use crate::lines::EVEN;

/// How many pairs of players play at once.
const PAIRS: usize = 4;

/// Tells players to stop, also when the test fails.
struct Stop<'a>(&'a AtomicBool);

impl Drop for Stop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Plays one game after the other until told to stop, and says of each move that it was acknowledged.
fn play_on(server: &TestServer, acknowledged: &Sender<(String, usize)>, stop: &AtomicBool) {
    let (red, blue) = (server.register("red"), server.register("blue"));
    let setups = EVEN.setups();
    while !stop.load(Ordering::Relaxed) {
        let mut game = Game::between(red.clone(), blue.clone(), EVEN.ruleset, &Value::Null);
        game.place(Side::Red, &setups.0).ok(200);
        game.place(Side::Blue, &setups.1).ok(200);
        for (step, ply) in EVEN.moves.split_whitespace().zip(1..) {
            game.line(step);
            acknowledged.send((game.id.clone(), ply)).unwrap();
        }
    }
}

/// Moves go on while it is taken, and each that was acknowledged before it began is in it.
#[test]
fn a_backup_has_every_move_that_was_acknowledged_before() {
    let folder = TempDir::new().unwrap();
    let copy = folder.path().join("copy.db");
    let server = TestServer::start(Backend::Sqlite);
    let stop = AtomicBool::new(false);
    let (acknowledge, acknowledged) = mpsc::channel();
    let mut before = BTreeMap::new();
    thread::scope(|scope| {
        let stop = Stop(&stop);
        for _ in 0..PAIRS {
            let (server, acknowledge, stop) = (&server, acknowledge.clone(), stop.0);
            scope.spawn(move || play_on(server, &acknowledge, stop));
        }
        // Some of each pair's first games, and what was heard meanwhile.
        before.extend(acknowledged.iter().take(PAIRS * EVEN.plies()));
        before.extend(acknowledged.try_iter());
        run(&server, &["backup", copy.to_str().unwrap()]);
    });
    assert_eq!(entries(&folder), ["copy.db"]);

    let key = signing_key(&server);
    let mut restored = TestServer::prepare(Backend::Sqlite, &[("REVEILLE_SIGNING_KEYS", &key)]);
    fs::create_dir_all(restored.data_folder()).unwrap();
    fs::copy(&copy, restored.data_folder().join("reveille.db")).unwrap();
    restored.restart();
    assert!(!before.is_empty());
    for (game, plies) in before {
        let moves = |server: &TestServer| {
            let log = server
                .client()
                .get(&format!("/v1/games/{game}/moves"))
                .ok(200);
            log["items"].as_array().unwrap().clone()
        };
        let (kept, all) = (moves(&restored), moves(&server));
        assert_eq!(all.len(), EVEN.plies());
        assert!(kept.len() >= plies, "{game}: {plies} were acknowledged");
        assert_eq!(kept, all[..kept.len()], "{game}");
    }
}
