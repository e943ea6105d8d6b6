mod decide;
mod log;

use std::fmt;
use std::time::Duration;

use self::log::Log;
use crate::calendar::Calendar;
use crate::clock::{Clock, TimeControl};
use crate::color::{ByColor, Color};
use crate::event::{CorruptLog, Event};
use crate::knowledge::Knowledge;
use crate::moves::{Move, MoveBuffer, Verdict};
use crate::offer::{Offer, OfferKind, Offers};
use crate::outcome::{EndReason, Outcome};
use crate::pause::{Absence, Agreed, Pause, PauseKind};
use crate::position::{Position, Turn};
use crate::rescue::Rescue;
use crate::ruleset::{Options, Ruleset};
use crate::setup::Setup;
use crate::time::Timestamp;

/// What two players agreed to play.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Terms {
    /// The rule sheet, and with it the army.
    pub ruleset: Ruleset,
    /// The options.
    pub options: Options,
    /// The time.
    pub time_control: TimeControl,
    /// Whether a player's vacation stops his clock.
    pub vacation: bool,
    /// Whether the clocks rest on Saturday and Sunday (UTC).
    pub weekends: bool,
}

impl Terms {
    const fn calendar(&self) -> Calendar {
        Calendar {
            rests_at_weekends: self.weekends,
        }
    }

    /// Why the clock of a running game stands still at an instant: as the game says, or because it is a
    /// weekend.
    pub fn pause_at(&self, pause: Option<Pause>, now: Timestamp) -> Option<Pause> {
        pause.or_else(|| Pause::of_weekend(now).filter(|_| self.weekends))
    }
}

/// How far a game is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Status {
    /// The armies are being placed.
    Setup,
    /// It is being played.
    Active,
    /// It has a result.
    Finished,
    /// It ended before both sides had moved; unrated.
    Aborted,
}

impl Status {
    /// Every status.
    pub const ALL: [Self; 4] = [Self::Setup, Self::Active, Self::Finished, Self::Aborted];

    /// The `snake_case` name on the wire and in the database.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Setup => "setup",
            Self::Active => "active",
            Self::Finished => "finished",
            Self::Aborted => "aborted",
        }
    }

    /// The status of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.name() == name)
    }

    /// Whether a result is decided.
    pub const fn is_over(self) -> bool {
        matches!(self, Self::Finished | Self::Aborted)
    }
}

/// A ply in the log.
#[derive(Clone, Copy)]
pub(crate) struct Entry {
    pub(crate) turn: Turn,
    /// The rescue as it was sent, taken up or not.
    pub(crate) requested: Option<Rescue>,
    pub(crate) played_at: Timestamp,
    pub(crate) think_time: Duration,
}

/// Which instants of a game were not recorded.
#[derive(Clone, Copy)]
pub(crate) struct Unknown {
    pub(crate) start: bool,
    pub(crate) moves: bool,
    pub(crate) end: bool,
}

impl Unknown {
    pub(crate) const NOTHING: Self = Self {
        start: false,
        moves: false,
        end: false,
    };
}

/// A game from the agreement to the result: the fold of its [`Event`]s.
///
/// [`play`](Self::play) decides what a command leads to without changing anything;
/// [`apply`](Self::apply) takes events in.
#[derive(Clone)]
pub struct Game {
    terms: Terms,
    /// Played elsewhere, and read from a record.
    recorded: bool,
    pub(crate) unknown: Unknown,
    pub(crate) setups: ByColor<Option<Setup>>,
    pub(crate) position: Option<Position>,
    pub(crate) knowledge: Knowledge,
    pub(crate) log: Log,
    clock: Clock,
    offers: Offers,
    agreed_pause: Option<Agreed>,
    absences: ByColor<Option<Absence>>,
    outcome: Option<Outcome>,
    created_at: Timestamp,
    started_at: Option<Timestamp>,
    finished_at: Option<Timestamp>,
    updated_at: Timestamp,
}

impl fmt::Debug for Game {
    /// Without any rank: a game may end up in a log.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Game")
            .field("ply", &self.ply())
            .finish_non_exhaustive()
    }
}

