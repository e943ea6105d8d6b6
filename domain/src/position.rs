use std::fmt;

use crate::battle::{BattleOutcome, resolve};
use crate::bitboard::{Bitboard, Direction};
use crate::color::{ByColor, Color};
use crate::moves::{IllegalMove, Move, MoveBuffer, Verdict};
use crate::outcome::{EndReason, Outcome};
use crate::piece::PieceId;
use crate::rank::Rank;
use crate::repetition::{Chase, Placements, Run, reverses, threatens};
use crate::rescue::{Keeping, Rescue};
use crate::ruleset::{Options, TwoSquares};
use crate::setup::Setup;
use crate::square::Square;

/// The board and all that the rules of moving, repetition, battle, rescue and the end need to know.
///
/// It holds every rank and therefore tells none: ranks leave a game through a
/// [`View`](crate::View) alone.
#[derive(Clone)]
pub struct Position {
    options: Options,
    turn: Color,
    ply: u32,
    /// Plies in a row without an attack.
    quiet: u32,
    outcome: Option<Outcome>,
    /// The piece on each square, or `EMPTY`.
    board: [u8; Square::COUNT],
    /// The square of each piece, or `NOWHERE`.
    squares: [u8; PieceId::COUNT],
    ranks: [Option<Rank>; PieceId::COUNT],
    /// One bit a piece: it has left the square it appeared on.
    moved: u128,
    sides: ByColor<Side>,
    placements: Placements,
}

const EMPTY: u8 = u8::MAX;
const NOWHERE: u8 = u8::MAX;

#[derive(Clone, Copy, Default)]
struct Side {
    all: Bitboard,
    movable: Bitboard,
    scouts: Bitboard,
    run: Run,
    chase: Chase,
    keeping: Keeping,
}

/// What one ply did, ranks included; read through a [`View`](crate::View).
#[derive(Clone, Copy)]
pub struct Turn {
    pub(crate) side: Color,
    pub(crate) mv: Move,
    pub(crate) piece: PieceId,
    pub(crate) rank: Rank,
    pub(crate) forfeited: bool,
    pub(crate) battle: Option<Battle>,
    /// The rescue that was taken up.
    pub(crate) rescue: Option<Rescued>,
}

/// An attack and its outcome; the attacker is the piece that moved.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Battle {
    pub(crate) defender: PieceId,
    pub(crate) outcome: BattleOutcome,
}

/// A rescue that took place.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rescued {
    pub(crate) piece: PieceId,
    pub(crate) square: Square,
}

impl fmt::Debug for Position {
    /// Without any rank: a position may end up in a log.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Position")
            .field("ply", &self.ply)
            .finish_non_exhaustive()
    }
}

impl Turn {
    /// How far the piece went, or tried to go: 1, or more for a scout.
    pub fn distance(&self) -> u8 {
        self.mv.from.distance(self.mv.to).unwrap_or(0)
    }

    /// Whether the move was an attack.
    pub const fn is_attack(&self) -> bool {
        self.battle.is_some()
    }
}

impl Position {
    /// Both armies as deployed, Red to move.
    pub fn new(options: Options, setups: &ByColor<Setup>) -> Self {
        let mut position = Self {
            options,
            turn: Color::Red,
            ply: 0,
            quiet: 0,
            outcome: None,
            board: [EMPTY; Square::COUNT],
            squares: [NOWHERE; PieceId::COUNT],
            ranks: [None; PieceId::COUNT],
            moved: 0,
            sides: ByColor::default(),
            placements: Placements::new(std::iter::empty()),
        };
        for owner in Color::ALL {
            for (square, rank) in setups[owner].pieces(owner) {
                if let Some(piece) = PieceId::deployed_on(square) {
                    position.ranks[piece.index()] = Some(rank);
                    position.put(piece, rank, square);
                }
            }
        }
        position.placements = Placements::new(position.standing());
        position
    }

    /// The options it is played with.
    pub const fn options(&self) -> &Options {
        &self.options
    }

    /// The side to move; that of the last mover's opponent when the game is over.
    pub const fn turn(&self) -> Color {
        self.turn
    }

    /// How many plies were played.
    pub const fn ply(&self) -> u32 {
        self.ply
    }

    /// How the rules ended the game, if they did.
    pub const fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// The piece on a square.
    pub fn piece_on(&self, square: Square) -> Option<PieceId> {
        let index = self.board[usize::from(square.index())];
        (index != EMPTY).then(|| PieceId::at(index))
    }

    /// The square of a piece; `None` when it was removed or never stood on the board.
    pub fn square_of(&self, piece: PieceId) -> Option<Square> {
        Square::new(self.squares[piece.index()])
    }

    /// Whether a piece has left the square it appeared on.
    pub const fn has_moved(&self, piece: PieceId) -> bool {
        self.moved >> piece.index() & 1 == 1
    }

    /// Every piece on the board with its square, in the order of identities.
    pub fn standing(&self) -> impl Iterator<Item = (PieceId, Square)> {
        PieceId::all().filter_map(|piece| self.square_of(piece).map(|square| (piece, square)))
    }

    pub(crate) fn rank(&self, piece: PieceId) -> Option<Rank> {
        self.ranks[piece.index()]
    }

    pub(crate) fn keeping(&self, owner: Color) -> &Keeping {
        &self.sides[owner].keeping
    }

