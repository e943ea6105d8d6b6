//! No answer precedes its sync: where the disk does not confirm, nobody is told that a move was made.
//! On SQLite alone: PostgreSQL syncs in processes of its own.

use tests::disk::Disk;
use tests::nodes::Nodes;
use tests::pressure::{play, seat};
use tests::table::Attempt;
use tests::{Backend, TestServer, rounds};

use super::{GAMES, audit};

fn start(disk: &Disk) -> TestServer {
    let environment = disk.environment();
    let settings = environment
        .each_ref()
        .map(|(name, value)| (*name, value.as_str()));
    TestServer::start_with(Backend::Sqlite, &settings)
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
