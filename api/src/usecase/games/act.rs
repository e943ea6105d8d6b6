use domain::{Color, Command, Event, Status, Timestamp};
use storage::games::{self, GameCursor, GameFilter, GameOrder, GameSummary, StoredGame};
use storage::{Connection, Database, GameId, PageRequest, PlayerId, StorageError, Unique};
use uuid::Uuid;

use super::find::find_for_player;
use super::refusal::refused;
use super::salts::draw_salts;
use crate::clock::Clock;
use crate::problem::{ApiError, Code, RETRY_SOON};
use crate::usecase::once::Keyed;

/// How often a decision is taken anew because somebody else was faster. Each time somebody did
/// change the game, so a few suffice.
const ATTEMPTS: usize = 32;

/// A game after what a player did in it.
pub struct Acted {
    /// The game as it is now.
    pub stored: StoredGame,
    /// The side that acted.
    pub side: Color,
    /// What happened; nothing when it had been done before.
    pub events: Vec<Event>,
}

/// The present instant, as the domain takes it.
pub fn instant(clock: &dyn Clock) -> Timestamp {
    Timestamp::from_micros(clock.now().timestamp_micros())
}

/// Does something in a game: loads it, decides in the domain, appends with a guard, and decides
/// anew when somebody else was faster.
///
/// `decide` says what the player asks, once it is known that he plays this game; it may refuse.
/// A deadline that has passed is decided first, as a change of its own.
///
/// # Errors
/// 404 and 403 before `decide` is asked; what `decide` refuses; what the rules refuse.
pub fn act(
    db: &Database,
    clock: &dyn Clock,
    id: GameId,
    player: PlayerId,
    decide: impl Fn(&StoredGame, Color) -> Result<Command, ApiError>,
) -> Result<Acted, ApiError> {
    act_once(db, clock, id, player, None, decide)
}

/// As [`act`], and with a key remembers in the same write what is made.
///
/// # Errors
/// As [`act`]; 409 `idempotency_in_progress` when the same request was faster.
pub fn act_once(
    db: &Database,
    clock: &dyn Clock,
    id: GameId,
    player: PlayerId,
    made: Option<(Keyed<'_>, Uuid)>,
    decide: impl Fn(&StoredGame, Color) -> Result<Command, ApiError>,
) -> Result<Acted, ApiError> {
    for _ in 0..ATTEMPTS {
        let (stored, side) = db.read(|connection| find_for_player(connection, id, player))?;
        let now = instant(clock);
        if let Some(events) = stored.game.expire(now) {
            append(db, &stored, &events, None)?;
            continue;
        }
        let command = decide(&stored, side)?;
        let events = stored
            .game
            .play(side, &command, now)
            .map_err(|fault| refused(fault, &command))?;
        if events.is_empty() {
            return Ok(Acted {
                stored,
                side,
                events,
            });
        }
        if let Some(stored) = append(db, &stored, &events, made)? {
            return Ok(Acted {
                stored,
                side,
                events,
            });
        }
    }
    Err(ApiError::unavailable(
        "the game changes too fast; try again",
        RETRY_SOON,
    ))
}

/// The game with the events in it, once they are kept; `None` when somebody else was faster.
fn append(
    db: &Database,
    stored: &StoredGame,
    events: &[Event],
    made: Option<(Keyed<'_>, Uuid)>,
) -> Result<Option<StoredGame>, ApiError> {
    let mut after = stored.game.clone();
    events
        .iter()
        .try_for_each(|event| after.apply(event))
        .map_err(StorageError::from)?;
    let salts = draw_salts(events)?;
    let write = |connection: &mut Connection| {
        let stored = games::append(connection, stored, after.clone(), events, salts.as_ref())?;
        if let Some((keyed, resource_id)) = made {
            keyed.remember(connection, resource_id)?;
        }
        Ok(stored)
    };
    match db.write(write) {
        Ok(stored) => Ok(Some(stored)),
        Err(StorageError::Conflict) => Ok(None),
        Err(StorageError::Duplicate(Unique::IdempotencyKey)) => Err(ApiError::new(
            Code::IdempotencyInProgress,
            "the same request is being answered at this moment; ask again for its result",
        )),
        Err(error) => Err(error.into()),
    }
}

/// Gives up every game that a player has not finished: he leaves. Games that have not begun, or in
/// which a side has not moved, are called off.
///
/// # Errors
/// When the database fails; what was given up by then stays so.
pub fn resign_all(db: &Database, clock: &dyn Clock, player: PlayerId) -> Result<(), ApiError> {
    loop {
        let games = db.read(|connection| unfinished(connection, player))?;
        if games.is_empty() {
            return Ok(());
        }
        for game in games {
            let outcome = act(db, clock, game.id, player, |stored, _| {
                let begun = stored.game.turn().is_some();
                Ok(if begun {
                    Command::Resign
                } else {
                    Command::Abort
                })
            });
            match outcome {
                Err(error) if error.code() != Code::GameOver => return Err(error),
                _ => {}
            }
        }
    }
}

/// Games of a player that have not ended; as many as fit on a page.
///
/// # Errors
/// When the database fails.
pub fn unfinished(
    connection: &mut Connection,
    player: PlayerId,
) -> Result<Vec<GameSummary>, StorageError> {
    let unfinished = GameFilter {
        viewer: Some(player),
        players: Some(vec![player]),
        statuses: Some(vec![Status::Setup, Status::Active]),
        ..GameFilter::default()
    };
    let page = PageRequest::first(PageRequest::<GameCursor>::MAX);
    let order = GameOrder::UpdatedDescending;
    Ok(games::list(connection, &unfinished, order, &page)?.items)
}
