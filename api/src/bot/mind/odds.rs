use domain::{ByRank, Color, Rank, RankSet};

use super::sight::{Seen, Sight};

/// How likely each rank is for a piece.
pub(super) type Odds = [f32; 12];

/// What an army hides from the bot: its unknown pieces, the removed ones too, and the ranks that they
/// have between them.
#[derive(Debug, Clone)]
pub(super) struct Hidden {
    /// How likely each rank is for each piece on the board; its own for certain when it is known.
    pub(super) odds: Vec<Odds>,
    /// How many of each rank are unknown, the removed ones too.
    pub(super) pool: ByRank<u8>,
    /// Of unknown pieces that were removed.
    pub(super) fallen: Vec<Odds>,
}

/// How often rows and columns are brought to their sums: closer than a bot needs.
const ROUNDS: usize = 5;

impl Hidden {
    /// Of the other side, from what is seen.
    pub(super) fn of(sight: &Sight) -> Self {
        let foe = !sight.me;
        let pool = pool(sight, foe);
        let mut rows: Vec<(Odds, Option<usize>)> = Vec::new();
        for (index, piece) in sight.pieces.iter().enumerate() {
            if piece.owner == foe && piece.rank.is_none() {
                rows.push((row(piece.possible, &pool, Some(piece)), Some(index)));
            }
        }
        for piece in &sight.fallen {
            if piece.owner == foe && piece.rank.is_none() {
                rows.push((row(piece.possible, &pool, None), None));
            }
        }
        balance(&mut rows, &pool);
        let mut odds: Vec<Odds> = sight
            .pieces
            .iter()
            .map(|piece| piece.rank.map_or([0.0; 12], certain))
            .collect();
        let mut fallen = Vec::new();
        for (row, place) in rows {
            match place {
                Some(index) => odds[index] = row,
                None => fallen.push(row),
            }
        }
        Self { odds, pool, fallen }
    }
}

fn certain(rank: Rank) -> Odds {
    let mut odds = [0.0; 12];
    odds[rank as usize] = 1.0;
    odds
}

/// The ranks of an army that are not accounted for.
fn pool(sight: &Sight, owner: Color) -> ByRank<u8> {
    let mut pool = sight.ruleset.army();
    // One that came back stands for the one that fell.
    let known = sight
        .pieces
        .iter()
        .map(|piece| (piece.owner, piece.rank, piece.rescued));
    let fallen = sight
        .fallen
        .iter()
        .map(|piece| (piece.owner, piece.rank, piece.rescued));
    for (whose, rank, rescued) in known.chain(fallen) {
        if let (true, Some(rank), false) = (whose == owner, rank, rescued) {
            pool[rank] = pool[rank].saturating_sub(1);
        }
    }
    pool
}

/// What a piece is likely to be before all are weighed together: a flag stands at the back.
fn row(possible: RankSet, pool: &ByRank<u8>, standing: Option<&Seen>) -> Odds {
    let mut odds = [0.0; 12];
    let depth = standing.filter(|piece| !piece.moved).map(|piece| {
        let row = piece.square.row().index();
        usize::from(match piece.owner {
            Color::Red => row,
            Color::Blue => 9 - row,
        })
    });
    for rank in possible.iter() {
        let likely = match (rank, depth) {
            (Rank::Flag, Some(depth)) => [8.0, 2.0, 0.4, 0.3].get(depth).copied().unwrap_or(0.1),
            (Rank::Bomb, Some(depth)) => [2.0, 1.6, 1.0, 0.8].get(depth).copied().unwrap_or(0.1),
            _ => 1.0,
        };
        odds[rank as usize] = likely * f32::from(pool[rank]);
    }
    if odds.iter().sum::<f32>() <= 0.0 {
        // What came back unseen can be what the pool has no more of.
        for rank in possible.iter() {
            odds[rank as usize] = 1.0;
        }
    }
    odds
}

/// Weighs the pieces together: each has one rank, and of each rank there are so many.
fn balance(rows: &mut [(Odds, Option<usize>)], pool: &ByRank<u8>) {
    for _ in 0..ROUNDS {
        for rank in Rank::ALL {
            let sum: f32 = rows.iter().map(|(odds, _)| odds[rank as usize]).sum();
            if sum > 0.0 && pool[rank] > 0 {
                let factor = f32::from(pool[rank]) / sum;
                for (odds, _) in rows.iter_mut() {
                    odds[rank as usize] *= factor;
                }
            }
        }
        for (odds, _) in rows.iter_mut() {
            let sum: f32 = odds.iter().sum();
            if sum > 0.0 {
                for one in odds.iter_mut() {
                    *one /= sum;
                }
            }
        }
    }
}
