//! Counts of move paths from fixed positions, repetition included: those on file, those of the
//! crate and those of the slow rules are the same.
//!
//! A file holds blocks of `key: value` lines; `paths` are the numbers of paths of 1, 2, … moves.
//! A game that ends has no further paths.

use domain::{ByColor, Color, MoveBuffer, Options, Position, Ruleset, Setup};

use crate::slow::{At, Slow};
use crate::support::{long_rounds, noted};

const FILES: [(&str, &str); 5] = [
    ("original", include_str!("../data/original.perft")),
    ("duel", include_str!("../data/duel.perft")),
    ("classic", include_str!("../data/classic.perft")),
    (
        "original_forfeit",
        include_str!("../data/original_forfeit.perft"),
    ),
    ("barrage", include_str!("../data/barrage.perft")),
];

/// So many paths at most are counted outside the long rounds: the last number of a block may be
/// beyond them.
const PATHS: u64 = 200_000;
/// The slow rules count so many at most.
const SLOW_PATHS: u64 = 10_000;

struct Block {
    name: String,
    options: Options,
    setups: ByColor<Setup>,
    moves: Vec<domain::Move>,
    paths: Vec<u64>,
}

fn blocks(ruleset: Ruleset, text: &str) -> Vec<Block> {
    text.split("\n\n")
        .map(str::trim)
        .filter(|block| !block.is_empty())
        .map(|block| read(ruleset, block))
        .collect()
}

fn read(ruleset: Ruleset, text: &str) -> Block {
    let value = |key: &str| {
        let of_key = |line: &str| {
            line.strip_prefix(key)
                .and_then(|rest| rest.strip_prefix(':'))
                .map(|value| value.trim().to_owned())
        };
        text.lines().find_map(of_key).unwrap_or_default()
    };
    let setup = |owner: Color| Setup::parse(ruleset, &value(owner.name())).expect("a setup");
    let mut options = ruleset.default_options();
    for option in value("options").split_whitespace() {
        match option {
            "silent_defense" => options.silent_defense = true,
            "aggressor_advantage" => options.aggressor_advantage = true,
            "more_squares" => options.more_squares = true,
            other => panic!("{other}"),
        }
    }
    Block {
        name: value("name"),
        options,
        setups: ByColor::from_fn(setup),
        moves: value("moves")
            .split_whitespace()
            .map(|text| noted(text).mv)
            .collect(),
        paths: value("paths")
            .split_whitespace()
            .map(|count| count.parse().expect("a count"))
            .collect(),
    }
}

fn count(position: &Position, depth: usize) -> u64 {
    let mut moves = MoveBuffer::new();
    position.legal_moves(&mut moves);
    if depth <= 1 {
        return u64::try_from(moves.len()).expect("small");
    }
    let after = |mv: &domain::Move| {
        let mut next = position.clone();
        next.play_unchecked(*mv, None);
        count(&next, depth - 1)
    };
    moves.iter().map(after).sum()
}

fn count_slowly(slow: &Slow, depth: usize) -> u64 {
    let moves = slow.legal();
    if depth <= 1 {
        return u64::try_from(moves.len()).expect("small");
    }
    let after = |(from, to): (At, At)| {
        let mut next = slow.clone();
        next.play(from, to, None);
        count_slowly(&next, depth - 1)
    };
    moves.into_iter().map(after).sum()
}

fn at(square: domain::Square) -> At {
    (
        usize::from(square.row().index()),
        usize::from(square.column().index()),
    )
}

#[test]
fn paths_are_as_many_as_on_file() {
    let mut with_repetition = 0;
    for (name, text) in FILES {
        let ruleset: Ruleset = name.parse().expect("a ruleset");
        let blocks = blocks(ruleset, text);
        assert!(blocks.len() >= 3, "{name}");
        for block in blocks {
            let title = format!("{name}, {}", block.name);
            let mut position = Position::new(block.options, &block.setups);
            let mut slow = Slow::new(block.options, &block.setups);
            for mv in &block.moves {
                let judged = position.check(Some(mv.from), Some(mv.to));
                assert_eq!(judged, Ok((*mv, domain::Verdict::Played)), "{title}: {mv}");
                position.play_unchecked(*mv, None);
                slow.play(at(mv.from), at(mv.to), None);
            }
            assert_eq!(block.paths.len(), 4, "{title}");
            for (depth, paths) in (1..).zip(&block.paths) {
                if *paths > PATHS && !long_rounds() {
                    continue;
                }
                assert_eq!(count(&position, depth), *paths, "{title}: {depth} moves");
                if *paths <= SLOW_PATHS {
                    assert_eq!(count_slowly(&slow, depth), *paths, "{title}: {depth} moves");
                }
            }
            with_repetition += u32::from(slow.legal().len() < slow.geometric(slow.turn()).len());
        }
    }
    assert!(with_repetition >= 5, "{with_repetition}");
}
