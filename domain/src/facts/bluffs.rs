use super::{Counts, Facts, Section};
use crate::battle::{BattleOutcome, resolve};
use crate::color::Color;
use crate::game::{Entry, Game};
use crate::piece::PieceId;
use crate::position::{Position, Turn};
use crate::rank::Rank;
use crate::square::Square;

/// Kinds.
const BLUFFS: usize = 0;
const CALLED: usize = 1;
const BELIEVED: usize = 2;
const IGNORED: usize = 3;
const DISGUISED: usize = 4;
const MIMICRY: usize = 5;

/// From how many plies on a piece that never moved is taken for a bomb.
const MIMICRY_PLIES: u32 = 50;

/// Pieces that made believe they were others (`graphql.md`, Meaning).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bluffs {
    /// An unknown piece moved next to a known one that would beat it, and could not beat it itself.
    pub bluffs: u64,
    /// That one attacked it on the next turn.
    pub called: u64,
    /// That one moved away on the next turn.
    pub believed: u64,
    /// That one did neither.
    pub ignored: u64,
    /// Scouts that made single steps before their first long move or battle, if they had one.
    pub disguised_scouts: u64,
    /// Movable pieces that never moved in a game of 50 plies or more.
    pub bomb_mimicry: u64,
}

pub(super) fn count(game: &Game, counts: &mut Counts) {
    let Some(mut position) = game.position_at(0) else {
        return;
    };
    let mut pieces = [Conduct::default(); PieceId::COUNT];
    let mut entries = game.log.iter().peekable();
    let mut ply = 0;
    while let Some(entry) = entries.next() {
        entry.replay(&mut position);
        ply += 1;
        watch(&entry.turn, &mut pieces);
        let next = entries.peek().map(|next| &next.turn);
        for approached in approached(game, &position, entry, ply) {
            counts.add(BLUFFS, 1);
            counts.add(answer(approached, entry.turn.piece, next), 1);
        }
    }
    for side in Color::ALL {
        let army = game.setups[side].into_iter();
        for (home, rank) in army.flat_map(|setup| setup.pieces(side)) {
            let conduct = PieceId::deployed_on(home).map(|piece| pieces[piece.index()]);
            let conduct = conduct.unwrap_or_default();
            if rank == Rank::Scout && conduct.is_disguised {
                counts.add(DISGUISED, 1);
            }
            if rank.is_movable() && !conduct.has_moved && game.ply() >= MIMICRY_PLIES {
                counts.add(MIMICRY, 1);
            }
        }
    }
}

/// What a piece has done so far.
#[derive(Clone, Copy, Default)]
struct Conduct {
    has_moved: bool,
    /// It has shown what it is: by a long move or in a battle.
    is_out: bool,
    /// It had made single steps by then.
    is_disguised: bool,
}

fn watch(turn: &Turn, pieces: &mut [Conduct; PieceId::COUNT]) {
    if let Some(battle) = turn.battle {
        for piece in [turn.piece, battle.defender] {
            pieces[piece.index()].come_out();
        }
    } else if turn.distance() > 1 {
        pieces[turn.piece.index()].come_out();
    }
    if !turn.forfeited {
        pieces[turn.piece.index()].has_moved = true;
    }
}

impl Conduct {
    /// Whether a scout was disguised until now; the move itself is noted after.
    const fn come_out(&mut self) {
        if !self.is_out {
            self.is_out = true;
            self.is_disguised = self.has_moved;
        }
    }
}

/// The known enemies next to which an unknown piece has just moved, that would beat it, and that it could
/// not beat.
fn approached(
    game: &Game,
    position: &Position,
    entry: &Entry,
    ply: u32,
) -> impl Iterator<Item = PieceId> {
    let turn = &entry.turn;
    let is_known = move |piece| {
        let since = game.knowledge.since(piece);
        since.is_some_and(|since| since <= ply)
    };
    let advantage = game.terms().options.aggressor_advantage;
    let beats = move |attacker, defender| {
        resolve(attacker, defender, advantage) == BattleOutcome::AttackerWins
    };
    let is_unknown = turn.battle.is_none() && !turn.forfeited && !is_known(turn.piece);
    let around = is_unknown.then(|| neighbours(turn.mv.to));
    let pieces = around.into_iter().flatten();
    let pieces = pieces.filter_map(|square| position.piece_on(square));
    pieces.filter(move |enemy| {
        let is_enemy = enemy.owner() != turn.side && is_known(*enemy);
        let rank = position.rank(*enemy).filter(|rank| rank.is_movable());
        is_enemy && rank.is_some_and(|rank| beats(rank, turn.rank) && !beats(turn.rank, rank))
    })
}

/// The squares next to one.
fn neighbours(square: Square) -> impl Iterator<Item = Square> {
    let (index, column) = (square.index(), square.column().index());
    let left = (column > 0).then(|| index.wrapping_sub(1));
    let right = (column < 9).then_some(index + 1);
    let around = [left, right, index.checked_sub(10), Some(index + 10)];
    around.into_iter().flatten().filter_map(Square::new)
}

/// What the one that was approached made of it.
fn answer(approached: PieceId, bluffer: PieceId, next: Option<&Turn>) -> usize {
    let Some(turn) = next.filter(|turn| turn.piece == approached && !turn.forfeited) else {
        return IGNORED;
    };
    let is_called = turn.battle.is_some_and(|battle| battle.defender == bluffer);
    if is_called { CALLED } else { BELIEVED }
}

impl Facts {
    /// Pieces that made believe they were others.
    pub fn bluffs(&self) -> Bluffs {
        let counts = self.section(Section::Bluffs);
        Bluffs {
            bluffs: counts.number(BLUFFS),
            called: counts.number(CALLED),
            believed: counts.number(BELIEVED),
            ignored: counts.number(IGNORED),
            disguised_scouts: counts.number(DISGUISED),
            bomb_mimicry: counts.number(MIMICRY),
        }
    }
}
