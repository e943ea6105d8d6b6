//! The log of a recorded game as bytes: both armies as texts, which instants are known, and the moves,
//! each by its squares, a rescue behind it, and its instant as the span since the one before.

use std::collections::HashMap;

use diesel::prelude::*;
use domain::{
    ByColor, Game, Instants, Move, Rank, Record, RecordEnd, Rescue, Ruleset, Setup, Square,
    Timestamp,
};
use integer_encoding::VarInt;

use crate::either::DatabaseConnection as Connection;
use crate::error::{Corruption, StorageError};
use crate::games::GameSummary;
use crate::ids::GameId;
use crate::schema::recorded_games;
use crate::time::{instant, micros};

/// How many characters an army has.
const ARMY: usize = 40;
/// Set in the first square of a move with a rescue behind it.
const RESCUES: u8 = 0x80;
/// Set where the instants of the moves are known.
const IS_TIMED: u8 = 1;
/// Set where the instant of the end is not known: that in the row of the game stands for it.
const ENDS_UNKNOWN: u8 = 2;

/// A log as it is kept.
pub(in crate::games) struct RecordedLog(Vec<u8>);

/// The logs of those games that were played elsewhere.
///
/// # Errors
/// None of its own.
pub(in crate::games) fn load_logs(
    conn: &mut Connection,
    ids: &[GameId],
) -> Result<HashMap<GameId, RecordedLog>, StorageError> {
    let rows: Vec<(GameId, Vec<u8>)> = recorded_games::table
        .filter(recorded_games::game_id.eq_any(ids))
        .select((recorded_games::game_id, recorded_games::log))
        .load(conn)?;
    let logs = rows.into_iter().map(|(id, log)| (id, RecordedLog(log)));
    Ok(logs.collect())
}

/// Writes a log; `times` are the instants of the moves, where they were recorded, and `ends_known` says
/// whether that of the end was.
pub(super) fn encode(record: &Record, times: Option<&[Timestamp]>, ends_known: bool) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(2 * ARMY + 1 + 2 * record.moves.len());
    for setup in [record.setups.red, record.setups.blue] {
        bytes.extend_from_slice(setup.to_string().as_bytes());
    }
    let of_moves = if times.is_some() { IS_TIMED } else { 0 };
    bytes.push(of_moves | if ends_known { 0 } else { ENDS_UNKNOWN });
    let mut times = times.into_iter().flatten();
    let mut last = 0;
    for (mv, rescue) in &record.moves {
        let flag = if rescue.is_some() { RESCUES } else { 0 };
        bytes.extend([mv.from.index() | flag, mv.to.index()]);
        if let Some(rescue) = rescue {
            bytes.extend([rescue.rank as u8, rescue.square.index()]);
        }
        if let Some(at) = times.next() {
            bytes.extend((micros(*at) - last).encode_var_vec());
            last = micros(*at);
        }
    }
    bytes
}

impl RecordedLog {
    /// The game that it tells; the rest is in the row of the game.
    ///
    /// # Errors
    /// [`Corrupt`](StorageError::Corrupt).
    pub(in crate::games) fn replay(&self, summary: &GameSummary) -> Result<Game, StorageError> {
        let corrupt = || StorageError::from(Corruption::Value { column: "log" });
        let (Some(outcome), Some(finished)) = (summary.outcome, summary.finished_at) else {
            return Err(corrupt());
        };
        let ruleset = summary.terms.ruleset;
        let Decoded {
            setups,
            moves,
            times,
            ends_known,
        } = decode(&self.0, ruleset).ok_or_else(corrupt)?;
        let record = Record {
            ruleset,
            options: summary.terms.options,
            setups,
            moves,
            end: RecordEnd::Outcome(outcome),
        };
        let instants = Instants {
            started: summary.started_at,
            moves: times.as_deref().unwrap_or_default(),
            finished: ends_known.then_some(finished),
            otherwise: finished,
        };
        record.replay_timed(instants).map_err(|_| corrupt())
    }
}

/// What is in a log.
struct Decoded {
    setups: ByColor<Setup>,
    moves: Vec<(Move, Option<Rescue>)>,
    times: Option<Vec<Timestamp>>,
    ends_known: bool,
}

fn decode(bytes: &[u8], ruleset: Ruleset) -> Option<Decoded> {
    let (red, rest) = bytes.split_at_checked(ARMY)?;
    let (blue, rest) = rest.split_at_checked(ARMY)?;
    let army = |bytes| Setup::parse(ruleset, std::str::from_utf8(bytes).ok()?).ok();
    let setups = ByColor {
        red: army(red)?,
        blue: army(blue)?,
    };
    let (marker, mut rest) = rest.split_first()?;
    let mut times = (marker & IS_TIMED != 0).then(Vec::new);
    let mut moves = Vec::with_capacity(rest.len() / 2);
    let mut last = 0;
    while !rest.is_empty() {
        let from = pull(&mut rest)?;
        let mv = Move {
            from: Square::new(from & !RESCUES)?,
            to: Square::new(pull(&mut rest)?)?,
        };
        let rescue = if from & RESCUES == 0 {
            None
        } else {
            Some(Rescue {
                rank: Rank::ALL.get(usize::from(pull(&mut rest)?)).copied()?,
                square: Square::new(pull(&mut rest)?)?,
            })
        };
        moves.push((mv, rescue));
        if let Some(times) = &mut times {
            let (span, length) = i64::decode_var(rest)?;
            rest = rest.get(length..)?;
            last += span;
            times.push(instant(last));
        }
    }
    Some(Decoded {
        setups,
        moves,
        times,
        ends_known: marker & ENDS_UNKNOWN == 0,
    })
}

fn pull(bytes: &mut &[u8]) -> Option<u8> {
    let (first, rest) = bytes.split_first()?;
    *bytes = rest;
    Some(*first)
}
