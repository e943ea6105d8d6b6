use super::{Entry, Game, Offer, OfferId, advance};
use crate::color::Color;
use crate::command::{Command, MoveRequest, PlayError, RescueRequest, Standing};
use crate::event::{Event, OfferClosing};
use crate::moves::Verdict;
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
}
