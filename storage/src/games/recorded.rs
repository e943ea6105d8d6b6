//! Games that were played elsewhere: how they come in, and how their log is kept.

mod log;

use std::collections::{BTreeMap, HashMap};

use diesel::prelude::*;
use domain::{ByColor, Color, Game, Record, Timestamp};

use super::row::GameRow;
use crate::either::DatabaseConnection as Connection;
use crate::error::StorageError;
use crate::facts::{self, StoredFacts};
use crate::ids::{Digest, GameId, PlayerId};
use crate::players::{self, NewRecorded, recorded_key};
use crate::schema::{games, recorded_games};
use crate::time::instant;

pub(super) use log::{RecordedLog, load_logs};

/// A game that was played elsewhere, replayed and ready to be stored: what it takes to work that out is
/// done, beside all writes.
#[derive(Clone)]
pub struct RecordedGame {
    id: GameId,
    digest: Digest,
    other_digest: Digest,
    names: ByColor<String>,
    source: String,
    row: GameRow,
    facts: Option<StoredFacts>,
    log: Vec<u8>,
}

/// What is recorded of a game beside its moves.
#[derive(Debug, Clone)]
pub struct Recorded<'a> {
    /// The kind of its archive.
    pub source: &'a str,
    /// The names of those who played it, as recorded, or pseudonyms.
    pub names: ByColor<&'a str>,
    /// Of all that is recorded of it.
    pub digest: [u8; 32],
    /// The same with the names the other way, as recorded or hidden: who has it in one way has it.
    pub other_digest: [u8; 32],
    /// The code of its ending in the archive.
    pub raw_ending: Option<u16>,
    /// The instants of its moves, where they were recorded.
    pub times: Option<&'a [Timestamp]>,
}

/// What became of a game that was to be imported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Import {
    /// It is there now.
    New(GameId),
    /// It was there before, as this.
    Known(GameId),
}

impl RecordedGame {
    /// Makes a game ready to be stored; `game` is what its record replays to.
    ///
    /// # Errors
    /// [`Corrupt`](StorageError::Corrupt) of a game that is longer than a column holds.
    pub fn new(
        record: &Record,
        game: &Game,
        recorded: &Recorded<'_>,
        imported_at: Timestamp,
    ) -> Result<Self, StorageError> {
        let id = GameId::generate(imported_at);
        let row = GameRow::recorded(id, game, recorded.source, recorded.raw_ending)?;
        Ok(Self {
            id,
            digest: Digest(recorded.digest),
            other_digest: Digest(recorded.other_digest),
            names: recorded.names.map(str::to_owned),
            source: recorded.source.to_owned(),
            facts: StoredFacts::of_recorded(id, game, recorded.source)?,
            log: log::encode(record, recorded.times, game.known_end().is_some()),
            row,
        })
    }

    const fn digests(&self) -> [Digest; 2] {
        [self.digest, self.other_digest]
    }

    /// What it is stored as, if it is.
    fn known_as(&self, known: &HashMap<Digest, GameId>) -> Option<GameId> {
        let mut known = self
            .digests()
            .into_iter()
            .filter_map(|digest| known.get(&digest));
        known.next().copied()
    }

    /// How many bytes it has about, by which a batch of them is bounded.
    pub fn bytes(&self) -> usize {
        self.log.len() + self.facts.as_ref().map_or(0, StoredFacts::bytes)
    }
}

/// Stores games that are not there yet, each whole, and says of each what became of it. Belongs into a
/// [write](crate::Database::write).
///
/// # Errors
/// [`Duplicate`](StorageError::Duplicate) when somebody else stores one of them at the same time.
pub fn import(conn: &mut Connection, games: &[RecordedGame]) -> Result<Vec<Import>, StorageError> {
    let digests = games.iter().flat_map(RecordedGame::digests);
    let digests: Vec<Digest> = digests.collect();
    let known: Vec<(Digest, GameId)> = recorded_games::table
        .filter(recorded_games::digest.eq_any(&digests))
        .select((recorded_games::digest, recorded_games::game_id))
        .load(conn)?;
    let mut known: HashMap<Digest, GameId> = known.into_iter().collect();
    let players = players_of(conn, games, &known)?;
    let mut done = Vec::with_capacity(games.len());
    for game in games {
        if let Some(id) = game.known_as(&known) {
            done.push(Import::Known(id));
            continue;
        }
        let player = |side| players.get(&game.key(side)).copied();
        let pair = ByColor::from_fn(player)
            .both()
            .ok_or(StorageError::NotFound)?;
        game.insert(conn, pair)?;
        known.insert(game.digest, game.id);
        done.push(Import::New(game.id));
    }
    Ok(done)
}

/// The players of games that are not there yet, by the name as it is compared; those who are new are made.
fn players_of(
    conn: &mut Connection,
    games: &[RecordedGame],
    known: &HashMap<Digest, GameId>,
) -> Result<HashMap<String, PlayerId>, StorageError> {
    let mut wanted = BTreeMap::new();
    for game in games.iter().filter(|game| game.known_as(known).is_none()) {
        for side in Color::ALL {
            wanted.entry(game.key(side)).or_insert_with(|| NewRecorded {
                id: PlayerId::generate(instant(game.row.created_at)),
                source: &game.source,
                username: &game.names[side],
                created_at: instant(game.row.created_at),
            });
        }
    }
    players::recorded_or_new(conn, &wanted)
}

impl RecordedGame {
    /// By what a player of it is known. Two of one name, or of none, are two.
    fn key(&self, side: Color) -> String {
        let key = recorded_key(&self.source, &self.names[side]);
        if side == Color::Blue && self.names.red == self.names.blue {
            format!("{key}\u{1f}2")
        } else {
            key
        }
    }

    fn insert(
        &self,
        conn: &mut Connection,
        players: ByColor<PlayerId>,
    ) -> Result<(), StorageError> {
        diesel::insert_into(games::table)
            // It has no events that could be swept.
            .values((
                self.row.clone().between(players),
                games::events_swept.eq(true),
            ))
            .execute(conn)?;
        diesel::insert_into(recorded_games::table)
            .values((
                recorded_games::game_id.eq(self.id),
                recorded_games::digest.eq(self.digest),
                recorded_games::log.eq(&self.log),
            ))
            .execute(conn)?;
        match &self.facts {
            Some(row) => facts::keep(conn, row),
            None => Ok(()),
        }
    }
}
