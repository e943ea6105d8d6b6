use super::{Counts, Facts, Section};
use crate::game::Game;
use crate::timeline::Timeline;

/// Kinds, for each ply: how many more games lasted so long, and how many more millionths of a bit their
/// winners and their losers hid, than at the ply before.
const EACH: usize = 3;

/// What was hidden after a ply, on average over the games that somebody won and that lasted so long.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MeanInformation {
    /// The ply.
    pub ply: u32,
    /// How many games.
    pub games: u64,
    /// The mean of what the winners hid, in bits.
    pub winners: f64,
    /// The mean of what the losers hid, in bits.
    pub losers: f64,
}

pub(super) fn count(game: &Game, timeline: &Timeline, counts: &mut Counts) {
    let Some(winner) = game.outcome().and_then(|outcome| outcome.winner) else {
        return;
    };
    let mut before = [0; EACH];
    let points = timeline.information.iter().map(|point| {
        let bits = |side| millionths(point.hidden_bits[side]);
        [1, bits(winner), bits(!winner)]
    });
    // After its end a game counts no more.
    for (ply, point) in points.chain([[0; EACH]]).enumerate() {
        for (place, value) in point.iter().enumerate() {
            if *value != before[place] {
                counts.add(ply * EACH + place, value - before[place]);
            }
        }
        before = point;
    }
}

/// Bits in whole millionths, which add up the same in any order.
#[expect(
    clippy::cast_possible_truncation,
    reason = "an army hides some hundred bits"
)]
pub(super) fn millionths(bits: f64) -> i64 {
    (bits * 1e6).round() as i64
}

/// The mean of so many values in millionths of a bit, in bits; `None` of none.
#[expect(clippy::cast_precision_loss, reason = "exact up to 2^53 millionths")]
pub(super) fn mean(sum: i64, of: u64) -> Option<f64> {
    (of > 0).then(|| sum as f64 / of as f64 / 1e6)
}

impl Facts {
    /// What winners and losers hid after each ply that some game reached.
    pub fn information(&self) -> Vec<MeanInformation> {
        let counts = self.section(Section::Information);
        let mut sums = [0_i64; EACH];
        let mut curve = Vec::new();
        for ply in 0..counts.len() / EACH {
            for (place, sum) in sums.iter_mut().enumerate() {
                *sum += counts.at(ply * EACH + place);
            }
            let [games, winners, losers] = sums;
            let games = u64::try_from(games).unwrap_or(0);
            if let (Some(winners), Some(losers)) = (mean(winners, games), mean(losers, games)) {
                curve.push(MeanInformation {
                    ply: u32::try_from(ply).unwrap_or(u32::MAX),
                    games,
                    winners,
                    losers,
                });
            }
        }
        curve
    }
}
