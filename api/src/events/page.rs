//! A page of the events of a topic, read from the tables and written for every kind of viewer.

use std::sync::Arc;

use domain::{Color, Pause, PauseKind, Timestamp};
use storage::feeds::{self, FeedSource};
use storage::games::{self, GameEvent, GameEventKind, StoredGame};
use storage::{Connection, GameId, PlayerId, StorageError, Topic, challenges};
use uuid::Uuid;

use super::frame::{Frame, Kind, Written, write};
use crate::problem::ApiError;
use crate::state::AppState;
use crate::wire::challenge::ChallengeResponse;
use crate::wire::event::Told;
use crate::wire::game::{OfferResponse, OfferStatus, OutcomeResponse};

/// How many events are read at once.
const PAGE: u32 = 50;

/// The events of a topic after a position, some of them at once; none when there are no more.
///
/// # Errors
/// When the database fails.
pub fn read(state: &AppState, topic: Topic, after: u64) -> Result<Vec<Arc<Frame>>, ApiError> {
    match topic {
        Topic::Game(id) => state
            .db
            .read(|connection| of_game(connection, state, id, after)),
        Topic::Player(player) => {
            let numbered = state
                .db
                .read(|connection| of_player(connection, state, player, after))?;
            if !numbered.is_empty() {
                return Ok(numbered);
            }
            if state
                .db
                .read(|connection| feeds::has_waiting(connection, player))?
            {
                state
                    .db
                    .write(|connection| number(connection, state, player))?;
            }
            // Where nothing waits, somebody else may have numbered it in between.
            state
                .db
                .read(|connection| of_player(connection, state, player, after))
        }
    }
}

/// Numbers all that waits for a player's stream, with the games that are at hand.
///
/// # Errors
/// When the database fails.
pub(super) fn number(
    connection: &mut Connection,
    state: &AppState,
    player: PlayerId,
) -> Result<u64, StorageError> {
    feeds::number_with(connection, player, |connection, game| {
        state.games.load(connection, game)
    })
}

fn of_game(
    connection: &mut Connection,
    state: &AppState,
    id: GameId,
    after: u64,
) -> Result<Vec<Arc<Frame>>, ApiError> {
    let events = games::events(connection, id, after, PAGE)?;
    if events.is_empty() {
        return Ok(Vec::new());
    }
    let stored = state.games.load(connection, id)?;
    let frame = |event: &GameEvent| {
        let mut written = [None, None, None];
        let viewers = [Some(Color::Red), Some(Color::Blue), None];
        let numbers = [Some(event.number), Some(event.number), event.public_number];
        let mut known = (Kind::GameMove, None);
        for ((side, number), written) in viewers.into_iter().zip(numbers).zip(&mut written) {
            let Some(number) = number else { continue };
            let (kind, ply, told) = tell(connection, &stored, event, side)?;
            known = (kind, ply);
            let text = write(number, kind.name(), &told)?;
            *written = Some(Written { number, text });
        }
        let (kind, ply) = known;
        Ok(Arc::new(Frame::new(
            event.number,
            kind,
            ply,
            event.at,
            written,
        )))
    };
    events.iter().map(frame).collect()
}

