use std::collections::HashMap;

use domain::Status;
use storage::games::{GameCursor, GameFilter, StoredGame, count_over, load_many, over};
use storage::{Connection, Database, GameId, PageRequest, StorageError};

use crate::usecase::selection::Selection;

/// How many games are in memory at once.
const GAMES_AT_ONCE: u32 = 100;

/// The finished games of a selection, in the order of their end, a page at a time. Each page is a read
/// transaction of its own, so that nothing is held up by one who reads slowly. So it is no state of one instant:
/// each game that was there from the beginning to the end is in it once, and one that ends or is imported
/// meanwhile is in it if its end comes after those of the pages that were read by then.
pub struct Pages {
    database: Database,
    selection: Selection,
    /// Once names are looked up.
    filter: Option<GameFilter>,
    last: Option<GameCursor>,
    over: bool,
}

/// Narrows a filter to what may be exported: games that were played to an end, and none that is private.
fn finished(filter: GameFilter) -> GameFilter {
    GameFilter {
        viewer: None,
        statuses: Some(vec![Status::Finished]),
        ..filter
    }
}

impl Pages {
    /// Those of a selection.
    pub fn new(database: Database, selection: Selection) -> Self {
        Self {
            database,
            selection,
            filter: None,
            last: None,
            over: false,
        }
    }

    /// How many games there are now.
    ///
    /// # Errors
    /// When the database fails.
    pub fn total(&self) -> Result<u64, StorageError> {
        let selection = self.selection.clone();
        self.database.read(|conn| {
            let filter = finished(selection.resolve(conn)?);
            count_over(conn, &filter)
        })
    }

    fn read(&self) -> Result<Read, StorageError> {
        let wanted = PageRequest {
            from: self.last,
            ..PageRequest::first(GAMES_AT_ONCE)
        };
        self.database.read(|conn| {
            let filter = match &self.filter {
                Some(filter) => filter.clone(),
                None => finished(self.selection.clone().resolve(conn)?),
            };
            let places = over(conn, &filter, &wanted)?;
            let ids: Vec<GameId> = places.items.iter().map(|place| place.id).collect();
            Ok(Read {
                games: in_order(conn, &ids)?,
                last: places.items.last().copied(),
                has_more: places.has_more,
                filter,
            })
        })
    }
}

/// A page, and where it ends.
struct Read {
    games: Vec<StoredGame>,
    last: Option<GameCursor>,
    has_more: bool,
    filter: GameFilter,
}

fn in_order(conn: &mut Connection, ids: &[GameId]) -> Result<Vec<StoredGame>, StorageError> {
    let loaded = load_many(conn, ids)?.into_iter();
    let mut loaded: HashMap<GameId, StoredGame> =
        loaded.map(|stored| (stored.summary.id, stored)).collect();
    Ok(ids.iter().filter_map(|id| loaded.remove(id)).collect())
}

impl Iterator for Pages {
    type Item = Result<Vec<StoredGame>, StorageError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.over {
            return None;
        }
        let read = match self.read() {
            Ok(read) => read,
            Err(fault) => {
                self.over = true;
                return Some(Err(fault));
            }
        };
        self.over = !read.has_more;
        self.last = read.last;
        self.filter = Some(read.filter);
        Some(Ok(read.games))
    }
}
