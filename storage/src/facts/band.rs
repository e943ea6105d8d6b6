//! The ratings of a game as roll-ups keep them apart.

use domain::ByColor;

/// The width of a band, in millionths of a point.
const WIDTH: i64 = 200_000_000;

/// Between which ratings both sides of a game lie, in bands.
///
/// The lower rating is rounded down and the higher one up, so that a filter whose ends are ends of bands
/// takes whole bands, both ends included.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Bands {
    pub(super) low: i32,
    pub(super) high: i32,
}

impl Bands {
    /// Of games that do not count.
    pub(super) const UNRATED: Self = Self { low: -1, high: -1 };

    /// Of a game between players of these ratings.
    pub(super) fn of(ratings: Option<ByColor<i64>>) -> Self {
        let Some(ByColor { red, blue }) = ratings else {
            return Self::UNRATED;
        };
        Self {
            low: narrow(red.min(blue).div_euclid(WIDTH)),
            high: narrow(-(-red.max(blue)).div_euclid(WIDTH)),
        }
    }

    /// The band that begins or ends exactly at a rating.
    pub(super) fn edge(rating: i64) -> Option<i32> {
        let is_edge = rating >= 0 && rating % WIDTH == 0;
        is_edge.then(|| narrow(rating / WIDTH))
    }
}

fn narrow(band: i64) -> i32 {
    i32::try_from(band.max(0)).unwrap_or(i32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_edge_belongs_to_the_bands_on_both_sides() {
        let of = |red, blue| Bands::of(Some(ByColor { red, blue }));
        assert_eq!(of(1_500_000_000, 1_700_000_000), Bands { low: 7, high: 9 });
        assert_eq!(of(1_600_000_000, 1_600_000_000), Bands { low: 8, high: 8 });
        assert_eq!(of(1_600_000_001, 1_599_999_999), Bands { low: 7, high: 9 });
        assert_eq!(Bands::edge(1_600_000_000), Some(8));
        assert_eq!(Bands::edge(1_600_000_001), None);
    }
}
