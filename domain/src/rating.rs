//! Ratings by Glicko-2 (Glickman, with the correction of 2022): each game is a period of its own, and
//! both sides are rated by what they were before it.

use std::time::Duration;

use skillratings::Outcomes;
use skillratings::glicko2::{Glicko2Config, Glicko2Rating, decay_deviation, glicko2_rating_period};

use crate::color::{ByColor, Color};

#[cfg(test)]
mod tests;

/// How fast a volatility may change.
const TAU: f64 = 0.5;
/// The convergence tolerance of the paper.
const TOLERANCE: f64 = 0.000_001;
/// With this one the volatility stays as it is: nothing is iterated.
const KEEP_VOLATILITY: f64 = f64::INFINITY;

/// How well a player plays by one rule sheet, and how sure that is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rating {
    /// In points, 100 to 4,000.
    pub rating: f64,
    /// How far off the rating may be (one standard deviation), in points, 45 to 350.
    pub deviation: f64,
    /// How much the player's strength is taken to vary from game to game, 0.02 to 0.1.
    pub volatility: f64,
}

impl Rating {
    /// That of a player of whom nothing is known.
    pub const START: Self = Self {
        rating: 1500.0,
        deviation: 350.0,
        volatility: 0.06,
    };

    /// From this deviation on, in points, a rating is provisional.
    pub const PROVISIONAL_DEVIATION: f64 = 110.0;

    /// A player who is rated in no game for so long grows uncertain by one period: with a volatility
    /// of 0.06, from a deviation of 50 to one of 62 in a year.
    pub const IDLE_PERIOD: Duration = Duration::from_hours(30 * 24);

    /// Whether too little is known still for a place among others.
    pub fn is_provisional(self) -> bool {
        self.deviation >= Self::PROVISIONAL_DEVIATION
    }

    /// The rating after some time without a rated game: the deviation grows with each whole
    /// [period](Self::IDLE_PERIOD), up to that of a new player.
    #[must_use]
    pub fn after_idling(self, idle: Duration) -> Self {
        let mut rating = Glicko2Rating::from(self);
        for _ in 0..idle.as_secs() / Self::IDLE_PERIOD.as_secs() {
            if rating.deviation >= Self::START.deviation {
                break;
            }
            rating = decay_deviation(&rating);
        }
        rating.into()
    }

    /// The nearest rating within the bounds. They keep two players who only meet each other from
    /// growing ever more sure, or ever less, what follows finite, and the iteration short.
    #[must_use]
    fn bounded(self) -> Self {
        Self {
            rating: self.rating.clamp(100.0, 4000.0),
            deviation: self.deviation.clamp(45.0, Self::START.deviation),
            volatility: self.volatility.clamp(0.02, 0.1),
        }
    }

    /// What results against opponents make of it. Where the volatility cannot be told it stays; where
    /// nothing can be told, the rating does.
    fn after(self, results: &[(Self, Outcomes)]) -> Rated {
        let before = self.bounded();
        if let Some(after) = period(before, results, TOLERANCE) {
            return Rated {
                rating: after.bounded(),
                converged: true,
            };
        }
        let after = period(before, results, KEEP_VOLATILITY).unwrap_or(before);
        Rated {
            rating: after.bounded(),
            converged: false,
        }
    }
}

/// What a game makes of a rating.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rated {
    /// The rating after the game.
    pub rating: Rating,
    /// Whether the volatility could be told; if not, it is the one from before.
    pub converged: bool,
}

/// What a game that was won by `winner`, or drawn, makes of both ratings.
pub fn rate(before: ByColor<Rating>, winner: Option<Color>) -> ByColor<Rated> {
    ByColor::from_fn(|side| {
        let outcome = match winner {
            None => Outcomes::DRAW,
            Some(winner) if winner == side => Outcomes::WIN,
            Some(_) => Outcomes::LOSS,
        };
        before[side].after(&[(before[!side].bounded(), outcome)])
    })
}

/// One period of Glicko-2; `None` when what comes of it is no number.
///
/// The crate iterates for the volatility without a limit. It ends: the two ends that it begins with lie
/// on different sides of the root (the search for the lower one takes one step, for there `f` is above
/// 1/tau - 1/2), the corrected method halves what stands still, and a value that is no number ends it
/// as well. Within the bounds it takes at most some 15 steps.
fn period(before: Rating, results: &[(Rating, Outcomes)], tolerance: f64) -> Option<Rating> {
    let results: Vec<_> = results
        .iter()
        .map(|(opponent, outcome)| (Glicko2Rating::from(*opponent), *outcome))
        .collect();
    let config = Glicko2Config {
        tau: TAU,
        convergence_tolerance: tolerance,
    };
    let after = Rating::from(glicko2_rating_period(&before.into(), &results, &config));
    let numbers = [after.rating, after.deviation, after.volatility];
    (numbers.iter().all(|number| number.is_finite()) && after.volatility > 0.0).then_some(after)
}

impl From<Rating> for Glicko2Rating {
    fn from(rating: Rating) -> Self {
        Self {
            rating: rating.rating,
            deviation: rating.deviation,
            volatility: rating.volatility,
        }
    }
}

impl From<Glicko2Rating> for Rating {
    fn from(rating: Glicko2Rating) -> Self {
        Self {
            rating: rating.rating,
            deviation: rating.deviation,
            volatility: rating.volatility,
        }
    }
}
