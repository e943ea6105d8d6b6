//! Figures of counted values: means, percentiles, histograms, shares.

/// A mean and percentiles by nearest rank; `None` where there are no values.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Spread {
    /// How many values.
    pub count: u64,
    /// The mean.
    pub mean: Option<f64>,
    /// The value that a tenth of them do not exceed.
    pub p10: Option<u64>,
    /// The median.
    pub p50: Option<u64>,
    /// The value that nine tenths of them do not exceed.
    pub p90: Option<u64>,
}

/// A range of values and how many lie in it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bucket {
    /// From this on.
    pub from: f64,
    /// To below this; in the last bucket to this.
    pub to: f64,
    /// How many.
    pub count: u64,
}

/// A spread, and ranges of equal width from the least to the greatest value.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Histogram {
    /// Mean and percentiles.
    pub spread: Spread,
    /// The ranges; none where there are no values, one where all are equal.
    pub buckets: Vec<Bucket>,
}

/// An interval in which a share lies.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// From.
    pub low: f64,
    /// To.
    pub high: f64,
}

/// The spread of values that come in order, each with how often it came.
#[expect(clippy::cast_precision_loss, reason = "exact up to 2^53")]
pub fn spread(values: impl Iterator<Item = (u64, u64)> + Clone) -> Spread {
    let values = values.filter(|(_, count)| *count > 0);
    let count: u64 = values.clone().map(|(_, count)| count).sum();
    let sum: u128 = values
        .clone()
        .map(|(value, count)| u128::from(value) * u128::from(count))
        .sum();
    let percentile = |percent: u64| {
        let place = (count * percent).div_ceil(100);
        let mut seen = 0;
        let reached = values.clone().find(|(_, count)| {
            seen += count;
            seen >= place
        });
        reached.map(|(value, _)| value)
    };
    Spread {
        count,
        mean: (count > 0).then(|| sum as f64 / count as f64),
        p10: percentile(10),
        p50: percentile(50),
        p90: percentile(90),
    }
}

/// The histogram of values that come in order, each with how often it came.
#[expect(clippy::cast_precision_loss, reason = "values are far below 2^53")]
pub fn histogram(
    values: impl DoubleEndedIterator<Item = (u64, u64)> + Clone,
    buckets: usize,
) -> Histogram {
    let values = values.filter(|(_, count)| *count > 0);
    let spread = spread(values.clone());
    let (Some((least, _)), Some((greatest, _))) =
        (values.clone().next(), values.clone().next_back())
    else {
        return Histogram::default();
    };
    let buckets = if least == greatest { 1 } else { buckets.max(1) };
    let range = u128::from(greatest - least);
    let edge =
        |place: usize| least as f64 + (greatest - least) as f64 * place as f64 / buckets as f64;
    let mut counts = vec![0; buckets];
    for (value, count) in values {
        // In whole numbers, so that a value on an edge is in the bucket that begins there.
        let place = (u128::from(value - least) * buckets as u128)
            .checked_div(range)
            .map_or(0, |place| (place as usize).min(buckets - 1));
        counts[place] += count;
    }
    let bucket = |(place, count)| Bucket {
        from: edge(place),
        to: edge(place + 1),
        count,
    };
    Histogram {
        spread,
        buckets: counts.into_iter().enumerate().map(bucket).collect(),
    }
}

/// So many of so many; `None` of none.
#[expect(clippy::cast_precision_loss, reason = "exact up to 2^53")]
pub fn rate(part: u64, of: u64) -> Option<f64> {
    (of > 0).then(|| part as f64 / of as f64)
}

/// The 95 % interval of Wilson for a share; `None` of none.
#[expect(clippy::cast_precision_loss, reason = "exact up to 2^53")]
pub fn wilson(part: u64, of: u64) -> Option<Interval> {
    /// The 97.5th percentile of the normal distribution.
    const Z: f64 = 1.959_963_984_540_054;
    let share = rate(part, of)?;
    let n = of as f64;
    let z2 = Z * Z;
    let middle = share + z2 / (2.0 * n);
    let half = Z * (share * (1.0 - share) / n + z2 / (4.0 * n * n)).sqrt();
    let scale = 1.0 + z2 / n;
    // What is exactly 0 or 1 by the formula is kept so, whatever rounding does.
    Some(Interval {
        low: if part == 0 {
            0.0
        } else {
            (middle - half) / scale
        },
        high: if part == of {
            1.0
        } else {
            (middle + half) / scale
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_of_the_nearest_rank() {
        let figures = spread((1..=10).map(|value| (value, 1)));
        assert_eq!(figures.mean, Some(5.5));
        assert_eq!(
            (figures.p10, figures.p50, figures.p90),
            (Some(1), Some(5), Some(9))
        );
        let one = spread([(7, 1)].into_iter());
        assert_eq!((one.p10, one.p50, one.p90), (Some(7), Some(7), Some(7)));
        assert_eq!(spread([].into_iter()), Spread::default());
    }

    /// Half open, but for the last.
    #[test]
    fn a_value_on_an_edge_begins_a_bucket() {
        let values = [0, 5, 10].map(|value| (value, 1));
        let counts: Vec<u64> = histogram(values.into_iter(), 2)
            .buckets
            .iter()
            .map(|b| b.count)
            .collect();
        assert_eq!(counts, [1, 2]);
        let equal = histogram([(4, 3)].into_iter(), 10);
        assert_eq!(
            equal.buckets,
            [Bucket {
                from: 4.0,
                to: 4.0,
                count: 3
            }]
        );
        assert!(histogram([].into_iter(), 10).buckets.is_empty());
    }

    /// Figures of the formula, worked out with other means.
    #[test]
    fn shares_have_the_interval_of_wilson() {
        let interval = wilson(1, 5).unwrap();
        assert!((interval.low - 0.036_224).abs() < 1e-6, "{interval:?}");
        assert!((interval.high - 0.624_465).abs() < 1e-6, "{interval:?}");
        assert_eq!(wilson(0, 0), None);
        assert!(wilson(0, 3).unwrap().low.abs() < f64::EPSILON);
        assert!((wilson(3, 3).unwrap().high - 1.0).abs() < f64::EPSILON);
    }
}
