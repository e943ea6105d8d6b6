use super::Position;
use crate::bitboard::{Bitboard, Direction};
use crate::color::Color;
use crate::moves::{IllegalMove, Irregular, Move, MoveBuffer, Refill, Verdict};
use crate::repetition::{reverses, threatens};
use crate::ruleset::TwoSquares;
use crate::square::Square;

impl Position {
    /// Collects the moves that the side to move may make by all rules; moves that would forfeit
    /// the turn are not among them (`rules.md` 5). Nothing once the game is over.
    pub fn legal_moves(&self, into: &mut MoveBuffer) {
        into.clear();
        if self.outcome.is_some() {
            return;
        }
        self.collect(self.turn, into);
        if self.repetition_may_bar(self.turn) {
            into.retain(|mv| self.repetition_fault(self.turn, mv).is_none());
        }
    }

    /// Judges a move of the side to move; a square that is not on the board is `None`.
    ///
    /// # Errors
    /// The first reason that applies, in the order of `http-api.md` 1.
    pub fn check(
        &self,
        from: Option<Square>,
        to: Option<Square>,
    ) -> Result<(Move, Verdict), IllegalMove> {
        let (Some(from), Some(to)) = (from, to) else {
            return Err(IllegalMove::NotOnBoard);
        };
        let mv = Move { from, to };
        self.check_geometry(mv)?;
        match self.repetition_fault(self.turn, mv) {
            None => Ok((mv, Verdict::Played)),
            Some(IllegalMove::TwoSquares)
                if self.options.two_squares == TwoSquares::ForfeitTurn =>
            {
                Ok((mv, Verdict::Forfeits))
            }
            Some(fault) => match Irregular::of(fault).filter(|_| self.recorded) {
                Some(irregular) => Ok((mv, Verdict::Irregular(irregular))),
                None => Err(fault),
            },
        }
    }

    fn check_geometry(&self, mv: Move) -> Result<(), IllegalMove> {
        let refuse = |when: bool, why: IllegalMove| if when { Err(why) } else { Ok(()) };
        let own = &self.sides[self.turn];
        refuse(mv.from == mv.to, IllegalMove::SameSquare)?;
        refuse(self.piece_on(mv.from).is_none(), IllegalMove::EmptySquare)?;
        refuse(!own.all.contains(mv.from), IllegalMove::NotYourPiece)?;
        refuse(!own.movable.contains(mv.from), IllegalMove::Immovable)?;
        refuse(mv.to.is_lake(), IllegalMove::Lake)?;
        refuse(own.all.contains(mv.to), IllegalMove::OccupiedByOwn)?;
        let distance = mv.from.distance(mv.to).ok_or(IllegalMove::NotStraight)?;
        refuse(
            distance > 1 && !own.scouts.contains(mv.from),
            IllegalMove::TooFar,
        )?;
        let in_the_way = Bitboard::between(mv.from, mv.to) & (self.occupied() | Bitboard::LAKES);
        refuse(!in_the_way.is_empty(), IllegalMove::PathBlocked)
    }

    /// Whether any move of `side` could be barred by repetition at present.
    fn repetition_may_bar(&self, side: Color) -> bool {
        let side = &self.sides[side];
        side.run.is_full() || (self.options.more_squares && side.chase.count > 1)
    }

    /// The repetition rule that a move breaches: two squares before more squares (`rules.md` 5).
    fn repetition_fault(&self, side: Color, mv: Move) -> Option<IllegalMove> {
        let piece = self.piece_on(mv.from)?;
        let own = &self.sides[side];
        if own.run.breaches(piece, mv) {
            return Some(IllegalMove::TwoSquares);
        }
        let enemies = self.sides[!side].all;
        let breach = self.options.more_squares
            && own.chase.count > 1
            && !enemies.contains(mv.to)
            && threatens(mv.to, enemies)
            && !reverses(mv, own.chase.last)
            && self.placements.recurs(piece, mv, own.chase.count - 1);
        breach.then_some(IllegalMove::MoreSquares)
    }

    /// Collects the moves of a side by geometry alone.
    fn collect(&self, side: Color, into: &mut MoveBuffer) {
        let own = &self.sides[side];
        let steppers = own.movable & !own.scouts;
        let open = Bitboard::DRY & !own.all;
        let ways = Direction::ALL.map(|direction| steppers & open.shift(direction.back()));
        let occupied = self.occupied();
        into.refill(|moves| {
            collect_steps(ways, moves);
            own.scouts.for_each(|from| {
                let targets = Bitboard::lines(from, occupied) & !own.all;
                targets.for_each(|to| moves.push(Move { from, to }));
            });
        });
    }

    /// Whether a side has a move by geometry alone: a scout that can go far can go one step.
    pub(super) fn can_step(&self, side: Color) -> bool {
        let own = &self.sides[side];
        !(own.movable.neighbours() & Bitboard::DRY & !own.all).is_empty()
    }

    /// Whether a side has a move by all rules.
    pub(super) fn can_move(&self, side: Color) -> bool {
        if self.recorded || !self.repetition_may_bar(side) {
            return self.can_step(side);
        }
        let mut moves = MoveBuffer::new();
        self.collect(side, &mut moves);
        moves
            .iter()
            .any(|mv| self.repetition_fault(side, *mv).is_none())
    }
}

/// The steps of one square: `ways` holds, for each direction, the squares of the pieces that may
/// go there.
///
/// Most time of a random game is spent here, and most of that on branches that no processor can
/// foresee: so each piece notes all four steps and keeps those it may make.
fn collect_steps(ways: [Bitboard; 4], moves: &mut Refill<'_>) {
    let halves = ways.map(Bitboard::halves);
    for (half, first) in [0_u8, 64].into_iter().enumerate() {
        let ways = halves.map(|halves| halves[half]);
        let mut rest = ways[0] | ways[1] | ways[2] | ways[3];
        while rest != 0 {
            #[expect(clippy::cast_possible_truncation, reason = "below 64")]
            let bit = rest.trailing_zeros() as u8;
            rest &= rest - 1;
            let from = first + bit;
            for (direction, way) in Direction::ALL.into_iter().zip(ways) {
                let mv = Move {
                    from: Square::at(from),
                    to: Square::unchecked(from.wrapping_add_signed(direction.step())),
                };
                moves.push_if(way >> bit & 1 == 1, mv);
            }
        }
    }
}
