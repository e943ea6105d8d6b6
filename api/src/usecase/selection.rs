//! Which games somebody asks for, by GraphQL, REST or on the command line.

use domain::Timestamp;
use storage::games::GameFilter;
use storage::{Connection, PlayerId, StorageError, players};
use unicode_normalization::UnicodeNormalization;

use super::usernames::username_key;
use crate::problem::ApiError;
use crate::recorded::{check_source, instant};

/// The longest name that is looked for, in characters: `source:name` of an archive may be so long.
const MAX_NAME_CHARS: usize = 300;
/// More than any rating.
const MOST_RATING: f64 = 10_000.0;

/// A filter whose values are in range; names are still to be looked up.
#[derive(Debug, Clone, Default)]
pub struct Selection {
    /// All but the players.
    pub filter: GameFilter,
    /// Played by any of these on either side: accounts by username, players of archives as `source:name`.
    pub players: Option<Vec<String>>,
}

impl Selection {
    /// The filter as storage takes it. A name that nobody has finds no game.
    ///
    /// # Errors
    /// When the database fails.
    pub fn resolve(self, connection: &mut Connection) -> Result<GameFilter, StorageError> {
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
pub fn find_player(
    connection: &mut Connection,
    name: &str,
) -> Result<Option<PlayerId>, StorageError> {
    let found = match name.split_once(':') {
        Some((source, name)) => {
            // As it was stored.
            let name: String = name.nfc().collect();
            players::recorded(connection, source, &name)
        }
        None => players::by_username_key(connection, &username_key(name)),
    };
    match found {
        Ok(player) => Ok(Some(player.id)),
        Err(StorageError::NotFound) => Ok(None),
        Err(error) => Err(error),
    }
}

/// A source that there can be, whether it has games or not.
///
/// # Errors
/// What was expected.
pub fn read_source(text: &str) -> Result<String, String> {
    check_source(text)?;
    Ok(text.to_owned())
}

/// Refuses a name that nobody can have and that would only cost time.
///
/// # Errors
/// 400 that names the argument.
pub fn check_name(argument: &str, name: &str) -> Result<(), ApiError> {
    if name.chars().nth(MAX_NAME_CHARS).is_none() {
        return Ok(());
    }
    let detail = format!("expected at most {MAX_NAME_CHARS} characters, got more");
    Err(ApiError::malformed_field(argument, detail))
}

/// A rating in points, of which any number will do.
///
/// # Errors
/// 400 that names the argument.
pub fn rating(argument: &str, rating: Option<f64>) -> Result<Option<f64>, ApiError> {
    let refused = |detail| ApiError::malformed_field(argument, detail);
    rating.map(check_rating).transpose().map_err(refused)
}

/// A rating that there can be.
///
/// # Errors
/// What was expected.
pub fn check_rating(rating: f64) -> Result<f64, String> {
    if (0.0..=MOST_RATING).contains(&rating) {
        Ok(rating)
    } else {
        Err(format!("expected 0 to {MOST_RATING}, got {rating}"))
    }
}

/// An instant, or the first one of a day.
///
/// # Errors
/// What was expected.
pub fn read_instant(text: &str) -> Result<Timestamp, String> {
    instant::read_or_day(text).ok_or_else(|| {
        format!("expected an instant such as 2026-11-29T21:00:00Z or a day, got {text:?}")
    })
}
