use diesel::prelude::*;
use domain::{ByColor, Salts};

use crate::either::DatabaseConnection as Connection;
use crate::error::{Corruption, StorageError};
use crate::ids::GameId;
use crate::schema::setups;
use crate::text;

/// The salts of each side's commitment, which open it: for a game that is over, and for nobody
/// before. `None` for a side that placed no army, or placed it without.
///
/// # Errors
/// [`Corrupt`](StorageError::Corrupt) when they are not what was written.
pub fn salts(conn: &mut Connection, id: GameId) -> Result<ByColor<Option<Salts>>, StorageError> {
    let rows: Vec<(String, Option<Vec<u8>>)> = setups::table
        .filter(setups::game_id.eq(id))
        .select((setups::color, setups::salts))
        .load(conn)?;
    let mut salts = ByColor::default();
    for (color, bytes) in rows {
        salts[text::color(&color)?] = bytes.map(read).transpose()?;
    }
    Ok(salts)
}

fn read(bytes: Vec<u8>) -> Result<Salts, Corruption> {
    let bytes = bytes.try_into();
    let salts = bytes.map(Salts::from_bytes);
    salts.map_err(|_| Corruption::Value { column: "salts" })
}
