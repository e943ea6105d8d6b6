//! Several nodes on one PostgreSQL, and a PostgreSQL that goes away under them.

use std::thread;
use std::time::{Duration, Instant};

use serde_json::json;
use tests::cluster::Cluster;
use tests::dice::Dice;
use tests::nodes::Nodes;
use tests::pressure::{Tally, play, seat};
use tests::{Backend, Client, Response, TestServer, assert_problem, rounds};

use super::{GAMES, audit};

const MOVES: usize = 60;

/// A further node: the same database, the same keys.
fn another(first: &TestServer, url: &str) -> TestServer {
    let folder = first.data_folder().display().to_string();
    let settings = [
        ("REVEILLE_DATABASE_URL", url),
        ("REVEILLE_DATA_DIR", &folder),
    ];
    TestServer::start_with(Backend::Sqlite, &settings)
}

/// kill -9 of one of three; whoever lost an answer asks the others.
#[test]
fn no_move_is_lost_or_made_twice_when_one_node_of_three_is_killed() {
    let first = TestServer::start(Backend::Postgres);
    let url = first.database().url().to_owned();
    let mut others = [another(&first, &url), another(&first, &url)];
    let seed = rounds::first_seed(23);
    let (rounds, mut dice) = (rounds::faults(3, 50), Dice::new(seed));
    let mut tables = seat(first.url(), GAMES, 200 + rounds * MOVES / 3, seed);
    let nodes = Nodes::new([first.url(), others[0].url(), others[1].url()]);
    let mut total = play(&mut tables, &nodes, |watch| {
        for round in 0..rounds {
            let victim = round % others.len();
            watch.moment(&mut dice, MOVES);
            nodes.leave(1 + victim);
            others[victim].kill();
            watch.moment(&mut dice, MOVES);
            others[victim].restart();
            nodes.join(1 + victim, others[victim].url());
        }
        watch.moves(GAMES);
    });
    total.rounds = rounds;
    for node in &others {
        // Every node tells the same.
        tests::pressure::verify(&tables, node.url());
    }
    audit(&mut total, &tables, &first);
    println!("one node of three killed: {total}");
}

/// The database crashes and comes back: 503 meanwhile, and on again without anybody's help.
#[test]
fn no_move_is_lost_or_made_twice_when_postgresql_crashes() {
    let cluster = Cluster::start();
    let url = cluster.url();
    let settings = [("REVEILLE_DATABASE_URL", url.as_str())];
    let server = TestServer::start_with(Backend::Sqlite, &settings);
    let seed = rounds::first_seed(31);
    let (rounds, mut dice) = (rounds::faults(1, 20), Dice::new(seed));
    let (mut total, mut longest) = (Tally::default(), Duration::ZERO);
    for round in 0..rounds {
        let seed = seed + u64::try_from(round).unwrap();
        let mut tables = seat(server.url(), GAMES, 1_000, seed);
        let nodes = Nodes::new([server.url()]);
        let reader = tables[0].red.clone();
        let path = tables[0].path("");
        total += play(&mut tables, &nodes, |watch| {
            watch.moment(&mut dice, MOVES);
            cluster.crash();
            assert_away(&reader, &path);
            watch.refusals(1);
            cluster.resume();
            let back = Instant::now();
            watch.moves(1);
            longest = longest.max(back.elapsed());
            watch.moves(MOVES);
        });
        total.rounds += 1;
        server.client().get("/readyz").ok(200);
        total.unanswered += tests::pressure::verify(&tables, server.url());
    }
    println!(
        "PostgreSQL crashed: {total} longest_until_a_move_ms={}",
        longest.as_millis()
    );
}

/// Without its database the server lives and says so.
fn assert_away(player: &Client, game: &str) {
    player.get("/healthz").ok(200);
    let resign = || player.post(&format!("{game}/resign"), &json!({}));
    let asked: [&(dyn Fn() -> Response + Sync); 3] =
        [&|| player.get(game), &|| player.get("/readyz"), &resign];
    thread::scope(|scope| {
        for answer in asked.map(|request| scope.spawn(request)) {
            let answer = answer.join().unwrap();
            assert_problem(&answer, 503, "unavailable");
            assert!(answer.header("retry-after").is_some(), "{answer:?}");
        }
    });
}
