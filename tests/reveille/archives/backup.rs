use std::fs;
use std::sync::mpsc;
use std::thread;

use tempfile::TempDir;
use tests::{Backend, Game, TestServer};

use super::{entries, run, signing_key};
use crate::lines::EVEN;

/// Moves go on while it is taken, and each that was acknowledged before it began is in it.
#[test]
fn a_backup_has_every_move_that_was_acknowledged_before() {
    const PLAYERS: usize = 4;
    let folder = TempDir::new().unwrap();
    let server = TestServer::start(Backend::Sqlite);
    let games: Vec<Game> = (0..PLAYERS).map(|_| EVEN.begin(&server)).collect();
    let ids: Vec<String> = games.iter().map(|game| game.id.clone()).collect();
    let (acknowledge, acknowledged) = mpsc::channel();
    let copy = folder.path().join("copy.db");
    let mut before = vec![0; PLAYERS];
    thread::scope(|scope| {
        for (number, mut game) in games.into_iter().enumerate() {
            let acknowledge = acknowledge.clone();
            scope.spawn(move || {
                for step in EVEN.moves.split_whitespace() {
                    game.line(step);
                    // Nobody listens once the copy is made.
                    let _ = acknowledge.send((number, game.ply));
                }
            });
        }
        let note = |(number, ply): (usize, u32), before: &mut Vec<u32>| before[number] = ply;
        for _ in 0..2 * PLAYERS {
            note(acknowledged.recv().unwrap(), &mut before);
        }
        while let Ok(next) = acknowledged.try_recv() {
            note(next, &mut before);
        }
        run(&server, &["backup", copy.to_str().unwrap()]);
    });
    assert!(before.iter().sum::<u32>() >= 8);
    assert_eq!(entries(&folder), ["copy.db"]);

    let key = signing_key(&server);
    let mut restored = TestServer::prepare(Backend::Sqlite, &[("REVEILLE_SIGNING_KEYS", &key)]);
    fs::create_dir_all(restored.data_folder()).unwrap();
    fs::copy(&copy, restored.data_folder().join("reveille.db")).unwrap();
    restored.restart();
    for (id, acknowledged) in ids.iter().zip(before) {
        let moves = |server: &TestServer| {
            let log = server
                .client()
                .get(&format!("/v1/games/{id}/moves"))
                .ok(200);
            log["items"].as_array().unwrap().clone()
        };
        let (kept, all) = (moves(&restored), moves(&server));
        assert_eq!(all.len(), EVEN.plies());
        assert!(kept.len() >= usize::try_from(acknowledged).unwrap(), "{id}");
        assert_eq!(kept, all[..kept.len()], "{id}");
    }
}
