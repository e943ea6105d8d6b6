//! A game that was played elsewhere, replayed by the rules (`rules.md` 8).

use crate::clock::TimeControl;
use crate::color::{ByColor, Color};
use crate::event::Event;
use crate::game::{Game, Terms};
use crate::gravon::{Ending, GravonGame};
use crate::moves::{IllegalMove, Move};
use crate::outcome::Outcome;
use crate::rescue::{IllegalRescue, Rescue};
use crate::ruleset::{Options, Ruleset};
use crate::setup::Setup;
use crate::time::Timestamp;

#[cfg(test)]
mod tests;

/// A game that was played elsewhere: what it needs to be replayed.
#[derive(Debug, Clone)]
pub struct Record {
    /// The rule sheet.
    pub ruleset: Ruleset,
    /// The options.
    pub options: Options,
    /// Both armies.
    pub setups: ByColor<Setup>,
    /// The moves, Red's first, each with the rescue that was made with it.
    pub moves: Vec<(Move, Option<Rescue>)>,
    /// How it ended.
    pub end: End,
}

/// What is recorded of an end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// This, by this project's words.
    Outcome(Outcome),
    /// The codes of an archive, of which the board may say more.
    Gravon(Ending),
}

/// Why a recorded game cannot be replayed, and at which ply.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("ply {ply}: {kind}")]
pub struct RecordFault {
    /// The ply, from 0.
    pub ply: u32,
    /// What is wrong there.
    pub kind: RecordFaultKind,
}

/// What is wrong with a move of a recorded game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum RecordFaultKind {
    /// No rule allows the move.
    #[error(transparent)]
    Move(#[from] IllegalMove),
    /// No rule allows the rescue.
    #[error(transparent)]
    Rescue(#[from] IllegalRescue),
    /// The rules had ended the game before it.
    #[error("the game was over before this move")]
    Over,
}

impl From<GravonGame> for Record {
    fn from(game: GravonGame) -> Self {
        Self {
            ruleset: game.ruleset,
            options: game.ruleset.default_options(),
            setups: game.setups,
            moves: game.moves.into_iter().map(|mv| (mv, None)).collect(),
            end: End::Gravon(game.ending),
        }
    }
}

impl Record {
    /// Replays it. The instants of an archive are days at best: all of the log has one.
    ///
    /// # Errors
    /// The first move that no rule allows. One that only repetition forbids is no fault.
    pub fn replay(&self, at: Timestamp) -> Result<Game, RecordFault> {
        let terms = Terms {
            ruleset: self.ruleset,
            options: self.options,
            time_control: TimeControl::Unlimited,
            vacation: false,
            weekends: false,
        };
        let mut game = Game::recorded(terms, at);
        let fault = |ply, kind| RecordFault { ply, kind };
        for by in Color::ALL {
            let setup = self.setups[by];
            let event = Event::SetupPlaced { by, setup, at };
            take(&mut game, &event)?;
        }
        take(&mut game, &Event::Started { at })?;
        for (ply, (mv, rescue)) in (0..).zip(self.moves.iter().copied()) {
            game.check_recorded(mv, rescue)
                .map_err(|kind| fault(ply, kind))?;
            take(&mut game, &Event::Moved { mv, rescue, at })?;
        }
        let outcome = match self.end {
            End::Outcome(outcome) => outcome,
            End::Gravon(ending) => {
                let on_the_board = game.position.as_ref().and_then(crate::Position::outcome);
                ending.outcome(on_the_board.map(|outcome| outcome.reason))
            }
        };
        take(&mut game, &Event::Ended { outcome, at })?;
        Ok(game)
    }
}

/// Takes in an event that follows, for it was looked at before.
fn take(game: &mut Game, event: &Event) -> Result<(), RecordFault> {
    game.apply(event).map_err(|corrupt| RecordFault {
        ply: corrupt.ply,
        kind: RecordFaultKind::Over,
    })
}

impl Game {
    /// Whether a move of a recorded game may come next.
    fn check_recorded(&self, mv: Move, rescue: Option<Rescue>) -> Result<(), RecordFaultKind> {
        let position = self.position.as_ref().ok_or(RecordFaultKind::Over)?;
        if position.outcome().is_some() {
            return Err(RecordFaultKind::Over);
        }
        position.check(Some(mv.from), Some(mv.to))?;
        if let Some(rescue) = rescue {
            position.check_rescue(mv, rescue.rank, Some(rescue.square))?;
        }
        Ok(())
    }
}
