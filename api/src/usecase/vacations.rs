//! Vacations: planned, begun, ended, and told to the games that they stop.

use std::collections::VecDeque;

use domain::{Color, Event, Timestamp, Vacation, VacationError};
use storage::games::{self, StoredGame};
use storage::{Connection, GameId, PlayerId, StorageError, heartbeat, vacations};

use super::accounts::require_active;
use crate::events::Topic;
use crate::heart;
use crate::problem::{ApiError, FieldFault};
use crate::state::AppState;

/// How many games one write tells.
const GAMES: usize = 50;

/// The caller's vacation.
///
/// # Errors
/// 401 for an erased account.
pub fn show(state: &AppState, caller: PlayerId) -> Result<Vacation, ApiError> {
    state.db.read(|connection| {
        require_active(connection, caller)?;
        Ok(vacations::load(connection, caller)?)
    })
}

/// Plans a vacation, or moves the end of the one that runs. One that begins at once has stopped the
/// caller's clocks when this returns.
///
/// # Errors
/// 401 for an erased account, 422 for a vacation that cannot be taken.
pub fn plan(
    state: &AppState,
    caller: PlayerId,
    from: Option<Timestamp>,
    until: Option<Timestamp>,
) -> Result<Vacation, ApiError> {
    settle(state, caller)?;
    let now = state.now();
    state.db.write(|connection| {
        require_active(connection, caller)?;
        let mut vacation = vacations::lock(connection, caller)?;
        let before = vacation.span;
        let from = from.unwrap_or(now);
        let until = until.unwrap_or(from.max(now) + Vacation::MOST);
        vacation.plan(from, until, now).map_err(refused)?;
        if vacation.span == before {
            return Ok(());
        }
        let due = match vacation.span {
            Some((from, _)) if !vacation.active => from,
            _ => now,
        };
        Ok::<_, ApiError>(vacations::save(connection, caller, &vacation, Some(due))?)
    })?;
    settle(state, caller)?;
    show(state, caller)
}

/// Ends the vacation that runs, or gives up the one that is planned.
///
/// # Errors
/// 401 for an erased account.
pub fn end(state: &AppState, caller: PlayerId) -> Result<(), ApiError> {
    settle(state, caller)?;
    let now = state.now();
    state.db.write(|connection| {
        require_active(connection, caller)?;
        let mut vacation = vacations::lock(connection, caller)?;
        let ended = vacation.end(now, now);
        if ended || vacation.cancel() {
            vacations::save(connection, caller, &vacation, ended.then_some(now))?;
        }
        Ok::<_, ApiError>(())
    })?;
    Ok(settle(state, caller)?)
}

/// Does what is due about a player's vacation: begins it, ends it, tells his games. May be begun anew
/// when it was cut off, and done by several at once.
///
/// # Errors
/// When the database fails; what was done by then stays so.
pub fn settle(state: &AppState, player: PlayerId) -> Result<(), StorageError> {
    if state.heart.may_have_missed_an_outage() {
        heart::beat(state)?;
    }
    let now = state.now();
    let turned = state.db.write(|connection| turn(connection, player, now))?;
    let Some(vacation) = turned else {
        return Ok(());
    };
    let mut left: VecDeque<GameId> = state
        .db
        .read(|connection| games::paused_by_vacations(connection, player))?
        .into();
    while !left.is_empty() {
        let some: Vec<GameId> = left.drain(..left.len().min(GAMES)).collect();
        let told = state
            .db
            .write(|connection| tell(connection, player, &vacation, &some))?;
        for stored in told {
            state.announce(&Topic::of_game(&stored.summary));
        }
    }
    state.db.write(|connection| {
        let present = vacations::lock(connection, player)?;
        if present == vacation {
            let end = present.span.filter(|_| present.active);
            let due = end.map(|(_, until)| until);
            vacations::save(connection, player, &present, due)?;
        }
        Ok(())
    })
}

/// Takes a vacation on to where it is by now; `None` when nothing is due.
fn turn(
    connection: &mut Connection,
    player: PlayerId,
    now: Timestamp,
) -> Result<Option<Vacation>, StorageError> {
    if !vacations::is_due(connection, player, now)? {
        return Ok(None);
    }
    let mut vacation = vacations::lock(connection, player)?;
    let begun = vacation.begin(now);
    let over = vacation.span.filter(|(_, until)| *until <= now);
    let ended = match over {
        Some((_, until)) => vacation.end(until, behind_outage(connection, until)?),
        None => false,
    };
    if begun || ended {
        vacations::save(connection, player, &vacation, Some(now))?;
    }
    Ok(Some(vacation))
}

/// While no node ran nobody could play: where the clocks go on from that would have gone on at an instant.
fn behind_outage(
    connection: &mut Connection,
    instant: Timestamp,
) -> Result<Timestamp, StorageError> {
    let outage = heartbeat::last_outage(connection)?;
    let outage = outage.filter(|(from, to)| (*from..*to).contains(&instant));
    Ok(outage.map_or(instant, |(_, to)| to))
}

/// Tells games of a player's vacation; gives those that did not know.
fn tell(
    connection: &mut Connection,
    player: PlayerId,
    vacation: &Vacation,
    ids: &[GameId],
) -> Result<Vec<StoredGame>, StorageError> {
    let mut told = Vec::new();
    // Noted before an outage, and told after it.
    let held_at = behind_outage(connection, vacation.held_at)?;
    for id in ids {
        let stored = games::load_locked(connection, *id)?;
        let Some(side) = stored.side_of(player) else {
            continue;
        };
        if let Some(event) = news(&stored, side, vacation, held_at) {
            told.push(games::append_events(connection, &stored, &[event])?);
        }
    }
    Ok(told)
}

/// What a game does not know yet of a player's vacation.
fn news(
    stored: &StoredGame,
    side: Color,
    vacation: &Vacation,
    held_at: Timestamp,
) -> Option<Event> {
    let game = &stored.game;
    match vacation.span {
        Some((from, until)) if vacation.active => {
            // Time that had run out before stays so.
            let is_lost = game.expire(from).is_some();
            game.leave(side, until, from).filter(|_| !is_lost)
        }
        _ => game.come_back(side, held_at),
    }
}

fn refused(error: VacationError) -> ApiError {
    let (field, code) = match error {
        VacationError::EndsTooEarly => ("until", "too_early"),
        VacationError::TooFarAhead => ("from", "too_far_ahead"),
        VacationError::NothingLeft => ("from", "nothing_left"),
    };
    ApiError::validation(vec![FieldFault {
        field: field.into(),
        code: code.into(),
        detail: error.to_string(),
    }])
}
