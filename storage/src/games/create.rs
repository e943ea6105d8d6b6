use diesel::prelude::*;
use domain::{ByColor, Color, Game, Terms, Timestamp};

use super::append::append_events;
use super::row::GameRow;
use super::{StoredGame, StoredLines};
use crate::either::DatabaseConnection as Connection;
use crate::error::StorageError;
use crate::ids::{GameId, PlayerId};
use crate::schema::games;
use crate::{feeds, players, ratings, vacations};

/// A game to be made.
#[derive(Debug, Clone, Copy)]
pub struct NewGame {
    /// Drawn by the caller.
    pub id: GameId,
    /// Who plays; two different players.
    pub players: ByColor<PlayerId>,
    /// What is played.
    pub terms: Terms,
    /// Whether it counts.
    pub rated: bool,
    /// Whether it is hidden from others.
    pub private: bool,
    /// When.
    pub created_at: Timestamp,
}

/// Makes a game; its log is empty but for that a player is on vacation. The ratings that its players
/// have at this moment are kept with it.
///
/// # Errors
/// [`Refused`](StorageError::Refused) when a player would play himself or is unknown.
pub fn create(conn: &mut Connection, new: &NewGame) -> Result<StoredGame, StorageError> {
    let absent = [
        (Color::Red, vacations::away_until(conn, new.players.red)?),
        (Color::Blue, vacations::away_until(conn, new.players.blue)?),
    ];
    let game = Game::fold(new.terms, new.created_at, [])?;
    let ByColor { red, blue } = new.players;
    let [red, blue] = ratings::in_pool(conn, [red, blue], new.terms.ruleset)?;
    let ratings = ByColor { red, blue };
    diesel::insert_into(games::table)
        .values(GameRow::new(new, &game, ratings)?)
        .execute(conn)?;
    feeds::follow(conn, [new.players.red, new.players.blue], new.id)?;
    let players = players::by_ids(conn, &[new.players.red, new.players.blue])?;
    let summary = GameRow::new(new, &game, ratings)?.summary(&players, ByColor::default())?;
    let mut stored = StoredGame {
        summary,
        game,
        commitments: ByColor::default(),
        lines: Some(StoredLines::none()),
    };
    for (side, until) in absent {
        let left = until.and_then(|until| stored.game.leave(side, until, new.created_at));
        if let Some(event) = left {
            stored = append_events(conn, &stored, &[event])?;
        }
    }
    Ok(stored)
}
