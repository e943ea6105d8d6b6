//! Conditional moves: what a player will answer when his opponent does what he thinks he may do.
//!
//! A [`Line`] names a move of the opponent, by what its owner will see of it, and the reply. Lines are a
//! tree, for after the reply the opponent moves again. They are never changed: how far they have come
//! is read from the log each time, so that nothing is written when they match, do not match or come to
//! nothing, and nobody can tell.

use std::collections::HashSet;
use std::fmt;

use crate::battle::BattleOutcome;
use crate::color::Color;
use crate::command::{Command, MoveRequest, PlayError, RescueRequest, Standing};
use crate::event::Event;
use crate::game::Game;
use crate::moves::{IllegalMove, Move, Verdict};
use crate::rescue::Rescue;
use crate::seen::MoveView;
use crate::time::Timestamp;
use crate::viewpoint::Viewpoint;

/// A move of the opponent, as the owner of a line sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Trigger {
    /// From where to where.
    pub mv: Move,
    /// How the attack ended that it was; without it any move from there to there will do.
    pub outcome: Option<BattleOutcome>,
}

/// What is to be played then.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reply {
    /// The move.
    pub mv: Move,
    /// A rescue with it.
    pub rescue: Option<Rescue>,
}

/// If the opponent does that, this is to be played, and then `next` waits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// What the opponent does.
    pub trigger: Trigger,
    /// What is played.
    pub reply: Reply,
    /// What waits for his move after that.
    pub next: Vec<Line>,
}

/// Why lines are not taken; for their form alone. What stands where is not asked: the answer would
/// tell it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum LinesFault {
    /// More than [`Lines::MOST`] in all.
    #[error("must have at most {} lines in all, has {found}", Lines::MOST)]
    TooMany {
        /// How many there are.
        found: usize,
    },
    /// One within another more than [`Lines::DEEPEST`] times.
    #[error("must have lines at most {} deep, this one is deeper", Lines::DEEPEST)]
    TooDeep,
    /// Another line beside it waits for the same.
    #[error("must wait for something that no other line beside it waits for")]
    SameTrigger,
}

impl LinesFault {
    /// The `snake_case` name on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            Self::TooMany { .. } => "too_many",
            Self::TooDeep => "too_deep",
            Self::SameTrigger => "same_trigger",
        }
    }
}

/// A fault of lines and where it is.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{fault}")]
pub struct LinesError {
    /// The places of the line and of those that it is within, the outermost first; none for all.
    pub path: Vec<usize>,
    /// What is wrong.
    pub fault: LinesFault,
}

/// A reply that was not played because the rules did not allow it. The lines ended with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DroppedReply {
    /// At which ply it would have been played.
    pub ply: u32,
    /// Why not: as a move of the owner's own would be refused.
    pub why: PlayError,
}

/// A player's lines in a game.
#[derive(Clone, PartialEq, Eq)]
pub struct Lines {
    owner: Color,
    since: u32,
    roots: Vec<Line>,
}

impl fmt::Debug for Lines {
    /// Without the lines: what a player plans is his secret, and this may end up in a log.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lines")
            .field("owner", &self.owner)
            .field("since", &self.since)
            .finish_non_exhaustive()
    }
}

