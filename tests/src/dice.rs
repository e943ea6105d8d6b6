//! Variety that comes again: the same seed rolls the same numbers on every machine.

/// A fixed sequence of numbers: tests need variety, not quality.
#[derive(Clone, Debug)]
pub struct Dice(u64);

impl Dice {
    /// The sequence of a seed.
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A number from 0 to `n` - 1.
    pub fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        let word = (z ^ (z >> 31)) >> 32;
        usize::try_from(word).expect("32 bits") % n
    }

    /// Whether one of `n` equal chances came up.
    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    /// One of some.
    pub fn pick<'a, T>(&mut self, among: &'a [T]) -> &'a T {
        &among[self.below(among.len())]
    }

    /// `most` of some, or all of them, in another order.
    pub fn some<T>(&mut self, mut among: Vec<T>, most: usize) -> Vec<T> {
        for last in (1..among.len()).rev() {
            among.swap(last, self.below(last + 1));
        }
        among.truncate(most);
        among
    }
}
