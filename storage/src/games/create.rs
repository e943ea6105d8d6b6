use diesel::prelude::*;
use domain::{ByColor, Game, Terms, Timestamp};

use super::StoredGame;
use super::row::GameRow;
use crate::either::DatabaseConnection as Connection;
use crate::error::StorageError;
use crate::ids::{GameId, PlayerId};
use crate::schema::games;
use crate::{feeds, players};

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
    /// Whether the players' vacations pause it.
    pub vacation: bool,
    /// Whether weekends pause it.
    pub weekends: bool,
    /// When.
    pub created_at: Timestamp,
}

/// Makes a game, with its log still empty.
///
/// # Errors
/// [`Refused`](StorageError::Refused) when a player would play himself or is unknown.
pub fn create(conn: &mut Connection, new: &NewGame) -> Result<StoredGame, StorageError> {
    let game = Game::fold(new.terms, new.created_at, [])?;
    diesel::insert_into(games::table)
        .values(GameRow::new(new, &game)?)
        .execute(conn)?;
    feeds::follow(conn, [new.players.red, new.players.blue], new.id)?;
    let players = players::by_ids(conn, &[new.players.red, new.players.blue])?;
    let summary = GameRow::new(new, &game)?.summary(&players, ByColor::default())?;
    Ok(StoredGame {
        summary,
        game,
        commitments: ByColor::default(),
    })
}
