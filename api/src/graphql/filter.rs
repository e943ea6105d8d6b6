use async_graphql::InputObject;
use domain::Ruleset;
use storage::{PlayerId, games};

use super::context::Viewer;
use super::names::{Color, EndReason, GameStatus};
use super::scalars::DateTime;
use crate::problem::ApiError;
use crate::usecase::selection::{Selection, check_name, rating, read_source};

/// How many values a list of a filter has at most.
const MAX_VALUES: usize = 50;

/// Which games; what is left out is not asked for.
#[derive(Debug, Clone, Default, InputObject)]
pub(super) struct GameFilter {
    /// Played by any of these rule sheets.
    rulesets: Option<Vec<String>>,
    /// From any of these sources: `play` for games that were played here, else the kind of the archive.
    sources: Option<Vec<String>>,
    /// Played by any of these on either side: accounts by username, players of archives as `source:name`.
    players: Option<Vec<String>>,
    /// In any of these states.
    status: Option<Vec<GameStatus>>,
    /// Ended for any of these reasons.
    reasons: Option<Vec<EndReason>>,
    /// Won by this side.
    winner: Option<Color>,
    /// Whether they count for ratings.
    rated: Option<bool>,
    /// Ended then or later.
    finished_from: Option<DateTime>,
    /// Ended earlier.
    finished_to: Option<DateTime>,
    /// With so many moves or more.
    min_plies: Option<i32>,
    /// With so many moves or fewer.
    max_plies: Option<i32>,
    /// That count, and before which both sides had this rating or more.
    min_rating: Option<f64>,
    /// That count, and before which both sides had this rating or less.
    max_rating: Option<f64>,
}

impl GameFilter {
    /// The filter, once all values are in range.
    ///
    /// # Errors
    /// 400 that names the value.
    pub(super) fn check(
        self,
        viewer: Viewer,
        player: Option<PlayerId>,
    ) -> Result<Selection, ApiError> {
        let rulesets = few("rulesets", self.rulesets)?;
        let players = few("players", self.players)?;
        for name in players.iter().flatten() {
            check_name("players", name)?;
        }
        let filter = games::GameFilter {
            viewer: viewer.0,
            player,
            players: None,
            turn_of: None,
            rulesets: rulesets.map(read_rulesets).transpose()?,
            statuses: few("status", self.status)?.map(into_all),
            reasons: few("reasons", self.reasons)?.map(into_all),
            winner: self.winner.map(Into::into),
            rated: self.rated,
            finished_from: self.finished_from.map(|from| from.0),
            finished_to: self.finished_to.map(|to| to.0),
            min_plies: plies("minPlies", self.min_plies)?,
            max_plies: plies("maxPlies", self.max_plies)?,
            sources: few("sources", self.sources)?
                .map(read_sources)
                .transpose()?,
            min_rating: rating("minRating", self.min_rating)?,
            max_rating: rating("maxRating", self.max_rating)?,
        };
        Ok(Selection { filter, players })
    }
}

fn read_rulesets(names: Vec<String>) -> Result<Vec<Ruleset>, ApiError> {
    let read = |name: String| read_ruleset("rulesets", &name);
    names.into_iter().map(read).collect()
}

fn read_sources(names: Vec<String>) -> Result<Vec<String>, ApiError> {
    let read = |name: String| read_source(&name);
    let refused = |detail| ApiError::malformed_field("sources", detail);
    names
        .into_iter()
        .map(read)
        .collect::<Result<_, _>>()
        .map_err(refused)
}

/// The rule sheet of a name.
///
/// # Errors
/// 400 that names the argument.
pub(super) fn read_ruleset(argument: &str, name: &str) -> Result<Ruleset, ApiError> {
    name.parse().map_err(|_| {
        let known = Ruleset::ALL.map(Ruleset::id).join(", ");
        ApiError::malformed_field(argument, format!("expected any of {known}, got {name:?}"))
    })
}

fn into_all<T, U: From<T>>(values: Vec<T>) -> Vec<U> {
    values.into_iter().map(Into::into).collect()
}

fn few<T>(name: &str, values: Option<Vec<T>>) -> Result<Option<Vec<T>>, ApiError> {
    match &values {
        Some(some) if some.len() > MAX_VALUES => {
            let detail = format!("expected at most {MAX_VALUES} values, got {}", some.len());
            Err(ApiError::malformed_field(name, detail))
        }
        _ => Ok(values),
    }
}

fn plies(name: &str, plies: Option<i32>) -> Result<Option<u32>, ApiError> {
    let read = |plies: i32| {
        u32::try_from(plies).map_err(|_| {
            ApiError::malformed_field(name, format!("expected 0 or more, got {plies}"))
        })
    };
    plies.map(read).transpose()
}
