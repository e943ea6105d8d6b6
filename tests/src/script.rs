//! Games of real moves, made before anything is sent: whoever presses a server only has to read them off.

use std::collections::BTreeMap;

use domain::{ByColor, Color, Move, MoveBuffer, Position, Ruleset, Setup, Style};

use crate::dice::Dice;
use crate::fixtures;
use crate::setup::Side;

/// A game from its setups on: legal moves in turn, Red's first.
#[derive(Debug, Clone)]
pub struct Script {
    /// The rule sheet, with its default options.
    pub ruleset: Ruleset,
    /// Both setups, as their owners see them.
    pub setups: ByColor<String>,
    /// The squares of each move.
    pub moves: Vec<(String, String)>,
}

impl Script {
    /// A game of full armies of exactly `plies` moves, with fewer attacks the longer it is to be; the same
    /// for a seed.
    pub fn random(seed: u64, plies: usize) -> Self {
        Self::made(seed, plies, Some(1 + plies / 100))
    }

    /// A game of full armies in which nobody attacks while there is another move: it can be as long as
    /// one likes, and breaches no repetition rule.
    pub fn quiet(seed: u64, plies: usize) -> Self {
        Self::made(seed, plies, None)
    }

    /// The recorded games; `None` when there are none to read.
    pub fn recorded() -> Option<Vec<Self>> {
        let games = fixtures::recorded_games()?.into_iter();
        let scripts = games.map(|game| Self {
            ruleset: game.ruleset.parse().expect("a ruleset"),
            setups: ByColor {
                red: game.red_setup,
                blue: game.blue_setup,
            },
            moves: game
                .moves
                .iter()
                .map(|notation| squares(notation))
                .collect(),
        });
        Some(scripts.collect())
    }

    /// The first game from this seed on that goes on for long enough. One move in `attacks` may be an
    /// attack where there are others.
    fn made(seed: u64, plies: usize, attacks: Option<usize>) -> Self {
        (0..1000)
            .find_map(|further| Self::attempt(seed.wrapping_mul(1000) + further, plies, attacks))
            .unwrap_or_else(|| panic!("no game of {plies} moves from seed {seed}"))
    }

    fn attempt(seed: u64, plies: usize, attacks: Option<usize>) -> Option<Self> {
        let ruleset = Ruleset::Original;
        let mut dice = Dice::new(seed);
        let mut setup = || Setup::random(ruleset, Style::Advised, |n| dice.below(n));
        let setups = ByColor {
            red: setup(),
            blue: setup(),
        };
        let mut position = Position::new(ruleset.default_options(), &setups);
        let (mut buffer, mut moves) = (MoveBuffer::new(), Vec::with_capacity(plies));
        while moves.len() < plies {
            position.legal_moves(&mut buffer);
            let may_attack = attacks.is_some_and(|chance| dice.one_in(chance));
            let liked: Vec<Move> = buffer
                .iter()
                .copied()
                .filter(|mv| may_attack || position.piece_on(mv.to).is_none())
                .collect();
            let among = if liked.is_empty() {
                &buffer[..]
            } else {
                &liked
            };
            if among.is_empty() {
                return None;
            }
            let mv = *dice.pick(among);
            position.play_unchecked(mv, None)?;
            moves.push((mv.from.to_string(), mv.to.to_string()));
        }
        position.outcome().is_none().then_some(Self {
            ruleset,
            setups: ByColor {
                red: setups.red.to_string(),
                blue: setups.blue.to_string(),
            },
            moves,
        })
    }

    /// What stands where after so many moves, by the rules alone: the rank and the identifier of the
    /// piece on each square.
    pub fn board(&self, plies: usize) -> BTreeMap<String, (char, String)> {
        let setup = |color| Setup::parse(self.ruleset, &self.setups[color]).expect("a setup");
        let setups = ByColor {
            red: setup(Color::Red),
            blue: setup(Color::Blue),
        };
        let mut position = Position::new(self.ruleset.default_options(), &setups);
        for (from, to) in &self.moves[..plies] {
            let mv = Move {
                from: from.parse().expect("a square"),
                to: to.parse().expect("a square"),
            };
            position.play_unchecked(mv, None).expect("a legal move");
        }
        let ranks = self.ranks();
        let standing = position.standing();
        standing
            .map(|(piece, square)| {
                let id = piece.to_string();
                (square.to_string(), (ranks[&id], id))
            })
            .collect()
    }

    /// The rank of each piece by its identifier.
    fn ranks(&self) -> BTreeMap<String, char> {
        let mut ranks = BTreeMap::new();
        for (side, setup) in [
            (Side::Red, &self.setups.red),
            (Side::Blue, &self.setups.blue),
        ] {
            for (cell, rank) in setup.chars().enumerate().filter(|(_, rank)| *rank != '.') {
                ranks.insert(format!("{}:{}", side.name(), side.square(cell)), rank);
            }
        }
        ranks
    }
}

fn squares(notation: &str) -> (String, String) {
    let (from, to) = notation
        .split_once(['-', 'x'])
        .expect("a move is written FROM-TO or FROMxTO");
    (from.to_owned(), to.to_owned())
}
