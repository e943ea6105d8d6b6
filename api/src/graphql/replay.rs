use std::sync::Arc;

use async_graphql::{Object, Result};
use domain::View;
use storage::games::StoredGame;

use super::connection::{Connection, Edge};
use super::cursor::PlyCursor;
use super::frame::Frame;
use super::game::start_after;
use super::moves::Battle;
use super::names::{Cause, Color, Viewpoint};
use super::page::PageArguments;
use super::reveal::Reveal;
use crate::problem::{ApiError, Code};

/// A game over again, as a viewpoint knew it.
pub(super) struct Replay {
    stored: Arc<StoredGame>,
    side: Option<domain::Color>,
    viewpoint: domain::Viewpoint,
}

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
        let replay = Self {
            stored,
            side,
            viewpoint,
        };
        replay.view()?;
        Ok(replay)
    }

    fn view(&self) -> Result<View<'_>, ApiError> {
        self.stored.game.view(self.side, self.viewpoint).ok_or_else(|| {
            let name = self.viewpoint.name().to_uppercase();
            let detail = format!(
                "the viewpoint {name} is closed to you while the game runs; PUBLIC is open to all"
            );
            ApiError::new(Code::Forbidden, detail)
        })
    }

    fn no_such_ply(&self, asked: i32) -> ApiError {
        let game = &self.stored.game;
        if game.started_at().is_none() {
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
        self.viewpoint.into()
    }

    /// The board after so many moves, as it was known then: 0 is the deployment.
    async fn frame(
        &self,
        #[graphql(desc = "0 to the number of moves made.")] ply: i32,
    ) -> Result<Frame> {
        let frame = match u32::try_from(ply) {
            Ok(ply) => self.view()?.frame(ply),
            Err(_) => None,
        };
        Ok(frame.ok_or_else(|| self.no_such_ply(ply))?.into())
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
        let frames = self.view()?.frames(start, count);
        let end = frames
            .last()
            .map_or(start, |frame| frame.ply.saturating_add(1));
        let has_more = self.stored.game.started_at().is_some() && end <= self.stored.game.ply();
        let edge = |frame: domain::Frame| Edge::new(&PlyCursor(frame.ply), frame.into());
        let edges = frames.into_iter().map(edge).collect();
        Ok(Connection::new(edges, has_more, start > 0))
    }

    /// Every rank that became known, of both sides, in the order of plies; what was still hidden at
    /// the end comes last.
    async fn reveals(
        &self,
        #[graphql(desc = "Only those that this side learnt.")] to: Option<Color>,
        #[graphql(desc = "Only those of these causes.")] causes: Option<Vec<Cause>>,
    ) -> Result<Vec<Reveal>> {
        let learnt = |reveal: &domain::Reveal| match (reveal.to, to) {
            (domain::RevealedTo::Side(side), Some(to)) => side == to.into(),
            _ => true,
        };
        let has_cause = |reveal: &domain::Reveal| match &causes {
            Some(causes) => causes.contains(&reveal.cause.into()),
            None => true,
        };
        let reveals = self.view()?.reveals().into_iter();
        Ok(reveals
            .filter(learnt)
            .filter(has_cause)
            .map(Into::into)
            .collect())
    }

    /// Every battle, in order.
    async fn battles(&self) -> Result<Vec<Battle>> {
        Ok(self.view()?.battles().into_iter().map(Into::into).collect())
    }
}
