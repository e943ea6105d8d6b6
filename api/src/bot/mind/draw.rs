use domain::{Rank, RankSet};

use super::sight::Sight;

/// Quiet plies after which a game is going nowhere.
const QUIET: u32 = 80;

/// Whether a bot takes a draw that is offered: when it is behind and nothing happens any more, or when it
/// has nothing left to win with. Never a side that is ahead.
pub fn draw_is_welcome(sight: &Sight) -> bool {
    let movable = |owner| {
        let standing = sight.pieces.iter().filter(|piece| piece.owner == owner);
        let may_move = |rank: RankSet| !(rank & RankSet::MOVABLE).is_empty();
        standing.filter(|piece| may_move(piece.possible)).count()
    };
    let fallen = |owner| {
        let fallen = sight.fallen.iter().filter(|piece| piece.owner == owner);
        fallen
            .filter_map(|piece| piece.rank.map(strength))
            .sum::<u32>()
    };
    let (mine, theirs) = (movable(sight.me), movable(!sight.me));
    let is_behind = fallen(sight.me) > fallen(!sight.me) || mine < theirs;
    is_behind && sight.quiet >= QUIET
}

/// How much the loss of a piece is felt, roughly.
const fn strength(rank: Rank) -> u32 {
    match rank {
        Rank::Flag | Rank::Bomb => 0,
        rank => rank as u32,
    }
}
