//! What a move costs late in a long game, against one at its beginning.

use std::mem;
use std::sync::Arc;

use super::accounts::register;
use super::driver::{Measured, drive};
use super::moves::make;
use super::moving::Mover;
use super::options::Options;
use super::report::{self, Times, ratio};
use super::target::{Cost, Target};
use crate::script::Script;

/// The moves that are measured: about the tenth, and about the thousandth.
const WINDOWS: [(usize, usize); 2] = [(0, 20), (990, 1_010)];

pub(super) fn run(options: &Options, target: &Target) -> usize {
    let plies = WINDOWS[1].1;
    let scripts: Vec<_> = (0..8)
        .map(|number| Arc::new(Script::quiet(options.seed + number, plies)))
        .collect();
    let pairs = register(&target.url, options.accounts);
    let script = |client: usize, _| Arc::clone(&scripts[client % scripts.len()]);
    let stock = make(target.address, &pairs, options.games(), script, 1);
    let movers = stock.into_iter().map(|seats| Mover::new(seats, 0, None));
    let mut movers: Vec<Mover> = movers.collect();
    let mut errors = 0;
    let results = WINDOWS.map(|(from, to)| {
        let mut play = |until| {
            for mover in &mut movers {
                mover.until = until;
                mover.seats.extend(mem::take(&mut mover.done));
            }
            let measured = drive(target.address, &mut movers, None).unwrap();
            report::print_errors(&measured.errors);
            errors += measured.errors.len();
            measured
        };
        play(from);
        let before = target.spent();
        let measured = play(to);
        let cost = target.cost(before);
        println!("moves {from} to {to} of {} games:", options.games());
        report::print("moves", &measured, &cost, target.memory());
        (measured, cost)
    });
    compare(&results);
    errors
}

fn compare([early, late]: &[(Measured, Cost); 2]) {
    let wall = |(measured, _): &(Measured, Cost)| {
        Times::of(measured.micros.iter().flatten().copied()).millis(50)
    };
    let rate =
        |(measured, _): &(Measured, Cost)| ratio(measured.count(), measured.elapsed.as_secs_f64());
    let cost = |(measured, cost): &(Measured, Cost)| {
        let spent = cost.server? + cost.postgres.unwrap_or_default();
        Some(spent.as_secs_f64() / ratio(measured.count(), 1.0))
    };
    println!(
        "late_to_early: p50={:.2} time_a_move={:.2}",
        wall(late) / wall(early),
        rate(early) / rate(late)
    );
    if let (Some(early), Some(late)) = (cost(early), cost(late)) {
        println!("late_to_early: cpu={:.2}", late / early);
    }
}
