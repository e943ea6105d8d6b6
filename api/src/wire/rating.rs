//! Ratings, their history, and who leads. Every figure is written as it is stored, so that what games
//! gained adds up.

use serde::Serialize;
use storage::games::SeatRating;
use storage::ratings::{Leader, RatingChange, Standing};
use utoipa::ToSchema;
use uuid::Uuid;

use super::names::Ruleset;
use super::player::PlayerResponse;
use crate::time::Timestamp;

const DAY_MICROS: i64 = 86_400_000_000;

/// How a player stands by a rule sheet, as his last rated game left him.
#[derive(Debug, Serialize, ToSchema)]
pub struct RatingResponse {
    /// The rule sheet: each has a pool of its own.
    pub ruleset: Ruleset,
    /// In points; newcomers begin with 1500.
    #[schema(example = 1500.0)]
    pub rating: f64,
    /// How far off the rating may be (one standard deviation), in points, 45 to 350. Idleness makes it
    /// grow, which counts when the next game is rated.
    #[schema(example = 350.0)]
    pub deviation: f64,
    /// How much the strength is taken to vary.
    #[schema(example = 0.06)]
    pub volatility: f64,
    /// How many games count.
    pub games: u64,
    /// Whether too little is known for a place on the leaderboard: the deviation is 110 or more.
    pub provisional: bool,
}

/// How a player stands, in every pool that he has a rated game in.
#[derive(Debug, Serialize, ToSchema)]
pub struct RatingsResponse {
    /// A rating for each rule sheet.
    pub items: Vec<RatingResponse>,
}

/// What a game made of a rating.
#[derive(Debug, Serialize, ToSchema)]
pub struct RatingChangeResponse {
    /// The game; `null` to others when it is private.
    pub game_id: Option<Uuid>,
    /// The rule sheet.
    pub ruleset: Ruleset,
    /// The rating after it.
    pub rating: f64,
    /// The deviation after it.
    pub deviation: f64,
    /// Whether the game was annulled: the figures are then those of the row before.
    pub annulled: bool,
    /// When the rating changed; of a private game others are told the day alone.
    pub at: Timestamp,
}

/// A player on a leaderboard.
#[derive(Debug, Serialize, ToSchema)]
pub struct LeaderResponse {
    /// Who.
    pub player: PlayerResponse,
    /// The rule sheet.
    pub ruleset: Ruleset,
    /// In points.
    pub rating: f64,
    /// How far off the rating may be, in points; below 110.
    pub deviation: f64,
    /// How much the strength is taken to vary.
    pub volatility: f64,
    /// How many games count.
    pub games: u64,
    /// Always false here.
    pub provisional: bool,
}

/// The rating that a side began a game with.
#[derive(Debug, Serialize, ToSchema)]
pub struct SeatRatingResponse {
    /// In points.
    #[schema(example = 1500.0)]
    pub rating: f64,
    /// How far off that may be, in points.
    #[schema(example = 350.0)]
    pub deviation: f64,
    /// Whether too little was known of the player.
    pub provisional: bool,
}

/// That a game counts no more.
#[derive(Debug, Serialize, ToSchema)]
pub struct AnnulmentResponse {
    /// Why.
    pub reason: String,
    /// Since when.
    pub at: Timestamp,
}

impl From<&Standing> for RatingResponse {
    fn from(standing: &Standing) -> Self {
        let rating = standing.rating;
        Self {
            ruleset: standing.ruleset.into(),
            rating: rating.rating,
            deviation: rating.deviation,
            volatility: rating.volatility,
            games: standing.games,
            provisional: rating.is_provisional(),
        }
    }
}

impl From<&RatingChange> for RatingChangeResponse {
    fn from(change: &RatingChange) -> Self {
        // Two histories with one instant would tell who played whom.
        let at = if change.is_hidden {
            let micros = change.at.as_micros();
            domain::Timestamp::from_micros(micros - micros.rem_euclid(DAY_MICROS))
        } else {
            change.at
        };
        Self {
            game_id: (!change.is_hidden).then(|| change.game.as_uuid()),
            ruleset: change.ruleset.into(),
            rating: change.rating.rating,
            deviation: change.rating.deviation,
            annulled: change.annulled,
            at: at.into(),
        }
    }
}

impl From<&Leader> for LeaderResponse {
    fn from(leader: &Leader) -> Self {
        let RatingResponse {
            ruleset,
            rating,
            deviation,
            volatility,
            games,
            provisional,
        } = (&leader.standing).into();
        Self {
            player: (&leader.player).into(),
            ruleset,
            rating,
            deviation,
            volatility,
            games,
            provisional,
        }
    }
}

impl From<SeatRating> for SeatRatingResponse {
    fn from(rating: SeatRating) -> Self {
        Self {
            rating: rating.rating,
            deviation: rating.deviation,
            provisional: rating.is_provisional(),
        }
    }
}

impl From<&storage::games::Annulment> for AnnulmentResponse {
    fn from(annulment: &storage::games::Annulment) -> Self {
        Self {
            reason: annulment.reason.clone(),
            at: annulment.at.into(),
        }
    }
}
