//! Memory with many running games.

use std::sync::Arc;
use std::time::Instant;

use super::accounts::{register, token};
use super::driver::{Player, drive};
use super::making::{Seat, expect};
use super::moves::{make, scripts};
use super::options::Options;
use super::process::Memory;
use super::report::{self, ratio};
use super::target::Target;
use super::wire::{Answer, head, write_request};

/// How many connections make the games.
const CLIENTS: usize = 32;

/// Asks once for each of its games.
struct Visitor {
    requests: Vec<Vec<u8>>,
}

impl Player for Visitor {
    fn ask(&mut self, request: &mut Vec<u8>) -> bool {
        let next = self.requests.pop();
        next.inspect(|next| request.extend_from_slice(next))
            .is_some()
    }

    fn hear(&mut self, answer: Answer<'_>) -> Result<bool, String> {
        expect(answer, 200).map(|()| true)
    }
}

pub(super) fn run(options: &Options, target: &mut Target) -> usize {
    let scripts = scripts(options.seed);
    let pairs = register(&target.url, options.accounts);
    tell("before", target.memory());
    let script = |client: usize, number: usize| {
        Arc::clone(&scripts[(client + number * CLIENTS) % scripts.len()])
    };
    let each = options.games().div_ceil(CLIENTS);
    let started = Instant::now();
    let stock = make(target.address, &pairs, CLIENTS, script, each);
    let seconds = started.elapsed().as_secs_f64();
    let games: usize = stock.iter().map(Vec::len).sum();
    println!(
        "games={games} seconds={seconds:.1} games_per_s={:.0}",
        ratio(games, seconds)
    );
    tell("after they began", target.memory());
    if !target.restart() {
        return 0;
    }
    tell("after a restart", target.memory());
    let visitor = |seats: &Vec<Seat>| Visitor {
        requests: seats
            .iter()
            .map(|seat| {
                let head = head("GET", &seat.path, target.address, token(&seat.pair.red));
                let mut request = Vec::new();
                write_request(&mut request, &head, b"");
                request
            })
            .collect(),
    };
    let mut visitors: Vec<Visitor> = stock.iter().map(visitor).collect();
    let before = target.spent();
    let measured = drive(target.address, &mut visitors, None).unwrap();
    let cost = target.cost(before);
    report::print_errors(&measured.errors);
    report::print("reads", &measured, &cost, target.memory());
    tell("after each was read", target.memory());
    measured.errors.len()
}

fn tell(when: &str, memory: Option<Memory>) {
    match memory {
        Some(memory) => println!("{when}: {}", report::told(memory)),
        None => println!("{when}: the process is not known (--pid names it)"),
    }
}
