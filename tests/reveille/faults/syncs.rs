//! No answer precedes its sync: where the disk does not confirm, nobody is told that a move was made.
//! On SQLite alone: PostgreSQL syncs in processes of its own.

use std::thread;

use tests::disk::Disk;
use tests::nodes::Nodes;
use tests::pressure::{play, seat};
use tests::table::Attempt;
use tests::{Backend, Game, TestServer, metrics, rounds};

use super::{GAMES, audit};
use crate::lines::EVEN;

/// How many games are played at once where writes are to meet.
const MANY: u32 = 20;

/// What was written and synced by now.
struct Written {
    syncs: f64,
    /// Writes that were decided.
    writes: f64,
    /// Transactions that they were committed in.
    groups: f64,
}

fn start(disk: &Disk) -> TestServer {
    let environment = disk.environment();
    let settings = environment
        .each_ref()
        .map(|(name, value)| (*name, value.as_str()));
    let figures = ("REVEILLE_METRICS_LISTEN", "127.0.0.1:0");
    let settings: Vec<_> = settings.into_iter().chain([figures]).collect();
    TestServer::start_with(Backend::Sqlite, &settings)
}

/// A count as figures have it.
fn counted(number: impl TryInto<u32, Error: std::fmt::Debug>) -> f64 {
    f64::from(number.try_into().unwrap())
}

/// To be asked before all that is to be counted. The server writes by itself too: what it does between two
/// counts may be in the later one alone, so that the syncs are counted first here, and last in
/// [`written_by_then`].
fn written(server: &TestServer, disk: &Disk) -> Written {
    let syncs = counted(disk.syncs());
    let (writes, groups) = figures(server);
    Written {
        syncs,
        writes,
        groups,
    }
}

fn written_by_then(server: &TestServer, disk: &Disk) -> Written {
    let (writes, groups) = figures(server);
    let syncs = counted(disk.syncs());
    Written {
        syncs,
        writes,
        groups,
    }
}

fn figures(server: &TestServer) -> (f64, f64) {
    let writes = server.figure("reveille_database_writes_total");
    let groups = server.figure("reveille_database_syncs_total");
    (writes, groups)
}

/// While syncs fail every move is refused; afterwards the games go on, and again after a restart.
#[test]
fn no_move_is_acknowledged_while_syncs_fail() {
    let disk = Disk::new();
    let mut server = start(&disk);
    let seed = rounds::first_seed(47);
    let mut tables = seat(server.url(), GAMES, 2_000, seed);
    let rounds = rounds::faults(3, 50);
    let nodes = Nodes::new([server.url()]);
    let mut total = play(&mut tables, &nodes, |watch| {
        for round in 0..rounds {
            watch.moves(2 * GAMES);
            disk.fail();
            // What was under way may have had its sync; after one refusal each, nothing is left of it.
            watch.refusals(2 * GAMES);
            let before = watch.tally();
            watch.refusals(4 * GAMES);
            assert_eq!(watch.tally().acknowledged, before.acknowledged, "{before}");
            if round % 2 == 1 {
                nodes.leave(0);
                server.kill();
                disk.mend();
                server.restart();
                nodes.join(0, server.url());
            } else {
                disk.mend();
            }
        }
        watch.moves(2 * GAMES);
    });
    total.rounds = rounds;
    audit(&mut total, &tables, &server);
    println!("syncs failed: {total}");
}

/// One client, one move after the other: nothing can be committed together, so each has its own sync.
#[test]
fn each_move_of_a_lone_client_has_its_sync() {
    const MOVES: usize = 40;
    let disk = Disk::new();
    let server = start(&disk);
    let mut tables = seat(server.url(), 1, MOVES, rounds::first_seed(53));
    let nodes = Nodes::new([server.url()]);
    let before = disk.syncs();
    for _ in 0..MOVES {
        let syncs = disk.syncs();
        let attempt = tables[0].attempt(&nodes);
        assert!(matches!(attempt, Attempt::Made), "{attempt:?}");
        assert!(disk.syncs() > syncs, "a move was answered before any sync");
    }
    println!("one client: moves={MOVES} syncs={}", disk.syncs() - before);
}

/// Many games at once: at least one true sync for each group that was committed, and each move in a group.
#[test]
fn each_group_of_moves_has_its_sync() {
    let disk = Disk::new();
    let server = start(&disk);
    let mut tables = seat(server.url(), 20, 2_000, rounds::first_seed(59));
    let nodes = Nodes::new([server.url()]);
    let before = written(&server, &disk);
    let mut total = play(&mut tables, &nodes, |watch| watch.moves(600));
    let after = written_by_then(&server, &disk);
    let syncs = after.syncs - before.syncs;
    let groups = after.groups - before.groups;
    let writes = after.writes - before.writes;
    println!("20 clients: {total} writes={writes} groups={groups} syncs={syncs}");
    assert!(syncs >= groups, "a group was committed without a sync");
    assert!(groups <= writes, "groups without a write");
    assert!(
        writes >= counted(total.acknowledged),
        "a move outside the groups"
    );
    audit(&mut total, &tables, &server);
}

/// While a sync does not come to an end, none of those is answered that wait for it; one sync is enough
/// for all that came meanwhile.
#[test]
fn no_move_is_answered_before_its_sync() {
    let disk = Disk::new();
    let server = start(&disk);
    let games: Vec<Game> = (0..MANY).map(|_| EVEN.begin(&server)).collect();
    let hold = disk.hold();
    let synced = disk.syncs();
    let before = written(&server, &disk);
    thread::scope(|scope| {
        let moves: Vec<_> = games
            .iter()
            .map(|game| {
                scope.spawn(|| {
                    let answer = game.attempt("a4-a5");
                    (answer.status, disk.syncs())
                })
            })
            .collect();
        metrics::wait_for(&server, metrics::IN_FLIGHT, f64::from(MANY));
        // All are under way, so none is answered.
        assert_eq!(disk.syncs(), synced);
        drop(hold);
        for one in moves {
            let (status, syncs) = one.join().unwrap();
            assert_eq!(status, 201);
            assert!(syncs > synced, "a move was answered before any sync");
        }
    });
    let after = written_by_then(&server, &disk);
    let groups = after.groups - before.groups;
    assert!(after.syncs - before.syncs >= groups, "{groups}");
    assert!(
        groups < f64::from(MANY),
        "{groups}: nothing was written together"
    );
}
