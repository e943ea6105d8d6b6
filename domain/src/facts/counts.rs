/// So many of each kind, by a small number for the kind that its section gives a meaning to.
#[derive(Debug, Clone, Default)]
pub struct Counts(Vec<i64>);

impl Counts {
    /// Adds to the count of a kind.
    #[inline]
    pub fn add(&mut self, key: usize, count: i64) {
        if key >= self.0.len() {
            self.0.resize(key + 1, 0);
        }
        if let Some(known) = self.0.get_mut(key) {
            *known += count;
        }
    }

    /// The count of a kind.
    pub fn at(&self, key: usize) -> i64 {
        self.0.get(key).copied().unwrap_or(0)
    }

    /// The counts that are not 0, in the order of kinds.
    pub fn iter(&self) -> impl Iterator<Item = (usize, i64)> {
        let all = self.0.iter().copied().enumerate();
        all.filter(|(_, count)| *count != 0)
    }

    /// One more than the greatest kind that was ever counted.
    pub(crate) const fn len(&self) -> usize {
        self.0.len()
    }

    /// The count of a kind, as a number of things.
    pub(crate) fn number(&self, key: usize) -> u64 {
        u64::try_from(self.at(key)).unwrap_or(0)
    }
}

impl PartialEq for Counts {
    /// Kinds that were never counted are kinds of which there are 0.
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl Eq for Counts {}
