//! Games made up at random, with all that the rules know.

use std::time::Duration;

use domain::{
    ByColor, Color, Command, EndReason, Game, Move, MoveBuffer, MoveRequest, Options, Rank,
    RescueRequest, Ruleset, Setup, Square, Style, Terms, TimeControl, Timestamp, TwoSquares,
};
use serde_json::Value;

use super::formats::{NAMES, exported};
use crate::recorded::GameFormat;

const START: Timestamp = Timestamp::from_micros(1_774_605_600_123_456);

/// Numbers from a seed (xorshift).
pub(super) struct Dice(u64);

impl Dice {
    pub(super) const fn new(seed: u64) -> Self {
        Self(seed ^ 0x9e37_79b9_7f4a_7c15 | 1)
    }

    pub(super) fn below(&mut self, n: usize) -> usize {
        for shift in [13, 7, 17] {
            self.0 ^= if shift == 7 {
                self.0 >> shift
            } else {
                self.0 << shift
            };
        }
        usize::try_from(self.0 >> 11).unwrap() % n
    }

    fn options(&mut self) -> Options {
        let two_squares = [TwoSquares::Illegal, TwoSquares::ForfeitTurn];
        Options {
            aggressor_advantage: self.below(2) == 0,
            silent_defense: self.below(2) == 0,
            rescue: self.below(4) > 0,
            more_squares: self.below(2) == 0,
            two_squares: two_squares[self.below(2)],
            two_squares_limit: u8::try_from(2 + self.below(4)).unwrap(),
            no_progress_plies: [None, Some(60)][self.below(2)],
        }
    }
}

/// A game of barrage, resigned after some moves.
pub(super) fn resigned() -> Game {
    let fits = |game: &Game| {
        let is_resigned = game.outcome().unwrap().reason == EndReason::Resignation;
        game.terms().ruleset == Ruleset::Barrage && is_resigned && game.ply() > 3
    };
    (0..100).map(|seed| game(seed, false)).find(fits).unwrap()
}

/// The JSON of a game that ended so, says who wrote it.
pub(super) fn ended(reason: EndReason, winner: Option<Color>) -> String {
    let game = resigned();
    let json = GameFormat::Json.write(&exported(&game, NAMES)).unwrap();
    let mut value: Value = serde_json::from_str(&json).unwrap();
    value["outcome"]["reason"] = reason.name().into();
    value["outcome"]["winner"] = winner.map(Color::name).into();
    value.to_string()
}

/// A game that is over, of any ruleset; with its own options, or with any.
pub(super) fn game(seed: u64, has_options: bool) -> Game {
    let mut dice = Dice::new(seed);
    let ruleset = match dice.below(3) {
        0 => Ruleset::Barrage,
        1 => Ruleset::Duel,
        _ => Ruleset::ALL[dice.below(Ruleset::ALL.len())],
    };
    let options = if has_options {
        dice.options()
    } else {
        ruleset.default_options()
    };
    let setups = ByColor::from_fn(|_| Setup::random(ruleset, Style::Uniform, |n| dice.below(n)));
    let terms = Terms {
        ruleset,
        options,
        time_control: TimeControl::Unlimited,
        vacation: false,
        weekends: false,
    };
    let mut game = Game::new(terms, START);
    for side in Color::ALL {
        play(&mut game, side, &Command::PlaceSetup(setups[side]), START);
    }
    let mut now = START;
    // Before both have moved it would be called off.
    for _ in 0..2 + dice.below(400) {
        now = now + Duration::from_micros(u64::try_from(dice.below(1 << 30)).unwrap());
        let Some(side) = game.turn() else {
            return game;
        };
        make_move(&mut game, side, &mut dice, now);
    }
    if let Some(side) = game.turn() {
        play(&mut game, side, &Command::Resign, now);
    }
    game
}

fn play(game: &mut Game, by: Color, command: &Command, now: Timestamp) -> bool {
    let Ok(events) = game.play(by, command, now) else {
        return false;
    };
    for event in &events {
        game.apply(event).unwrap();
    }
    true
}

/// Mostly forward, so that armies meet and pieces come through; or back to where the piece came from.
fn make_move(game: &mut Game, side: Color, dice: &mut Dice, now: Timestamp) {
    let mut legal = MoveBuffer::new();
    game.legal_moves(&mut legal);
    let forward = |mv: &Move| match side {
        Color::Red => mv.to.row() > mv.from.row(),
        Color::Blue => mv.to.row() < mv.from.row(),
    };
    let liked: Vec<Move> = legal.iter().copied().filter(forward).collect();
    let among = if liked.is_empty() || dice.below(3) == 0 {
        &legal[..]
    } else {
        &liked
    };
    let last = game.ply().checked_sub(2);
    let back = last.and_then(|ply| game.view_for(Some(side)).move_at(ply));
    let mv = match back {
        Some(back) if dice.below(4) == 0 => Move {
            from: back.mv.to,
            to: back.mv.from,
        },
        _ => among[dice.below(among.len())],
    };
    for rescue in [Some(rescue(dice)), None] {
        let request = MoveRequest {
            ply: game.ply(),
            from: Some(mv.from),
            to: Some(mv.to),
            rescue,
        };
        if play(game, side, &Command::Move(request), now) {
            return;
        }
    }
}

fn rescue(dice: &mut Dice) -> RescueRequest {
    RescueRequest {
        rank: [Rank::Scout, Rank::Miner, Rank::General][dice.below(3)],
        square: Square::new(u8::try_from(dice.below(100)).unwrap()),
    }
}
