//! The process ends at once, as in a power cut, in the middle of its work.

use tests::dice::Dice;
use tests::nodes::Nodes;
use tests::pressure::{Tally, play, seat};
use tests::{Backend, TestServer, on_both, rounds};

use super::{GAMES, audit};

/// How many times one set of games is interrupted.
const ROUNDS_A_GAME: usize = 10;

/// How many moves pass at the most between a start and a kill.
const MOVES: usize = 120;

/// kill -9 of the only process, at any moment under load, again and again.
fn no_move_is_lost_or_made_twice_when_the_server_is_killed(backend: Backend) {
    let mut server = TestServer::start(backend);
    let seed = rounds::first_seed(11);
    let (mut dice, mut left, mut total) =
        (Dice::new(seed), rounds::faults(3, 50), Tally::default());
    while left > 0 {
        let rounds = left.min(ROUNDS_A_GAME);
        let plies = rounds * MOVES / 2;
        let mut tables = seat(
            server.url(),
            GAMES,
            plies,
            seed + u64::try_from(left).unwrap(),
        );
        let nodes = Nodes::new([server.url()]);
        let tally = play(&mut tables, &nodes, |watch| {
            for _ in 0..rounds {
                watch.moment(&mut dice, MOVES);
                nodes.leave(0);
                server.kill();
                server.restart();
                nodes.join(0, server.url());
            }
            watch.moves(GAMES);
        });
        total += tally;
        total.rounds += rounds;
        left -= rounds;
        audit(&mut total, &tables, &server);
    }
    println!("{backend:?} killed: {total}");
}

on_both! {
    no_move_is_lost_or_made_twice_when_the_server_is_killed,
}
