//! Conditional moves: kept for their owner, and played when they come up.

use std::sync::Arc;

use domain::{Color, Event, Game, Lines, Timestamp};
use storage::games::{self, StoredGame, StoredLines};
use storage::{Connection, GameId, PlayerId, StorageError};

use super::act::{ATTEMPTS, append, applied, instant};
use super::cache::GameCache;
use super::find::find_for_player;
use crate::events::Topic;
use crate::problem::{ApiError, RETRY_SOON};
use crate::state::AppState;

/// A game with its lines, and the side that asks.
pub struct Prepared {
    /// The game.
    pub stored: Arc<StoredGame>,
    /// The caller's side.
    pub side: Color,
}

impl Prepared {
    /// The caller's lines, whatever became of them; none once the game is over.
    pub fn lines(&self) -> Option<&Lines> {
        let is_over = self.stored.game.status().is_over();
        let lines = self.stored.lines.as_ref().filter(|_| !is_over)?;
        lines.of[self.side].as_deref()
    }
}

/// A game and the caller's lines in it.
///
/// # Errors
/// 404, 403, 401 as for all that only its players may do.
pub fn prepared(
    connection: &mut Connection,
    cache: &GameCache,
    id: GameId,
    player: PlayerId,
) -> Result<Prepared, ApiError> {
    let (stored, side) = find_for_player(connection, cache, id, player)?;
    let stored = with_lines(connection, stored)?;
    Ok(Prepared { stored, side })
}

/// A game with the lines of both sides as they are now, for whoever makes a move in it. Asked for in one
/// way, be there any or none.
pub(super) fn with_lines(
    connection: &mut Connection,
    stored: Arc<StoredGame>,
) -> Result<Arc<StoredGame>, StorageError> {
    let lines = games::lines(connection, stored.summary.id)?;
    let mut stored = Arc::unwrap_or_clone(stored);
    stored.lines = Some(lines);
    Ok(Arc::new(stored))
}

/// Goes on with the replies that the players have prepared, each in turn, as long as there is one: after
/// a move was decided, at the same instant. Lines that do not match, and replies that the rules do not
/// allow, are passed over here in the same way as none.
pub(super) fn play_replies(
    lines: Option<&StoredLines>,
    events: &mut Vec<Event>,
    after: &mut Game,
    now: Timestamp,
) -> Result<(), StorageError> {
    let is_move = matches!(events.first(), Some(Event::Moved { .. }));
    let Some(lines) = lines.filter(|_| is_move) else {
        return Ok(());
    };
    // Each reply takes its owner one step down a tree of a bounded depth.
    while let Some(turn) = after.turn()
        && let Some(prepared) = &lines.of[turn]
        && let Some(reply) = prepared.reply(after, now)
    {
        for event in &reply {
            after.apply(event)?;
        }
        events.extend(reply);
    }
    Ok(())
}

/// What came of it, and whom it concerns that time had run out.
struct Kept {
    outcome: Result<Prepared, ApiError>,
    expired: Option<[Topic; 3]>,
}

/// Puts what `decide` says in the place of a player's lines. Nobody else is told anything.
///
/// # Errors
/// 404 and 403 before `decide` is asked; what it refuses.
pub async fn keep_lines(
    state: &Arc<AppState>,
    id: GameId,
    player: PlayerId,
    decide: impl Fn(&StoredGame, Color) -> Result<Option<Lines>, ApiError> + Send + 'static,
) -> Result<Prepared, ApiError> {
    let (at, after) = (Arc::clone(state), Arc::clone(state));
    let keep =
        move |connection: &mut Connection| decide_and_keep(connection, &at, id, player, &decide);
    let told = move |kept: &Kept| {
        if let Some(topics) = &kept.expired {
            after.announce(topics);
        }
        if let Ok(prepared) = &kept.outcome {
            after.games.keep(&prepared.stored);
        }
    };
    state.guarded(keep, told).await?.outcome
}

fn decide_and_keep(
    connection: &mut Connection,
    state: &AppState,
    id: GameId,
    player: PlayerId,
    decide: &impl Fn(&StoredGame, Color) -> Result<Option<Lines>, ApiError>,
) -> Result<Kept, ApiError> {
    let mut expired = None;
    for _ in 0..ATTEMPTS {
        let Prepared { stored, side } = prepared(connection, &state.games, id, player)?;
        if let Some(events) = stored.game.expire(instant(&*state.clock)) {
            if state.heart.may_have_missed_an_outage() {
                let detail = "the server is finding out how long it was away; try again";
                return Err(ApiError::unavailable(detail, RETRY_SOON));
            }
            let over = applied(&stored, &events)?;
            append(connection, &stored, over, &events, None)?;
            expired = Some(Topic::of_game(&stored.summary));
            continue;
        }
        let lines = match decide(&stored, side) {
            Ok(lines) => lines.map(Arc::new),
            // That time had run out is kept though the request is refused for it.
            Err(refusal) if expired.is_some() => {
                let outcome = Err(refusal);
                return Ok(Kept { outcome, expired });
            }
            Err(refusal) => return Err(refusal),
        };
        let had = stored.lines.as_ref().map(|had| had.of[side].is_some());
        if lines.is_none() && had == Some(false) {
            let outcome = Ok(Prepared { stored, side });
            return Ok(Kept { outcome, expired });
        }
        let stored = connection
            .atomically(|connection| games::store_lines(connection, &stored, side, lines.clone()));
        let stored = match stored {
            Err(StorageError::Conflict) => continue,
            stored => Arc::new(stored?),
        };
        let outcome = Ok(Prepared { stored, side });
        return Ok(Kept { outcome, expired });
    }
    Err(ApiError::unavailable(
        "the game changes too fast; try again",
        RETRY_SOON,
    ))
}
