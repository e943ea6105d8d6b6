//! Durable moves of many games at once.

use std::net::SocketAddr;
use std::sync::Arc;
use std::thread;

use super::accounts::{Pair, register};
use super::driver::drive;
use super::making::{Maker, Seat};
use super::moving::{Further, Mover};
use super::options::Options;
use super::report;
use super::target::Target;
use crate::script::Script;

/// So many moves a second are prepared for; whoever makes more makes further games under way.
const PREPARED: u64 = 15_000;

/// The length of a game that is made up.
const PLIES: usize = 300;

pub(super) fn run(options: &Options, target: &Target) -> usize {
    let scripts = Arc::new(scripts(options.seed));
    let pairs = register(&target.url, options.accounts);
    let plies: usize = scripts.iter().map(|script| script.moves.len()).sum();
    let moves = usize::try_from(PREPARED * options.seconds).unwrap_or(usize::MAX);
    let games = options.games().max(moves * scripts.len() / plies.max(1));
    let each = games.div_ceil(options.games());
    println!(
        "{} games are made, {each} for each client",
        each * options.games()
    );
    let stock = make(
        target.address,
        &pairs,
        options.games(),
        |client, number| Arc::clone(&scripts[(client + number * options.games()) % scripts.len()]),
        each,
    );
    let mut players: Vec<Mover> = (0..)
        .zip(stock)
        .map(|(client, seats): (usize, _)| {
            let further = Further {
                address: target.address,
                pair: Arc::clone(&pairs[client % pairs.len()]),
                scripts: Arc::clone(&scripts),
                made: 0,
            };
            Mover::new(seats, usize::MAX, Some(further))
        })
        .collect();
    let before = target.spent();
    let measured = drive(target.address, &mut players, Some(options.duration())).unwrap();
    let cost = target.cost(before);
    report::print_errors(&measured.errors);
    report::print("moves", &measured, &cost, target.memory());
    let made: usize = players.iter().map(Mover::made).sum();
    if made > 0 {
        println!("games_made_under_way={made}");
    }
    measured.errors.len() + usize::from(measured.count() == 0)
}

/// The recorded games where there are some, else games that are made up.
pub(super) fn scripts(seed: u64) -> Vec<Arc<Script>> {
    let scripts = Script::recorded().unwrap_or_else(|| {
        thread::scope(|scope| {
            let made: Vec<_> = (0..16)
                .map(|number| scope.spawn(move || Script::random(seed + number, PLIES)))
                .collect();
            made.into_iter()
                .map(|script| script.join().unwrap())
                .collect()
        })
    });
    scripts.into_iter().map(Arc::new).collect()
}

/// Makes so many games for each of some clients: what `script` says for a client and a number. Gives them
/// by client.
pub(super) fn make(
    address: SocketAddr,
    pairs: &[Arc<Pair>],
    clients: usize,
    script: impl Fn(usize, usize) -> Arc<Script>,
    each: usize,
) -> Vec<Vec<Seat>> {
    let makers = (0..clients).map(|client| {
        let scripts = (0..each).map(|number| script(client, number)).collect();
        Maker::new(address, Arc::clone(&pairs[client % pairs.len()]), scripts)
    });
    let mut makers: Vec<Maker> = makers.collect();
    let made = drive(address, &mut makers, None).unwrap();
    report::print_errors(&made.errors);
    assert!(made.errors.is_empty(), "the games could not be made");
    makers.into_iter().map(|maker| maker.seats).collect()
}
