//! Games: listed, read, set up, played, ended, replayed.

mod abort;
mod legal_moves;
mod list;
mod moves;
mod offers;
mod play;
mod replay;
mod resign;
mod setup;
mod show;

use std::sync::Arc;

use actix_web::web;
use domain::Color;
use serde::Deserialize;
use storage::games::StoredGame;
use storage::{GameId, PlayerId};
use uuid::Uuid;

pub use abort::abort_game;
pub use legal_moves::list_legal_moves;
pub use list::list_games;
pub use moves::list_moves;
pub use offers::{accept_offer, decline_offer, make_offer};
pub use play::play_move;
pub use replay::replay_game;
pub use resign::resign_game;
pub use setup::place_setup;
pub use show::show_game;

use crate::auth::Caller;
use crate::problem::ApiError;
use crate::state::AppState;
use crate::usecase::games::{Acted, act};

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

/// Does what a player asks of a game, off the async threads.
async fn act_on(
    state: web::Data<AppState>,
    game: GamePath,
    caller: Caller,
    decide: impl Fn(&StoredGame, Color) -> Result<domain::Command, ApiError> + Send + 'static,
) -> Result<Acted, ApiError> {
    let work = Arc::clone(&state);
    let player = PlayerId::from_uuid(caller.player_id);
    state
        .database_work
        .try_run(move || act(&work.db, &*work.clock, game.id(), player, decide))
        .await
}
