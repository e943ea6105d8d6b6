//! Facts of a game that is annulled: it counts no more.

use diesel::prelude::*;

use super::row::{StoredFacts, wait};
use super::sums::Sums;
use crate::either::DatabaseConnection as Connection;
use crate::error::StorageError;
use crate::ids::GameId;
use crate::schema::{facts_to_fold, game_facts};

/// Takes the ratings of a game out of its facts, and out of the roll-ups where it is in them.
///
/// # Errors
/// None of its own.
pub(crate) fn unrate(conn: &mut Connection, id: GameId) -> Result<(), StorageError> {
    // Whoever folds it in at this moment deletes this row as well: one of both begins anew.
    let waited = diesel::delete(facts_to_fold::table.find(id)).execute(conn)? == 1;
    let Some(before) = StoredFacts::load(conn, &[id])?.pop() else {
        // Whoever works them out at this moment writes this row as well.
        return wait(conn, id);
    };
    let after = before.unrated();
    diesel::update(game_facts::table.find(id))
        .set((
            game_facts::rated.eq(after.row.rated),
            game_facts::red_rating.eq(after.row.red_rating),
            game_facts::blue_rating.eq(after.row.blue_rating),
        ))
        .execute(conn)?;
    if waited {
        return wait(conn, id);
    }
    let mut sums = Sums::default();
    sums.add(&before, -1)?;
    sums.add(&after, 1)?;
    sums.write(conn)
}
