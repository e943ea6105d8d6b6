//! What players note on games. Each note is its author's alone: every function takes the author.

use diesel::prelude::*;
use domain::Timestamp;

use crate::either::DatabaseConnection as Connection;
use crate::error::StorageError;
use crate::ids::{GameId, PlayerId};
use crate::page::{Page, PageRequest};
use crate::schema::notes;
use crate::time::{instant, micros};

/// A note. Not printable: it is its author's secret.
#[derive(Clone, PartialEq, Eq)]
pub struct Note {
    /// What it says: 1 to 10,000 characters, and no NUL among them, which PostgreSQL would refuse.
    pub text: String,
    /// When it was last written.
    pub updated_at: Timestamp,
}

/// What an author has noted on a game, if anything.
///
/// # Errors
/// None of its own.
pub fn load(
    conn: &mut Connection,
    author: PlayerId,
    game: GameId,
) -> Result<Option<Note>, StorageError> {
    let row: Option<(String, i64)> = notes::table
        .find((author, game))
        .select((notes::text, notes::updated_at))
        .first(conn)
        .optional()?;
    Ok(row.map(|(text, updated_at)| Note {
        text,
        updated_at: instant(updated_at),
    }))
}

/// All that an author has noted, in the order of the games.
///
/// # Errors
/// None of its own.
pub fn list(
    conn: &mut Connection,
    author: PlayerId,
    page: &PageRequest<GameId>,
) -> Result<Page<(GameId, Note)>, StorageError> {
    let mut query = notes::table
        .filter(notes::player_id.eq(author))
        .select((notes::game_id, notes::text, notes::updated_at))
        .limit(page.rows())
        .into_boxed();
    let up = page.reads_up(true);
    if let Some(game) = page.from {
        query = if up {
            query.filter(notes::game_id.gt(game))
        } else {
            query.filter(notes::game_id.lt(game))
        };
    }
    query = if up {
        query.order(notes::game_id.asc())
    } else {
        query.order(notes::game_id.desc())
    };
    let rows: Vec<(GameId, String, i64)> = query.load(conn)?;
    page.page(rows).try_map(|(game, text, updated_at)| {
        let updated_at = instant(updated_at);
        Ok((game, Note { text, updated_at }))
    })
}

/// On how many other games an author keeps notes.
///
/// # Errors
/// None of its own.
pub fn count_others(
    conn: &mut Connection,
    author: PlayerId,
    game: GameId,
) -> Result<u64, StorageError> {
    let count: i64 = notes::table
        .filter(notes::player_id.eq(author))
        .filter(notes::game_id.ne(game))
        .count()
        .get_result(conn)?;
    Ok(u64::try_from(count).unwrap_or(0))
}

/// Notes something on a game, in the place of what was noted before.
///
/// # Errors
/// [`Refused`](StorageError::Refused) when there is no such game, or for a text that may not stand
/// there.
pub fn save(
    conn: &mut Connection,
    author: PlayerId,
    game: GameId,
    note: &Note,
) -> Result<(), StorageError> {
    let written = (
        notes::text.eq(&note.text),
        notes::updated_at.eq(micros(note.updated_at)),
    );
    let insert = diesel::insert_into(notes::table).values((
        notes::player_id.eq(author),
        notes::game_id.eq(game),
        written,
    ));
    let key = (notes::player_id, notes::game_id);
    match conn {
        Connection::Sqlite(conn) => {
            let upsert = insert.on_conflict(key).do_update().set(written);
            upsert.execute(conn)?
        }
        Connection::Postgres(conn) => {
            let upsert = insert.on_conflict(key).do_update().set(written);
            upsert.execute(conn)?
        }
    };
    Ok(())
}

/// Takes away what an author noted on a game, if anything.
///
/// # Errors
/// None of its own.
pub fn delete(conn: &mut Connection, author: PlayerId, game: GameId) -> Result<(), StorageError> {
    diesel::delete(notes::table.find((author, game))).execute(conn)?;
    Ok(())
}

/// Takes away all notes of a player who leaves.
pub(crate) fn delete_all(conn: &mut Connection, author: PlayerId) -> Result<(), StorageError> {
    diesel::delete(notes::table.filter(notes::player_id.eq(author))).execute(conn)?;
    Ok(())
}
