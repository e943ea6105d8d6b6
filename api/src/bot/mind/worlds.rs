use domain::{ByRank, Rank};

use super::odds::{Hidden, Odds};
use super::sight::Sight;

/// How often an army is drawn anew that came to nothing.
const ATTEMPTS: usize = 8;

/// A rank for each piece on the board, drawn so that the army fits what was seen and likely ones come
/// more often; those that are known stay as they are.
pub(super) fn draw(
    sight: &Sight,
    hidden: &Hidden,
    below: &mut impl FnMut(usize) -> usize,
) -> Vec<Rank> {
    let mut unknown: Vec<usize> = (0..sight.pieces.len())
        .filter(|index| sight.pieces[*index].rank.is_none())
        .collect();
    // Whoever can be little chooses first.
    unknown.sort_by_key(|index| sight.pieces[*index].possible.len());
    let mut drawn: Vec<Rank> = sight
        .pieces
        .iter()
        .map(|piece| piece.rank.unwrap_or(Rank::Scout))
        .collect();
    for attempt in 1..=ATTEMPTS {
        let mut pool = hidden.pool;
        let last = attempt == ATTEMPTS;
        let mut fits = true;
        for odds in &hidden.fallen {
            fits &= take(odds, &mut pool, false, below).is_some();
        }
        for index in &unknown {
            match take(&hidden.odds[*index], &mut pool, last, below) {
                Some(rank) => drawn[*index] = rank,
                None => fits = false,
            }
            if !fits && !last {
                break;
            }
        }
        if fits {
            break;
        }
    }
    drawn
}

/// Draws one rank and takes it out of the pool; when the pool has none of them, any that is likely if
/// that is `good_enough`.
fn take(
    odds: &Odds,
    pool: &mut ByRank<u8>,
    good_enough: bool,
    below: &mut impl FnMut(usize) -> usize,
) -> Option<Rank> {
    let weigh = |rank: Rank, pool: &ByRank<u8>| {
        if pool[rank] > 0 {
            odds[rank as usize]
        } else {
            0.0
        }
    };
    let sum: f32 = Rank::ALL.into_iter().map(|rank| weigh(rank, pool)).sum();
    if sum <= 0.0 {
        let mut any = Rank::ALL
            .into_iter()
            .filter(|rank| odds[*rank as usize] > 0.0);
        return if good_enough { any.next_back() } else { None };
    }
    let mut ticket = f32::from(u16::try_from(below(10_000)).unwrap_or(0)) / 10_000.0 * sum;
    let mut chosen = None;
    for rank in Rank::ALL {
        let weight = weigh(rank, pool);
        if weight <= 0.0 {
            continue;
        }
        chosen = Some(rank);
        if ticket < weight {
            break;
        }
        ticket -= weight;
    }
    let rank = chosen?;
    pool[rank] -= 1;
    Some(rank)
}