impl Game {
    /// A game that was just agreed on; its armies are to be placed.
    pub const fn new(terms: Terms, created_at: Timestamp) -> Self {
        Self {
            terms,
            recorded: false,
            unknown: Unknown::NOTHING,
            setups: ByColor {
                red: None,
                blue: None,
            },
            position: None,
            knowledge: Knowledge::new(),
            log: Log::new(),
            clock: Clock::new(terms.time_control, terms.calendar(), created_at),
            offers: Offers::new(),
            agreed_pause: None,
            absences: ByColor {
                red: None,
                blue: None,
            },
            outcome: None,
            created_at,
            started_at: None,
            finished_at: None,
            updated_at: created_at,
        }
    }

    /// As [`new`](Self::new), of a game that was played elsewhere: moves that only repetition forbids belong
    /// to it (`rules.md` 8).
    pub const fn recorded(terms: Terms, created_at: Timestamp) -> Self {
        let mut game = Self::new(terms, created_at);
        game.recorded = true;
        game
    }

    /// The game that a log tells.
    ///
    /// # Errors
    /// At the first event that cannot follow on those before it.
    pub fn fold(
        terms: Terms,
        created_at: Timestamp,
        events: impl IntoIterator<Item = Event>,
    ) -> Result<Self, CorruptLog> {
        let mut game = Self::new(terms, created_at);
        for event in events {
            game.apply(&event)?;
        }
        Ok(game)
    }

    /// What was agreed.
    pub const fn terms(&self) -> &Terms {
        &self.terms
    }

    /// How far the game is. One that a resignation or a timeout ended before both sides had moved
    /// counts as aborted (`rules.md` 7).
    pub fn status(&self) -> Status {
        match self.outcome {
            None if self.position.is_some() => Status::Active,
            None => Status::Setup,
            Some(Outcome {
                reason: EndReason::Aborted | EndReason::SetupTimeout,
                ..
            }) => Status::Aborted,
            Some(Outcome {
                winner: None,
                reason: EndReason::Resignation | EndReason::Timeout,
            }) if !self.both_have_moved() => Status::Aborted,
            Some(_) => Status::Finished,
        }
    }

    /// How many plies were played.
    pub fn ply(&self) -> u32 {
        self.position.as_ref().map_or(0, Position::ply)
    }

    /// The side to move while the game is played.
    pub fn turn(&self) -> Option<Color> {
        let position = self.position.as_ref()?;
        self.outcome.is_none().then(|| position.turn())
    }

    /// When the running turn, or the time to place the armies, is over; `None` while the clock stands
    /// still. A weekend is no reason to: the deadline lies behind it.
    pub fn deadline(&self) -> Option<Timestamp> {
        self.clock.deadline().filter(|_| self.outcome.is_none())
    }

    /// When [`warn`](Self::warn) is due: when only a fifth is left of the turn's time, or of the time to
    /// place the armies; `None` once it was said.
    pub fn near(&self) -> Option<Timestamp> {
        self.clock.near().filter(|_| self.outcome.is_none())
    }

    /// What a side had left when its time last began to run, or stopped; before the start what it will
    /// have; `None` without a limit.
    pub fn time_left(&self, side: Color) -> Option<Duration> {
        self.clock.time_left(side)
    }

    /// Why the clock stands still, but for a weekend: see [`Terms::pause_at`].
    pub fn pause(&self) -> Option<Pause> {
        if self.outcome.is_some() {
            return None;
        }
        if let Some(Agreed { by, since }) = self.agreed_pause {
            return Some(Pause {
                kind: PauseKind::Mutual,
                by: Some(by),
                since,
                until: None,
            });
        }
        let (by, absence) = self.absence_that_counts()?;
        Some(Pause {
            kind: PauseKind::Vacation,
            by: Some(by),
            since: absence.since.max(self.clock.turn_began()),
            until: Some(absence.until),
        })
    }

    /// A player's vacation, where it counts in this game.
    pub fn absence(&self, side: Color) -> Option<Absence> {
        self.absences[side]
    }

