use std::fmt;
use std::time::Duration;

use crate::clock::{Clock, TimeControl};
use crate::color::{ByColor, Color};
use crate::command::{Command, MoveRequest, PlayError, RescueRequest, Standing};
use crate::event::{CorruptLog, Event, OfferClosing};
use crate::knowledge::Knowledge;
use crate::moves::{Move, MoveBuffer, Verdict};
use crate::outcome::{EndReason, Outcome};
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

/// The identity of an offer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct OfferId(pub u128);

/// An open draw offer; there is at most one, for two that cross agree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Offer {
    /// Its identity.
    pub id: OfferId,
    /// Who made it.
    pub by: Color,
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

/// A game from the agreement to the result: the fold of its [`Event`]s.
///
/// [`play`](Self::play) decides what a command leads to without changing anything;
/// [`apply`](Self::apply) takes events in.
#[derive(Clone)]
pub struct Game {
    terms: Terms,
    pub(crate) setups: ByColor<Option<Setup>>,
    pub(crate) position: Option<Position>,
    pub(crate) knowledge: Knowledge,
    pub(crate) log: Vec<Entry>,
    clock: Option<Clock>,
    offer: Option<Offer>,
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
            setups: ByColor {
                red: None,
                blue: None,
            },
            position: None,
            knowledge: Knowledge::new(),
            log: Vec::new(),
            clock: None,
            offer: None,
            outcome: None,
            created_at,
            started_at: None,
            finished_at: None,
            updated_at: created_at,
        }
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
                reason: EndReason::Resignation | EndReason::Timeout,
                ..
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

    /// When the running turn, or the time to place the armies, is over.
    pub fn deadline(&self) -> Option<Timestamp> {
        match (self.outcome, &self.clock) {
            (Some(_), _) => None,
            (None, Some(clock)) => clock.deadline(),
            (None, None) => Some(self.created_at + self.terms.time_control.setup_time()),
        }
    }

    /// What a side had left when the running turn began, or when the game ended; before the start
    /// what it will have; `None` without a limit.
    pub fn time_left(&self, side: Color) -> Option<Duration> {
        match &self.clock {
            Some(clock) => clock.time_left(side),
            None if self.terms.time_control == TimeControl::Unlimited => None,
            None => Some(self.terms.time_control.setup_time()),
        }
    }

    /// Whether a side has placed its army.
    pub fn has_placed(&self, side: Color) -> bool {
        self.setups[side].is_some()
    }

    /// The open draw offer.
    pub const fn offer(&self) -> Option<Offer> {
        self.offer
    }

    /// The result.
    pub const fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// When the game was agreed on.
    pub const fn created_at(&self) -> Timestamp {
        self.created_at
    }

    /// When both armies stood.
    pub const fn started_at(&self) -> Option<Timestamp> {
        self.started_at
    }

    /// When the result was decided; a game lost on time ended at its deadline.
    pub const fn finished_at(&self) -> Option<Timestamp> {
        self.finished_at
    }

    /// The last change that is public: that an army was replaced before the start, or a draw
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

    /// The events that the clock alone leads to, when the deadline has passed: the side to move
    /// loses, or the game is aborted if the armies do not stand or a side has not moved yet
    /// (`rules.md` 7). The game ends at its deadline, whenever it is looked at.
    pub fn expire(&self, now: Timestamp) -> Option<Vec<Event>> {
        let at = self.deadline().filter(|deadline| *deadline <= now)?;
        let outcome = match self.turn() {
            None => Outcome::no_winner(EndReason::SetupTimeout),
            Some(_) if !self.both_have_moved() => Outcome::no_winner(EndReason::Timeout),
            Some(late) => Outcome::win(!late, EndReason::Timeout),
        };
        Some(self.end(outcome, OfferClosing::GameOver, at))
    }

    /// Where a move request stands before the rules of moving look at it: a retry of a move that
    /// was made, or the next move.
    ///
    /// # Errors
    /// The game is over or has not started, the ply is another, or it is not the player's turn; in
    /// this order (`http-api.md` 4).
    pub fn standing(&self, by: Color, request: &MoveRequest) -> Result<Standing, PlayError> {
        if self.is_repeated(by, request) {
            return Ok(Standing::Repeated);
        }
        let position = self.running()?;
        if request.ply != position.ply() {
            return Err(PlayError::StalePly {
                current: position.ply(),
            });
        }
        if position.turn() != by {
            return Err(PlayError::NotYourTurn);
        }
        Ok(Standing::Next)
    }

    fn is_repeated(&self, by: Color, request: &MoveRequest) -> bool {
        let stored = usize::try_from(request.ply)
            .ok()
            .and_then(|ply| self.log.get(ply));
        let Some(Entry {
            turn, requested, ..
        }) = stored
        else {
            return false;
        };
        let rescue = match request.rescue {
            None => None,
            Some(rescue) => match rescue.on_board() {
                Some(rescue) => Some(rescue),
                None => return false,
            },
        };
        turn.side == by
            && Some(turn.mv.from) == request.from
            && Some(turn.mv.to) == request.to
            && *requested == rescue
    }

    fn running(&self) -> Result<&Position, PlayError> {
        match (self.outcome, &self.position) {
            (Some(_), _) => Err(PlayError::GameOver),
            (None, None) => Err(PlayError::NotActive),
            (None, Some(position)) => Ok(position),
        }
    }

    /// Decides what a player's command leads to; nothing at all for a move or an offer that was
    /// made already.
    ///
    /// # Errors
    /// Why it is refused; the game is as it was.
    pub fn play(
        &self,
        by: Color,
        command: &Command,
        now: Timestamp,
    ) -> Result<Vec<Event>, PlayError> {
        if let Command::Move(request) = command
            && self.is_repeated(by, request)
        {
            return Ok(Vec::new());
        }
        if self.deadline().is_some_and(|deadline| deadline <= now) {
            return Err(PlayError::OutOfTime);
        }
        match command {
            Command::PlaceSetup(setup) => self.place(by, *setup, now),
            Command::Move(request) => self.make_move(by, request, now),
            Command::Resign => self.resign(by, now),
            Command::Abort => self.abort(now),
            Command::OfferDraw(id) => self.offer_draw(Offer { id: *id, by }, now),
            Command::AcceptOffer(id) => {
                self.open_offer(by, *id)?;
                let outcome = Outcome::no_winner(EndReason::DrawAgreed);
                Ok(self.end(outcome, OfferClosing::Accepted, now))
            }
            Command::DeclineOffer(id) => {
                let id = self.open_offer(by, *id)?.id;
                Ok(vec![Event::OfferClosed {
                    id,
                    closing: OfferClosing::Declined,
                    at: now,
                }])
            }
        }
    }

    fn place(&self, by: Color, setup: Setup, at: Timestamp) -> Result<Vec<Event>, PlayError> {
        if self.outcome.is_some() {
            return Err(PlayError::GameOver);
        }
        if self.position.is_some() {
            return Err(PlayError::SetupAlreadyPlaced);
        }
        let mut events = vec![Event::SetupPlaced { by, setup, at }];
        if self.has_placed(!by) {
            events.push(Event::Started { at });
        }
        Ok(events)
    }

    fn make_move(
        &self,
        by: Color,
        request: &MoveRequest,
        at: Timestamp,
    ) -> Result<Vec<Event>, PlayError> {
        self.standing(by, request)?;
        let position = self.running()?;
        let (mv, verdict) = position.check(request.from, request.to)?;
        if let (Verdict::Played, Some(rescue)) = (verdict, request.rescue) {
            position.check_rescue(mv, rescue.rank, rescue.square)?;
        }
        let rescue = request.rescue.and_then(RescueRequest::on_board);
        let mut events = vec![Event::Moved { mv, rescue, at }];
        let mut after = position.clone();
        // `check` found a piece on the first square.
        advance(&mut after, mv, verdict, rescue);
        match (after.outcome(), self.offer) {
            (Some(outcome), _) => events.extend(self.end(outcome, OfferClosing::GameOver, at)),
            (None, Some(offer)) if offer.by != by => {
                let closing = OfferClosing::Lapsed;
                events.push(Event::OfferClosed {
                    id: offer.id,
                    closing,
                    at,
                });
            }
            _ => {}
        }
        Ok(events)
    }

    fn resign(&self, by: Color, at: Timestamp) -> Result<Vec<Event>, PlayError> {
        self.running()?;
        let outcome = if self.both_have_moved() {
            Outcome::win(!by, EndReason::Resignation)
        } else {
            Outcome::no_winner(EndReason::Resignation)
        };
        Ok(self.end(outcome, OfferClosing::GameOver, at))
    }

    fn abort(&self, at: Timestamp) -> Result<Vec<Event>, PlayError> {
        if self.outcome.is_some() {
            return Err(PlayError::GameOver);
        }
        if self.both_have_moved() {
            return Err(PlayError::TooLateToAbort);
        }
        Ok(self.end(
            Outcome::no_winner(EndReason::Aborted),
            OfferClosing::GameOver,
            at,
        ))
    }

    fn offer_draw(&self, offer: Offer, at: Timestamp) -> Result<Vec<Event>, PlayError> {
        self.running()?;
        match self.offer {
            None => Ok(vec![Event::OfferMade { offer, at }]),
            Some(open) if open.by == offer.by => Ok(Vec::new()),
            Some(_) => {
                let outcome = Outcome::no_winner(EndReason::DrawAgreed);
                Ok(self.end(outcome, OfferClosing::Accepted, at))
            }
        }
    }

    fn open_offer(&self, by: Color, id: OfferId) -> Result<Offer, PlayError> {
        self.running()?;
        let offer = self
            .offer
            .filter(|offer| offer.id == id)
            .ok_or(PlayError::OfferClosed)?;
        if offer.by == by {
            Err(PlayError::OwnOffer)
        } else {
            Ok(offer)
        }
    }

    fn end(&self, outcome: Outcome, closing: OfferClosing, at: Timestamp) -> Vec<Event> {
        let closed = self
            .offer
            .map(|Offer { id, .. }| Event::OfferClosed { id, closing, at });
        closed
            .into_iter()
            .chain([Event::Ended { outcome, at }])
            .collect()
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
        match *event {
            Event::SetupPlaced { by, setup, at } => {
                if self.position.is_some() {
                    return Err(corrupt);
                }
                if self.setups[by].replace(setup).is_none() {
                    self.updated_at = at;
                }
            }
            Event::Started { at } => {
                let (None, Some(red), Some(blue)) =
                    (&self.position, self.setups.red, self.setups.blue)
                else {
                    return Err(corrupt);
                };
                self.position = Some(Position::new(self.terms.options, &ByColor { red, blue }));
                self.clock = Some(Clock::start(self.terms.time_control, at));
                self.started_at = Some(at);
                self.updated_at = at;
            }
            Event::Moved { mv, rescue, at } => self.apply_move(mv, rescue, at).ok_or(corrupt)?,
            Event::OfferMade { offer, .. } => {
                if self.offer.replace(offer).is_some() || self.position.is_none() {
                    return Err(corrupt);
                }
            }
            Event::OfferClosed { id, .. } => {
                if self.offer.take_if(|open| open.id == id).is_none() {
                    return Err(corrupt);
                }
            }
            Event::Ended { outcome, at } => {
                self.outcome = Some(outcome);
                self.finished_at = Some(at);
                self.updated_at = at;
                if let Some(clock) = &mut self.clock {
                    clock.stop(at);
                }
            }
        }
        Ok(())
    }

    fn apply_move(&mut self, mv: Move, rescue: Option<Rescue>, at: Timestamp) -> Option<()> {
        let (Some(position), Some(clock)) = (&mut self.position, &mut self.clock) else {
            return None;
        };
        if position.outcome().is_some() {
            return None;
        }
        let (_, verdict) = position.check(Some(mv.from), Some(mv.to)).ok()?;
        if let (Verdict::Played, Some(rescue)) = (verdict, rescue) {
            position
                .check_rescue(mv, rescue.rank, Some(rescue.square))
                .ok()?;
        }
        let turn = advance(position, mv, verdict, rescue)?;
        self.knowledge
            .observe(position.ply(), &turn, position.options());
        let think_time = clock.press(turn.side, at);
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
        let past = self.log.get(..usize::try_from(ply).ok()?)?;
        let (red, blue) = (self.setups.red?, self.setups.blue?);
        let mut position = Position::new(self.terms.options, &ByColor { red, blue });
        for entry in past {
            entry.replay(&mut position);
        }
        Some(position)
    }
}

impl Entry {
    /// Does again what was done.
    pub(crate) fn replay(&self, position: &mut Position) {
        let verdict = if self.turn.forfeited {
            Verdict::Forfeits
        } else {
            Verdict::Played
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
        Verdict::Forfeits => position.forfeit(mv),
    }
}
