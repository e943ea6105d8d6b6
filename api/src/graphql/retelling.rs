use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use domain::{Chronicle, HiddenArmy, Rank, RankSet, Timeline, View};
use storage::games::StoredGame;

use crate::problem::{ApiError, Code};

/// A game through one view, with what is worked out of it once for all that a query asks.
pub(super) struct Retelling {
    stored: Arc<StoredGame>,
    side: Option<domain::Color>,
    viewpoint: domain::Viewpoint,
    timeline: OnceLock<Timeline>,
    chronicle: OnceLock<Chronicle>,
    odds: Mutex<HashMap<(HiddenArmy, RankSet), Odds>>,
}

/// How likely each rank is for a piece.
pub(super) type Odds = Arc<Vec<(Rank, f64)>>;

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
            odds: Mutex::default(),
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
    pub(super) fn timeline(&self) -> Result<&Timeline, ApiError> {
        let view = self.view()?;
        Ok(self.timeline.get_or_init(|| view.timeline()))
    }

    /// What was seen of each piece.
    pub(super) fn chronicle(&self) -> Result<&Chronicle, ApiError> {
        let view = self.view()?;
        Ok(self.chronicle.get_or_init(|| view.chronicle()))
    }

    /// How likely each rank is for a piece of a frame; pieces of which the same was seen share it.
    pub(super) fn odds(&self, frame: &domain::Frame, piece: &domain::PieceView) -> Odds {
        let Some(possible) = piece.possible else {
            return Odds::default();
        };
        if piece.id.home().is_none() {
            return Arc::new(frame.odds(piece));
        }
        let key = (frame.hidden[piece.id.owner()].clone(), possible.ranks);
        let mut known = self.odds.lock().unwrap_or_else(PoisonError::into_inner);
        let odds = known
            .entry(key)
            .or_insert_with(|| Arc::new(frame.odds(piece)));
        Arc::clone(odds)
    }
}
