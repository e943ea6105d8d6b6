//! From values to places, and the round values to be named on the way.

/// How many steps an axis has at most.
const MOST_STEPS: f64 = 6.0;

/// A straight scale from 0 on.
pub(super) struct Scale {
    zero: f64,
    length: f64,
    end: f64,
}

impl Scale {
    /// From the place of 0 to the place of `end`, which is 1 at least.
    pub(super) fn exact(zero: f64, place: f64, end: f64) -> Self {
        let length = place - zero;
        let end = end.max(1.0);
        Self { zero, length, end }
    }

    /// The same, but that it ends at the next round value.
    pub(super) fn round(zero: f64, place: f64, end: f64) -> Self {
        let exact = Self::exact(zero, place, end);
        let step = exact.step();
        let end = (exact.end / step).ceil() * step;
        Self { end, ..exact }
    }

    /// The place of a value.
    pub(super) fn at(&self, value: f64) -> f64 {
        self.zero + self.length * value / self.end
    }

    /// The values to be named: whole and round.
    pub(super) fn ticks(&self) -> impl Iterator<Item = f64> + use<> {
        let (step, end) = (self.step(), self.end);
        let ticks = (0..).map(move |nth: u32| f64::from(nth) * step);
        ticks.take_while(move |tick| *tick <= end)
    }

    /// One, two or five, or that times a power of ten.
    pub(super) fn step(&self) -> f64 {
        let least = (self.end / MOST_STEPS).max(1.0);
        let power = 10_f64.powf(least.log10().floor());
        let steps = [1.0, 2.0, 5.0, 10.0].map(|times| times * power);
        steps
            .into_iter()
            .find(|step| *step >= least)
            .unwrap_or(least)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(end: f64) -> Vec<f64> {
        Scale::exact(0.0, 300.0, end).ticks().collect()
    }

    #[test]
    fn few_round_values_are_named() {
        assert_eq!(named(0.0), [0.0, 1.0]);
        assert_eq!(named(1.0), [0.0, 1.0]);
        assert_eq!(named(6.0), [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
        assert_eq!(named(7.0), [0.0, 2.0, 4.0, 6.0]);
        assert_eq!(named(110.2), [0.0, 20.0, 40.0, 60.0, 80.0, 100.0]);
        assert_eq!(named(2000.0), [0.0, 500.0, 1000.0, 1500.0, 2000.0]);
        for end in 0..20_000 {
            assert!((2..=7).contains(&named(f64::from(end)).len()), "{end}");
        }
    }

    #[test]
    fn a_round_scale_holds_its_values() {
        let scale = Scale::round(200.0, 50.0, 110.2);
        assert_eq!(scale.ticks().last(), Some(120.0));
        let nothing = Scale::exact(7.0, 300.0, 0.0);
        for (scale, value, place) in [
            (&scale, 0.0, 200.0),
            (&scale, 120.0, 50.0),
            (&nothing, 0.0, 7.0),
        ] {
            assert!((scale.at(value) - place).abs() < 1e-9, "{value}");
        }
    }
}
