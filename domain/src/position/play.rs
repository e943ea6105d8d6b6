use super::{Battle, Position, Rescued, Turn};
use crate::battle::{BattleOutcome, resolve};
use crate::bitboard::Bitboard;
use crate::color::Color;
use crate::moves::Move;
use crate::outcome::{EndReason, Outcome};
use crate::piece::PieceId;
use crate::rank::Rank;
use crate::repetition::threatens;
use crate::rescue::Rescue;
use crate::square::Square;

impl Position {
    /// Plays a move of the side to move after [`check`](Self::check) called it
    /// [`Played`](crate::Verdict::Played), and the rescue sent with it; a rescue that the battle
    /// does not allow falls away.
    ///
    /// `None`, and nothing changes, when no piece stands on the first square; what a move that was
    /// never checked does otherwise is not specified.
    pub fn play_unchecked(&mut self, mv: Move, rescue: Option<Rescue>) -> Option<Turn> {
        let piece = self.piece_on(mv.from)?;
        let rank = self.rank(piece)?;
        let side = self.turn;
        let target = self.piece_on(mv.to);
        if self.options.more_squares {
            self.count_chase(side, mv, target.is_some());
        }
        self.lift(piece, mv.from);
        self.moved |= 1 << piece.index();
        let battle = match target.and_then(|defender| Some((defender, self.rank(defender)?))) {
            None => {
                self.put(piece, rank, mv.to);
                None
            }
            Some((defender, defender_rank)) => {
                let outcome = resolve(rank, defender_rank, self.options.aggressor_advantage);
                self.settle((piece, rank), (defender, defender_rank), mv.to, outcome);
                Some(Battle {
                    defender,
                    rank: defender_rank,
                    outcome,
                })
            }
        };
        let own = &mut self.sides[side];
        own.run.push(piece, mv, self.options.two_squares_limit);
        own.chase.last = Some(mv);
        self.quiet = if battle.is_some() { 0 } else { self.quiet + 1 };
        let stands = battle.is_none_or(|battle| battle.outcome == BattleOutcome::AttackerWins);
        let rescue = rescue
            .filter(|_| stands)
            .and_then(|rescue| self.take_back(piece, rescue));
        let flag = battle.is_some_and(|battle| battle.outcome == BattleOutcome::FlagCaptured);
        self.end_ply(flag);
        Some(Turn {
            side,
            mv,
            piece,
            rank,
            forfeited: false,
            irregular: None,
            battle,
            rescue,
        })
    }

    /// Lets the turn pass after [`check`](Self::check) said that a move
    /// [`Forfeits`](crate::Verdict::Forfeits): the piece stays, and it is no own move for the
    /// repetition rules (`rules.md` 5).
    pub(crate) fn forfeit(&mut self, mv: Move) -> Option<Turn> {
        let piece = self.piece_on(mv.from)?;
        let rank = self.rank(piece)?;
        let side = self.turn;
        self.quiet += 1;
        self.end_ply(false);
        Some(Turn {
            side,
            mv,
            piece,
            rank,
            forfeited: true,
            irregular: None,
            battle: None,
            rescue: None,
        })
    }

    /// The chase counts after a move, in the order of `rules.md` 5.
    fn count_chase(&mut self, side: Color, mv: Move, attack: bool) {
        let pursuer = &mut self.sides[!side].chase;
        let fled = pursuer
            .last
            .is_some_and(|last| Bitboard::around(last.to).contains(mv.from));
        pursuer.count = if fled && !attack {
            pursuer.count + 1
        } else {
            0
        };
        let enemies = self.sides[!side].all;
        let own = &mut self.sides[side].chase;
        let count = if attack { 0 } else { own.count };
        own.count = if threatens(mv.to, enemies) {
            count + 1
        } else {
            0
        };
    }

    fn settle(
        &mut self,
        (attacker, attacker_rank): (PieceId, Rank),
        (defender, defender_rank): (PieceId, Rank),
        square: Square,
        outcome: BattleOutcome,
    ) {
        let attacker_stands = outcome.attacker_stands();
        if outcome.defender_falls() {
            self.lift(defender, square);
            self.sides[defender.owner()].keeping.receive(defender_rank);
        }
        if attacker_stands {
            self.put(attacker, attacker_rank, square);
        } else {
            self.sides[attacker.owner()].keeping.receive(attacker_rank);
        }
    }

    fn take_back(&mut self, rescuer: PieceId, rescue: Rescue) -> Option<Rescued> {
        let Rescue { rank, square } = rescue;
        let piece = self.sides[rescuer.owner()]
            .keeping
            .give_back(rank, rescuer)?;
        self.ranks[piece.index()] = Some(rank);
        self.put(piece, rank, square);
        Some(Rescued {
            piece,
            rank,
            square,
        })
    }

    fn end_ply(&mut self, flag_captured: bool) {
        self.ply += 1;
        if self.options.more_squares {
            let longest = self.sides.red.chase.count.max(self.sides.blue.chase.count);
            self.placements.end_ply(longest);
        }
        let mover = self.turn;
        self.turn = !mover;
        self.outcome = self.judge(mover, flag_captured);
    }

    /// Whether the ply that `mover` just made ended the game, in the order of `rules.md` 7.
    fn judge(&self, mover: Color, flag_captured: bool) -> Option<Outcome> {
        let next = !mover;
        if flag_captured {
            return Some(Outcome::win(mover, EndReason::FlagCaptured));
        }
        if !self.can_move(next) {
            if !self.can_step(mover) {
                return Some(Outcome::no_winner(EndReason::BothImmobile));
            }
            let reason = if self.sides[next].movable.is_empty() {
                EndReason::NoMobilePieces
            } else {
                EndReason::NoLegalMove
            };
            return Some(Outcome::win(mover, reason));
        }
        if self.sides[mover].movable.is_empty() {
            return Some(Outcome::win(next, EndReason::NoMobilePieces));
        }
        let limit = self.options.no_progress_plies?;
        (self.quiet >= u32::from(limit)).then(|| Outcome::no_winner(EndReason::NoProgress))
    }
}
