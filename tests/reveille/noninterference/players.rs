//! Players that see everything and play for what the test is about: battles, leaps, rescues.

use std::collections::VecDeque;

use domain::{Color, Move, MoveBuffer, MoveRequest, PieceId, Rank, RescueRequest, Square, Status};
use tests::dice::Dice;
use tests::worlds::Played;

use super::plan::Leaning;

/// A move after which the game goes on, and the game then; `None` when there is none.
pub(super) fn choose(
    played: &Played,
    leaning: Leaning,
    dice: &mut Dice,
) -> Option<(MoveRequest, Played)> {
    let side = played.game().turn()?;
    let all = legal(played);
    let liked = all.iter().copied().filter(|mv| likes(played, leaning, *mv));
    let mut liked = dice.some(liked.collect(), 30);
    let runs = leaning == Leaning::Forward(side);
    if runs {
        let ways = ways(played, side);
        liked.sort_by_key(|mv| ways[usize::from(mv.to.index())]);
    }
    for mv in liked.into_iter().chain(dice.some(all, 40)) {
        let rescue = any_rescue(played, side, mv, dice);
        for request in [request(played, mv, rescue), request(played, mv, None)] {
            let Ok(next) = played.after(side, &request) else {
                continue;
            };
            let over = next.game().status() != Status::Active;
            if over || (runs && is_lost(&next) && !dice.one_in(3)) {
                continue;
            }
            return Some((request, next));
        }
    }
    None
}

/// Whether the last move threw its piece away.
fn is_lost(next: &Played) -> bool {
    let last = next.game().view_for(None).last_move();
    let attack = last.and_then(|last| last.attack);
    attack.is_some_and(|attack| !attack.outcome.attacker_stands())
}

fn likes(played: &Played, leaning: Leaning, mv: Move) -> bool {
    let game = played.game();
    match leaning {
        Leaning::Anything => true,
        Leaning::Attack => game.is_attack(mv),
        Leaning::Leap => mv.from.distance(mv.to).is_some_and(|far| far > 1),
        Leaning::Shuttle => {
            let own = game.ply().checked_sub(2);
            let last = own.and_then(|ply| game.view_for(None).move_at(ply));
            last.is_some_and(|last| last.mv.to == mv.from)
        }
        // A scout rescues nobody.
        Leaning::Forward(runner) if game.turn() == Some(runner) => {
            let pieces = standing(played, runner);
            let moves = pieces.iter().find(|(_, square)| *square == mv.from);
            let rank = moves.and_then(|(piece, _)| played.world().rank(*piece));
            rank.is_some_and(|rank| rank != Rank::Scout)
        }
        Leaning::Forward(_) => !game.is_attack(mv),
    }
}

/// How many steps it is from each square to the row that a side makes for, around its own pieces.
fn ways(played: &Played, side: Color) -> [usize; Square::COUNT] {
    let mut ways = [usize::MAX; Square::COUNT];
    let own: Vec<Square> = standing(played, side).iter().map(|own| own.1).collect();
    let open = |square: &Square| !square.is_lake() && !own.contains(square);
    let far = if side == Color::Red { 9 } else { 0 };
    let goal = Square::all().filter(|square| square.row().index() == far);
    let mut next: VecDeque<Square> = goal.filter(open).collect();
    for square in &next {
        ways[usize::from(square.index())] = 0;
    }
    while let Some(square) = next.pop_front() {
        let steps = ways[usize::from(square.index())] + 1;
        let beside = Square::all().filter(|other| square.distance(*other) == Some(1));
        for other in beside.filter(open) {
            let way = &mut ways[usize::from(other.index())];
            if *way == usize::MAX {
                *way = steps;
                next.push_back(other);
            }
        }
    }
    ways
}

/// A rescue as it might be sent with a move of a side.
fn any_rescue(played: &Played, side: Color, mv: Move, dice: &mut Dice) -> Option<RescueRequest> {
    let back_row = [0, 9].contains(&mv.to.row().index());
    if !back_row || dice.one_in(8) {
        return None;
    }
    let own = in_keeping(played, side);
    let rank = *dice.pick(if own.is_empty() { &Rank::ALL } else { &own });
    Some(RescueRequest {
        rank,
        square: free_square(played, side, dice),
    })
}

/// The ranks that a side has lost, bombs left out.
pub(super) fn in_keeping(played: &Played, side: Color) -> Vec<Rank> {
    let story = played.story();
    let fallen = story.fallen.iter().filter(|piece| piece.owner() == side);
    let ranks = fallen.filter_map(|piece| played.world().rank(*piece));
    ranks.filter(|rank| *rank != Rank::Bomb).collect()
}

/// An empty square of a side's half.
pub(super) fn free_square(played: &Played, side: Color, dice: &mut Dice) -> Option<Square> {
    let taken: Vec<Square> = Color::ALL
        .iter()
        .flat_map(|owner| standing(played, *owner))
        .map(|(_, square)| square)
        .collect();
    let free: Vec<Square> = Square::all()
        .filter(|square| square.is_own_half(side) && !taken.contains(square))
        .collect();
    (!free.is_empty()).then(|| *dice.pick(&free))
}

/// The pieces of a side on the board, and where they stand.
pub(super) fn standing(played: &Played, owner: Color) -> Vec<(PieceId, Square)> {
    let view = played.game().view_for(None);
    let pieces = view.pieces().into_iter();
    let own = pieces.filter(|piece| piece.id.owner() == owner);
    own.map(|piece| (piece.id, piece.square)).collect()
}

/// The legal moves of the side to move.
pub(super) fn legal(played: &Played) -> Vec<Move> {
    let mut moves = MoveBuffer::new();
    played.game().legal_moves(&mut moves);
    moves.to_vec()
}

/// A request for a move, as the rules take it.
pub(super) fn request(played: &Played, mv: Move, rescue: Option<RescueRequest>) -> MoveRequest {
    MoveRequest {
        ply: played.game().ply(),
        from: Some(mv.from),
        to: Some(mv.to),
        rescue,
    }
}
