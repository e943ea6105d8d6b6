//! A game that was played elsewhere, replayed by the rules (`rules.md` 8).

use crate::clock::TimeControl;
use crate::color::{ByColor, Color};
use crate::event::Event;
use crate::game::{Game, Terms, Unknown};
use crate::gravon::{Ending, GravonGame};
use crate::moves::{IllegalMove, Move};
use crate::outcome::{EndReason, Outcome};
use crate::piece::PieceId;
use crate::rescue::{IllegalRescue, Rescue};
use crate::ruleset::{Options, Ruleset};
use crate::setup::Setup;
use crate::time::Timestamp;
use crate::view::View;
use crate::viewpoint::Viewpoint;

#[cfg(test)]
mod tests;

/// A game that was played elsewhere: what it needs to be replayed.
#[derive(Debug, Clone, PartialEq, Eq)]
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
    pub end: RecordEnd,
}

/// What is recorded of an end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecordEnd {
    /// This, by this project's words.
    Outcome(Outcome),
    /// The codes of an archive, of which the board may say more.
    Gravon(Ending),
}

/// When a recorded game was played, as far as that is known.
#[derive(Debug, Clone, Copy)]
pub struct Instants<'a> {
    /// When both armies stood.
    pub started: Option<Timestamp>,
    /// When each move was made, or nothing where that is not known; one without an instant counts as made
    /// at the end.
    pub moves: &'a [Timestamp],
    /// When the result was decided.
    pub finished: Option<Timestamp>,
    /// What counts as the end where none of these is known.
    pub otherwise: Timestamp,
}

impl Instants<'_> {
    /// All at one instant, of a game of which a day is known at best.
    pub const fn all_at(at: Timestamp) -> Self {
        Self {
            started: None,
            moves: &[],
            finished: Some(at),
            otherwise: at,
        }
    }

    /// When the game counts as over: after all that is known of it.
    fn end(&self) -> Timestamp {
        let last = self.moves.last().copied();
        let known = self.finished.or(last).or(self.started);
        known.unwrap_or(self.otherwise)
    }
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
    /// The flag was captured before it.
    #[error("the game was over before this move")]
    Over,
    /// The flag was captured by a side that did not win.
    #[error("this move captures the flag, and the record has another winner")]
    Contradicted,
    /// The record says that the flag was captured, and no move captures it.
    #[error("the record ends with the flag captured, and no move captures it")]
    NotCaptured,
}

impl From<GravonGame> for Record {
    fn from(game: GravonGame) -> Self {
        Self {
            ruleset: game.ruleset,
            options: game.ruleset.default_options(),
            setups: game.setups,
            moves: game.moves.into_iter().map(|mv| (mv, None)).collect(),
            end: RecordEnd::Gravon(game.ending),
        }
    }
}

impl Record {
    /// The record of a game that is over, as the view of everything has it: `None` of any other view, and
    /// of a game that ended before both armies stood.
    ///
    /// Of the rescues that were sent, those that took place are in it. The others changed nothing.
    pub fn of(view: &View<'_>) -> Option<Self> {
        let game = view.game();
        if view.viewpoint() != Viewpoint::Omniscient || !game.is_open() {
            return None;
        }
        let terms = game.terms();
        let army = |side: Color| {
            let pieces = PieceId::all()
                .filter(|piece| piece.owner() == side)
                .filter_map(|piece| Some((piece.home()?, view.rank_of(piece, 0))));
            Setup::parse(terms.ruleset, &Setup::text(side, pieces)).ok()
        };
        let moves = view.moves_from(0).map(|made| {
            let rescue = made.rescue.and_then(|rescue| {
                let (rank, square) = (rescue.rank?, rescue.square);
                Some(Rescue { rank, square })
            });
            (made.mv, rescue)
        });
        Some(Self {
            ruleset: terms.ruleset,
            options: terms.options,
            setups: ByColor::from_fn(army).both()?,
            moves: moves.collect(),
            end: RecordEnd::Outcome(game.outcome()?),
        })
    }

