use diesel::prelude::*;
use domain::{
    ByColor, Color, Commitment, Event, Game, Move, Offer, OfferClosing, Outcome, Rescue, Salts,
    Setup, Status, Timestamp,
};

use super::StoredGame;
use super::clock::ClockRow;
use super::events::{Announced, EventRow, GameEventKind};
use super::row::{Guard, StandingRow, stored_ply};
use super::statements::{Advance, MoveToStore, WriteMove};
use super::step::{self, Step};
use crate::either::DatabaseConnection as Connection;
use crate::error::{Corruption, StorageError, Unique, exactly_one};
use crate::facts;
use crate::ids::{Digest, GameId, StoredOfferId};
use crate::number;
use crate::ratings;
use crate::schema::{events, offers, setups};
use crate::time::micros;

/// Adds what happened to the log of a game, and gives back the game as it is then.
///
/// `after` is the game as it was before, with `events` applied. The write is guarded: if the game in
/// the database is no longer as it was `before`, nothing is written.
///
/// A single move is one statement on PostgreSQL, and a transaction by itself; everything else takes
/// several and belongs into one: see [`atomically`](Connection::atomically).
///
/// `salts` are those of the army that the events place, and are kept with what it commits its side
/// to; an army that is placed without them commits its side to nothing.
///
/// The end of a game that counts changes the ratings of both players, and that of any finished game is
/// counted for statistics, in the same transaction.
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
    let Connection::Postgres(postgres) = conn else {
        return append_in_parts(conn, before, after, events, salts);
    };
    match Step::new(before, after, events)? {
        Err(after) => append_in_parts(conn, before, after, events, salts),
        Ok(step) => match step::make(postgres, &[&step])?.as_slice() {
            [true] => Ok(step.into_after()),
            _ => Err(StorageError::Conflict),
        },
    }
}

/// As [`append`], by a statement for each entry.
fn append_in_parts(
    conn: &mut Connection,
    before: &StoredGame,
    after: Game,
    events: &[Event],
    salts: Option<&Salts>,
) -> Result<StoredGame, StorageError> {
    let version = before.summary.version + events.len() as u64;
    let mut announced = before.summary.announced;
    let kinds = announced_by(before, events);
    for (kind, at) in kinds.iter().flatten() {
        announced.next(*kind, *at);
    }
    // First the guard: it takes the lock of the row, and whoever comes second stops here.
    advance(conn, before, &StandingRow::of(&after, version, announced)?)?;
    let mut log = Log {
        game: before.summary.id,
        seq: before.summary.version,
        ply: before.game.ply(),
        placed: before.summary.setup_placed,
        announced: before.summary.announced,
        commitments: before.commitments,
        salts,
    };
    for (event, announces) in events.iter().zip(kinds) {
        log.add(conn, event, announces).map_err(lost_race)?;
    }
    if log.ply != after.ply() {
        return Err(Corruption::Standing.into());
    }
    let mut then = before.then(after, version, announced, log.commitments);
    if let Some((outcome, at)) = counted(&then, events) {
        let gained = ratings::settle(conn, &then.summary, outcome.winner, at).map_err(lost_race)?;
        then.summary.rating_changes = gained.map(Some);
    }
    if before.summary.status != Status::Finished && then.summary.status == Status::Finished {
        facts::write(conn, &then)?;
    }
    Ok(then)
}

/// The result, and when it was decided, if these events end a game that counts: one that is rated, in
/// which both sides have moved. (A flag can fall to the first move of all.)
fn counted(after: &StoredGame, events: &[Event]) -> Option<(Outcome, Timestamp)> {
    let summary = &after.summary;
    let counts = summary.rated && summary.status == Status::Finished && summary.ply >= 2;
    let ended = events.iter().find_map(|event| match *event {
        Event::Ended { outcome, at } => Some((outcome, at)),
        _ => None,
    });
    ended.filter(|_| counts)
}

/// Adds what happened by the clock, or was decided of a whole account, to the log of a game as
/// [`append`] does.
///
/// # Errors
/// As [`append`]; [`Corrupt`](StorageError::Corrupt) when an event cannot follow.
pub fn append_events(
    conn: &mut Connection,
    before: &StoredGame,
    events: &[Event],
) -> Result<StoredGame, StorageError> {
    let mut after = before.game.clone();
    for event in events {
        after.apply(event)?;
    }
    append(conn, before, after, events, None)
}

/// An entry that is there already was written by somebody who was faster.
pub(super) fn lost_race(error: StorageError) -> StorageError {
    match error {
        StorageError::Duplicate(Unique::LogEntry) => StorageError::Conflict,
        error => error,
    }
}

