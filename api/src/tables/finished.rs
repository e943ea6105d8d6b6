use std::cell::OnceCell;

use domain::{ByColor, Game, MoveView, Timeline, View, Viewpoint};
use uuid::Uuid;

/// What is known of a game beside how it was played.
#[derive(Debug, Clone, Copy)]
pub struct About<'a> {
    /// Which game.
    pub id: Uuid,
    /// Where it was played: `play` is here.
    pub source: &'a str,
    /// The players' names.
    pub players: ByColor<&'a str>,
    /// Their ratings before it.
    pub ratings: ByColor<Option<f64>>,
    /// Whether it counts.
    pub rated: bool,
    /// The code of its end in the archive that it comes from.
    pub raw_ending: Option<u16>,
}

/// The game is not over, so that its ranks are not to be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the game was not played to an end")]
pub struct NotOver;

/// A game that is over, to be written: all of it is disclosed.
pub struct Finished<'a> {
    pub(super) about: About<'a>,
    pub(super) view: View<'a>,
    moves: OnceCell<Vec<MoveView>>,
    timeline: OnceCell<Timeline>,
}

impl<'a> Finished<'a> {
    /// A game, if it is over.
    ///
    /// # Errors
    /// It is not, or never began.
    pub fn new(about: About<'a>, game: &'a Game) -> Result<Self, NotOver> {
        let omniscient = game.is_open().then_some(Viewpoint::Omniscient);
        let view = omniscient.and_then(|viewpoint| game.view(None, viewpoint));
        Ok(Self {
            about,
            view: view.ok_or(NotOver)?,
            moves: OnceCell::new(),
            timeline: OnceCell::new(),
        })
    }

    /// The moves, read once for all tables.
    pub(super) fn moves(&self) -> &[MoveView] {
        self.moves.get_or_init(|| self.view.moves_from(0).collect())
    }

    /// How it gave up its secrets, found out once for all tables.
    pub(super) fn timeline(&self) -> &Timeline {
        self.timeline.get_or_init(|| self.view.timeline())
    }
}
