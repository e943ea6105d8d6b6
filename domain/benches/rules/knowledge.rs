//! What knowing costs. Items are plies.
//!
//! A fold costs what its replay costs, and what each side learns from each ply.

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use domain::{ByColor, Color, Command, Event, Game, Options, Position, Ruleset, Setup};

use crate::LONG_GAME;
use crate::playout::{advised, placed_by_people, self_play, stormed};

/// Whose armies play, and whether they defend silently.
const GAMES: [(&str, bool); 5] = [
    ("advised", false),
    ("advised", true),
    ("placed by people", false),
    ("placed by people", true),
    ("stormed", true),
];

/// A storm is over sooner, if it does not get stuck.
const STORM: u32 = 1_000;

/// The first games that last long enough.
const PAIRS: usize = 64;

fn long_game((armies, silent): (&str, bool)) -> Option<(Game, Vec<Event>)> {
    if armies == "stormed" {
        return Some(stormed(STORM));
    }
    let options = Options {
        silent_defense: silent,
        ..Ruleset::Original.default_options()
    };
    let pairs: Vec<ByColor<Setup>> = if armies == "advised" {
        let seeds = 0..PAIRS as u64;
        seeds.map(|seed| advised(Ruleset::Original, seed)).collect()
    } else if let Some(pairs) = placed_by_people(PAIRS) {
        pairs
    } else {
        println!("REVEILLE_FIXTURES is not set: nothing measured");
        return None;
    };
    let mut games = pairs.into_iter().zip(0..);
    let game = games.find_map(|(setups, seed)| self_play(options, setups, LONG_GAME, seed));
    Some(game.expect("some game is as long"))
}

/// The moves of a game without anyone who watches.
fn replay_alone(game: &Game, events: &[Event]) -> u32 {
    let placed = |side: Color| {
        events.iter().find_map(|event| match event {
            Event::SetupPlaced { by, setup, .. } if *by == side => Some(*setup),
            _ => None,
        })
    };
    let setups = ByColor::from_fn(|side| placed(side).expect("placed"));
    let mut position = Position::new(game.terms().options, &setups);
    for event in events {
        if let Event::Moved { mv, rescue, .. } = *event {
            let judged = position.check(Some(mv.from), Some(mv.to));
            black_box(judged.is_ok());
            position.play_unchecked(mv, rescue);
        }
    }
    position.ply()
}

#[divan::bench(args = GAMES)]
fn no_knowledge(bencher: Bencher<'_, '_>, which: (&str, bool)) {
    let Some((game, events)) = long_game(which) else {
        return;
    };
    bencher
        .counter(ItemsCount::new(game.ply()))
        .bench_local(|| replay_alone(&game, &events));
}

#[divan::bench(args = GAMES)]
fn fold(bencher: Bencher<'_, '_>, which: (&str, bool)) {
    let Some((game, events)) = long_game(which) else {
        return;
    };
    bencher
        .counter(ItemsCount::new(game.ply()))
        .bench_local(|| Game::fold(*game.terms(), game.created_at(), events.iter().copied()));
}

/// What is known after each ply, worked out from the start each time.
#[divan::bench(args = GAMES, sample_count = 5)]
fn anew_at_each_ply(bencher: Bencher<'_, '_>, which: (&str, bool)) {
    let Some((game, _)) = long_game(which) else {
        return;
    };
    bencher
        .counter(ItemsCount::new(game.ply()))
        .bench_local(|| {
            let view = game.view_for(None);
            let plies = 0..game.ply();
            plies
                .filter_map(|ply| view.frame(ply))
                .map(|frame| frame.pieces.len())
                .sum::<usize>()
        });
}

/// The bits of both sides at each ply, counted where they change, and the weight of each reveal.
#[divan::bench(args = GAMES)]
fn bits_at_each_ply(bencher: Bencher<'_, '_>, which: (&str, bool)) {
    let Some((game, _)) = long_game(which) else {
        return;
    };
    bencher
        .counter(ItemsCount::new(game.ply()))
        .bench_local(|| game.view_for(None).timeline());
}

/// All that is told of a game that is over.
#[divan::bench(args = GAMES)]
fn omniscient_replay(bencher: Bencher<'_, '_>, which: (&str, bool)) {
    let Some((mut game, _)) = long_game(which) else {
        return;
    };
    if let Some(by) = game.turn() {
        let end = game.play(by, &Command::Resign, game.updated_at());
        for event in end.expect("it runs") {
            game.apply(&event).expect("it follows");
        }
    }
    bencher
        .counter(ItemsCount::new(game.ply()))
        .bench_local(|| {
            let view = game.view_for(None);
            (
                view.pieces(),
                view.captured(),
                view.moves_from(0).collect::<Vec<_>>(),
                view.timeline(),
            )
        });
}