    pub(crate) fn occupied(&self) -> Bitboard {
        self.sides.red.all | self.sides.blue.all
    }

    /// Collects the moves that the side to move may make by all rules; moves that would forfeit
    /// the turn are not among them (`rules.md` 5). Nothing once the game is over.
    pub fn legal_moves(&self, into: &mut MoveBuffer) {
        into.clear();
        if self.outcome.is_some() {
            return;
        }
        self.each_move(self.turn, |mv| {
            into.push(mv);
            true
        });
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
            Some(fault) => Err(fault),
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

    /// Calls `visit` with each move of a side by geometry alone, until it answers `false`.
    #[inline]
    fn each_move(&self, side: Color, mut visit: impl FnMut(Move) -> bool) {
        let own = &self.sides[side];
        let open = Bitboard::DRY & !own.all;
        let steppers = own.movable & !own.scouts;
        for direction in Direction::ALL {
            for to in steppers.shift(direction) & open {
                let from = Square::at(to.index().wrapping_add_signed(-direction.step()));
                if !visit(Move { from, to }) {
                    return;
                }
            }
        }
        let enemies = self.sides[!side].all;
        for from in own.scouts {
            for direction in Direction::ALL {
                let mut index = from.index();
                for _ in 0..dry_squares(from, direction) {
                    index = index.wrapping_add_signed(direction.step());
                    let to = Square::at(index);
                    let occupied = self.board[usize::from(index)] != EMPTY;
                    if occupied && !enemies.contains(to) {
                        break;
                    }
                    if !visit(Move { from, to }) {
                        return;
                    }
                    if occupied {
                        break;
                    }
                }
            }
        }
    }

    /// Whether a side has a move by geometry alone: a scout that can go far can go one step.
    fn can_step(&self, side: Color) -> bool {
        let own = &self.sides[side];
        !(own.movable.neighbours() & Bitboard::DRY & !own.all).is_empty()
    }

    fn can_move(&self, side: Color) -> bool {
        if !self.repetition_may_bar(side) {
            return self.can_step(side);
        }
        let mut found = false;
        self.each_move(side, |mv| {
            found = self.repetition_fault(side, mv).is_none();
            !found
        });
        found
    }

    /// Plays a move of the side to move after [`check`](Self::check) called it [`Verdict::Played`],
    /// and the rescue sent with it; a rescue that the battle does not allow falls away.
    ///
    /// `None`, and nothing changes, when no piece stands on the first square; what a move that was
    /// never checked does otherwise is not specified.
    pub fn play_unchecked(&mut self, mv: Move, rescue: Option<Rescue>) -> Option<Turn> {
        let piece = self.piece_on(mv.from)?;
        let rank = self.rank(piece)?;
        let side = self.turn;
        let target = self.piece_on(mv.to);
        self.count_chase(side, mv, target.is_some());
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
                Some(Battle { defender, outcome })
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
            battle,
            rescue,
        })
    }

    /// Lets the turn pass after [`check`](Self::check) called a move [`Verdict::Forfeits`]: the
    /// piece stays, and it is no own move for the repetition rules (`rules.md` 5).
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
        if outcome != BattleOutcome::DefenderWins {
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
        Some(Rescued { piece, square })
    }

    fn end_ply(&mut self, flag_captured: bool) {
        self.ply += 1;
        let chase_runs = self.sides.red.chase.count > 0 || self.sides.blue.chase.count > 0;
        self.placements.end_ply(chase_runs);
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

    fn put(&mut self, piece: PieceId, rank: Rank, square: Square) {
        #[expect(clippy::cast_possible_truncation, reason = "an identity is below 84")]
        let index = piece.index() as u8;
        self.board[usize::from(square.index())] = index;
        self.squares[piece.index()] = square.index();
        self.placements.toggle(piece, square);
        let side = &mut self.sides[piece.owner()];
        side.all.insert(square);
        if rank.is_movable() {
            side.movable.insert(square);
        }
        if rank == Rank::Scout {
            side.scouts.insert(square);
        }
    }

    fn lift(&mut self, piece: PieceId, square: Square) {
        self.board[usize::from(square.index())] = EMPTY;
        self.squares[piece.index()] = NOWHERE;
        self.placements.toggle(piece, square);
        let side = &mut self.sides[piece.owner()];
        side.all.remove(square);
        side.movable.remove(square);
        side.scouts.remove(square);
    }
}

/// How many squares a scout could go from a square before a lake or the edge.
fn dry_squares(from: Square, direction: Direction) -> u8 {
    const TABLE: [[u8; Square::COUNT]; 4] = {
        let mut table = [[0; Square::COUNT]; 4];
        let mut d = 0;
        while d < 4 {
            let step = Direction::ALL[d].step();
            let mut from = 0_u8;
            while from < 100 {
                let mut here = from;
                loop {
                    let at_edge = match Direction::ALL[d] {
                        Direction::Up => here >= 90,
                        Direction::Down => here < 10,
                        Direction::Left => here % 10 == 0,
                        Direction::Right => here % 10 == 9,
                    };
                    if at_edge {
                        break;
                    }
                    here = here.wrapping_add_signed(step);
                    if Square::at(here).is_lake() {
                        break;
                    }
                    table[d][from as usize] += 1;
                }
                from += 1;
            }
            d += 1;
        }
        table
    };
    TABLE[direction as usize][usize::from(from.index())]
}
