use std::sync::Arc;

use async_graphql::{Context, Object, Result};
use domain::WeighedReveal;
use storage::games::StoredGame;

use super::connection::{Connection, Edge};
use super::context::RequestContext;
use super::cursor::PlyCursor;
use super::frame::Frame;
use super::game::start_after;
use super::information::InformationPoint;
use super::list::List;
use super::moves::Battle;
use super::names::{Cause, Color, Viewpoint};
use super::page::PageArguments;
use super::retelling::Retelling;
use super::reveal::Reveal;
use crate::problem::{ApiError, Code};

/// A game over again, as a viewpoint knew it.
pub(super) struct Replay(Arc<Retelling>);

impl Replay {
    /// The game from a viewpoint, or from the one that the caller gets who asks for none.
    ///
    /// # Errors
    /// 403 for a viewpoint that the caller may not take.
    pub(super) fn new(
        stored: Arc<StoredGame>,
        side: Option<domain::Color>,
        viewpoint: Option<domain::Viewpoint>,
    ) -> Result<Self, ApiError> {
        let viewpoint = viewpoint.unwrap_or_else(|| stored.game.viewpoint_for(side));
        Ok(Self(Arc::new(Retelling::new(stored, side, viewpoint)?)))
    }

    fn frame_of(&self, frame: domain::Frame) -> Frame {
        Frame::new(Arc::clone(&self.0), frame)
    }

    fn no_such_ply(&self, asked: i32) -> ApiError {
        let game = self.0.game();
        if !game.has_started() {
            return ApiError::new(
                Code::GameNotActive,
                "a game that has not begun has no plies",
            );
        }
        let detail = format!("expected 0 to {}, got {asked}", game.ply());
        ApiError::malformed_field("ply", detail)
    }
}

/// A game over again, as a viewpoint knew it ply by ply.
#[Object]
#[expect(
    clippy::unused_async,
    reason = "the schema's fields are async, whether they wait or not"
)]
impl Replay {
    /// Whose eyes it is seen with.
    async fn viewpoint(&self) -> Viewpoint {
        self.0.viewpoint().into()
    }

    /// The board after so many moves, as it was known then: 0 is the deployment.
    async fn frame(
        &self,
        #[graphql(desc = "0 to the number of moves made.")] ply: i32,
    ) -> Result<Frame> {
        let frame = match u32::try_from(ply) {
            Ok(ply) => self.0.view()?.frame(ply),
            Err(_) => None,
        };
        let frame = frame.ok_or_else(|| self.no_such_ply(ply))?;
        Ok(self.frame_of(frame))
    }

    /// The boards ply by ply, from the deployment on.
    async fn frames(
        &self,
        #[graphql(desc = "How many, at most 100.")] first: Option<i32>,
        #[graphql(desc = "Those after this cursor.")] after: Option<String>,
    ) -> Result<Connection<Frame>> {
        let page = PageArguments::forward(first, after).check::<PlyCursor>()?;
        let start = start_after(&page);
        let count = usize::try_from(page.limit).unwrap_or(usize::MAX);
        let frames = self.0.view()?.frames(start, count);
        let end = frames
            .last()
            .map_or(start, |frame| frame.ply.saturating_add(1));
        let game = self.0.game();
        let has_more = game.has_started() && end <= game.ply();
        let edge = |frame: domain::Frame| Edge::new(&PlyCursor(frame.ply), self.frame_of(frame));
        let edges = frames.into_iter().map(edge).collect();
        Ok(Connection::new(edges, has_more, start > 0))
    }

    /// Every rank that became known, of both sides, in the order of plies; what was still hidden at
    /// the end comes last.
    async fn reveals(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "Only those that this side learnt.")] to: Option<Color>,
        #[graphql(desc = "Only those of these causes.")] causes: Option<Vec<Cause>>,
    ) -> Result<List<Reveal>> {
        let learnt = |told: &&WeighedReveal| match (told.reveal.to, to) {
            (domain::RevealedTo::Side(side), Some(to)) => side == to.into(),
            _ => true,
        };
        let has_cause = |told: &&WeighedReveal| match &causes {
            Some(causes) => causes.contains(&told.reveal.cause.into()),
            None => true,
        };
        let counts = &RequestContext::of(context)?.counts;
        let reveals = self.0.timeline(counts).await?.reveals.iter();
        Ok(reveals
            .filter(learnt)
            .filter(has_cause)
            .map(|told| (*told).into())
            .collect())
    }

    /// Every battle, in order.
    async fn battles(&self) -> Result<List<Battle>> {
        let battles = self.0.view()?.battles();
        Ok(battles.into_iter().map(Into::into).collect())
    }

    /// What each side hid from the other after every ply, 0 included; the last is what was hidden
    /// before the end disclosed it.
    async fn information(&self, context: &Context<'_>) -> Result<List<InformationPoint>> {
        let counts = &RequestContext::of(context)?.counts;
        let information = self.0.timeline(counts).await?.information.iter();
        Ok(information.map(Into::into).collect())
    }
}
