//! Looks for players whose receivers do not have all that their streams hold: hints may be lost.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Binary, Bool};
use uuid::Uuid;

use crate::either::DatabaseConnection as Connection;
use crate::error::StorageError;
use crate::ids::PlayerId;

/// What a look at some players found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Waiting {
    /// Those for whom something waits.
    pub players: Vec<PlayerId>,
    /// After whom to look on; `None` when there is nobody more.
    pub next: Option<PlayerId>,
}

#[derive(QueryableByName)]
struct Owner {
    #[diesel(sql_type = Binary)]
    player_id: PlayerId,
    #[diesel(sql_type = Bool)]
    waits: bool,
}

/// Each part is looked up by the key of its table. What is due by itself is left out.
const FIND: &str = "SELECT player_id, (\
     told < COALESCE((SELECT announced FROM player_feeds \
     WHERE player_feeds.player_id = owners.player_id), 0) \
     OR EXISTS (SELECT 1 FROM player_outbox WHERE player_outbox.player_id = owners.player_id) \
     OR EXISTS (SELECT 1 FROM player_games INNER JOIN games ON games.id = player_games.game_id \
     WHERE player_games.player_id = owners.player_id AND games.announced > player_games.told)\
     ) AS waits FROM (SELECT player_id, MIN(told) AS told FROM subscriptions \
     WHERE player_id > $1 AND due_at IS NULL AND disabled_at IS NULL \
     GROUP BY player_id ORDER BY player_id LIMIT $2) AS owners ORDER BY player_id";

/// Looks at as many players who have receivers, in the order of their keys.
///
/// # Errors
/// None of its own.
pub fn find_waiting(
    conn: &mut Connection,
    after: Option<PlayerId>,
    limit: u32,
) -> Result<Waiting, StorageError> {
    let owners: Vec<Owner> = diesel::sql_query(FIND)
        .bind::<Binary, _>(after.unwrap_or(PlayerId::from_uuid(Uuid::nil())))
        .bind::<BigInt, _>(i64::from(limit))
        .load(conn)?;
    let next = owners.last().map(|owner| owner.player_id);
    let players = owners.into_iter().filter(|owner| owner.waits);
    Ok(Waiting {
        players: players.map(|owner| owner.player_id).collect(),
        next,
    })
}
