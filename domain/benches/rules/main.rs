//! Speed of the rules on one core: `cargo bench -p domain`.
//!
//! Items are moves. Armies are made up by the sheets' advice with a fixed seed; when
//! `REVEILLE_FIXTURES` names a folder, playouts also start from the armies that people placed.
//! Allocations are counted: none may be made for a move.
#![expect(
    clippy::expect_used,
    reason = "a benchmark that cannot prepare its games has nothing to measure"
)]

mod knowledge;
mod playout;

use divan::counter::ItemsCount;
use divan::{AllocProfiler, Bencher, black_box};
use domain::{Color, Game, MoveBuffer, Options, Position, Ruleset, Viewpoint};
use playout::{Dice, advised, at_ply, placed_by_people, play_out, self_played, without_repetition};

#[global_allocator]
static ALLOCATIONS: AllocProfiler = AllocProfiler::system();

const PLAYOUTS: usize = 64;
const LONG_GAME: u32 = 1_200;

fn main() {
    divan::main();
}

/// Random games to their end from many pairs of armies; the positions are made before the clock
/// starts.
fn bench_playouts(bencher: Bencher<'_, '_>, starts: &[Position]) {
    let moves: u32 = starts
        .iter()
        .zip(0..)
        .map(|(start, seed)| play_out(&mut start.clone(), &mut Dice::new(seed)))
        .sum();
    bencher
        .with_inputs(|| starts.to_vec())
        .counter(ItemsCount::new(moves))
        .bench_local_refs(|positions| {
            positions
                .iter_mut()
                .zip(0..)
                .map(|(position, seed)| play_out(position, &mut Dice::new(seed)))
                .sum::<u32>()
        });
}

fn made_up(ruleset: Ruleset, options: Options) -> Vec<Position> {
    (0..PLAYOUTS as u64)
        .map(|seed| Position::new(options, &advised(ruleset, seed)))
        .collect()
}

#[divan::bench(args = Ruleset::ALL)]
fn playout(bencher: Bencher<'_, '_>, ruleset: Ruleset) {
    bench_playouts(bencher, &made_up(ruleset, ruleset.default_options()));
}

#[divan::bench(args = [Ruleset::Original, Ruleset::Barrage])]
fn playout_without_repetition(bencher: Bencher<'_, '_>, ruleset: Ruleset) {
    bench_playouts(bencher, &made_up(ruleset, without_repetition(ruleset)));
}

#[divan::bench(args = [true, false])]
fn playout_of_placed_armies(bencher: Bencher<'_, '_>, repetition: bool) {
    let ruleset = Ruleset::Original;
    let Some(armies) = placed_by_people(PLAYOUTS) else {
        println!("REVEILLE_FIXTURES is not set: nothing measured");
        return;
    };
    let options = if repetition {
        ruleset.default_options()
    } else {
        without_repetition(ruleset)
    };
    let starts: Vec<Position> = armies
        .iter()
        .map(|setups| Position::new(options, setups))
        .collect();
    bench_playouts(bencher, &starts);
}

/// The legal moves of one position, half-way through a game.
#[divan::bench(args = [Ruleset::Original, Ruleset::Barrage])]
fn legal_moves(bencher: Bencher<'_, '_>, ruleset: Ruleset) {
    let position = at_ply(ruleset, 200);
    let mut moves = MoveBuffer::new();
    position.legal_moves(&mut moves);
    bencher
        .counter(ItemsCount::new(moves.len()))
        .bench_local(|| {
            black_box(&position).legal_moves(&mut moves);
            moves.len()
        });
}

/// One move, checked and played; the copy of the position is not timed.
#[divan::bench]
fn check_and_play(bencher: Bencher<'_, '_>) {
    let position = at_ply(Ruleset::Original, 200);
    let mut moves = MoveBuffer::new();
    position.legal_moves(&mut moves);
    let mv = moves[moves.len() / 2];
    bencher
        .with_inputs(|| position.clone())
        .counter(ItemsCount::new(1_u8))
        .bench_local_refs(|position| {
            let judged = position.check(Some(mv.from), Some(mv.to)).is_ok();
            (judged, position.play_unchecked(mv, None).is_some())
        });
}

/// A whole game from its events, as a server does it that loads one.
#[divan::bench]
fn fold(bencher: Bencher<'_, '_>) {
    let (game, events) = self_played(LONG_GAME);
    bencher
        .counter(ItemsCount::new(game.ply()))
        .bench_local(|| Game::fold(*game.terms(), game.created_at(), events.iter().copied()));
}

/// Every board of a long game.
#[divan::bench(args = [Viewpoint::Red, Viewpoint::Public])]
fn frames(bencher: Bencher<'_, '_>, viewpoint: Viewpoint) {
    let (game, _) = self_played(LONG_GAME);
    bencher
        .counter(ItemsCount::new(game.ply()))
        .bench_local(|| {
            game.view(Some(Color::Red), viewpoint)
                .map(|view| view.frames(0, usize::MAX))
        });
}

/// The log, the reveals and the board of a long game.
#[divan::bench]
fn replay(bencher: Bencher<'_, '_>) {
    let (game, _) = self_played(LONG_GAME);
    bencher
        .counter(ItemsCount::new(game.ply()))
        .bench_local(|| {
            let view = game.view_for(Some(Color::Blue));
            (
                view.pieces(),
                view.captured(),
                view.moves_from(0).collect::<Vec<_>>(),
                view.reveals(),
            )
        });
}