/// An event of a game, as the player of a colour or anyone else may see it.
fn tell(
    connection: &mut Connection,
    stored: &StoredGame,
    event: &GameEvent,
    side: Option<Color>,
) -> Result<(Kind, Option<u32>, Told), ApiError> {
    let game_id = stored.summary.id.as_uuid();
    let missing = || ApiError::not_found("move");
    Ok(match event.kind {
        GameEventKind::SetupPlaced(side) => {
            let side = side.into();
            (
                Kind::GameSetupPlaced,
                None,
                Told::SetupPlaced { game_id, side },
            )
        }
        GameEventKind::Started => {
            let started_at = event.at.into();
            (
                Kind::GameStarted,
                None,
                Told::Started {
                    game_id,
                    started_at,
                },
            )
        }
        GameEventKind::Move { ply } => {
            let made = stored
                .game
                .view_for(side)
                .move_at(ply)
                .ok_or_else(missing)?;
            let r#move = Box::new(made.into());
            (Kind::GameMove, Some(ply), Told::Move { game_id, r#move })
        }
        GameEventKind::Offer(_, id) => {
            let (offer, _) = games::offer(connection, stored.summary.id, id)?;
            let offer = OfferResponse::from(offer);
            (Kind::GameOffer, None, Told::Offer { game_id, offer })
        }
        GameEventKind::OfferClosed(id) => {
            let (offer, closing) = games::offer(connection, stored.summary.id, id)?;
            let offer = OfferResponse {
                status: OfferStatus::from(closing),
                ..OfferResponse::from(offer)
            };
            (Kind::GameOffer, None, Told::Offer { game_id, offer })
        }
        GameEventKind::Paused(by) => paused(game_id, PauseKind::Mutual, by, event.at, None),
        GameEventKind::Left(by, until) => {
            paused(game_id, PauseKind::Vacation, by, event.at, Some(until))
        }
        GameEventKind::Resumed(by) => resumed(game_id, PauseKind::Mutual, by),
        GameEventKind::Returned(by) => resumed(game_id, PauseKind::Vacation, by),
        GameEventKind::Near(side, deadline) => {
            let (side, deadline) = (side.map(Into::into), deadline.into());
            let told = Told::Near {
                game_id,
                side,
                deadline,
            };
            (Kind::DeadlineNear, None, told)
        }
        GameEventKind::Finished => {
            let outcome = OutcomeResponse::of(&stored.summary).ok_or_else(missing)?;
            let told = Told::Finished {
                game_id,
                outcome,
                ply: stored.game.ply(),
                finished_at: event.at.into(),
            };
            (Kind::GameFinished, None, told)
        }
    })
}

fn paused(
    game_id: Uuid,
    kind: PauseKind,
    by: Color,
    since: Timestamp,
    until: Option<Timestamp>,
) -> (Kind, Option<u32>, Told) {
    let paused = Pause {
        kind,
        by: Some(by),
        since,
        until,
    };
    let paused = paused.into();
    (Kind::GamePaused, None, Told::Paused { game_id, paused })
}

fn resumed(game_id: Uuid, kind: PauseKind, by: Color) -> (Kind, Option<u32>, Told) {
    let told = Told::Resumed {
        game_id,
        kind: kind.into(),
        by: by.into(),
    };
    (Kind::GameResumed, None, told)
}

fn of_player(
    connection: &mut Connection,
    state: &AppState,
    player: PlayerId,
    after: u64,
) -> Result<Vec<Arc<Frame>>, ApiError> {
    let events = feeds::events(connection, player, after, PAGE)?;
    let mut frames = Vec::with_capacity(events.len());
    for event in events {
        let (kind, ply, told) = match event.source {
            FeedSource::Game { id, number } => {
                let Some(of_game) = games::events(connection, id, number - 1, 1)?.pop() else {
                    // Its game ended long ago, and its events were taken away.
                    continue;
                };
                let stored = state.games.load(connection, id)?;
                tell(connection, &stored, &of_game, stored.side_of(player))?
            }
            FeedSource::ReplyDropped { game, ply } => {
                let game_id = game.as_uuid();
                (
                    Kind::ConditionalDropped,
                    None,
                    Told::ReplyDropped { game_id, ply },
                )
            }
            FeedSource::ChallengeCreated(id) => {
                let told = challenge(connection, id, Some(event.at))?;
                (Kind::ChallengeCreated, None, told)
            }
            FeedSource::ChallengeClosed(id) => (
                Kind::ChallengeClosed,
                None,
                challenge(connection, id, None)?,
            ),
        };
        let text = write(event.number, kind.name(), &told)?;
        let number = event.number;
        let written = [Some(Written { number, text }), None, None];
        frames.push(Arc::new(Frame::new(number, kind, ply, event.at, written)));
    }
    Ok(frames)
}

/// A challenge as it is, or as it was when it was made.
fn challenge(
    connection: &mut Connection,
    id: storage::ChallengeId,
    made: Option<Timestamp>,
) -> Result<Told, ApiError> {
    let mut challenge = challenges::load(connection, id).map_err(|error| match error {
        StorageError::NotFound => ApiError::not_found("challenge"),
        error => error.into(),
    })?;
    if made.is_some() {
        challenge.closed = None;
        challenge.decline_reason = None;
    }
    let now = made.unwrap_or(challenge.created_at);
    let challenge_id: Uuid = id.as_uuid();
    let challenge = Box::new(ChallengeResponse::of(&challenge, now));
    Ok(Told::Challenge {
        challenge_id,
        challenge,
    })
}