/// How far lines have come.
enum Progress<'l> {
    /// These wait for a move of the opponent.
    Waiting(&'l [Line]),
    /// The opponent made his move, and the reply to it is not in the log at that ply.
    CameUp { ply: u32, reply: &'l Reply },
    /// Something else was played.
    Over,
}

impl Lines {
    /// How many there may be in all.
    pub const MOST: usize = 100;
    /// How many may be one within another.
    pub const DEEPEST: usize = 20;

    /// Lines of a side, set down after `since` moves: they wait for the opponent's next move.
    ///
    /// # Errors
    /// Every fault of their form.
    pub fn new(owner: Color, since: u32, lines: Vec<Line>) -> Result<Self, Vec<LinesError>> {
        let mut check = Check::default();
        check.look(&lines);
        let found = check.found;
        if found > Self::MOST {
            let (path, fault) = (Vec::new(), LinesFault::TooMany { found });
            return Err(vec![LinesError { path, fault }]);
        }
        if !check.errors.is_empty() {
            return Err(check.errors);
        }
        Ok(Self {
            owner,
            since,
            roots: lines,
        })
    }

    /// Whose they are.
    pub const fn owner(&self) -> Color {
        self.owner
    }

    /// How many moves had been made when they were set down.
    pub const fn since(&self) -> u32 {
        self.since
    }

    /// How many there are in all.
    pub fn count(&self) -> usize {
        fn within(lines: &[Line]) -> usize {
            let deeper = lines.iter().map(|line| within(&line.next));
            lines.len() + deeper.sum::<usize>()
        }
        within(&self.roots)
    }

    /// The lines as they were set down.
    pub fn all(&self) -> &[Line] {
        &self.roots
    }

    /// Those that wait for the opponent's next move; none when they have come to an end.
    pub fn waiting(&self, game: &Game) -> &[Line] {
        match self.progress(game) {
            Progress::Waiting(lines) if !game.status().is_over() => lines,
            _ => &[],
        }
    }

    /// What the reply leads to that is to be played now, in a game in which the opponent has just made
    /// his move; nothing when there is none, or when the rules do not allow it.
    ///
    /// One that would forfeit the turn counts as not allowed: nobody means to do that.
    pub fn reply(&self, game: &Game, now: Timestamp) -> Option<Vec<Event>> {
        let Progress::CameUp { ply, reply } = self.progress(game) else {
            return None;
        };
        if ply != game.ply() || game.turn() != Some(self.owner) {
            return None;
        }
        reply.check(game, ply)?.ok()?;
        let command = Command::Move(reply.request(ply));
        game.play(self.owner, &command, now).ok()
    }

    /// The reply that the rules did not allow when it came up, if the lines ended with one.
    pub fn dropped(&self, game: &Game) -> Option<DroppedReply> {
        let Progress::CameUp { ply, reply } = self.progress(game) else {
            return None;
        };
        let why = reply.check(game, ply)?.err()?;
        Some(DroppedReply { ply, why })
    }

    /// Follows the log as the owner sees it.
    fn progress(&self, game: &Game) -> Progress<'_> {
        let viewpoint = Viewpoint::of(Some(self.owner));
        let Some(view) = game.view(Some(self.owner), viewpoint) else {
            return Progress::Over;
        };
        let mut waiting = self.roots.as_slice();
        let mut ply = self.first();
        while !waiting.is_empty() {
            let Some(made) = view.move_at(ply) else {
                return Progress::Waiting(waiting);
            };
            let Some(Line { reply, next, .. }) = matching(waiting, &made) else {
                return Progress::Over;
            };
            let at = ply + 1;
            let answered = view.move_at(at).is_some_and(|answer| !answer.forfeited)
                && game.standing(self.owner, &reply.request(at)) == Ok(Standing::Repeated);
            if !answered {
                return Progress::CameUp { ply: at, reply };
            }
            (waiting, ply) = (next, at + 1);
        }
        Progress::Over
    }

    /// The first ply for which they wait: the opponent's. A move of the owner's own before it is free.
    fn first(&self) -> u32 {
        let red_moves = self.since.is_multiple_of(2);
        let own = red_moves == (self.owner == Color::Red);
        self.since + u32::from(own)
    }
}

impl Reply {
    fn request(self, ply: u32) -> MoveRequest {
        MoveRequest {
            ply,
            from: Some(self.mv.from),
            to: Some(self.mv.to),
            rescue: self.rescue.map(|rescue| RescueRequest {
                rank: rescue.rank,
                square: Some(rescue.square),
            }),
        }
    }

    /// What the rules say of it after `ply` moves; `None` where nobody moves any more.
    fn check(self, game: &Game, ply: u32) -> Option<Result<(), PlayError>> {
        let position = game.position_at(ply)?;
        if position.outcome().is_some() {
            return None;
        }
        let verdict = position.check(Some(self.mv.from), Some(self.mv.to));
        let rescue = |mv| match self.rescue {
            Some(Rescue { rank, square }) => position.check_rescue(mv, rank, Some(square)),
            None => Ok(()),
        };
        Some(match verdict {
            Err(why) => Err(why.into()),
            Ok((_, Verdict::Forfeits)) => Err(IllegalMove::TwoSquares.into()),
            Ok((mv, Verdict::Played | Verdict::Irregular(_))) => {
                rescue(mv).map_err(PlayError::from)
            }
        })
    }
}

/// The line that waits for a move: one that names how the attack ended before one that does not. A
/// forfeited turn is no move from there to there, so none waits for it.
fn matching<'l>(lines: &'l [Line], made: &MoveView) -> Option<&'l Line> {
    if made.forfeited {
        return None;
    }
    let find = |outcome| {
        let trigger = Trigger {
            mv: made.mv,
            outcome,
        };
        lines.iter().find(|line| line.trigger == trigger)
    };
    let outcome = made.attack.map(|attack| attack.outcome);
    outcome
        .and_then(|outcome| find(Some(outcome)))
        .or_else(|| find(None))
}

/// Looks at the form of lines.
#[derive(Default)]
struct Check {
    found: usize,
    path: Vec<usize>,
    errors: Vec<LinesError>,
}

impl Check {
    fn look(&mut self, lines: &[Line]) {
        self.found += lines.len();
        let mut triggers = HashSet::new();
        for (place, line) in lines.iter().enumerate() {
            self.path.push(place);
            if !triggers.insert(line.trigger) {
                self.fault(LinesFault::SameTrigger);
            }
            if self.path.len() > Lines::DEEPEST {
                self.fault(LinesFault::TooDeep);
            } else {
                self.look(&line.next);
            }
            self.path.pop();
        }
    }

    fn fault(&mut self, fault: LinesFault) {
        let path = self.path.clone();
        self.errors.push(LinesError { path, fault });
    }
}
