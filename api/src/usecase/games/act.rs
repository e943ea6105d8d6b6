use std::sync::Arc;

use domain::{Color, Command, Event, Game, Status, Timestamp};
use storage::games::{self, GameCursor, GameFilter, GameOrder, GameSummary, Step, StoredGame};
use storage::{Connection, GameId, PageRequest, PlayerId, StorageError, Unique};
use uuid::Uuid;

use super::find::find_for_player;
use super::lines::{play_replies, with_lines};
use super::refusal::refused;
use super::salts::draw_salts;
use crate::clock::Clock;
use crate::events::Topic;
use crate::problem::{ApiError, Code, RETRY_SOON};
use crate::state::AppState;
use crate::usecase::once::Keyed;

/// How often a decision is taken anew because somebody else was faster. Each time somebody did
/// change the game, so a few suffice.
pub(super) const ATTEMPTS: usize = 32;

/// A game after what a player did in it.
pub struct Acted {
    /// The game as it is now.
    pub stored: Arc<StoredGame>,
    /// The side that acted.
    pub side: Color,
    /// What happened; nothing when it had been done before.
    pub events: Vec<Event>,
}

/// What a request with a key makes.
#[derive(Debug, Clone)]
pub struct Made {
    /// The key.
    pub keyed: Keyed,
    /// The identity of what it makes.
    pub id: Uuid,
}

/// The present instant, as the domain takes it.
pub fn instant(clock: &dyn Clock) -> Timestamp {
    Timestamp::from_micros(clock.now().timestamp_micros())
}

/// Does something in a game: loads it, decides in the domain, appends with a guard, and decides
/// anew when somebody else was faster. With `made` the same write remembers what is made.
///
/// `decide` says what the player asks, once it is known that he plays this game; it may refuse.
/// A deadline that has passed is decided first, as a change of its own.
///
/// # Errors
/// 404 and 403 before `decide` is asked; what `decide` refuses; what the rules refuse; 409
/// `idempotency_in_progress` when the same request was faster.
pub async fn act(
    state: &Arc<AppState>,
    id: GameId,
    player: PlayerId,
    made: Option<Made>,
    decide: impl Fn(&StoredGame, Color) -> Result<Command, ApiError> + Send + 'static,
) -> Result<Acted, ApiError> {
    if made.is_none()
        && let Some(acted) = move_with_others(state, id, player, &decide).await?
    {
        return Ok(acted);
    }
    let (at, after) = (Arc::clone(state), Arc::clone(state));
    let act = move |connection: &mut Connection| {
        decide_and_append(connection, &at, id, player, made.as_ref(), &decide)
    };
    // Wherever the caller is by then: what is committed is told.
    let told = move |decided: &Decided| {
        if let Some(topics) = &decided.expired {
            after.announce(topics);
        }
        if let Ok(acted) = &decided.outcome
            && !acted.events.is_empty()
        {
            after.games.keep(&acted.stored);
            after.announce(&Topic::of_game(&acted.stored.summary));
        }
    };
    state.guarded(act, told).await?.outcome
}

/// Makes a move together with others that come at once, where that is the faster way; `None` when it is
/// not, when the game is not at hand or is not as it was, and when anything but a move is asked for.
async fn move_with_others(
    state: &Arc<AppState>,
    id: GameId,
    player: PlayerId,
    decide: &impl Fn(&StoredGame, Color) -> Result<Command, ApiError>,
) -> Result<Option<Acted>, ApiError> {
    if !state.db.makes_moves_together() {
        return Ok(None);
    }
    let Some(stored) = state.games.ready(id) else {
        return Ok(None);
    };
    let Some(side) = stored.side_of(player) else {
        return Ok(None);
    };
    // A refusal is said of the game as it is, not as it was.
    let Ok(Some((events, game))) = events_of(state, &stored, side, decide) else {
        return Ok(None);
    };
    let Ok(step) = Step::new(&stored, game, &events)? else {
        return Ok(None);
    };
    let after = Arc::clone(state);
    let told = move |stored: &Arc<StoredGame>| {
        after.games.keep(stored);
        after.announce(&Topic::of_game(&stored.summary));
    };
    match state.make_move(step, told).await {
        Ok(stored) => Ok(Some(Acted {
            stored,
            side,
            events,
        })),
        Err(StorageError::Conflict) => Ok(None),
        Err(fault) => Err(fault.into()),
    }
}

/// What was decided, and is to be kept.
struct Decided {
    /// What came of the command. It may be refused because time had run out: that is kept all the same.
    outcome: Result<Acted, ApiError>,
    /// Whom it concerns that time had run out.
    expired: Option<[Topic; 3]>,
}