    /// The vacation of the side that would have to act: to move, or to place its army.
    fn absence_that_counts(&self) -> Option<(Color, Absence)> {
        Color::ALL
            .into_iter()
            .filter(|side| match &self.position {
                Some(position) => position.turn() == *side,
                None => !self.has_placed(*side),
            })
            .find_map(|side| Some((side, self.absences[side]?)))
    }

    /// Whether a side has placed its army.
    pub fn has_placed(&self, side: Color) -> bool {
        self.setups[side].is_some()
    }

    /// The open offer of a kind.
    pub fn offer(&self, kind: OfferKind) -> Option<Offer> {
        self.offers.open(kind)
    }

    /// The open offers.
    pub fn offers(&self) -> impl Iterator<Item = Offer> {
        self.offers.all()
    }

    /// The result.
    pub const fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// When the game was agreed on.
    pub const fn created_at(&self) -> Timestamp {
        self.created_at
    }

    /// When both armies stood; `None` as well where that was not recorded.
    pub const fn started_at(&self) -> Option<Timestamp> {
        if self.unknown.start {
            None
        } else {
            self.started_at
        }
    }

    /// Whether both armies stood, be it known when or not.
    pub const fn has_started(&self) -> bool {
        self.started_at.is_some()
    }

    /// When the result was decided; a game lost on time ended at its deadline.
    pub const fn finished_at(&self) -> Option<Timestamp> {
        self.finished_at
    }

    /// When the result was decided; `None` as well where that was not recorded and another instant stands
    /// for it.
    pub const fn known_end(&self) -> Option<Timestamp> {
        if self.unknown.end {
            None
        } else {
            self.finished_at
        }
    }

    /// The last change that is public: that an army was replaced before the start, or that something was
    /// offered, is not.
    pub const fn updated_at(&self) -> Timestamp {
        self.updated_at
    }

    /// Collects the legal moves of the side to move; they are that player's alone to see.
    pub fn legal_moves(&self, into: &mut MoveBuffer) {
        into.clear();
        if let (Some(position), None) = (&self.position, self.outcome) {
            position.legal_moves(into);
        }
    }

    /// Whether a move would be an attack: whether an enemy stands on its target.
    pub fn is_attack(&self, mv: Move) -> bool {
        self.position
            .as_ref()
            .is_some_and(|position| position.piece_on(mv.to).is_some())
    }

    fn both_have_moved(&self) -> bool {
        self.log.len() >= 2
    }

    /// Takes an event in.
    ///
    /// # Errors
    /// The event cannot follow on those before it; the game is then as it was.
    pub fn apply(&mut self, event: &Event) -> Result<(), CorruptLog> {
        let corrupt = CorruptLog { ply: self.ply() };
        if self.outcome.is_some() {
            return Err(corrupt);
        }
        self.take_in(event).ok_or(corrupt)?;
        if self.outcome.is_none() {
            let runs = self.agreed_pause.is_none() && self.absence_that_counts().is_none();
            self.clock.set_running(runs, event.at());
        }
        Ok(())
    }

    /// `None` when the event cannot follow.
    fn take_in(&mut self, event: &Event) -> Option<()> {
        match *event {
            Event::SetupPlaced { by, setup, at } => {
                if self.position.is_some() {
                    return None;
                }
                if self.setups[by].replace(setup).is_none() {
                    self.updated_at = at;
                }
            }
            Event::Started { at } => {
                let (None, Some(red), Some(blue)) =
                    (&self.position, self.setups.red, self.setups.blue)
                else {
                    return None;
                };
                let position = self.deploy(&ByColor { red, blue });
                self.knowledge = Knowledge::at_start(self.terms.ruleset, &position);
                self.position = Some(position);
                self.clock.start(at);
                self.started_at = Some(at);
                self.updated_at = at;
            }
            Event::Moved { mv, rescue, at } => self.apply_move(mv, rescue, at)?,
            Event::OfferMade { offer, .. } => {
                self.position.as_ref()?;
                self.offers.make(offer)?;
            }
            Event::OfferClosed { id, .. } => self.offers.close(id, self.ply())?,
            Event::Paused { by, at } => {
                self.position.as_ref()?;
                if self.agreed_pause.is_some() {
                    return None;
                }
                self.agreed_pause = Some(Agreed { by, since: at });
                self.updated_at = at;
            }
            Event::Resumed { at, .. } => {
                self.agreed_pause.take()?;
                self.updated_at = at;
            }
            Event::Left { by, until, at } => {
                let since = self.absences[by].map_or(at, |absence| absence.since);
                self.absences[by] = Some(Absence { since, until });
                self.updated_at = at;
            }
            Event::Returned { by, at } => {
                self.absences[by].take()?;
                self.updated_at = at;
            }
            Event::Credited { span, at } => {
                self.clock.credit(span);
                self.updated_at = at;
            }
            Event::Warned { .. } => self.clock.warn(),
            Event::Ended { outcome, at } => {
                self.outcome = Some(outcome);
                self.finished_at = Some(at);
                self.updated_at = at;
                self.agreed_pause = None;
                self.clock.stop(at);
            }
        }
        Some(())
    }

