use domain::{ByRank, Move, Rank, Rescue, Row, Square};

use super::sight::Sight;

/// Rescues that a side may make in a game.
const LIMIT: usize = 2;

/// The rescue to ask for with a move: the highest of the own pieces that were removed, on an own square
/// as far back as there is one.
pub(super) fn rescue(sight: &Sight, mv: Move) -> Option<Rescue> {
    let rescuer = sight.on(mv.from)?;
    let ends_there = mv.to.row() == Row::back_row_facing(sight.me);
    if !sight.options.rescue || !ends_there || rescuer.rank == Some(Rank::Scout) {
        return None;
    }
    let mine = |rescued: bool, owner| rescued && owner == sight.me;
    let standing = sight
        .pieces
        .iter()
        .filter(|piece| mine(piece.rescued, piece.owner));
    let fallen = sight
        .fallen
        .iter()
        .filter(|piece| mine(piece.rescued, piece.owner));
    let back: Vec<Option<Rank>> = standing
        .map(|piece| piece.rank)
        .chain(fallen.map(|piece| piece.rank))
        .collect();
    if back.len() >= LIMIT {
        return None;
    }
    let mut held: ByRank<u8> = ByRank::default();
    for rank in sight.fallen.iter().filter(|piece| piece.owner == sight.me) {
        if let Some(rank) = rank.rank {
            held[rank] += 1;
        }
    }
    for rank in back.into_iter().flatten() {
        held[rank] = held[rank].saturating_sub(1);
    }
    let mut ranks = Rank::ALL.into_iter().rev();
    let rank = ranks.find(|rank| rank.is_movable() && held[*rank] > 0)?;
    let home = Row::back_row_facing(!sight.me).index();
    let free = Square::all().filter(|square| {
        square.is_own_half(sight.me)
            && *square != mv.to
            && (sight.on(*square).is_none() || *square == mv.from)
    });
    let square = free.min_by_key(|square| square.row().index().abs_diff(home))?;
    Some(Rescue { rank, square })
}
