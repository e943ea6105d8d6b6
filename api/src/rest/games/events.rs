//! The events of a game.

use std::sync::Arc;

use actix_web::{HttpRequest, HttpResponse, get, web};

use super::GamePath;
use crate::auth::MaybeCaller;
use crate::events::{Channel, Follower, stream};
use crate::http::extract::{PathParams, Query};
use crate::problem::{ApiError, Problem};
use crate::rest::events::EventsQuery;
use crate::state::AppState;
use crate::usecase::games::find;
use crate::wire::event::Told;

/// Follow a game
///
/// A stream of Server-Sent Events: `game.setup_placed`, `game.started`, `game.move`, `game.finished`,
/// and for its players `game.offer`, each as the caller may see it. Their `id` counts 1, 2, 3, …; who
/// asks again with the last one as `Last-Event-ID` misses nothing and sees nothing twice, on any node.
/// `resync` says that this event is not there, or no longer (they are kept for 30 days after the end):
/// read the game anew. `closing` says why the stream ends. A line of comment comes every 15 s.
#[utoipa::path(
    tag = "events",
    params(
        ("game_id" = uuid::Uuid, Path, description = "The game."),
        EventsQuery,
        ("Last-Event-ID" = Option<String>, Header, description = "The `id` of the last event that the \
            caller has. Without it the stream begins with what happens next; with 0, at the \
            beginning."),
    ),
    responses(
        (status = 200, description = "The events, as they come.", body = Told,
            content_type = "text/event-stream"),
        (status = 401, description = "A ticket that was used or has run out.", body = Problem,
            content_type = "application/problem+json"),
        (status = 404, description = "There is no such game.", body = Problem,
            content_type = "application/problem+json"),
    ),
    security((), ("bearer" = [])),
)]
#[get("/v1/games/{game_id}/events")]
pub(crate) async fn follow_game(
    state: web::Data<AppState>,
    caller: MaybeCaller,
    path: PathParams<GamePath>,
    query: Query<EventsQuery>,
    request: HttpRequest,
) -> Result<HttpResponse, ApiError> {
    let listener = query.0.listener(&state, caller).await?;
    let (work, id) = (Arc::clone(&state), path.0.id());
    let seen = state.read(move |connection| find(connection, &work.games, id, listener.player));
    let channel = Channel::Game {
        id,
        side: seen.await?.side,
    };
    let after = query.0.last_event(request.headers());
    let follower = Follower::begin(&state, channel, after, listener).await?;
    Ok(stream::answer(follower))
}
