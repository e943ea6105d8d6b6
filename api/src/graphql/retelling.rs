use std::sync::{Arc, OnceLock};

use domain::{Chronicle, Timeline, View};
use storage::games::StoredGame;

use super::counts::Counts;
use crate::problem::{ApiError, Code};

/// A game through one view, with what is worked out of it once for all that a query asks.
pub(super) struct Retelling {
    stored: Arc<StoredGame>,
    side: Option<domain::Color>,
    viewpoint: domain::Viewpoint,
    timeline: OnceLock<Timeline>,
    chronicle: OnceLock<Chronicle>,
}

impl Retelling {
    /// The game from a viewpoint.
    ///
    /// # Errors
    /// 403 for a viewpoint that the caller may not take.
    pub(super) fn new(
        stored: Arc<StoredGame>,
        side: Option<domain::Color>,
        viewpoint: domain::Viewpoint,
    ) -> Result<Self, ApiError> {
        let retelling = Self {
            stored,
            side,
            viewpoint,
            timeline: OnceLock::new(),
            chronicle: OnceLock::new(),
        };
        retelling.view()?;
        Ok(retelling)
    }

    /// What the viewpoint knows of the game.
    ///
    /// # Errors
    /// 403 for a viewpoint that the caller may not take.
    pub(super) fn view(&self) -> Result<View<'_>, ApiError> {
        self.stored.game.view(self.side, self.viewpoint).ok_or_else(|| {
            let name = self.viewpoint.name().to_uppercase();
            let detail = format!(
                "the viewpoint {name} is closed to you while the game runs; PUBLIC is open to all"
            );
            ApiError::new(Code::Forbidden, detail)
        })
    }

    pub(super) fn viewpoint(&self) -> domain::Viewpoint {
        self.viewpoint
    }

    pub(super) fn game(&self) -> &domain::Game {
        &self.stored.game
    }

    /// The reveals and the hidden bits.
    pub(super) async fn timeline(self: &Arc<Self>, counts: &Counts) -> Result<&Timeline, ApiError> {
        if self.timeline.get().is_none() {
            let this = Arc::clone(self);
            let work = move || {
                let view = this.view()?;
                this.timeline.get_or_init(|| view.timeline());
                Ok(())
            };
            counts.run(work).await?;
        }
        let view = self.view()?;
        Ok(self.timeline.get_or_init(|| view.timeline()))
    }

    /// What was seen of each piece.
    pub(super) fn chronicle(&self) -> Result<&Chronicle, ApiError> {
        let view = self.view()?;
        Ok(self.chronicle.get_or_init(|| view.chronicle()))
    }
}
