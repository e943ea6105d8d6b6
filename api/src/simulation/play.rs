use std::time::Duration;

use domain::{
    Color, Command, Game, Move, MoveBuffer, MoveRequest, OfferId, Rescue, RescueRequest, Timestamp,
    View, Viewpoint,
};
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

use super::{LONGEST, START, Simulation};
use crate::bot::mind::{Choice, Level, Sight, choose, simple};

impl Simulation {
    /// Plays a game to its end. It depends on the simulation and its own number alone.
    pub fn play(&self, nth: u32) -> Game {
        let mut chance = ChaCha8Rng::seed_from_u64(self.seed);
        // As many numbers for each game as it likes, and no game has those of another.
        chance.set_stream(u64::from(nth));
        let mut below = |n: usize| chance.random_range(0..n);
        let mut game = Game::new(self.terms(), START);
        for side in Color::ALL {
            let setup = self.setups[side].draw(self.ruleset, &mut below);
            carry_out(&mut game, side, &Command::PlaceSetup(setup));
        }
        let mut legal = MoveBuffer::new();
        while let Some(side) = game.turn() {
            let chosen = if game.ply() < LONGEST {
                choice(&game, side, self.levels[side], &mut legal, &mut below)
            } else {
                None
            };
            let made = chosen.is_some_and(|choice| make_move(&mut game, side, choice));
            if !made && !agree(&mut game) {
                break;
            }
        }
        game
    }
}

/// What the bot of a side plays, by what that side may know.
pub(super) fn choice(
    game: &Game,
    side: Color,
    level: Level,
    legal: &mut MoveBuffer,
    below: &mut impl FnMut(usize) -> usize,
) -> Option<Choice> {
    let options = game.terms().options;
    let view = game.view(Some(side), Viewpoint::of(Some(side)))?;
    if level != Level::Simple || options.rescue {
        return choose(level, &Sight::of(&view)?, below);
    }
    // The same, without the cost of seeing what that level does not look at.
    game.legal_moves(legal);
    let mv = by_few_squares(&view, legal, options.aggressor_advantage, below)?;
    Some(Choice { mv, rescue: None })
}

fn by_few_squares(
    view: &View<'_>,
    legal: &[Move],
    aggressor_advantage: bool,
    below: &mut impl FnMut(usize) -> usize,
) -> Option<Move> {
    let seen = |square| {
        let (piece, rank) = view.piece_on(square)?;
        Some((piece.owner(), rank))
    };
    simple(legal, aggressor_advantage, seen, below)
}

/// Plays a move with its rescue; without it where the game does not take it, as the bot at a server does:
/// that a piece has rescued before, a view does not tell.
fn make_move(game: &mut Game, side: Color, choice: Choice) -> bool {
    let request = |rescue: Option<Rescue>| {
        Command::Move(MoveRequest {
            ply: game.ply(),
            from: Some(choice.mv.from),
            to: Some(choice.mv.to),
            rescue: rescue.map(|rescue| RescueRequest {
                rank: rescue.rank,
                square: Some(rescue.square),
            }),
        })
    };
    let (with, without) = (request(choice.rescue), request(None));
    carry_out(game, side, &with) || carry_out(game, side, &without)
}

/// Ends a game that goes nowhere: one side offers a draw, and the other the same.
pub(super) fn agree(game: &mut Game) -> bool {
    let offer = Command::OfferDraw(OfferId(0));
    Color::ALL
        .into_iter()
        .all(|side| carry_out(game, side, &offer))
}

/// Whether the game takes a command.
pub(super) fn carry_out(game: &mut Game, side: Color, command: &Command) -> bool {
    let Ok(events) = game.play(side, command, now(game)) else {
        return false;
    };
    events.iter().all(|event| game.apply(event).is_ok())
}

/// The instant of the next ply.
fn now(game: &Game) -> Timestamp {
    let plies = match game.turn() {
        Some(_) => u64::from(game.ply()) + 1,
        None => 0,
    };
    START + Duration::from_secs(plies)
}
