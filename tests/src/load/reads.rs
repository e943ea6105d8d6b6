//! Reads of a running game by its players.

use std::sync::Arc;

use super::accounts::{register, token};
use super::driver::{Player, drive};
use super::making::{Seat, expect};
use super::moves::{make, scripts};
use super::moving::Mover;
use super::options::Options;
use super::report;
use super::target::Target;
use super::wire::{Answer, head, write_request};

/// How many moves each game has when it is read.
const PLIES: usize = 60;

/// Asks for one game again and again, as Red.
#[derive(Debug)]
pub(super) struct Reader {
    request: Vec<u8>,
}

impl Reader {
    pub(super) fn new(seat: &Seat, target: &Target) -> Self {
        let head = head("GET", &seat.path, target.address, token(&seat.pair.red));
        let mut request = Vec::new();
        write_request(&mut request, &head, b"");
        Self { request }
    }
}

impl Player for Reader {
    fn ask(&mut self, request: &mut Vec<u8>) -> bool {
        request.extend_from_slice(&self.request);
        true
    }

    fn hear(&mut self, answer: Answer<'_>) -> Result<bool, String> {
        expect(answer, 200).map(|()| true)
    }
}

pub(super) fn run(options: &Options, target: &Target) -> usize {
    let scripts = scripts(options.seed);
    let long: Vec<_> = scripts
        .iter()
        .filter(|script| script.moves.len() > PLIES)
        .collect();
    let pairs = register(&target.url, options.accounts);
    let script = |client: usize, _| Arc::clone(long[client % long.len()]);
    let stock = make(target.address, &pairs, options.games(), script, 1);
    let movers = stock
        .into_iter()
        .map(|seats| Mover::new(seats, PLIES, None));
    let mut movers: Vec<Mover> = movers.collect();
    let played = drive(target.address, &mut movers, None).unwrap();
    report::print_errors(&played.errors);
    println!("{} games of {PLIES} moves are read", options.games());
    let seats = movers.iter().flat_map(|mover| &mover.done);
    let mut readers: Vec<Reader> = seats.map(|seat| Reader::new(seat, target)).collect();
    let before = target.spent();
    let measured = drive(target.address, &mut readers, Some(options.duration())).unwrap();
    let cost = target.cost(before);
    report::print_errors(&measured.errors);
    report::print("reads", &measured, &cost, target.memory());
    measured.errors.len() + played.errors.len()
}
