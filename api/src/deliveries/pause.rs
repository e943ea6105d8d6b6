//! How long a receiver that failed is left in peace.

use std::time::Duration;

/// After the first failure.
const FIRST: Duration = Duration::from_secs(10);
/// At the most.
const LONGEST: Duration = Duration::from_hours(1);
/// How long a receiver may fail before it is given up.
pub(super) const GIVEN_UP_AFTER: Duration = Duration::from_hours(24);

/// The pause after so many failures: twice as long each time, and somewhere between a half and all of
/// that, so that receivers that failed together do not come back together. `chance` is 0 to 1.
pub(super) fn after(failures: u32, chance: f64) -> Duration {
    let doublings = failures.saturating_sub(1).min(16);
    let whole = FIRST.saturating_mul(1 << doublings).min(LONGEST);
    whole.mul_f64(0.5 + chance.clamp(0.0, 1.0) / 2.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_to_an_hour_and_are_spread() {
        for (failures, seconds) in [(0, 10), (1, 10), (2, 20), (3, 40), (9, 2_560), (10, 3_600)] {
            let whole = Duration::from_secs(seconds);
            assert_eq!(after(failures, 1.0), whole, "{failures}");
            assert_eq!(after(failures, 0.0), whole / 2, "{failures}");
        }
        assert_eq!(after(u32::MAX, 1.0), LONGEST);
    }
}
