use domain::{BattleOutcome, Color, Move, Rank, Square};

/// How often of a hundred a capture that is known to be won is made.
const GREED: usize = 75;

/// The first level: a move at random, with a liking for captures that are known to be won. `seen` says
/// whose piece stands on a square, and its rank if the side to move knows it. `None` when there is no
/// move. Allocates nothing.
pub fn simple(
    legal: &[Move],
    aggressor_advantage: bool,
    seen: impl Fn(Square) -> Option<(Color, Option<Rank>)>,
    below: &mut impl FnMut(usize) -> usize,
) -> Option<Move> {
    let drawn = |below: &mut dyn FnMut(usize) -> usize| match legal {
        [] => None,
        _ => legal.get(below(legal.len())).copied(),
    };
    let outcome = |mv: Move| {
        let (_, defender) = seen(mv.to)?;
        let (_, attacker) = seen(mv.from)?;
        Some(BattleOutcome::of(attacker?, defender?, aggressor_advantage))
    };
    if below(100) < GREED {
        let won = |mv: &&Move| outcome(**mv).is_some_and(BattleOutcome::attacker_stands);
        let count = legal.iter().filter(won).count();
        if count > 0 {
            return legal.iter().filter(won).nth(below(count)).copied();
        }
    }
    // One that is known to be lost is drawn anew, once.
    let first = drawn(below)?;
    if outcome(first).is_some_and(|outcome| !outcome.attacker_stands()) {
        drawn(below)
    } else {
        Some(first)
    }
}
