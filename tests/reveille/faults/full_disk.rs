//! No room is left on the disk of the embedded database: moves are refused, reads go on, and when there
//! is room again so do the games.

use std::fs;

use serde_json::json;
use tests::nodes::Nodes;
use tests::pressure::{Tally, Watch, play, seat};
use tests::small_disk::SmallDisk;
use tests::table::Table;
use tests::{Backend, Client, TestServer, assert_problem, integrity, rounds};

use super::{GAMES, audit};

const PLIES: usize = 1_500;

/// A disk of a few MiB that something else fills.
#[test]
fn a_full_disk_refuses_moves_and_loses_none() {
    let Some(disk) = SmallDisk::mount(8 * 1024) else {
        println!(
            "no file system may be mounted here: the limit on the size of files stands for it"
        );
        return under_a_limit();
    };
    let folder = disk.path().join("data").display().to_string();
    let url = format!("sqlite://{folder}/reveille.db");
    let settings = [
        ("REVEILLE_DATABASE_URL", url.as_str()),
        ("REVEILLE_DATA_DIR", &folder),
    ];
    let server = TestServer::start_with(Backend::Sqlite, &settings);
    let mut tables = seat(server.url(), GAMES, PLIES, rounds::first_seed(71));
    let (player, game) = (tables[0].red.clone(), tables[0].path(""));
    let nodes = Nodes::new([server.url()]);
    let rounds = rounds::faults(2, 20);
    let mut total = play(&mut tables, &nodes, |watch| {
        for _ in 0..rounds {
            watch.moves(2 * GAMES);
            disk.fill();
            assert_full(watch, &player, &game);
            disk.free();
        }
        watch.moves(4 * GAMES);
    });
    total.rounds = rounds;
    total.unanswered += tests::pressure::verify(&tables, server.url());
    integrity::assert_sound(&disk.path().join("data/reveille.db"));
    println!("disk full: {total}");
}

/// No file may become larger: what is left where no disk can be mounted.
#[test]
fn a_limit_on_the_size_of_files_refuses_moves_and_loses_none() {
    under_a_limit();
}

fn under_a_limit() {
    let mut server = TestServer::start(Backend::Sqlite);
    let mut tables = seat(server.url(), GAMES, PLIES, rounds::first_seed(73));
    let (player, game) = (tables[0].red.clone(), tables[0].path(""));
    let mut total = Tally::default();
    for _ in 0..rounds::faults(2, 20) {
        total.rounds += 1;
        server.stop();
        server.limit_files(Some(largest(&server) + (64 << 10)));
        server.restart();
        total += pressed(&mut tables, &server, |watch| {
            assert_full(watch, &player.at(server.url()), &game);
        });
        server.stop();
        server.limit_files(None);
        server.restart();
        total += pressed(&mut tables, &server, |watch| watch.moves(4 * GAMES));
    }
    audit(&mut total, &tables, &server);
    println!("files limited: {total}");
}

fn pressed(tables: &mut [Table], server: &TestServer, meanwhile: impl FnOnce(&mut Watch)) -> Tally {
    play(tables, &Nodes::new([server.url()]), meanwhile)
}

/// The size of the largest file of the data folder.
fn largest(server: &TestServer) -> u64 {
    let files = fs::read_dir(server.data_folder()).unwrap();
    let sizes = files.map(|file| file.unwrap().metadata().unwrap().len());
    sizes.max().unwrap()
}

/// Moves are refused, and whatever else writes as soon as that does not fit either; what is there can be
/// read.
fn assert_full(watch: &mut Watch, player: &Client, game: &str) {
    watch.refusals(4 * GAMES);
    let body = json!({"ruleset": "barrage", "time_control": {"kind": "unlimited"}});
    let mut challenges = (0..200).map(|_| player.post("/v1/challenges", &body));
    let refused = challenges.find(|answer| answer.status != 201);
    let refused = refused.expect("nothing fits at last");
    assert_problem(&refused, 503, "unavailable");
    assert!(refused.header("retry-after").is_some(), "{refused:?}");
    for path in [game, &format!("{game}/moves"), "/v1/games", "/healthz"] {
        player.get(path).ok(200);
    }
}
