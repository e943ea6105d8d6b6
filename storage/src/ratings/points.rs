//! Ratings as they are stored: whole millionths of a point, and billionths of a volatility. What is
//! computed begins with stored values, so that whoever computes it again gets the same.

use std::time::Duration;

use domain::{ByColor, Color, Rating};

use crate::ids::GameId;

const MILLION: f64 = 1e6;
const BILLION: f64 = 1e9;

/// A rating as it is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Points {
    pub(super) rating: i64,
    pub(super) deviation: i64,
    pub(super) volatility: i64,
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "a rating is bounded, and far from the end of the range"
)]
fn scaled(value: f64, by: f64) -> i64 {
    (value * by).round() as i64
}

#[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
fn unscaled(value: i64, by: f64) -> f64 {
    value as f64 / by
}

/// Points as they are stored.
pub(crate) fn to_millionths(points: f64) -> i64 {
    scaled(points, MILLION)
}

/// Stored points.
pub(crate) fn from_millionths(points: i64) -> f64 {
    unscaled(points, MILLION)
}

impl From<Rating> for Points {
    fn from(rating: Rating) -> Self {
        Self {
            rating: to_millionths(rating.rating),
            deviation: to_millionths(rating.deviation),
            volatility: scaled(rating.volatility, BILLION),
        }
    }
}

impl From<Points> for Rating {
    fn from(points: Points) -> Self {
        Self {
            rating: from_millionths(points.rating),
            deviation: from_millionths(points.deviation),
            volatility: unscaled(points.volatility, BILLION),
        }
    }
}

impl Points {
    /// As a game at `at` finds it, when the last one that counted was at `last`; in microseconds.
    pub(super) fn grown(self, last: Option<i64>, at: i64) -> Self {
        let idle = last.map_or(0, |last| at.saturating_sub(last));
        let idle = Duration::from_micros(u64::try_from(idle).unwrap_or(0));
        Rating::from(self).after_idling(idle).into()
    }
}

/// What a game makes of both ratings.
pub(super) fn rate(
    game: GameId,
    before: ByColor<Points>,
    winner: Option<Color>,
) -> ByColor<Points> {
    domain::rate(before.map(Rating::from), winner).map(|rated| {
        if !rated.converged {
            tracing::warn!(%game, "the volatility of a player did not converge and stays as it was");
        }
        rated.rating.into()
    })
}
