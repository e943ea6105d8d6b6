use std::time::{Duration, Instant};

use skillratings::Outcomes;

use super::{KEEP_VOLATILITY, Rating, TOLERANCE, period, rate};
use crate::color::{ByColor, Color};

const fn rating(rating: f64, deviation: f64, volatility: f64) -> Rating {
    Rating {
        rating,
        deviation,
        volatility,
    }
}

#[track_caller]
fn near(value: f64, expected: f64, within: f64) {
    assert!(
        (value - expected).abs() <= within,
        "{value} is not {expected}"
    );
}

/// The example of Glickman's paper (E04).
#[test]
fn the_example_of_the_paper() {
    let player = rating(1500.0, 200.0, 0.06);
    let results = [
        (rating(1400.0, 30.0, 0.06), Outcomes::WIN),
        (rating(1550.0, 100.0, 0.06), Outcomes::LOSS),
        (rating(1700.0, 300.0, 0.06), Outcomes::LOSS),
    ];
    let after = period(player, &results, TOLERANCE).unwrap();
    near(after.rating, 1464.05, 0.01);
    near(after.deviation, 151.52, 0.01);
    near(after.volatility, 0.05999, 0.00001);
}

/// E02: a year of twelve periods, and never more than is known of a newcomer.
#[test]
fn who_does_not_play_grows_uncertain() {
    let known = rating(1700.0, 50.0, 0.06);
    for (periods, expected) in [(0, 50.0), (1, 51.07), (2, 52.13), (12, 61.67)] {
        let idle = Rating::IDLE_PERIOD * periods;
        for more in [Duration::ZERO, Duration::from_hours(30 * 24 - 1)] {
            let after = known.after_idling(idle + more);
            near(after.deviation, expected, 0.005);
            assert_eq!((after.rating, after.volatility), (1700.0, 0.06));
        }
    }
    let began = Instant::now();
    for idle in [Rating::IDLE_PERIOD * 1200, Duration::MAX] {
        near(known.after_idling(idle).deviation, 350.0, 0.0);
        assert_eq!(Rating::START.after_idling(idle), Rating::START);
    }
    assert!(began.elapsed() < Duration::from_secs(1));
}

/// E03: the input for which an older method never ended. `delta` and `v` as printed are those of one win
/// against this opponent.
#[test]
fn a_volatility_that_once_never_converged_does() {
    let scale = 173.7178;
    let player = rating(
        -3.574_434_4 * scale + 1500.0,
        1.612_077_0 * scale,
        1.090_210_2,
    );
    let opponent = rating(1_462.083_168_9, 247.692_134_4, 0.06);
    let after = period(player, &[(opponent, Outcomes::WIN)], TOLERANCE).unwrap();
    near(after.volatility, 1.1229, 0.00005);
}

/// E03: the greatest surprises there can be, within the bounds and beyond.
#[test]
fn the_greatest_surprise_gives_finite_ratings_at_once() {
    let began = Instant::now();
    let values = |rated: [f64; 3], sure: [f64; 3], volatile: [f64; 3]| {
        let mut all = Vec::new();
        for value in rated {
            for deviation in sure {
                all.extend(volatile.map(|volatility| rating(value, deviation, volatility)));
            }
        }
        all
    };
    let within = values(
        [100.0, 1500.0, 4000.0],
        [45.0, 110.0, 350.0],
        [0.02, 0.06, 0.1],
    );
    let beyond = values([-1e9, 0.0, 1e9], [1e-9, 30.0, 1e9], [1e-9, 1.0, 1e9]);
    for red in within.iter().chain(&beyond) {
        for blue in within.iter().chain(&beyond) {
            for winner in [Some(Color::Red), Some(Color::Blue), None] {
                let both = ByColor {
                    red: *red,
                    blue: *blue,
                };
                let after = rate(both, winner);
                for side in Color::ALL {
                    let Rating {
                        rating,
                        deviation,
                        volatility,
                    } = after[side].rating;
                    assert!(after[side].converged, "{both:?}");
                    assert!((100.0..=4000.0).contains(&rating), "{both:?}: {rating}");
                    assert!((45.0..=350.0).contains(&deviation), "{both:?}: {deviation}");
                    assert!((0.02..=0.1).contains(&volatility), "{both:?}: {volatility}");
                }
            }
        }
    }
    // 3,000 points below, and both as sure as can be.
    let upset = ByColor {
        red: rating(500.0, 30.0, 0.06),
        blue: rating(3500.0, 30.0, 0.06),
    };
    let after = rate(upset, Some(Color::Red));
    assert!(after.red.rating.rating > 500.0 && after.blue.rating.rating < 3500.0);
    let raw = period(upset.red, &[(upset.blue, Outcomes::WIN)], TOLERANCE).unwrap();
    assert!(raw.rating > 500.0);
    assert!(began.elapsed() < Duration::from_secs(10));
}

/// E03: where no number comes out the volatility stays, and so does the rating if that does not help.
#[test]
fn what_cannot_be_told_stays_as_it_was() {
    let player = rating(1500.0, 200.0, 0.06);
    let opponent = rating(1700.0, 100.0, 0.06);
    let kept = period(player, &[(opponent, Outcomes::WIN)], KEEP_VOLATILITY).unwrap();
    near(kept.volatility, 0.06, 1e-12);
    assert!(kept.rating > player.rating && kept.deviation < player.deviation);
    let none = rating(f64::NAN, 100.0, 0.06);
    let rated = player.after(&[(none, Outcomes::WIN)]);
    assert_eq!((rated.rating, rated.converged), (player, false));
}

/// E05: two who only play each other, and win in turn.
#[test]
fn two_hundred_thousand_games_between_two_players_lead_nowhere() {
    let mut both = ByColor {
        red: Rating::START,
        blue: Rating::START,
    };
    for game in 0..200_000 {
        let winner = Color::ALL[game % 2];
        both = rate(both, Some(winner)).map(|rated| rated.rating);
    }
    for side in Color::ALL {
        near(both[side].rating, 1500.0, 25.0);
        assert!((45.0..85.0).contains(&both[side].deviation), "{both:?}");
    }
    near(both.red.rating + both.blue.rating, 3000.0, 1.0);
}

#[test]
fn both_sides_are_rated_by_what_they_were_before() {
    let start = ByColor {
        red: Rating::START,
        blue: Rating::START,
    };
    let after = rate(start, Some(Color::Red)).map(|rated| rated.rating);
    near(after.red.rating, 1662.31, 0.01);
    near(after.blue.rating, 1337.69, 0.01);
    near(after.red.deviation, after.blue.deviation, 0.0);
    near(after.red.deviation, 290.32, 0.01);
    assert!(after.red.is_provisional());
    let drawn = rate(start, None).map(|rated| rated.rating);
    assert_eq!((drawn.red.rating, drawn.blue.rating), (1500.0, 1500.0));
    assert!(rating(1500.0, 110.0, 0.06).is_provisional());
    assert!(!rating(1500.0, 109.999, 0.06).is_provisional());
}
