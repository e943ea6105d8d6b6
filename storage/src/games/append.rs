use diesel::prelude::*;
use domain::{
    ByColor, Color, Commitment, Event, Game, Move, Offer, OfferClosing, Rescue, Salts, Setup,
    Timestamp,
};

use super::StoredGame;
use super::log::{EventRow, LogEntry, LogEntryKind};
use super::row::{Guard, StandingRow, stored_ply, stored_version};
use crate::either::DatabaseConnection as Connection;
use crate::error::{Corruption, StorageError, Unique, exactly_one};
use crate::ids::{Digest, GameId, StoredOfferId};
use crate::schema::{events, games, moves, offers, setups};
use crate::time::micros;

/// Adds what happened to the log of a game, and gives back the game as it is then.
///
/// `after` is the game as it was before, with `events` applied. The write is guarded: if the game in
/// the database is no longer as it was `before`, nothing is written.
///
/// `salts` are those of the army that the events place, and are kept with what it commits its side
/// to; an army that is placed without them commits its side to nothing.
///
/// # Errors
/// [`Conflict`](StorageError::Conflict) when somebody else was faster.
pub fn append(
    conn: &mut Connection,
    before: &StoredGame,
    after: Game,
    events: &[Event],
    salts: Option<&Salts>,
) -> Result<StoredGame, StorageError> {
    let mut log = Log {
        game: before.summary.id,
        seq: before.summary.version,
        ply: before.game.ply(),
        placed: before.summary.setup_placed,
        commitments: before.commitments,
        salts,
    };
    let version = before.summary.version + events.len() as u64;
    // First the guard: it takes the lock of the row, and whoever comes second stops here.
    advance(conn, before, StandingRow::of(&after, version)?)?;
    for event in events {
        log.add(conn, event).map_err(|error| match error {
            StorageError::Duplicate(Unique::LogEntry) => StorageError::Conflict,
            error => error,
        })?;
    }
    if log.ply != after.ply() {
        return Err(Corruption::Standing.into());
    }
    let mut summary = before.summary.clone();
    summary.follow(&after, version);
    Ok(StoredGame {
        summary,
        game: after,
        commitments: log.commitments,
    })
}

fn advance(
    conn: &mut Connection,
    before: &StoredGame,
    standing: StandingRow,
) -> Result<(), StorageError> {
    let guard = Guard::of(&before.summary)?;
    let rows = diesel::update(games::table)
        .filter(games::id.eq(before.summary.id))
        .filter(games::version.eq(guard.version))
        .filter(games::ply.eq(guard.ply))
        .filter(games::status.eq(guard.status))
        .set(standing)
        .execute(conn)?;
    exactly_one(rows)
}

/// Where the log of a game stands while entries are added.
struct Log<'a> {
    game: GameId,
    seq: u64,
    ply: u32,
    placed: ByColor<bool>,
    commitments: ByColor<Option<Commitment>>,
    salts: Option<&'a Salts>,
}

impl Log<'_> {
    fn add(&mut self, conn: &mut Connection, event: &Event) -> Result<(), StorageError> {
        let announced = match *event {
            Event::SetupPlaced { by, setup, at } => self.place(conn, by, setup, at)?,
            Event::Started { at } => Some((LogEntryKind::Started, at)),
            Event::Moved { mv, rescue, at } => Some((self.play(conn, mv, rescue, at)?, at)),
            Event::OfferMade { offer, at } => Some((self.offer(conn, offer, at)?, at)),
            Event::OfferClosed { id, closing, at } => {
                self.close(conn, id.into(), closing, at)?;
                Some((LogEntryKind::OfferClosed(id), at))
            }
            Event::Ended { at, .. } => Some((LogEntryKind::Finished, at)),
        };
        if let Some((kind, at)) = announced {
            let entry = LogEntry {
                seq: self.seq,
                kind,
                at,
            };
            let row = EventRow::new(self.game, &entry)?;
            diesel::insert_into(events::table)
                .values(row)
                .execute(conn)?;
        }
        self.seq += 1;
        Ok(())
    }

    /// An army that replaces an earlier one is not announced and keeps its first time: that its
    /// owner thought again is his secret.
    fn place(
        &mut self,
        conn: &mut Connection,
        by: Color,
        setup: Setup,
        at: Timestamp,
    ) -> Result<Option<(LogEntryKind, Timestamp)>, StorageError> {
        let commitment = self.salts.map(|salts| Commitment::of(by, &setup, salts));
        let root = commitment.map(|commitment| Digest(commitment.to_bytes()));
        let army = (
            setups::setup.eq(setup.to_string()),
            setups::root.eq(root),
            setups::salts.eq(self.salts.map(|salts| salts.as_bytes().as_slice())),
        );
        self.commitments[by] = commitment;
        if self.placed[by] {
            let rows = diesel::update(setups::table.find((self.game, by.name())))
                .set(army)
                .execute(conn)?;
            exactly_one(rows)?;
            return Ok(None);
        }
        diesel::insert_into(setups::table)
            .values((
                setups::game_id.eq(self.game),
                setups::color.eq(by.name()),
                setups::seq.eq(stored_version(self.seq)?),
                setups::placed_at.eq(micros(at)),
                army,
            ))
            .execute(conn)?;
        self.placed[by] = true;
        Ok(Some((LogEntryKind::SetupPlaced(by), at)))
    }

    fn play(
        &mut self,
        conn: &mut Connection,
        mv: Move,
        rescue: Option<Rescue>,
        at: Timestamp,
    ) -> Result<LogEntryKind, StorageError> {
        let ply = self.ply;
        diesel::insert_into(moves::table)
            .values((
                moves::game_id.eq(self.game),
                moves::ply.eq(stored_ply(ply)?),
                moves::seq.eq(stored_version(self.seq)?),
                moves::from_square.eq(i16::from(mv.from.index())),
                moves::to_square.eq(i16::from(mv.to.index())),
                moves::rescue_rank.eq(rescue.map(|rescue| rescue.rank.to_char().to_string())),
                moves::rescue_square.eq(rescue.map(|rescue| i16::from(rescue.square.index()))),
                moves::played_at.eq(micros(at)),
            ))
            .execute(conn)?;
        self.ply += 1;
        Ok(LogEntryKind::Move { ply })
    }

    fn offer(
        &self,
        conn: &mut Connection,
        offer: Offer,
        at: Timestamp,
    ) -> Result<LogEntryKind, StorageError> {
        diesel::insert_into(offers::table)
            .values((
                offers::game_id.eq(self.game),
                offers::id.eq(StoredOfferId::from(offer.id)),
                offers::kind.eq("draw"),
                offers::color.eq(offer.by.name()),
                offers::made_seq.eq(stored_version(self.seq)?),
                offers::made_at.eq(micros(at)),
            ))
            .execute(conn)?;
        Ok(LogEntryKind::Offer(offer.by, offer.id))
    }

    fn close(
        &self,
        conn: &mut Connection,
        id: StoredOfferId,
        closing: OfferClosing,
        at: Timestamp,
    ) -> Result<(), StorageError> {
        let rows = diesel::update(offers::table.find((self.game, id)))
            .filter(offers::closing.is_null())
            .set((
                offers::closing.eq(Some(closing.name())),
                offers::closed_seq.eq(Some(stored_version(self.seq)?)),
                offers::closed_at.eq(Some(micros(at))),
            ))
            .execute(conn)?;
        exactly_one(rows)
    }
}
