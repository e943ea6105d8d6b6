//! Glicko-2 by Glickman's paper of 2022, step by step and by nothing that the server has.

/// From the scale of the paper to points.
const SCALE: f64 = 173.7178;
const TAU: f64 = 0.5;

/// How well somebody plays, in points.
#[derive(Clone, Copy, Debug)]
pub(super) struct Player {
    pub(super) rating: f64,
    pub(super) deviation: f64,
    pub(super) volatility: f64,
}

impl Player {
    pub(super) const fn new(rating: f64, deviation: f64, volatility: f64) -> Self {
        Self {
            rating,
            deviation,
            volatility,
        }
    }

    /// The nearest one within the documented bounds.
    pub(super) fn bounded(self) -> Self {
        Self {
            rating: self.rating.clamp(100.0, 4000.0),
            deviation: self.deviation.clamp(45.0, 350.0),
            volatility: self.volatility.clamp(0.02, 0.1),
        }
    }

    /// What one game makes of him on the server: a period of its own, between bounds.
    pub(super) fn after_game(self, opponent: Self, score: f64) -> Self {
        let before = self.bounded();
        before
            .after_period(&[(opponent.bounded(), score)])
            .bounded()
    }

    /// Steps 2 to 8: after a period in which he scored so against these.
    pub(super) fn after_period(self, games: &[(Self, f64)]) -> Self {
        let (mu, phi) = self.scaled();
        let (mut information, mut surprise) = (0.0, 0.0);
        for (opponent, score) in games {
            let (other_mu, other_phi) = opponent.scaled();
            let g = 1.0 / (1.0 + 3.0 * (other_phi / std::f64::consts::PI).powi(2)).sqrt();
            let expected = 1.0 / (1.0 + (-g * (mu - other_mu)).exp());
            information += g * g * expected * (1.0 - expected);
            surprise += g * (score - expected);
        }
        let v = 1.0 / information;
        let (volatility, _) = new_volatility(phi, self.volatility, v * surprise, v);
        let before = phi.hypot(volatility);
        let phi = 1.0 / (1.0 / before.powi(2) + 1.0 / v).sqrt();
        Self {
            rating: 1500.0 + SCALE * (mu + phi.powi(2) * surprise),
            deviation: SCALE * phi,
            volatility,
        }
    }

    fn scaled(self) -> (f64, f64) {
        ((self.rating - 1500.0) / SCALE, self.deviation / SCALE)
    }
}

/// Step 5: the new volatility, and in how many steps it was found.
pub(super) fn new_volatility(phi: f64, sigma: f64, delta: f64, v: f64) -> (f64, u32) {
    let start = sigma.powi(2).ln();
    let f = |x: f64| {
        let (e, spread) = (x.exp(), phi.powi(2) + v + x.exp());
        e * (delta.powi(2) - spread) / (2.0 * spread.powi(2)) - (x - start) / TAU.powi(2)
    };
    let mut low = start;
    let mut high = if delta.powi(2) > phi.powi(2) + v {
        (delta.powi(2) - phi.powi(2) - v).ln()
    } else {
        let ends = (1_u32..).map(|step| start - f64::from(step) * TAU);
        ends.into_iter().find(|end| f(*end) >= 0.0).expect("an end")
    };
    let (mut at_low, mut at_high, mut steps) = (f(low), f(high), 0);
    while (high - low).abs() > 0.000_001 {
        let next = low + (low - high) * at_low / (at_high - at_low);
        let at_next = f(next);
        // The correction of 2022: not `<` alone.
        if at_next * at_high <= 0.0 {
            (low, at_low) = (high, at_high);
        } else {
            at_low /= 2.0;
        }
        (high, at_high) = (next, at_next);
        steps += 1;
        assert!(steps < 100, "it does not end");
    }
    ((low / 2.0).exp(), steps)
}
