use std::sync::Arc;

use async_graphql::{Context, ID, Object, Result};
use domain::Color;
use storage::games::{self, GameSummary, StoredGame};
use storage::{Direction, Page, PageRequest, PlayerId};
use uuid::Uuid;

use super::connection::{Connection, Edge};
use super::context::{RequestContext, Viewer};
use super::cursor::{Cursor, NodeId, OrderedGameCursor, PlyCursor};
use super::filter::GameFilter;
use super::moves::Move;
use super::names::{GameOrder, GameStatus, Viewpoint};
use super::options::Options;
use super::outcome::Outcome;
use super::page::PageArguments;
use super::replay::Replay;
use super::scalars::DateTime;
use super::seat::Seat;
use crate::problem::ApiError;

/// A game that the caller may know of.
#[derive(Debug)]
pub(super) struct GameNode {
    summary: GameSummary,
    /// The caller's side, if he plays it.
    side: Option<Color>,
}

impl GameNode {
    /// The game, unless it is private and the viewer plays no side of it. There is no other way to
    /// one.
    pub(super) fn visible(summary: GameSummary, viewer: Viewer) -> Option<Self> {
        let side = viewer.side_in(&summary);
        (side.is_some() || !summary.private).then_some(Self { summary, side })
    }

    async fn whole(&self, context: &Context<'_>) -> Result<Arc<StoredGame>> {
        let request = RequestContext::of(context)?;
        Ok(request.whole_game(self.summary.id).await?)
    }
}

/// A game, as the caller may see it.
#[Object(name = "Game")]
impl GameNode {
    /// The identifier for `node`, opaque.
    pub(super) async fn id(&self) -> ID {
        NodeId::Game(self.summary.id).encode().into()
    }

    /// The identifier that REST uses.
    async fn uuid(&self) -> Uuid {
        self.summary.id.as_uuid()
    }

    /// The rule sheet.
    async fn ruleset(&self) -> &'static str {
        self.summary.terms.ruleset.id()
    }

    /// The options it is played with.
    async fn options(&self) -> Options {
        self.summary.terms.options.into()
    }

    /// How far it is.
    async fn status(&self) -> GameStatus {
        self.summary.status.into()
    }

    /// Where it comes from: `play` if it was played here, else the kind of the archive.
    async fn source(&self) -> &str {
        &self.summary.source
    }

    /// Red's side of the table.
    async fn red(&self) -> Seat {
        Seat::of(&self.summary, Color::Red)
    }

    /// Blue's side of the table.
    async fn blue(&self) -> Seat {
        Seat::of(&self.summary, Color::Blue)
    }

    /// The result.
    async fn outcome(&self) -> Option<Outcome> {
        let outcome = self.summary.outcome?;
        Some(Outcome::of(outcome, self.summary.raw_ending))
    }

    /// The number of moves made.
    async fn plies(&self) -> u32 {
        self.summary.ply
    }

    /// When both armies stood.
    async fn started_at(&self) -> Option<DateTime> {
        self.summary.started_at.map(Into::into)
    }

    /// When the result was decided.
    async fn finished_at(&self) -> Option<DateTime> {
        self.summary.finished_at.map(Into::into)
    }

    /// The moves, as the caller may see them who asks for no viewpoint.
    async fn moves(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "How many, at most 100.")] first: Option<i32>,
        #[graphql(desc = "Those after this cursor.")] after: Option<String>,
    ) -> Result<Connection<Move>> {
        let page = PageArguments::forward(first, after).check::<PlyCursor>()?;
        let stored = self.whole(context).await?;
        let start = start_after(&page);
        let mut moves = stored.game.view_for(self.side).moves_from(start);
        let edges: Vec<_> = moves
            .by_ref()
            .take(usize::try_from(page.limit).unwrap_or(usize::MAX))
            .map(|view| Edge::new(&PlyCursor(view.ply), view.into()))
            .collect();
        Ok(Connection::new(edges, moves.next().is_some(), start > 0))
    }

    /// The game over again, as a viewpoint knew it ply by ply. Without a viewpoint: everything once
    /// the game is over, else the caller's own side, or what both players know.
    async fn replay(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "While the game runs, the caller's own or PUBLIC.")] viewpoint: Option<
            Viewpoint,
        >,
    ) -> Result<Replay> {
        let stored = self.whole(context).await?;
        Ok(Replay::new(stored, self.side, viewpoint.map(Into::into))?)
    }
}

/// The number of moves with which a page begins that is read forward.
pub(super) fn start_after(page: &PageRequest<PlyCursor>) -> u32 {
    page.from.map_or(0, |cursor| cursor.0.saturating_add(1))
}

/// A page of games that the caller may know of; of one player alone, if he is given.
///
/// # Errors
/// 400 for arguments out of range; when the database fails.
pub(super) async fn list_games(
    request: &RequestContext,
    filter: Option<GameFilter>,
    player: Option<PlayerId>,
    order: GameOrder,
    page: &PageArguments,
) -> Result<Connection<GameNode>> {
    let viewer = request.viewer;
    let filter = filter.unwrap_or_default().check(viewer, player)?;
    let order = games::GameOrder::from(order);
    let page = page.check::<OrderedGameCursor>()?;
    let page = in_order(page, order)?;
    let list = move |connection: &mut storage::Connection| {
        let filter = filter.resolve(connection)?;
        Ok(games::list(connection, &filter, order, &page)?)
    };
    let Page { items, has_more } = request.reader.read(list).await?;
    let edge = |summary: GameSummary| {
        let place = summary.cursor(order);
        let node = GameNode::visible(summary, viewer)?;
        Some(Edge::new(&OrderedGameCursor { order, place }, node))
    };
    let edges = items.into_iter().filter_map(edge).collect();
    let behind = page.from.is_some();
    Ok(match page.direction {
        Direction::Forward => Connection::new(edges, has_more, behind),
        Direction::Backward => Connection::new(edges, behind, has_more),
    })
}

/// The page, unless its cursor is of a list in another order.
fn in_order(
    page: PageRequest<OrderedGameCursor>,
    order: games::GameOrder,
) -> std::result::Result<PageRequest<games::GameCursor>, ApiError> {
    let PageRequest {
        limit,
        direction,
        from,
    } = page;
    if from.is_some_and(|from| from.order != order) {
        let argument = match direction {
            Direction::Forward => "after",
            Direction::Backward => "before",
        };
        let detail = "this cursor is of a list in another order";
        return Err(ApiError::malformed_field(argument, detail));
    }
    let from = from.map(|from| from.place);
    Ok(PageRequest {
        limit,
        direction,
        from,
    })
}
