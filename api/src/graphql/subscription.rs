use actix_web::web;
use async_graphql::futures_util::stream::{Stream, unfold};
use async_graphql::{Context, ID, Result, SimpleObject, Subscription};
use storage::GameId;
use uuid::Uuid;

use super::context::{RequestContext, Viewer};
use super::game::GameNode;
use super::moves::Move;
use crate::events::{Channel, Follower, Frame, LastEvent, Listener};
use crate::problem::ApiError;
use crate::state::AppState;
use crate::usecase::games::find;

/// What happens, as it happens.
pub(super) struct SubscriptionRoot;

/// What a subscription follows with.
pub(super) struct Following {
    pub(super) state: web::Data<AppState>,
    /// Who follows.
    pub(super) listener: Listener,
}

/// Something that happened in a game, as the caller may see it.
#[derive(SimpleObject)]
pub(super) struct GameEvent {
    /// Counts 1, 2, 3, … as the caller sees it, and as the event streams of REST count.
    id: ID,
    /// As in the event streams of REST: `game.move`, say.
    kind: &'static str,
    /// Of a move: the number of moves before it.
    ply: Option<u32>,
    /// The move.
    r#move: Option<Move>,
    /// The game as it is now.
    game: GameNode,
}

#[Subscription(name = "Subscription")]
impl SubscriptionRoot {
    /// What happens in a game: after the event `after`, or from now on. It ends with an error when that
    /// event is not there, or no longer; read the game anew then.
    async fn game_events(
        &self,
        context: &Context<'_>,
        id: Uuid,
        after: Option<String>,
    ) -> Result<impl Stream<Item = Result<GameEvent>>> {
        let viewer = RequestContext::of(context)?.viewer;
        let following = context.data::<Following>()?;
        let (state, id) = (following.state.clone(), GameId::from_uuid(id));
        let side = look(&state, id, viewer).await?.side;
        let channel = Channel::Game { id, side };
        let after = after.as_deref().map(LastEvent::parse);
        let follower = Follower::begin(&state, channel, after, following.listener).await?;
        let feed = Feed {
            state,
            id,
            viewer,
            follower: Some(follower),
            ready: Vec::new(),
        };
        Ok(unfold(feed, |mut feed| async move {
            let event = feed.next().await?;
            Some((event, feed))
        }))
    }
}

/// The events of a game as they come.
struct Feed {
    state: web::Data<AppState>,
    id: GameId,
    viewer: Viewer,
    /// `None` once nothing more comes.
    follower: Option<Follower>,
    /// What came and was not given out yet, the last first.
    ready: Vec<(u64, std::sync::Arc<Frame>)>,
}

impl Feed {
    async fn next(&mut self) -> Option<Result<GameEvent>> {
        loop {
            if let Some((number, frame)) = self.ready.pop() {
                let event = self.event(number, &frame).await;
                if event.is_err() {
                    // What comes after an event that is lost must not look as if nothing was.
                    self.follower = None;
                    self.ready.clear();
                }
                return Some(event);
            }
            let follower = self.follower.as_mut()?;
            if follower.resync.is_some() {
                self.follower = None;
                let gone =
                    "resync: the event `after` is not there, or no longer; read the game anew";
                return Some(Err(gone.into()));
            }
            match follower.next().await {
                Ok(frames) => {
                    let channel = follower.channel;
                    let seen = frames.into_iter().flatten().filter_map(|frame| {
                        let number = frame.seen_by(channel)?.number;
                        Some((number, frame))
                    });
                    self.ready.extend(seen);
                    self.ready.reverse();
                }
                Err(closing) => {
                    self.follower = None;
                    return Some(Err(format!("closing: {}", closing.name()).into()));
                }
            }
        }
    }

    async fn event(&self, number: u64, frame: &Frame) -> Result<GameEvent> {
        let seen = look(&self.state, self.id, self.viewer).await?;
        let view = seen.stored.game.view_for(seen.side);
        let made = frame.ply.and_then(|ply| view.move_at(ply));
        let game = GameNode::visible(seen.stored.summary.clone(), self.viewer);
        Ok(GameEvent {
            id: number.to_string().into(),
            kind: frame.kind.name(),
            ply: frame.ply,
            r#move: made.map(Into::into),
            game: game.ok_or_else(|| ApiError::not_found("game"))?,
        })
    }
}

/// The game, if the viewer may know of it.
async fn look(
    state: &web::Data<AppState>,
    id: GameId,
    viewer: Viewer,
) -> std::result::Result<crate::usecase::games::Seen, ApiError> {
    let work = state.clone();
    let look =
        move |connection: &mut storage::Connection| find(connection, &work.games, id, viewer.0);
    state.read(look).await
}
