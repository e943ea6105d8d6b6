use domain::{ByRank, Rank};

/// What pieces are worth, by rank: to their owner when they are lost, to the other side when they fall.
/// A flag is worth all the rest.
#[derive(Debug, Clone, Copy)]
pub(super) struct Worth([f32; 12]);

//                         F       B     S     2     3     4     5     6     7      8      9      M
const BASE: [f32; 12] = [
    1000.0, 50.0, 40.0, 20.0, 50.0, 30.0, 45.0, 70.0, 110.0, 170.0, 270.0, 400.0,
];

impl Worth {
    /// Of an army with so many pieces left of each rank, against one that has a marshal or not.
    pub(super) fn new(left: &ByRank<u8>, against_marshal: bool) -> Self {
        let mut worth = BASE;
        if against_marshal {
            worth[Rank::Spy as usize] = 110.0;
        }
        // The last ones of a kind are missed more: bombs stay where they are, scouts tell what is what.
        for rank in [Rank::Miner, Rank::Scout] {
            if left[rank] <= 2 {
                worth[rank as usize] *= 1.6;
            }
        }
        Self(worth)
    }

    /// Of one rank.
    pub(super) const fn of(&self, rank: Rank) -> f32 {
        self.0[rank as usize]
    }
}