fn decide_and_append(
    connection: &mut Connection,
    state: &AppState,
    id: GameId,
    player: PlayerId,
    made: Option<&Made>,
    decide: &impl Fn(&StoredGame, Color) -> Result<Command, ApiError>,
) -> Result<Decided, ApiError> {
    // What is at hand will do when it changes: the guard of the write sees whether it is as it was.
    // A refusal, or that there is nothing to do, is said of the game as it is.
    if let Some(stored) = state.games.ready(id)
        && let Some(side) = stored.side_of(player)
    {
        match decide_on(connection, state, &stored, side, made, decide) {
            Ok(Some(acted)) if !acted.events.is_empty() => {
                return Ok(Decided {
                    outcome: Ok(acted),
                    expired: None,
                });
            }
            Err(fault) if fault.code().status().is_server_error() => return Err(fault),
            _ => {}
        }
    }
    let mut expired = None;
    for _ in 0..ATTEMPTS {
        let (stored, side) = find_for_player(connection, &state.games, id, player)?;
        let stored = with_lines(connection, stored)?;
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
        let decided = decide_on(connection, state, &stored, side, made, decide);
        let outcome = match decided {
            Ok(None) => continue,
            Ok(Some(acted)) => Ok(acted),
            Err(refusal) if expired.is_some() => Err(refusal),
            Err(fault) => return Err(fault),
        };
        return Ok(Decided { outcome, expired });
    }
    Err(ApiError::unavailable(
        "the game changes too fast; try again",
        RETRY_SOON,
    ))
}

/// Decides what comes of a command in a game as it is here, and keeps it; `None` when somebody else has
/// changed the game, or time has run out.
fn decide_on(
    connection: &mut Connection,
    state: &AppState,
    stored: &Arc<StoredGame>,
    side: Color,
    made: Option<&Made>,
    decide: &impl Fn(&StoredGame, Color) -> Result<Command, ApiError>,
) -> Result<Option<Acted>, ApiError> {
    let Some((events, game)) = events_of(state, stored, side, decide)? else {
        return Ok(None);
    };
    let stored = if events.is_empty() {
        Some(Arc::clone(stored))
    } else {
        append(connection, stored, game, &events, made)?.map(Arc::new)
    };
    Ok(stored.map(|stored| Acted {
        stored,
        side,
        events,
    }))
}

/// What comes of a command in a game as it is here, the replies included that were prepared for it, and
/// the game then; `None` when time has run out.
fn events_of(
    state: &AppState,
    stored: &StoredGame,
    side: Color,
    decide: &impl Fn(&StoredGame, Color) -> Result<Command, ApiError>,
) -> Result<Option<(Vec<Event>, Game)>, ApiError> {
    let now = instant(&*state.clock);
    if stored.game.expire(now).is_some() {
        return Ok(None);
    }
    let command = decide(stored, side)?;
    let events = stored.game.play(side, &command, now);
    let mut events = events.map_err(|fault| refused(fault, &command))?;
    let mut after = applied(stored, &events)?;
    play_replies(stored.lines.as_ref(), &mut events, &mut after, now)?;
    Ok(Some((events, after)))
}

/// A game with these events in it.
pub(super) fn applied(stored: &StoredGame, events: &[Event]) -> Result<Game, StorageError> {
    let mut after = stored.game.clone();
    for event in events {
        after.apply(event)?;
    }
    Ok(after)
}

/// The game as it is `after` the events, once they are kept; `None` when somebody else was faster.
pub(super) fn append(
    connection: &mut Connection,
    stored: &StoredGame,
    after: Game,
    events: &[Event],
    made: Option<&Made>,
) -> Result<Option<StoredGame>, ApiError> {
    let salts = draw_salts(events)?;
    let appended = match (events, made) {
        ([Event::Moved { .. }], None) => {
            games::append(connection, stored, after, events, salts.as_ref())
        }
        _ => connection.atomically(|connection| {
            let stored = games::append(connection, stored, after, events, salts.as_ref())?;
            if let Some(made) = made {
                made.keyed.remember(connection, made.id)?;
            }
            Ok(stored)
        }),
    };
    match appended {
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
pub async fn resign_all(state: &Arc<AppState>, player: PlayerId) -> Result<(), ApiError> {
    loop {
        let unfinished = move |connection: &mut Connection| Ok(unfinished(connection, player)?);
        let games = state.read(unfinished).await?;
        if games.is_empty() {
            return Ok(());
        }
        for game in games {
            let resign = |stored: &StoredGame, _| {
                let begun = stored.game.turn().is_some();
                Ok(if begun {
                    Command::Resign
                } else {
                    Command::Abort
                })
            };
            match act(state, game.id, player, None, resign).await {
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