    /// Replays it, all at one instant.
    ///
    /// # Errors
    /// As [`replay_timed`](Self::replay_timed).
    pub fn replay(&self, at: Timestamp) -> Result<Game, RecordFault> {
        self.replay_timed(Instants::all_at(at))
    }

    /// Replays it. What is recorded of its end holds, whatever the board says; but whoever captured the flag
    /// has won.
    ///
    /// # Errors
    /// The first move that no rule allows, or a captured flag whose owner won. What only repetition forbids is no
    /// fault.
    pub fn replay_timed(&self, instants: Instants<'_>) -> Result<Game, RecordFault> {
        let terms = Terms {
            ruleset: self.ruleset,
            options: self.options,
            time_control: TimeControl::Unlimited,
            vacation: false,
            weekends: false,
        };
        let end = instants.end();
        let first = instants.moves.first().copied();
        let at = instants.started.or(first).unwrap_or(end);
        let mut game = Game::recorded(terms, at);
        game.unknown = Unknown {
            start: instants.started.is_none(),
            moves: instants.moves.is_empty(),
            end: instants.finished.is_none(),
        };
        let fault = |ply, kind| RecordFault { ply, kind };
        for by in Color::ALL {
            let setup = self.setups[by];
            let event = Event::SetupPlaced { by, setup, at };
            take(&mut game, &event)?;
        }
        take(&mut game, &Event::Started { at })?;
        let mut times = instants.moves.iter().copied();
        for (ply, (mv, rescue)) in (0..).zip(self.moves.iter().copied()) {
            game.check_recorded(mv, rescue)
                .map_err(|kind| fault(ply, kind))?;
            let at = times.next().unwrap_or(end);
            take(&mut game, &Event::Moved { mv, rescue, at })?;
        }
        let on_the_board = game.position.as_ref().and_then(crate::Position::outcome);
        let outcome = match self.end {
            RecordEnd::Outcome(outcome) => outcome,
            RecordEnd::Gravon(ending) => ending.outcome(on_the_board.map(|end| end.reason)),
        };
        let captor = on_the_board.filter(|end| end.reason == EndReason::FlagCaptured);
        if captor.is_some_and(|end| end.winner != outcome.winner) {
            let last = game.ply().saturating_sub(1);
            return Err(fault(last, RecordFaultKind::Contradicted));
        }
        take(&mut game, &Event::Ended { outcome, at: end })?;
        Ok(game)
    }

    /// Holds a result in words against the board of the game that it replays to: where the flag was captured, a
    /// move captures it. Of an archive, with codes, the last move may be missing.
    ///
    /// # Errors
    /// [`NotCaptured`](RecordFaultKind::NotCaptured).
    pub fn check_result(&self, replayed: &Game) -> Result<(), RecordFault> {
        let RecordEnd::Outcome(outcome) = self.end else {
            return Ok(());
        };
        let on_the_board = replayed
            .position
            .as_ref()
            .and_then(crate::Position::outcome);
        let is_captured = on_the_board.is_some_and(|end| end.reason == EndReason::FlagCaptured);
        if outcome.reason == EndReason::FlagCaptured && !is_captured {
            return Err(RecordFault {
                ply: replayed.ply().saturating_sub(1),
                kind: RecordFaultKind::NotCaptured,
            });
        }
        Ok(())
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
    /// Whether a move of a recorded game may come next: one that is possible, while both flags stand.
    fn check_recorded(&self, mv: Move, rescue: Option<Rescue>) -> Result<(), RecordFaultKind> {
        let position = self.position.as_ref().ok_or(RecordFaultKind::Over)?;
        if position.is_over() {
            return Err(RecordFaultKind::Over);
        }
        position.check(Some(mv.from), Some(mv.to))?;
        if let Some(rescue) = rescue {
            position.check_rescue(mv, rescue.rank, Some(rescue.square))?;
        }
        Ok(())
    }
}
