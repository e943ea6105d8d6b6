//! The rules once more, from `rules.md` alone: plain loops over rows and columns and the whole
//! history, nothing shared with the crate but the texts that go in. Slow, and meant to be.

use domain::{ByColor, Color, EndReason, Options, Rank, Setup, TwoSquares};

/// Row and column from 0.
pub(crate) type At = (usize, usize);

const LAKES: [At; 8] = [
    (4, 2),
    (4, 3),
    (5, 2),
    (5, 3),
    (4, 6),
    (4, 7),
    (5, 6),
    (5, 7),
];

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Piece {
    pub(crate) owner: Color,
    pub(crate) rank: Rank,
    /// Counted in the order of appearance.
    pub(crate) number: usize,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Ply {
    side: Color,
    number: usize,
    from: At,
    to: At,
    attack: bool,
    forfeited: bool,
}

/// Who stands after an attack: the attacker, the defender.
type Standing = (bool, bool);

type Board = [[Option<Piece>; 10]; 10];

#[derive(Clone)]
pub(crate) struct Slow {
    options: Options,
    /// The board after 0, 1, … plies.
    boards: Vec<Board>,
    plies: Vec<Ply>,
    removed: Vec<Piece>,
    rescuers: Vec<Piece>,
    pieces: usize,
    pub(crate) outcome: Option<(Option<Color>, EndReason)>,
}

/// What became of a move.
#[derive(Debug, PartialEq)]
pub(crate) struct Played {
    pub(crate) forfeited: bool,
    pub(crate) battle: Option<Standing>,
    pub(crate) rescued: bool,
}

pub(crate) fn moves_at_all(rank: Rank) -> bool {
    rank != Rank::Flag && rank != Rank::Bomb
}

/// The printed number of a rank that moves.
fn number(rank: Rank) -> u8 {
    match rank {
        Rank::Flag | Rank::Bomb => 0,
        Rank::Spy => 1,
        Rank::Scout => 2,
        Rank::Miner => 3,
        Rank::Sergeant => 4,
        Rank::Lieutenant => 5,
        Rank::Captain => 6,
        Rank::Major => 7,
        Rank::Colonel => 8,
        Rank::General => 9,
        Rank::Marshal => 10,
    }
}

pub(crate) fn battle(attacker: Rank, defender: Rank, aggressor_advantage: bool) -> Standing {
    if defender == Rank::Flag {
        return (true, false);
    }
    if defender == Rank::Bomb {
        return if attacker == Rank::Miner {
            (true, false)
        } else {
            (false, true)
        };
    }
    if attacker == Rank::Spy && defender == Rank::Marshal {
        return (true, false);
    }
    let (a, d) = (number(attacker), number(defender));
    if a == d {
        (aggressor_advantage, false)
    } else {
        (a > d, d > a)
    }
}

fn dry((row, column): At) -> bool {
    !LAKES.contains(&(row, column))
}

fn next_to(square: At) -> Vec<At> {
    [(1, 0), (-1, 0), (0, 1), (0, -1)]
        .into_iter()
        .filter_map(|way| step(square, way))
        .collect()
}

fn step((row, column): At, (up, right): (isize, isize)) -> Option<At> {
    let row = row.checked_add_signed(up)?;
    let column = column.checked_add_signed(right)?;
    (row < 10 && column < 10).then_some((row, column))
}

/// Every border between two adjacent squares that a straight move crosses.
fn borders(from: At, to: At) -> Vec<(At, At)> {
    let towards = |a: usize, b: usize| match a.cmp(&b) {
        std::cmp::Ordering::Less => 1,
        std::cmp::Ordering::Equal => 0,
        std::cmp::Ordering::Greater => -1,
    };
    let way = (towards(from.0, to.0), towards(from.1, to.1));
    let mut crossed = Vec::new();
    let mut here = from;
    while here != to {
        let next = step(here, way).expect("on the board");
        crossed.push((here.min(next), here.max(next)));
        here = next;
    }
    crossed
}

impl Slow {
    pub(crate) fn new(options: Options, setups: &ByColor<Setup>) -> Self {
        let mut board: Board = [[None; 10]; 10];
        let mut pieces = 0;
        for owner in Color::ALL {
            for (cell, ch) in setups[owner].to_string().chars().enumerate() {
                let Some(rank) = Rank::from_char(ch) else {
                    continue;
                };
                let (row, column) = match owner {
                    Color::Red => (3 - cell / 10, cell % 10),
                    Color::Blue => (6 + cell / 10, 9 - cell % 10),
                };
                board[row][column] = Some(Piece {
                    owner,
                    rank,
                    number: pieces,
                });
                pieces += 1;
            }
        }
        Self {
            options,
            boards: vec![board],
            plies: Vec::new(),
            removed: Vec::new(),
            rescuers: Vec::new(),
            pieces,
            outcome: None,
        }
    }

    pub(crate) fn board(&self) -> &Board {
        self.boards.last().expect("never empty")
    }

    pub(crate) fn turn(&self) -> Color {
        if self.plies.len().is_multiple_of(2) {
            Color::Red
        } else {
            Color::Blue
        }
    }

    fn on(&self, (row, column): At) -> Option<Piece> {
        self.board()[row][column]
    }

    /// Moves by geometry alone.
    pub(crate) fn geometric(&self, side: Color) -> Vec<(At, At)> {
        let mut moves = Vec::new();
        for row in 0..10 {
            for column in 0..10 {
                let from = (row, column);
                let Some(piece) = self.on(from) else { continue };
                if piece.owner != side || !moves_at_all(piece.rank) {
                    continue;
                }
                let far = if piece.rank == Rank::Scout { 9 } else { 1 };
                for way in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
                    let mut here = from;
                    for _ in 0..far {
                        let Some(next) = step(here, way).filter(|next| dry(*next)) else {
                            break;
                        };
                        here = next;
                        match self.on(here) {
                            None => moves.push((from, here)),
                            Some(other) => {
                                if other.owner != side {
                                    moves.push((from, here));
                                }
                                break;
                            }
                        }
                    }
                }
            }
        }
        moves
    }

    fn two_squares(&self, side: Color, from: At, to: At) -> bool {
        let limit = usize::from(self.options.two_squares_limit);
        let own: Vec<&Ply> = self
            .plies
            .iter()
            .filter(|ply| ply.side == side && !ply.forfeited)
            .collect();
        if own.len() < limit {
            return false;
        }
        let last = &own[own.len() - limit..];
        let piece = self.on(from).expect("a piece").number;
        last.iter().all(|ply| ply.number == piece)
            && borders(from, to)
                .iter()
                .any(|border| last.iter().all(|p| borders(p.from, p.to).contains(border)))
    }

    fn enemy_next_to(board: &Board, side: Color, square: At) -> bool {
        next_to(square)
            .iter()
            .any(|(row, column)| board[*row][*column].is_some_and(|piece| piece.owner != side))
    }

    fn last_move(&self, side: Color, before: usize) -> Option<&Ply> {
        self.plies[..before]
            .iter()
            .rev()
            .find(|ply| ply.side == side && !ply.forfeited)
    }

    /// The count of a side's plies in the running chase, from the first ply on.
    fn chase(&self, of: Color) -> usize {
        let mut chase = ByColor { red: 0, blue: 0 };
        for (index, ply) in self.plies.iter().enumerate() {
            if ply.forfeited {
                continue;
            }
            let other = !ply.side;
            let fled = self
                .last_move(other, index)
                .is_some_and(|last| next_to(ply.from).contains(&last.to));
            chase[other] = if fled { chase[other] + 1 } else { 0 };
            if ply.attack {
                chase = ByColor { red: 0, blue: 0 };
            }
            let threat = Self::enemy_next_to(&self.boards[index + 1], ply.side, ply.to);
            chase[ply.side] = if threat { chase[ply.side] + 1 } else { 0 };
        }
        chase[of]
    }

    fn more_squares(&self, side: Color, chase: usize, from: At, to: At) -> bool {
        if !self.options.more_squares || chase < 2 || self.on(to).is_some() {
            return false;
        }
        if !Self::enemy_next_to(self.board(), side, to) {
            return false;
        }
        let back = self.last_move(side, self.plies.len());
        if back.is_some_and(|last| (last.from, last.to) == (to, from)) {
            return false;
        }
        let mut after = *self.board();
        after[to.0][to.1] = after[from.0][from.1].take();
        // The placement before the last ply stands one before the end.
        let before: Vec<&Board> = self.boards.iter().rev().skip(1).collect();
        before[..(chase - 1).min(before.len())].contains(&&after)
    }

    pub(crate) fn moves(&self, side: Color) -> Vec<(At, At)> {
        let chase = self.chase(side);
        let mut moves = self.geometric(side);
        moves.retain(|(from, to)| {
            !self.two_squares(side, *from, *to) && !self.more_squares(side, chase, *from, *to)
        });
        moves
    }

    pub(crate) fn legal(&self) -> Vec<(At, At)> {
        if self.outcome.is_some() {
            return Vec::new();
        }
        self.moves(self.turn())
    }

    /// Moves that forfeit the turn.
    pub(crate) fn forfeits(&self) -> Vec<(At, At)> {
        let side = self.turn();
        let mut moves = self.geometric(side);
        moves.retain(|(from, to)| {
            self.options.two_squares == TwoSquares::ForfeitTurn
                && self.two_squares(side, *from, *to)
        });
        moves
    }

    /// Whether a rescue may be sent with a move, by all that its owner knows.
    pub(crate) fn may_rescue(&self, from: At, to: At, rank: Rank, square: At) -> bool {
        let side = self.turn();
        let piece = self.on(from).expect("a piece");
        let back_row = match side {
            Color::Red => 9,
            Color::Blue => 0,
        };
        let own_half = match side {
            Color::Red => square.0 < 5,
            Color::Blue => square.0 >= 5,
        };
        self.options.rescue
            && to.0 == back_row
            && piece.rank != Rank::Scout
            && rank != Rank::Bomb
            && self
                .removed
                .iter()
                .any(|one| one.owner == side && one.rank == rank)
            && self.rescuers.iter().filter(|r| r.owner == side).count() < 2
            && !self.rescuers.contains(&piece)
            && own_half
            && dry(square)
            && square != to
            && (square == from || self.on(square).is_none())
    }

    /// Plays a move of [`legal`](Self::legal) or [`forfeits`](Self::forfeits).
    pub(crate) fn play(&mut self, from: At, to: At, rescue: Option<(Rank, At)>) -> Played {
        let side = self.turn();
        let piece = self.on(from).expect("a piece");
        let target = self.on(to);
        let forfeited = self.two_squares(side, from, to);
        let mut board = *self.board();
        let mut battle_won = None;
        if !forfeited {
            board[from.0][from.1] = None;
            if let Some(defender) = target {
                let advantage = self.options.aggressor_advantage;
                let stands = battle(piece.rank, defender.rank, advantage);
                battle_won = Some(stands);
                if !stands.0 {
                    self.removed.push(piece);
                }
                if !stands.1 {
                    self.removed.push(defender);
                    board[to.0][to.1] = None;
                }
            }
            if battle_won.is_none_or(|(attacker, _)| attacker) {
                board[to.0][to.1] = Some(piece);
            }
        }
        let flag = target.is_some_and(|defender| defender.rank == Rank::Flag) && !forfeited;
        let stands = board[to.0][to.1] == Some(piece) && !flag;
        let taken_up = rescue.filter(|_| stands && !forfeited);
        if let Some((rank, (row, column))) = taken_up {
            let index = self
                .removed
                .iter()
                .position(|one| one.owner == side && one.rank == rank)
                .expect("may_rescue");
            self.removed.remove(index);
            self.rescuers.push(piece);
            board[row][column] = Some(Piece {
                owner: side,
                rank,
                number: self.pieces,
            });
            self.pieces += 1;
        }
        self.boards.push(board);
        self.plies.push(Ply {
            side,
            number: piece.number,
            from,
            to,
            attack: target.is_some() && !forfeited,
            forfeited,
        });
        self.outcome = self.judge(side, flag);
        Played {
            forfeited,
            battle: battle_won,
            rescued: taken_up.is_some(),
        }
    }

    fn has_movable(&self, side: Color) -> bool {
        self.board()
            .iter()
            .flatten()
            .flatten()
            .any(|piece| piece.owner == side && moves_at_all(piece.rank))
    }

    fn judge(&self, mover: Color, flag: bool) -> Option<(Option<Color>, EndReason)> {
        let next = !mover;
        if flag {
            return Some((Some(mover), EndReason::FlagCaptured));
        }
        if self.moves(next).is_empty() {
            if self.geometric(mover).is_empty() {
                return Some((None, EndReason::BothImmobile));
            }
            return Some(if self.has_movable(next) {
                (Some(mover), EndReason::NoLegalMove)
            } else {
                (Some(mover), EndReason::NoMobilePieces)
            });
        }
        if !self.has_movable(mover) {
            return Some((Some(next), EndReason::NoMobilePieces));
        }
        let quiet = self.plies.iter().rev().take_while(|ply| !ply.attack);
        let limit = usize::from(self.options.no_progress_plies?);
        (quiet.count() >= limit).then_some((None, EndReason::NoProgress))
    }
}
