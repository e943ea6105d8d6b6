//! What a game is played by: its terms and armies, and what its players lean to.

use domain::{ByColor, Color, Options, Ruleset, Setup, Style, Terms, TimeControl, TwoSquares};
use tests::dice::Dice;

/// A game before it is played.
#[derive(Clone, Copy)]
pub(super) struct Plan {
    pub(super) terms: Terms,
    pub(super) setups: ByColor<Setup>,
    /// The side whose army differs between the worlds.
    pub(super) secret: Color,
    pub(super) leaning: Leaning,
    /// How many plies are played, if so many can be.
    pub(super) plies: usize,
}

impl Plan {
    pub(super) fn draw(ruleset: Ruleset, dice: &mut Dice) -> Self {
        let leaning = Leaning::any(ruleset, dice);
        let options = leaning.options(ruleset, dice);
        let style = *dice.pick(&[Style::Advised, Style::Uniform]);
        let secret = *dice.pick(&Color::ALL);
        // The clocks are the server's to look after.
        let time_control = TimeControl::Unlimited;
        Self {
            terms: Terms {
                ruleset,
                options,
                time_control,
                vacation: true,
                weekends: false,
            },
            setups: ByColor::from_fn(|_| Setup::random(ruleset, style, |n| dice.below(n))),
            secret,
            leaning,
            plies: leaning.plies(dice),
        }
    }
}

/// What the players lean to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Leaning {
    Anything,
    Attack,
    /// Far, as only scouts go.
    Leap,
    /// The piece that moved last, and straight back.
    Shuttle,
    /// One side makes for the far row, where pieces are rescued.
    Forward(Color),
}

impl Leaning {
    /// Any; pieces of a small army get to the far row more often.
    fn any(ruleset: Ruleset, dice: &mut Dice) -> Self {
        let forward = if ruleset.army_size() > 10 { 1 } else { 15 };
        let forward = dice.below(10 + forward) >= 10;
        match dice.below(8) {
            _ if forward => Self::Forward(*dice.pick(&Color::ALL)),
            0 => Self::Anything,
            1 => Self::Leap,
            2 => Self::Shuttle,
            _ => Self::Attack,
        }
    }

    /// How many plies a game has: more when it is a long way.
    fn plies(self, dice: &mut Dice) -> usize {
        let least = if matches!(self, Self::Forward(_)) {
            60
        } else {
            5
        };
        least + dice.below(91 - least)
    }

    /// Any options, with those that it is about.
    fn options(self, ruleset: Ruleset, dice: &mut Dice) -> Options {
        let own = ruleset.default_options();
        let runs = matches!(self, Self::Forward(_));
        if !runs && dice.one_in(6) {
            return own;
        }
        Options {
            aggressor_advantage: dice.one_in(3),
            silent_defense: !dice.one_in(3),
            rescue: runs || dice.one_in(3),
            more_squares: dice.one_in(2),
            two_squares: *dice.pick(&[TwoSquares::Illegal, TwoSquares::ForfeitTurn]),
            two_squares_limit: u8::try_from(2 + dice.below(4)).expect("small"),
            no_progress_plies: dice.one_in(3).then_some(100),
        }
    }
}
