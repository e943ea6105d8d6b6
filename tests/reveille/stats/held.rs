//! Statistics that wait for the database: moves do not, and what takes too long is ended.

use std::thread;

use serde_json::json;
use tests::imports::until;
use tests::{Backend, TestServer, assert_problem, metrics};

use crate::lines::EVEN;

/// How many are asked for at once: two are worked out, the others wait for these.
const ASKED: u32 = 20;

/// On PostgreSQL, where a lock keeps readers waiting.
fn start() -> TestServer {
    TestServer::start_with(
        Backend::Postgres,
        &[("REVEILLE_METRICS_LISTEN", "127.0.0.1:0")],
    )
}

/// Waits until all are asked for, and those that are worked out wait for the lock.
fn wait_for_statistics(server: &TestServer, before: f64) {
    metrics::wait_for(server, metrics::IN_FLIGHT, before + f64::from(ASKED));
    let waiting =
        "SELECT count(*) FROM pg_locks WHERE relation = 'rollups'::regclass AND NOT granted";
    until(|| (server.database().execute(waiting) == "2").then_some(()));
}

#[test]
fn moves_do_not_wait_for_statistics() {
    let server = start();
    let mut game = EVEN.begin(&server);
    let client = server.client();
    let before = server.figure(metrics::IN_FLIGHT);
    let hold = server.database().hold_statistics();
    thread::scope(|scope| {
        let ask = || client.get("/v1/stats/battles.svg");
        let asked: Vec<_> = (0..ASKED).map(|_| scope.spawn(ask)).collect();
        wait_for_statistics(&server, before);
        game.line("i4xi7 j7xj4 a4-a5");
        assert!(asked.iter().all(|answer| !answer.is_finished()));
        drop(hold);
        for answer in asked {
            assert_eq!(answer.join().unwrap().status, 200);
        }
    });
}

/// Also those that were not begun by then, because others were before them.
#[test]
fn statistics_that_take_too_long_are_ended() {
    let server = start();
    let client = server.client();
    let before = server.figure(metrics::IN_FLIGHT);
    let hold = server.database().hold_statistics();
    thread::scope(|scope| {
        let ask = || client.get("/v1/stats/battles.svg");
        let asked: Vec<_> = (0..ASKED).map(|_| scope.spawn(ask)).collect();
        wait_for_statistics(&server, before);
        let picture = scope.spawn(|| client.get("/v1/stats/reveals.svg"));
        let query = scope.spawn(|| client.graphql("{ stats { games } }", &json!({})));
        assert_problem(&picture.join().unwrap(), 422, "query_too_slow");
        let answer = query.join().unwrap().json();
        let code = &answer["errors"][0]["extensions"]["code"];
        assert_eq!(code, "query_too_slow", "{answer}");
        drop(hold);
        drop(asked);
    });
    assert_eq!(client.get("/v1/stats/battles.svg").status, 200);
}
