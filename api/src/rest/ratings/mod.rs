//! Ratings: of a player, over time, and of all.

pub mod history;
pub mod leaderboard;
pub mod show;

use serde::Deserialize;
use utoipa::IntoParams;

/// Whose ratings are asked for.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Path)]
pub struct RatedPlayerPath {
    /// The username, in any case.
    #[param(example = "Marshal")]
    username: String,
}