    fn apply_move(&mut self, mv: Move, rescue: Option<Rescue>, at: Timestamp) -> Option<()> {
        let position = self.position.as_mut()?;
        if position.is_over() {
            return None;
        }
        let (_, verdict) = position.check(Some(mv.from), Some(mv.to)).ok()?;
        if let (Verdict::Played | Verdict::Irregular(_), Some(rescue)) = (verdict, rescue) {
            position
                .check_rescue(mv, rescue.rank, Some(rescue.square))
                .ok()?;
        }
        let turn = advance(position, mv, verdict, rescue)?;
        self.knowledge
            .observe(position.ply(), &turn, position.options());
        let think_time = self.clock.press(self.terms.time_control, turn.side, at);
        self.agreed_pause = None;
        self.log.push(Entry {
            turn,
            requested: rescue,
            played_at: at,
            think_time,
        });
        self.updated_at = at;
        Some(())
    }

    /// The position after `ply` plies; `None` before the start and past the end of the log.
    pub(crate) fn position_at(&self, ply: u32) -> Option<Position> {
        let present = self.position.as_ref()?;
        if ply == present.ply() {
            return Some(present.clone());
        }
        let past = self.log.first(usize::try_from(ply).ok()?)?;
        let mut position = self.deployment()?;
        for entry in past {
            entry.replay(&mut position);
        }
        Some(position)
    }

    /// What each side knew of the other after `ply` plies; `None` before the start and past the end
    /// of the log.
    pub(crate) fn knowledge_at(&self, ply: u32) -> Option<Knowledge> {
        if ply == self.position.as_ref()?.ply() {
            return Some(self.knowledge.clone());
        }
        let past = self.log.first(usize::try_from(ply).ok()?)?;
        let mut knowledge = Knowledge::at_start(self.terms.ruleset, &self.deployment()?);
        for (ply, entry) in (1..).zip(past) {
            knowledge.observe(ply, &entry.turn, &self.terms.options);
        }
        Some(knowledge)
    }

    fn deployment(&self) -> Option<Position> {
        let (red, blue) = (self.setups.red?, self.setups.blue?);
        Some(self.deploy(&ByColor { red, blue }))
    }

    /// Both armies on the board.
    fn deploy(&self, setups: &ByColor<Setup>) -> Position {
        if self.recorded {
            Position::recorded(self.terms.options, setups)
        } else {
            Position::new(self.terms.options, setups)
        }
    }
}

impl Entry {
    /// Does again what was done.
    pub(crate) fn replay(&self, position: &mut Position) {
        let verdict = match self.turn.irregular {
            _ if self.turn.forfeited => Verdict::Forfeits,
            Some(irregular) => Verdict::Irregular(irregular),
            None => Verdict::Played,
        };
        advance(position, self.turn.mv, verdict, self.requested);
    }
}

fn advance(
    position: &mut Position,
    mv: Move,
    verdict: Verdict,
    rescue: Option<Rescue>,
) -> Option<Turn> {
    match verdict {
        Verdict::Played => position.play_unchecked(mv, rescue),
        Verdict::Irregular(irregular) => Some(Turn {
            irregular: Some(irregular),
            ..position.play_unchecked(mv, rescue)?
        }),
        Verdict::Forfeits => position.forfeit(mv),
    }
}