/// What each event announces, if it announces something. An army that replaces an earlier one is not
/// announced: that its owner thought again is his secret.
fn announced_by(before: &StoredGame, events: &[Event]) -> Vec<Option<(GameEventKind, Timestamp)>> {
    let mut ply = before.game.ply();
    let mut placed = before.summary.setup_placed;
    let (turn, deadline) = (before.game.turn(), before.game.deadline());
    let kind = |event: &Event| {
        Some(match *event {
            Event::SetupPlaced { by, at, .. } => {
                let again = std::mem::replace(&mut placed[by], true);
                return (!again).then_some((GameEventKind::SetupPlaced(by), at));
            }
            Event::Started { at } => (GameEventKind::Started, at),
            Event::Moved { at, .. } => {
                ply += 1;
                (GameEventKind::Move { ply: ply - 1 }, at)
            }
            Event::OfferMade { offer, at } => (GameEventKind::Offer(offer.by, offer.id), at),
            Event::OfferClosed { id, at, .. } => (GameEventKind::OfferClosed(id), at),
            Event::Paused { by, at } => (GameEventKind::Paused(by), at),
            Event::Resumed { by, at } => (GameEventKind::Resumed(by), at),
            Event::Left { by, until, at } => (GameEventKind::Left(by, until), at),
            Event::Returned { by, at } => (GameEventKind::Returned(by), at),
            Event::Warned { at } => (GameEventKind::Near(turn, deadline?), at),
            // Whoever looks sees the deadline as it is now.
            Event::Credited { .. } => return None,
            Event::Ended { at, .. } => (GameEventKind::Finished, at),
        })
    };
    events.iter().map(kind).collect()
}

fn advance(
    conn: &mut Connection,
    before: &StoredGame,
    to: &StandingRow,
) -> Result<(), StorageError> {
    let advance = Advance {
        game: before.summary.id,
        guard: &Guard::of(before)?,
        to,
    };
    exactly_one(advance.run(conn)?)
}

pub(super) fn move_to_store(
    ply: u32,
    seq: u64,
    mv: Move,
    rescue: Option<Rescue>,
    at: Timestamp,
) -> Result<MoveToStore, StorageError> {
    Ok(MoveToStore {
        ply: stored_ply(ply)?,
        seq: number::stored(seq)?,
        from_square: i16::from(mv.from.index()),
        to_square: i16::from(mv.to.index()),
        rescue_rank: rescue.map(|rescue| rescue.rank.to_char().to_string()),
        rescue_square: rescue.map(|rescue| i16::from(rescue.square.index())),
        played_at: micros(at),
    })
}

/// Where the log of a game stands while entries are added.
struct Log<'a> {
    game: GameId,
    seq: u64,
    ply: u32,
    placed: ByColor<bool>,
    announced: Announced,
    commitments: ByColor<Option<Commitment>>,
    salts: Option<&'a Salts>,
}

impl Log<'_> {
    fn add(
        &mut self,
        conn: &mut Connection,
        event: &Event,
        announces: Option<(GameEventKind, Timestamp)>,
    ) -> Result<(), StorageError> {
        match *event {
            Event::SetupPlaced { by, setup, at } => self.place(conn, by, setup, at)?,
            Event::Moved { mv, rescue, at } => self.play(conn, mv, rescue, at)?,
            Event::OfferMade { offer, at } => self.offer(conn, offer, at)?,
            Event::OfferClosed { id, closing, at } => self.close(conn, id.into(), closing, at)?,
            Event::Paused { .. }
            | Event::Resumed { .. }
            | Event::Left { .. }
            | Event::Returned { .. }
            | Event::Credited { .. }
            | Event::Warned { .. } => ClockRow::write(conn, self.game, self.seq, event)?,
            // The row of the game says it.
            Event::Started { .. } | Event::Ended { .. } => {}
        }
        if let Some((kind, at)) = announces {
            let event = self.announced.next(kind, at);
            if let Some(row) = EventRow::new(self.game, &event)? {
                diesel::insert_into(events::table)
                    .values(row)
                    .execute(conn)?;
            }
        }
        self.seq += 1;
        Ok(())
    }

    /// An army that replaces an earlier one keeps its first time.
    fn place(
        &mut self,
        conn: &mut Connection,
        by: Color,
        setup: Setup,
        at: Timestamp,
    ) -> Result<(), StorageError> {
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
            return exactly_one(rows);
        }
        diesel::insert_into(setups::table)
            .values((
                setups::game_id.eq(self.game),
                setups::color.eq(by.name()),
                setups::seq.eq(number::stored(self.seq)?),
                setups::placed_at.eq(micros(at)),
                army,
            ))
            .execute(conn)?;
        self.placed[by] = true;
        Ok(())
    }

    fn play(
        &mut self,
        conn: &mut Connection,
        mv: Move,
        rescue: Option<Rescue>,
        at: Timestamp,
    ) -> Result<(), StorageError> {
        let row = move_to_store(self.ply, self.seq, mv, rescue, at)?;
        let write = WriteMove {
            game: self.game,
            row: &row,
        };
        write.run(conn)?;
        self.ply += 1;
        Ok(())
    }

    fn offer(
        &self,
        conn: &mut Connection,
        offer: Offer,
        at: Timestamp,
    ) -> Result<(), StorageError> {
        diesel::insert_into(offers::table)
            .values((
                offers::game_id.eq(self.game),
                offers::id.eq(StoredOfferId::from(offer.id)),
                offers::kind.eq(offer.kind.name()),
                offers::color.eq(offer.by.name()),
                offers::made_seq.eq(number::stored(self.seq)?),
                offers::made_at.eq(micros(at)),
            ))
            .execute(conn)?;
        Ok(())
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
                offers::closed_seq.eq(Some(number::stored(self.seq)?)),
                offers::closed_at.eq(Some(micros(at))),
            ))
            .execute(conn)?;
        exactly_one(rows)
    }
}
