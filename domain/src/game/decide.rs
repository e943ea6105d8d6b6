use std::time::Duration;

use super::{Entry, Game, advance};
use crate::color::Color;
use crate::command::{Command, MoveRequest, PlayError, RescueRequest, Standing};
use crate::event::{Event, OfferClosing};
use crate::moves::Verdict;
use crate::offer::{Offer, OfferId, OfferKind};
use crate::outcome::{EndReason, Outcome};
use crate::position::Position;
use crate::setup::Setup;
use crate::time::Timestamp;

/// What a command, or the clock, leads to; nothing here changes the game.
impl Game {
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
        Some(self.end(outcome, None, at))
    }

    /// What warns the side that has to act that only a fifth of its time is left; once for each turn.
    pub fn warn(&self, now: Timestamp) -> Option<Event> {
        self.near().filter(|near| *near <= now)?;
        Some(Event::Warned {
            at: now.max(self.updated_at()),
        })
    }

    /// A player goes on vacation, or will return at another time than was said; nothing when all that is
    /// known, when vacations do not count in this game, and when it is over.
    pub fn leave(&self, by: Color, until: Timestamp, now: Timestamp) -> Option<Event> {
        if self.outcome.is_some() || !self.terms.vacation {
            return None;
        }
        if self.absences[by].is_some_and(|absence| absence.until == until) {
            return None;
        }
        Some(Event::Left {
            by,
            until,
            at: now.max(self.updated_at()),
        })
    }

    /// A player is back from his vacation; nothing when he was not away.
    pub fn come_back(&self, by: Color, now: Timestamp) -> Option<Event> {
        self.absences[by].filter(|_| self.outcome.is_none())?;
        Some(Event::Returned {
            by,
            at: now.max(self.updated_at()),
        })
    }

    /// Gives back the time that an outage took from the side to move: the part of it in which its clock
    /// ran. Nothing when no clock ran.
    pub fn credit(&self, began: Timestamp, ended: Timestamp) -> Option<Event> {
        if self.outcome.is_some() || !self.clock.is_running() {
            return None;
        }
        let began = began.max(self.updated_at());
        let span = self.terms.calendar().between(began, ended);
        (span > Duration::ZERO).then_some(Event::Credited { span, at: ended })
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
        let rescue = match request.rescue.map(RescueRequest::on_board) {
            None => None,
            // A forfeit drops whatever rescue came with it; a square off the board is not kept.
            Some(None) if turn.forfeited => None,
            Some(None) => return false,
            Some(on_board) => on_board,
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
    /// A clock that was set back since the last change counts as one that stood still: nothing in a
    /// game happens before what came before it.
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
        let now = now.max(self.updated_at());
        if self.deadline().is_some_and(|deadline| deadline <= now) {
            return Err(PlayError::OutOfTime);
        }
        match command {
            Command::PlaceSetup(setup) => self.place(by, *setup, now),
            Command::Move(request) => self.make_move(by, request, now),
            Command::Resign => self.resign(by, now),
            Command::Abort => self.abort(now),
            Command::OfferDraw(id) => self.offer_to_other(*id, OfferKind::Draw, by, now),
            Command::OfferPause(id) => self.offer_to_other(*id, OfferKind::Pause, by, now),
            Command::Resume => self.resume(by, now),
            Command::AcceptOffer(id) => {
                let offer = self.open_offer(by, *id)?;
                Ok(self.agree(offer, now))
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
        if let (Verdict::Played | Verdict::Irregular(_), Some(rescue)) = (verdict, request.rescue) {
            position.check_rescue(mv, rescue.rank, rescue.square)?;
        }
        let rescue = request.rescue.and_then(RescueRequest::on_board);
        let mut events = vec![Event::Moved { mv, rescue, at }];
        let mut after = position.clone();
        // `check` found a piece on the first square.
        advance(&mut after, mv, verdict, rescue);
        match after.outcome() {
            Some(outcome) => events.extend(self.end(outcome, None, at)),
            None => events.extend(self.offers().filter(|offer| offer.by != by).map(|offer| {
                Event::OfferClosed {
                    id: offer.id,
                    closing: OfferClosing::Lapsed,
                    at,
                }
            })),
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
        Ok(self.end(outcome, None, at))
    }

    fn abort(&self, at: Timestamp) -> Result<Vec<Event>, PlayError> {
        if self.outcome.is_some() {
            return Err(PlayError::GameOver);
        }
        if self.both_have_moved() {
            return Err(PlayError::TooLateToAbort);
        }
        Ok(self.end(Outcome::no_winner(EndReason::Aborted), None, at))
    }

    fn offer_to_other(
        &self,
        id: OfferId,
        kind: OfferKind,
        by: Color,
        at: Timestamp,
    ) -> Result<Vec<Event>, PlayError> {
        let position = self.running()?;
        if kind == OfferKind::Pause && self.agreed_pause.is_some() {
            return Err(PlayError::AlreadyPaused);
        }
        match self.offers.open(kind) {
            None if !self.offers.may_make(kind, by, position.ply()) => {
                Err(PlayError::OfferedTooSoon)
            }
            None => {
                let offer = Offer { id, kind, by };
                Ok(vec![Event::OfferMade { offer, at }])
            }
            Some(open) if open.by == by => Ok(Vec::new()),
            Some(open) => Ok(self.agree(open, at)),
        }
    }

    /// What comes of an offer that both agree to.
    fn agree(&self, offer: Offer, at: Timestamp) -> Vec<Event> {
        match offer.kind {
            OfferKind::Draw => {
                let outcome = Outcome::no_winner(EndReason::DrawAgreed);
                self.end(outcome, Some(offer.id), at)
            }
            OfferKind::Pause => vec![
                Event::OfferClosed {
                    id: offer.id,
                    closing: OfferClosing::Accepted,
                    at,
                },
                Event::Paused { by: offer.by, at },
            ],
        }
    }

    /// A game that is not paused goes on already.
    fn resume(&self, by: Color, at: Timestamp) -> Result<Vec<Event>, PlayError> {
        self.running()?;
        let resumed = self.agreed_pause.map(|_| Event::Resumed { by, at });
        Ok(resumed.into_iter().collect())
    }

    fn open_offer(&self, by: Color, id: OfferId) -> Result<Offer, PlayError> {
        self.running()?;
        let offer = self
            .offers()
            .find(|offer| offer.id == id)
            .ok_or(PlayError::OfferClosed)?;
        if offer.by == by {
            Err(PlayError::OwnOffer)
        } else {
            Ok(offer)
        }
    }

    /// The end of the game, with all that is still offered; one offer may have led to it.
    fn end(&self, outcome: Outcome, accepted: Option<OfferId>, at: Timestamp) -> Vec<Event> {
        let closed = self.offers().map(|Offer { id, .. }| {
            let closing = if accepted == Some(id) {
                OfferClosing::Accepted
            } else {
                OfferClosing::GameOver
            };
            Event::OfferClosed { id, closing, at }
        });
        closed.chain([Event::Ended { outcome, at }]).collect()
    }
}
