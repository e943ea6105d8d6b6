//! Who tells a receiver at the moment: one node, for as long as its lease lasts.

use diesel::prelude::*;
use domain::Timestamp;

use super::{Standing, StandingRow, Subscription, SubscriptionRow};
use crate::either::DatabaseConnection as Connection;
use crate::error::StorageError;
use crate::ids::{LeaseId, PlayerId, SubscriptionId};
use crate::schema::subscriptions;
use crate::time::micros;

/// A receiver that may have to be told something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Candidate {
    /// Whose.
    pub player_id: PlayerId,
    /// Which.
    pub id: SubscriptionId,
    /// Whether it can be told now.
    pub readiness: Readiness,
    /// Whether it failed last.
    pub fails: bool,
}

/// Whether a receiver can be told now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Readiness {
    /// It can.
    Ready,
    /// Somebody tells it already.
    Busy,
    /// It failed, and is tried again later.
    Resting,
}

/// A receiver that this node alone tells until its lease runs out.
#[derive(Clone)]
pub struct Claimed {
    /// The receiver.
    pub subscription: Subscription,
    /// What says that it is this node's.
    pub lease: LeaseId,
}

type CandidateRow = (PlayerId, SubscriptionId, Option<i64>, Option<LeaseId>, i32);

fn candidate(row: CandidateRow, now: Timestamp) -> Candidate {
    let (player_id, id, due_at, lease, attempts) = row;
    let readiness = match due_at {
        Some(due_at) if due_at > micros(now) && lease.is_some() => Readiness::Busy,
        Some(due_at) if due_at > micros(now) => Readiness::Resting,
        _ => Readiness::Ready,
    };
    Candidate {
        player_id,
        id,
        readiness,
        fails: attempts > 0,
    }
}

/// The receivers of some players that were not given up.
///
/// # Errors
/// None of its own.
pub fn candidates(
    conn: &mut Connection,
    players: &[PlayerId],
    now: Timestamp,
) -> Result<Vec<Candidate>, StorageError> {
    let rows: Vec<CandidateRow> = subscriptions::table
        .filter(subscriptions::player_id.eq_any(players))
        .filter(subscriptions::disabled_at.is_null())
        .select((
            subscriptions::player_id,
            subscriptions::id,
            subscriptions::due_at,
            subscriptions::lease,
            subscriptions::attempts,
        ))
        .load(conn)?;
    Ok(rows.into_iter().map(|row| candidate(row, now)).collect())
}

/// The receivers whose time has come: to try again, or because who told them is gone. At most `limit`,
/// the longest due first; none of the players in `but`, and such as failed last only with `failing`.
///
/// # Errors
/// None of its own.
pub fn due(
    conn: &mut Connection,
    now: Timestamp,
    but: &[PlayerId],
    failing: bool,
    limit: u32,
) -> Result<Vec<Candidate>, StorageError> {
    let rows: Vec<CandidateRow> = subscriptions::table
        .filter(subscriptions::due_at.le(micros(now)))
        .filter(subscriptions::disabled_at.is_null())
        .filter(subscriptions::player_id.ne_all(but))
        .filter(subscriptions::attempts.le(if failing { i32::MAX } else { 0 }))
        .order(subscriptions::due_at)
        .limit(i64::from(limit))
        .select((
            subscriptions::player_id,
            subscriptions::id,
            subscriptions::due_at,
            subscriptions::lease,
            subscriptions::attempts,
        ))
        .load(conn)?;
    Ok(rows.into_iter().map(|row| candidate(row, now)).collect())
}

/// Takes those of some receivers that nobody else has, until the lease runs out.
///
/// # Errors
/// None of its own.
pub fn claim(
    conn: &mut Connection,
    wanted: &[Candidate],
    now: Timestamp,
    until: Timestamp,
    lease: LeaseId,
) -> Result<Vec<Claimed>, StorageError> {
    let players: Vec<PlayerId> = wanted.iter().map(|one| one.player_id).collect();
    let ids: Vec<SubscriptionId> = wanted.iter().map(|one| one.id).collect();
    let free = subscriptions::table
        .filter(subscriptions::player_id.eq_any(&players))
        .filter(subscriptions::id.eq_any(&ids))
        .filter(subscriptions::disabled_at.is_null())
        .filter(
            subscriptions::due_at
                .is_null()
                .or(subscriptions::due_at.le(micros(now))),
        );
    let rows: Vec<SubscriptionRow> = match conn {
        Connection::Sqlite(conn) => free.select(SubscriptionRow::as_select()).load(conn)?,
        Connection::Postgres(conn) => free
            .select(SubscriptionRow::as_select())
            .for_update()
            .skip_locked()
            .load(conn)?,
    };
    if rows.is_empty() {
        return Ok(Vec::new());
    }
    let taken: Vec<SubscriptionId> = rows.iter().map(|row| row.id).collect();
    diesel::update(subscriptions::table)
        .filter(subscriptions::player_id.eq_any(&players))
        .filter(subscriptions::id.eq_any(&taken))
        .set((
            subscriptions::lease.eq(Some(lease)),
            subscriptions::due_at.eq(Some(micros(until))),
        ))
        .execute(conn)?;
    rows.into_iter()
        .map(|row| {
            let subscription = row.try_into()?;
            Ok(Claimed {
                subscription,
                lease,
            })
        })
        .collect()
}

/// Notes how a receiver stands, and keeps it until its `due_at` or gives it back. Says whether it was
/// this node's still: else nothing is changed.
///
/// # Errors
/// None of its own.
pub fn record(
    conn: &mut Connection,
    claimed: &Claimed,
    standing: &Standing,
    keeps: bool,
) -> Result<bool, StorageError> {
    let Subscription { player_id, id, .. } = claimed.subscription;
    let rows = diesel::update(subscriptions::table.find((player_id, id)))
        .filter(subscriptions::lease.eq(claimed.lease))
        .set((
            subscriptions::lease.eq(keeps.then_some(claimed.lease)),
            StandingRow::try_from(standing)?,
        ))
        .execute(conn)?;
    Ok(rows == 1)
}

/// Removes a receiver that is no more, if it is this node's still.
///
/// # Errors
/// None of its own.
pub fn remove(conn: &mut Connection, claimed: &Claimed) -> Result<(), StorageError> {
    let Subscription { player_id, id, .. } = claimed.subscription;
    diesel::delete(subscriptions::table.find((player_id, id)))
        .filter(subscriptions::lease.eq(claimed.lease))
        .execute(conn)?;
    Ok(())
}
