use async_graphql::InputObject;
use domain::Ruleset;
use storage::players;
use storage::{Connection, PlayerId, StorageError, games};

use super::context::Viewer;
use super::names::{Color, EndReason, GameStatus};
use super::scalars::DateTime;
use crate::problem::ApiError;
use crate::usecase::usernames::username_key;

/// How many values a list of a filter has at most.
const MAX_VALUES: usize = 50;
/// The longest name that is looked for, in characters: `source:name` of an archive may be so long.
const MAX_NAME_CHARS: usize = 300;
/// More than any rating.
const MOST_RATING: f64 = 10_000.0;
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

/// A filter whose values are in range; names are still to be looked up.
#[derive(Debug)]
pub(super) struct CheckedFilter {
    filter: games::GameFilter,
    /// The names of players.
    players: Option<Vec<String>>,
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
    ) -> Result<CheckedFilter, ApiError> {
        let rulesets = few("rulesets", self.rulesets)?;
        let sources = few("sources", self.sources)?;
        let players = few("players", self.players)?;
        for name in players.iter().flatten() {
            check_name("players", name)?;
        }
        for name in sources.iter().flatten() {
            check_name("sources", name)?;
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
            sources: sources.map(storable),
            min_rating: rating("minRating", self.min_rating)?,
            max_rating: rating("maxRating", self.max_rating)?,
        };
        Ok(CheckedFilter { filter, players })
    }
}

impl CheckedFilter {
    /// The filter as storage takes it.
    ///
    /// # Errors
    /// When the database fails.
    pub(super) fn resolve(
        self,
        connection: &mut Connection,
    ) -> Result<games::GameFilter, ApiError> {
        let mut filter = self.filter;
        if let Some(names) = self.players {
            let mut found = Vec::new();
            for name in names {
                found.extend(find_player(connection, &name)?);
            }
            filter.players = Some(found);
        }
        Ok(filter)
    }
}

/// The player of a name: that of an account, or `source:name` of an archive's. `None` when there is none.
///
/// # Errors
/// When the database fails.
pub(super) fn find_player(
    connection: &mut Connection,
    name: &str,
) -> Result<Option<PlayerId>, ApiError> {
    let found = match name.split_once(':') {
        Some((source, name)) => players::recorded(connection, source, name),
        None => players::by_username_key(connection, &username_key(name)),
    };
    match found {
        Ok(player) => Ok(Some(player.id)),
        Err(StorageError::NotFound) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Texts that a database may hold: PostgreSQL refuses others even where they are looked for.
fn storable(texts: Vec<String>) -> Vec<String> {
    let texts = texts.into_iter();
    texts.filter(|text| !text.contains('\0')).collect()
}

fn read_rulesets(names: Vec<String>) -> Result<Vec<Ruleset>, ApiError> {
    let read = |name: String| read_ruleset("rulesets", &name);
    names.into_iter().map(read).collect()
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

/// Refuses a name that nobody can have and that would only cost time.
///
/// # Errors
/// 400 that names the argument.
pub(super) fn check_name(argument: &str, name: &str) -> Result<(), ApiError> {
    if name.chars().nth(MAX_NAME_CHARS).is_none() {
        return Ok(());
    }
    let detail = format!("expected at most {MAX_NAME_CHARS} characters, got more");
    Err(ApiError::malformed_field(argument, detail))
}

/// A rating in points, of which any number will do.
fn rating(name: &str, rating: Option<f64>) -> Result<Option<f64>, ApiError> {
    match rating {
        Some(rating) if !(0.0..=MOST_RATING).contains(&rating) => {
            let detail = format!("expected 0 to {MOST_RATING}, got {rating}");
            Err(ApiError::malformed_field(name, detail))
        }
        _ => Ok(rating),
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
