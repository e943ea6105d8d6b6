//! Games: listed, read, set up, played, ended, replayed.

pub mod abort;
pub mod board;
pub mod conditional_moves;
pub mod events;
pub mod export;
pub mod legal_moves;
pub mod list;
pub mod moves;
pub mod notes;
pub mod offers;
pub mod play;
pub mod proofs;
pub mod rematch;
pub mod replay;
pub mod resign;
pub mod resume;
pub mod setup;
pub mod show;
pub mod timeline;
pub mod why;

use std::sync::Arc;

use actix_web::{HttpRequest, HttpResponse, web};
use domain::{Color, Game};
use serde::Deserialize;
use storage::games::StoredGame;
use storage::{Connection, GameId, PlayerId};
use uuid::Uuid;

use crate::auth::{Caller, MaybeCaller};
use crate::http::etag::{Sharing, Tagged};
use crate::pictures::Caption;
use crate::problem::{ApiError, Code};
use crate::state::AppState;
use crate::usecase::games::{Acted, Seen, act, find};

/// The path of a game.
#[derive(Debug, Clone, Copy, Deserialize)]
pub struct GamePath {
    game_id: Uuid,
}

impl GamePath {
    const fn id(self) -> GameId {
        GameId::from_uuid(self.game_id)
    }
}

/// That a game has fewer plies than was thought.
fn no_such_ply(plies: u32, asked: u32) -> ApiError {
    let detail = format!("expected a ply from 0 to {plies}, got {asked}");
    ApiError::new(Code::NotFound, detail)
}

/// That a game has nothing to be replayed.
fn not_begun(game: &Game) -> ApiError {
    let detail = if game.status().is_over() {
        "this game was called off before it began"
    } else {
        "this game has not begun: both armies must be placed first"
    };
    ApiError::new(Code::GameNotActive, detail)
}

/// What its pictures say of a game that no view tells.
fn caption(stored: &StoredGame) -> Caption<'_> {
    let players = stored.summary.players.as_ref();
    Caption {
        game: stored.summary.id.as_uuid(),
        names: players.map(|player| player.username.as_str()),
    }
}

/// Does what a player asks of a game.
async fn act_on(
    state: web::Data<AppState>,
    game: GamePath,
    caller: Caller,
    decide: impl Fn(&StoredGame, Color) -> Result<domain::Command, ApiError> + Send + 'static,
) -> Result<Acted, ApiError> {
    let player = PlayerId::from_uuid(caller.player_id);
    act(&state, game.id(), player, None, decide).await
}

/// Reads a game that the caller may know of and answers with what `read` makes of it, or that the
/// caller has that already.
async fn read_game(
    state: web::Data<AppState>,
    game: GameId,
    caller: MaybeCaller,
    request: HttpRequest,
    read: impl FnOnce(&Seen, Option<PlayerId>) -> Result<Tagged, ApiError> + Send + 'static,
) -> Result<HttpResponse, ApiError> {
    let work = Arc::clone(&state);
    let caller = caller.player_id().map(PlayerId::from_uuid);
    let tagged = state
        .database_work
        .try_run(move || {
            let find = |connection: &mut Connection| find(connection, &work.games, game, caller);
            let seen = work.db.read(find)?;
            work.games.keep(&seen.stored);
            read(&seen, caller)
        })
        .await?;
    Ok(tagged.answer(&request, Sharing::Private))
}
